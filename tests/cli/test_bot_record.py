"""Promises of `arena bot show` and `arena bot retire`, on a real database."""

import json
from collections.abc import Callable

import pytest

from arena.cli.app import run
from arena.store.pool import Database
from tests.fix_queue import drain, make_tournament
from tests.fix_terminal import Commands


@pytest.fixture
def played(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Give a database with a finished tournament of three bots."""
    make_tournament(database, "ann", "bob", "cid", deal_sets=5)
    drain(database)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.setenv("ARENA_OWNER", "tester")
    return database


@pytest.mark.usefixtures("played")
def test_a_record_as_it_looks(arena: Commands, database_url: str, golden: Callable[[str, str], None]) -> None:
    """Sums, opponents and the way to the matches."""
    screen = arena.on_terminal("bot", "show", "bob", columns=80, ARENA_DATABASE_URL=database_url).screen

    told = screen.partition("record: ")
    golden("screen_bot_record", told[1] + told[2])


@pytest.mark.usefixtures("played")
def test_a_bot_is_retired_and_brought_back(capsys: pytest.CaptureFixture[str]) -> None:
    """The list says so, a new tournament is refused in one line, and --undo brings it back."""
    assert run(["bot", "retire", "bob"]) == 0
    assert "bob@1  retired" in capsys.readouterr().out
    assert run(["bot", "list"]) == 0
    assert "retired" in capsys.readouterr().out
    assert run(["bot", "show", "bob", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_retired"]
    assert run(["tournament", "create", "next", "ann", "bob"]) == 2
    assert "arena bot retire bob --undo" in capsys.readouterr().err
    assert run(["bot", "retire", "bob", "--undo", "--json"]) == 0
    assert not json.loads(capsys.readouterr().out)["is_retired"]
    assert run(["tournament", "create", "next", "ann", "bob"]) == 0
