"""Promises of `arena match replay`, on real records: in a terminal with keys, and on a pipe."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from arena.cli.app import run
from arena.cli.match_replay import HELP, Film
from arena.cli.narration import Narrator
from arena.rules.frames import frames
from arena.rules.presets import preset
from arena.rules.record import parse_record
from arena.service.matches import show
from arena.store.pool import Database
from tests.fix_terminal import Commands
from tests.service.test_matches import play_to_the_end, store_matches

KEY = bytes(range(32))
FRAMES = list(frames(parse_record(play_to_the_end(KEY).record), preset("mattel")))
NAMES = ["ann@1", "bob@1"]


@pytest.fixture
def played(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Give a database with one whole deal set."""
    database.run(lambda connection: store_matches(connection, play_match=play_to_the_end))
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    return database


def seen(film: Film, height: int = 40, width: int = 100) -> str:
    """Return what a film shows, as text."""
    return "\n".join("".join(text for text, _ in parts) for parts in film.screen(height, width))


@pytest.mark.usefixtures("played")
def test_a_replay_on_a_terminal(
    arena: Commands, database_url: str, golden: Callable[[str, str], None]
) -> None:
    """The begin, one step on, the end, the view of a seat and back; every key draws the screen anew.

    At 80 columns all keys are named.
    """
    ended = arena.on_terminal(
        "match", "replay", "1", columns=80, keys=" \x1b[C1bGaq", ARENA_DATABASE_URL=database_url
    )

    assert ended.code == 0
    assert ended.out.index("\x1b[?1049h") < ended.out.index("\x1b[?1049l")  # a screen of its own, given back
    assert "\x1b[9" in ended.out  # bright colours
    assert HELP in ended.screen
    golden("replay", re.sub(r"\n{3,}", "\n\n", ended.screen))


@pytest.mark.usefixtures("played")
def test_a_replay_on_a_pipe_tells_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    """Plain lines; of a seat's view the other hands are no part; an unknown seat is refused."""
    assert run(["match", "replay", "1"]) == 0
    everything = capsys.readouterr().out
    assert run(["match", "replay", "1", "--seat", "1"]) == 0
    one = capsys.readouterr().out
    assert run(["match", "replay", "1", "--seat", "2"]) == 2
    assert "has seats 0 to 1" in capsys.readouterr().err
    assert run(["match", "show", "1", "--trace", "--json"]) == 0
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    told = sum(step["step"] in {"event", "decision"} for step in steps)
    assert len(everything.splitlines()) >= told
    assert everything.count("?") == sum(len(step.get("bluffs", ())) for step in steps) > 0
    assert "\x1b" not in everything + one
    assert re.search(r"^  seat 0 \w+@1: ", everything, re.MULTILINE)
    assert not re.search(r"^  seat 0 \w+@1[:,]", one, re.MULTILINE)


def test_a_replay_waits_for_the_deal_set(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While another rotation is to be played no view is given, not even a seat's own."""
    database.run(lambda connection: store_matches(connection, rotations=[0]))
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    for view in ([], ["--seat", "0"]):
        assert run(["match", "replay", "1", *view]) == 2
        assert "when all matches of its deal set are played" in capsys.readouterr().err


def test_a_record_that_does_not_replay_is_the_platforms_failure(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that names the proof, exit code 4."""
    database.run(lambda connection: store_matches(connection, play_match=play_to_the_end))
    with database.transaction() as connection:
        connection.execute("UPDATE match_record SET line = regexp_replace(line, ' [^ ,]+,', ' R7,')")
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    assert run(["match", "replay", "1"]) == 4
    assert "arena match verify 1" in capsys.readouterr().err
    assert show(database, 1).record is not None


def test_steps_forwards_and_back_meet() -> None:
    """Going on to the end and back shows the same pictures; neither end is passed."""
    film = Film(NAMES, FRAMES, None, 0)
    forwards = [seen(film)]
    for _ in range(len(FRAMES) - 1):
        film.press(" ")
        forwards.append(seen(film))
    film.press("n")
    assert seen(film) == forwards[-1]
    backwards = [seen(film)]
    for _ in range(len(FRAMES) - 1):
        film.press("\x1b[D")
        backwards.append(seen(film))
    film.press("b")

    assert seen(film) == forwards[0]
    assert backwards[::-1] == forwards
    assert len(set(forwards)) == len(FRAMES)


def test_rounds_and_ends_are_reached() -> None:
    """R and R stop where a round begins, g and G at the ends."""
    begins = [
        number
        for number, frame in enumerate(FRAMES)
        if any(step.get("event") == "round_began" for step in frame.steps)
    ]
    film = Film(NAMES, FRAMES, None, 0)
    found = [0]
    for _ in begins[1:]:
        film.press("r")
        found.append(int(seen(film).split()[1]))
    back = []
    for _ in begins[1:]:
        film.press("R")
        back.append(int(seen(film).split()[1]))
    film.press("G")
    assert seen(film).startswith(f"decision {len(FRAMES) - 1} of")
    film.press("g")

    assert found == begins
    assert back == begins[-2::-1]
    assert seen(film).startswith("decision 0 of")


def test_a_seat_sees_no_other_hand() -> None:
    """In no picture of a seat's view stands a card that only the other one holds or drew."""
    for viewer in (0, 1):
        film = Film(NAMES, FRAMES, viewer, 0)
        for frame in FRAMES:
            lines = [line for line in seen(film).splitlines() if NAMES[1 - viewer] in line]
            hand = " ".join(frame.position.hands[1 - viewer])
            assert not any(hand in line for line in lines if len(frame.position.hands[1 - viewer]) > 1)
            assert not any(", turn:" in line or "cards: " in line for line in lines)
            film.press(" ")


def test_what_a_deal_cast_away_is_told() -> None:
    """First cards that were refused, hands dealt in vain and draws for the dealer are told too."""
    begin: dict[str, Any] = {"step": "event", "seat": 1, "count": 1}
    draws = [{"seat": 0, "card": "R5"}, {"seat": 1, "card": "B9"}]
    dealt = begin | {"event": "round_began", "dealer_draws": draws, "in_vain": [[["W+4"], ["W"]]]}
    first = begin | {"event": "first_card", "card": "G3", "refused": ["W+4", "W"]}

    told = [
        ["".join(text for text, _ in parts) for step in (dealt, first) for parts in narrator.tell(step)]
        for narrator in (Narrator(NAMES), Narrator(NAMES, viewer=1))
    ]

    assert told[0] == [
        "round 1, dealt by seat 1 bob@1",
        "  for the dealer: seat 0 ann@1 R5",
        "  for the dealer: seat 1 bob@1 B9",
        "  dealt in vain, for no card could be the first: W+4 | W",
        "first card G3, after 2 that cannot be the first: W+4 W",
    ]
    assert told[1] == [line.replace("W+4 | W", "W") for line in told[0]]


def test_a_low_terminal_keeps_the_newest_lines() -> None:
    """The picture and the last events fit the height; nothing scrolls away."""
    film = Film(NAMES, FRAMES, None, 0)
    film.press("G")
    assert len(seen(film, 12).splitlines()) <= 12
    assert seen(film, 12).count("place") >= 1


def test_a_narrow_terminal_shows_every_card() -> None:
    """At 40 columns nothing is wider, hands go on in the next line, and what has no room is named."""
    film = Film(["a-bot-with-a-name-of-29-chars@1", "b@12"], FRAMES, None, 0)
    for frame in FRAMES:
        lines = seen(film, 40, 40).splitlines()
        words = " ".join(lines).split()
        assert max(map(len, lines)) <= 40
        if not frame.position.places:
            assert all(
                words.count(card) >= hand.count(card) for hand in frame.position.hands for card in hand
            )
        film.press(" ")

    low = seen(film, 12, 40).splitlines()
    assert len(low) <= 12
    assert re.search(r"… \d+ more lines", "\n".join(low)) or "b@12" in "\n".join(low)


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("key", ["q", "\x1b"])
def test_the_terminal_is_given_back_as_it_was(key: str, arena: Commands, database_url: str) -> None:
    """However it is left, the terminal has the settings that it had."""
    ended = arena.on_terminal("match", "replay", "1", keys=key, ARENA_DATABASE_URL=database_url)

    assert (ended.code, ended.kept) == (0, True)


@pytest.mark.usefixtures("played")
def test_a_terminal_that_closes_ends_a_replay_as_any_command(arena: Commands, database_url: str) -> None:
    """Exit code 3, though the terminal cannot be given back as it was."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["env", "--default-signal=HUP,INT", sys.executable, "-m", "arena.cli", "match", "replay", "1"],
        cwd=arena.folder,
        env=arena.environment({"ARENA_DATABASE_URL": database_url, "TERM": "xterm"}),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as child:
        os.close(theirs)
        shown = b""
        while b"decision 0 of" not in shown:
            shown += os.read(ours, 65536)
        os.close(ours)
        code = child.wait(100)

    assert code == 3
