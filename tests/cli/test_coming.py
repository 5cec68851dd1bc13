"""Promises of what the commands say of matches to come and of tournaments that stand still."""

import json
from contextlib import nullcontext

import pytest

from arena.cli import progress
from arena.cli.app import run
from arena.cli.coming import tell_state
from arena.cli.progress import Pace, describe
from arena.cli.session import Crew, Session
from arena.service import jobs, tournaments, watching
from arena.store.pool import Database
from tests.fix_db import Valkey
from tests.fix_queue import claimed, make_outcome, make_tournament, take

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def store(database_url: str, valkey_server: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commands find the servers of the test."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.setenv("ARENA_BROKER_URL", valkey_server.url)


def play(database: Database, amount: int) -> None:
    """Play some jobs."""
    for _ in range(amount):
        lease = claimed(database)
        assert jobs.finish(database, lease, make_outcome(lease))


def test_show_names_the_pairings_to_come(database: Database, capsys: Out) -> None:
    """How much is left, who plays now with how far it is, and who is next; programs get the same."""
    make_tournament(database, *"abcde", deal_sets=4)
    play(database, 1)

    assert run(["tournament", "show", "cup"]) == 0
    shown = capsys.readouterr().out
    assert run(["tournament", "show", "cup", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["coming"]

    assert "to come: 76 matches of 10 pairings\n" in shown
    assert "under way: b@1 - e@1 (4 of 8), c@1 - d@1" in shown
    assert "coming next: " in shown
    assert (told["matches"], told["begun"] + told["waiting"], told["round_number"]) == (76, 10, None)
    assert told["under_way"][0] == {"bots": ["b@1", "e@1"], "played": 4, "matches": 8}


def test_a_swiss_says_that_its_next_round_follows_from_results(database: Database, capsys: Out) -> None:
    """The pairs of later rounds are not known, and the matches that are counted are those up to this one."""
    make_tournament(database, *"abcde", format="swiss:3", deal_sets=4)

    assert run(["tournament", "show", "cup"]) == 0

    said = capsys.readouterr().out
    assert "round 1 of 3; pausing in it: e@1; who meets in the next round follows from the results" in said
    assert describe(watching.progress(database, "cup"), Pace()) == (
        "cup: 0 of 16 matches (0%) up to round 1 of 3"
    )


def test_nothing_is_to_come_of_what_is_over(database: Database, capsys: Out) -> None:
    """A cancelled tournament plays nothing more, whatever it lacks."""
    make_tournament(database, *"abc")
    tournaments.cancel(database, "cup")

    assert run(["tournament", "show", "cup"]) == 0
    assert "to come" not in capsys.readouterr().out
    assert run(["tournament", "show", "cup", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["coming"] is None


@pytest.mark.parametrize(
    ("format_", "state", "listed", "blocked"),
    [
        ("round_robin", "interrupted", "'cup' was interrupted", True),
        ("ladder", "resting", "ladder cup rests: `arena tournament run cup` goes on", False),
    ],
)
def test_what_stands_still_says_which_command_goes_on(
    database: Database, capsys: Out, format_: str, state: str, listed: str, blocked: bool
) -> None:
    """A ladder that was stopped is not called interrupted, for it has no end; it blocks nothing."""
    make_tournament(database, *"abc", format=format_)
    tournaments.pause(database, "cup")

    assert run(["tournament", "show", "cup"]) == 0
    assert f"{state}: `arena tournament run cup` goes on\n" in capsys.readouterr().out
    assert run(["tournament", "watch", "cup"]) == 3
    assert capsys.readouterr().err.endswith(f"cup is {state}: `arena tournament run cup` goes on\n")
    assert run(["tournament", "list"]) == 0
    assert f" {state} " in capsys.readouterr().out
    assert run(["status"]) == 0
    said = capsys.readouterr().out
    assert listed in said
    assert ("interrupted" in said) is blocked


@pytest.mark.parametrize(
    ("format_", "state", "said"),
    [
        ("round_robin", "running", "the workers of `arena up` play on"),
        ("ladder", "resting", "cup rests: the workers of `arena up` end what is under way and begin no more"),
    ],
)
def test_an_interrupt_lets_a_ladder_rest_whoever_plays_it(
    database: Database,
    capsys: Out,
    monkeypatch: pytest.MonkeyPatch,
    format_: str,
    state: str,
    said: str,
) -> None:
    """Workers that outlive the command play on what has an end, and begin nothing more of what has none."""
    make_tournament(database, *"abc", format=format_)
    monkeypatch.setattr(Session, "workers", lambda _: nullcontext(Crew(1, is_own=False)))

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(progress, "watch", interrupt)

    assert run(["tournament", "run", "cup"]) == 3

    assert said in capsys.readouterr().err
    assert tell_state(watching.progress(database, "cup").tournament) == state
    assert (take(database) is None) is (state == "resting")


def test_a_ladder_says_how_much_is_told_apart_and_that_this_ends_nothing(
    database: Database, capsys: Out
) -> None:
    """Of the pairs of neighbours; where all are, what it does all the same and how it ends. Programs too."""
    make_tournament(database, *"abc", format="ladder", deal_sets=5)

    def show() -> str:
        assert run(["tournament", "show", "cup"]) == 0
        return capsys.readouterr().out

    def win(places: str) -> None:
        with database.transaction() as connection:
            connection.execute(b"UPDATE match SET places = " + places.encode())

    assert "told apart" not in show()
    play(database, 64)
    win("ARRAY[1, 2]")  # each deal set is split
    assert "told apart: 0 of 2 pairs of neighbours in the standing\n" in show()
    win("CASE WHEN entries[1] < entries[2] THEN ARRAY[1, 2] ELSE ARRAY[2, 1] END")
    assert "told apart: every pair of neighbours" in show()
    assert "it plays on what makes the order surest; `arena tournament cancel cup` ends it" in show()
    tournaments.pause(database, "cup")
    assert "when it goes on, it plays what makes the order surest" in show()
    assert run(["tournament", "show", "cup", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["season"]
    assert (told["neighbours"], told["untold"]) == (2, 0)
    tournaments.cancel(database, "cup")
    assert "told apart: every pair of neighbours in the standing\n" in show()
