"""Promises of `arena bot show`, `arena bot logs` and `arena bot retire`, on a real database."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.cli.app import run
from arena.service import jobs
from arena.service.annulments import Correction, annul
from arena.store.pool import Database
from arena.store.rows import NewFault
from tests.fix_queue import drain, make_outcome, make_tournament, take
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


def test_annulled_matches_are_said_where_the_record_lacks_them(
    played: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """How many beside those that count, and that it is all where none do."""
    annul(played, Correction(reason="ours", bot="ann"))

    for bot, said in (("ann", "all its matches"), ("bob", "10 of its matches")):
        assert run(["bot", "show", bot]) == 0
        shown = capsys.readouterr().out
        assert f"annulled: {said} do not count; `arena match annulments` says why\n" in shown
        assert ("record: " in shown) is (bot == "bob")


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


def test_what_a_bot_wrote_when_it_failed_is_told_once_its_cards_may_be_seen(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under the version and the match, escaped; while its deal set is open only that there is something."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    make_tournament(database, "ann", "bob", deal_sets=1)
    lease = take(database)
    assert lease is not None
    outcome = make_outcome(lease)
    ann, bob = (outcome.matches[0].entries.index(number) for number in (0, 1))
    faults = [
        NewFault(ann, "crashed", {"stderr_tail": "I hold \x1b[31mR7"}),
        NewFault(bob, "timed_out", {"stderr_tail": "so slow"}),
    ]
    matches = [replace(outcome.matches[0], faults=faults), *outcome.matches[1:]]
    assert jobs.finish(database, lease, replace(outcome, matches=matches))

    assert run(["bot", "logs", "ann"]) == 0
    early = capsys.readouterr().out
    drain(database)
    assert run(["bot", "logs", "ann@1"]) == 0
    late = capsys.readouterr().out
    assert run(["bot", "logs", "ann", "--matches", "0", "--json"]) == 0

    assert json.loads(capsys.readouterr().out)[0]["matches"] == []
    assert "ann@1, match 1, crashed: shown when all matches of its deal set are played" in early
    assert "R7" not in early
    assert "ann@1, match 1, crashed: its stderr ends\n  | I hold \\x1b[31mR7" in late
    assert "so slow" not in late
