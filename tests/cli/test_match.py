"""Promises of `arena match`, on a real database with honest matches."""

import json

import pytest

from arena.cli.app import run
from arena.store.pool import Database
from arena.store.rows import NewFault
from tests.service.test_matches import store_matches


@pytest.fixture
def played(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Give a database with one whole deal set, in which one bot was too slow."""
    fault = NewFault(0, "timed_out", {"limit_ms": 20})
    database.run(lambda connection: store_matches(connection, faults=[fault]))
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    return database


@pytest.mark.usefixtures("played")
def test_matches_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Newest first, of a tournament or of all; only those with faults, and only so many, when asked."""
    assert run(["match", "list", "cup", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert run(["match", "list", "--faults", "--limit", "1", "--json"]) == 0
    (newest,) = json.loads(capsys.readouterr().out)

    assert [row["id"] for row in listed] == [2, 1]
    assert newest["id"] == 2
    assert newest["faults"] == [{"seat": 0, "bot": newest["bots"][0], "kind": "timed_out"}]


@pytest.mark.usefixtures("played")
def test_conditions_and_pages_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Conditions are options; --before goes on where a page ended; nothing found says so."""
    assert run(["match", "list", "cup", "--bot", "ann@1", "--verdict", "timed_out", "--limit", "1"]) == 0
    assert " cup " in capsys.readouterr().out
    assert run(["match", "list", "--ending", "decisions", "--before", "2", "--json"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == [1]
    assert run(["match", "list", "--verdict", "crashed"]) == 0
    assert capsys.readouterr().out == "no such match\n"


@pytest.mark.usefixtures("played")
def test_a_list_names_bots_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads who played, who was where, and whose fault was which."""
    assert run(["match", "list", "--faults"]) == 0

    head, newest, *_ = capsys.readouterr().out.splitlines()
    assert "ann@1 1, bob@1 1" in newest
    assert head.endswith("at fault")
    assert newest.endswith("ann@1 timed_out")


def test_a_verdict_on_memory_names_no_limit_of_the_clock(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was granted is told; what the clock measured stays in the evidence for programs."""
    evidence = {"limit_ms": 20, "wall_ms": 7.0, "detail": "killed: out of memory, 512 MiB were granted"}
    fault = NewFault(0, "out_of_memory", evidence)
    database.run(lambda connection: store_matches(connection, faults=[fault]))
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    assert run(["match", "why", "1"]) == 0
    said = capsys.readouterr().out
    assert run(["match", "why", "1", "--json"]) == 0
    (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]

    assert "512 MiB were granted" in said
    assert "limit" not in said
    assert "measured" not in said
    assert verdict["evidence"] == evidence


@pytest.mark.usefixtures("played")
def test_a_trace_tells_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    """For people a line a step and a dealt hand, for programs a JSON object a line; the record when asked."""
    assert run(["match", "show", "1", "--trace"]) == 0
    steps = capsys.readouterr().out.splitlines()
    assert run(["match", "show", "1", "--trace", "--json"]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert run(["match", "show", "1"]) == 0
    plain = capsys.readouterr().out
    assert run(["match", "show", "1", "--record"]) == 0
    full = capsys.readouterr().out

    assert objects[0]["step"] == "match"
    assert len(objects) > 50
    hands = [hand for step in objects for hand in step.get("hands", []) if hand]
    assert len(steps) == len(objects) + len(hands)
    assert {f"  seat 0: {' '.join(hand)}" for hand in hands} & set(steps)
    assert "arena/1 " not in plain
    assert "arena/1 " in full


def test_a_trace_waits_for_the_deal_set(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While another rotation is to be played no card is told."""
    database.run(lambda connection: store_matches(connection, rotations=[0]))
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    assert run(["match", "show", "1", "--trace"]) == 2
    assert "when all matches of its deal set are played" in capsys.readouterr().err
