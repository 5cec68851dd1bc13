"""Promises of `arena match annul` and `annulments`, on a real database."""

import json

import pytest

from arena.cli.app import run
from arena.store.pool import Database
from tests.service.test_annulments import write


@pytest.fixture(autouse=True)
def store(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a tournament of three bots that two workers played."""
    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)


def test_annulled_matches_leave_the_standing_and_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    """The command says what it did and how it is undone; standing, match and list say it too."""
    assert run(["match", "annul", "--worker", "bad", "--reason", "its clock ran slow"]) == 0
    assert "annulment 1: 4 matches (by bad) count no longer: its clock ran slow" in capsys.readouterr().out
    for look in (["standings"], ["tournament", "show"]):
        assert run([*look, "cup"]) == 0
        said = "annulled: 4 matches do not count; `arena match annulments` says why"
        assert said in capsys.readouterr().out
    for look in (["standings", "--method", "openskill"], ["crosstable"]):
        assert run([*look, "cup"]) == 0
        assert "annulled: 4 matches do not count" in capsys.readouterr().out
    assert run(["match", "annul", "--undo", "1"]) == 0
    capsys.readouterr()
    assert run(["match", "annulments", "--json"]) == 0

    (told,) = json.loads(capsys.readouterr().out)
    assert (told["matches"], told["worker"], told["undone_at"] is None) == (4, "bad", False)
    assert run(["match", "annulments"]) == 0
    assert "undone" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--worker", "bad"], "--reason is needed"),
        (["--undo", "1", "--worker", "bad"], "leave --worker out"),
        (["--undo", "1"], "no annulment has the number 1"),
        (["--reason", "x", "--since", "yesterday"], "is no moment"),
        (["--reason", "x"], "say whose matches"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing or too much is named; exit code 2."""
    assert run(["match", "annul", *arguments]) == 2
    assert why in capsys.readouterr().err
