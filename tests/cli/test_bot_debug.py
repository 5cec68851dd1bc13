"""Promises of `arena bot debug`: a bot bare or at an address, every question and answer, and what differs."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.pool import Database
from tests.fix_terminal import Commands
from tests.service.test_matches import play_to_the_end, store_matches

SOURCE = """import sys
from arena.bot import Bot, serve
class Mine(Bot):
    count = 0
    def move(self, view):
        self.count += 1
        if self.count == 1:
            print("first \\x1b[31mquestion", file=sys.stderr)
        {act}
        return view.legal[0]
serve(Mine)
"""
MANIFEST = 'name = "ann"\nruntime = "python"\nrun = ["python3", "bot.py"]\ninclude = ["bot.py"]\n'
LAST = "if self.count == 3 and len(view.legal) > 1: return view.legal[-1]"
CRASH = "if self.count == 3: raise RuntimeError('lost')"
ILLEGAL = "if self.count == 3: return 999"


def write_bot(arena: Commands, act: str = "") -> Path:
    """Write a bot that takes the first legal move, but for what it does at its third question."""
    folder = arena.folder / "ann"
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST)
    (folder / "bot.py").write_text(SOURCE.format(act=act))
    return folder


@pytest.fixture
def stored(database: Database, database_url: str) -> str:
    """Store two matches between ann and bob, who both take the first legal move; give the database's URL."""
    database.run(lambda connection: store_matches(connection, play_match=play_to_the_end))
    return database_url


def test_a_bot_is_asked_bare_and_every_answer_is_told(arena: Commands) -> None:
    """Against the house, without a clock: question, answer, stderr escaped; the key repeats it."""
    write_bot(arena)

    said = arena("bot", "debug", "ann")
    assert (said.code, said.err) == (0, "")
    key = said.out.split()[-1]
    again = arena("bot", "debug", "ann", "--key", key, "--json")
    exchanges = json.loads(again.out)

    assert "  stderr | first \\x1b[31mquestion" in said.out
    assert "\x1b" not in said.out
    assert [each["number"] for each in exchanges] == list(range(1, len(exchanges) + 1))
    assert said.out.count("\n  answer ") == len(exchanges) > 10
    assert all(each["answer"] == each["legal"][0] and each["is_legal"] for each in exchanges)
    assert all(each["recorded"] is None and not each["differs"] for each in exchanges)
    first = exchanges[0]
    assert f"hand {' '.join(first['hand'])}, sizes" in said.out


@pytest.mark.parametrize(("act", "differs"), [("", []), (LAST, [3])])
def test_recorded_questions_are_put_again_and_differences_shown(
    arena: Commands, stored: str, act: str, differs: list[int]
) -> None:
    """The match goes on as it was recorded; only the answer that is another one now is named."""
    write_bot(arena, act)

    told = arena("bot", "debug", "ann", "--match", "1", "--json", ARENA_DATABASE_URL=stored)
    said = arena("bot", "debug", "ann", "--match", "1", ARENA_DATABASE_URL=stored)

    exchanges = json.loads(told.out)
    assert len(exchanges) > 100
    assert [each["number"] for each in exchanges if each["differs"]] == differs
    assert said.out.count("DIFFERS, recorded: ") == len(differs)
    assert f", {len(differs)} other than recorded" in said.out
    assert any(each["uno"] for each in exchanges)


def test_a_bot_that_dies_says_with_what(arena: Commands) -> None:
    """Its traceback, how the process ended, and the question, in one line of error."""
    write_bot(arena, CRASH)

    ended = arena("bot", "debug", "ann")

    assert ended.code == 2
    assert "question 3" in ended.err
    assert ended.err.count("\n") == 1
    assert "stderr | RuntimeError: lost" in ended.out
    assert "the bot's process: exit" in ended.out
    assert "Traceback" not in ended.err


def test_an_illegal_answer_is_named(arena: Commands, stored: str) -> None:
    """It is no end: a recorded match goes on, and the sum counts it."""
    write_bot(arena, ILLEGAL)

    said = arena("bot", "debug", "ann", "--match", "2", ARENA_DATABASE_URL=stored)

    assert "NOT LEGAL" in said.out
    assert "1 answers not legal, 1 other than recorded, the first at question 3" in said.out


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=["unix", "tcp"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of a bot that its author runs."""
    (tmp_path / "mine.py").write_text(SOURCE.format(act=""))
    found = f"unix:{tmp_path}/bot.sock" if request.param == "unix" else f"localhost:{free_port()}"
    environment = {**os.environ, "ARENA_ADDRESS": found, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, str(tmp_path / "mine.py")], env=environment) as running:
        yield found
        running.kill()


def test_a_bot_that_runs_already_is_asked_where_it_listens(arena: Commands, address: str) -> None:
    """It needs no manifest; its seat at the table is chosen."""
    said = arena("bot", "debug", address, "--seats", "3", "--seat", "2")

    assert (said.code, said.err) == (0, "")
    assert "answers not legal" in said.out.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "give a bot's folder"),
        (["ann", "--seat", "2"], "has seats 0 to 1"),
        (["ann", "--match", "1", "--seats", "3"], "leave out --rules"),
        (["ann", "--match", "99"], "no match has the number 99"),
        (["ann", "--key", "12"], "64 hexadecimal digits"),
        (["cid", "--match", "1"], "sat in no seat of that match"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    arena: Commands, stored: str, arguments: list[str], message: str
) -> None:
    """One line, before anything is started."""
    write_bot(arena)
    other = arena.folder / "cid"
    other.mkdir()
    (other / "bot.toml").write_text(MANIFEST.replace("ann", "cid"))

    ended = arena("bot", "debug", *arguments, ARENA_DATABASE_URL=stored)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("\n") == 1
    assert message in ended.err
