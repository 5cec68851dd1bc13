"""What cannot be known is said: every view over every kind of tournament that tells little or nothing."""

import csv
import io
import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.service import annulments
from arena.service.annulments import Correction
from arena.store.pool import Connection, Database
from tests.service.test_standings import play, write_tournament

VIEWS = [
    "standings NAME",
    "standings NAME --json",
    "standings NAME --csv",
    "standings NAME --columns all",
    "standings NAME --anchor a",
    "standings NAME --method glicko2",
    "standings NAME --method openskill",
    "standings NAME --method glicko2 --json",
    "standings NAME --method glicko2 --csv",
    "standings NAME --method openskill --json",
    "standings NAME --method openskill --csv",
    "crosstable NAME",
    "crosstable NAME --show points",
    "crosstable NAME --show sure",
    "crosstable NAME --json",
    "crosstable NAME --csv",
    "tournament show NAME",
    "report NAME -o page.html",
    "standings --all",
    "standings --all --json",
]
"""Every view of a standing."""
TELLING = {"standings NAME", "standings NAME --method glicko2", "crosstable NAME", "report NAME -o page.html"}
"""Those in which the reason stands."""


def nothing(connection: Connection, name: str) -> None:
    """Nobody has played."""
    write_tournament(connection, name, "abc")


def alone(connection: Connection, name: str) -> None:
    """One bot has nobody to meet."""
    write_tournament(connection, name, "a")


def half(connection: Connection, name: str) -> None:
    """One match of two, so no deal set is complete."""
    row = write_tournament(connection, name, "ab")
    play(connection, row, 0, [(0, -1)])


def apart(connection: Connection, name: str) -> None:
    """Two pairs that nobody connects."""
    row = write_tournament(connection, name, "abcd")
    play(connection, row, 0, [(0, 1), (0, 0)])
    play(connection, row, 5, [(2, 3), (2, 2)])


def helpless(connection: Connection, name: str) -> None:
    """One bot lost all, and one won all."""
    row = write_tournament(connection, name, "abc")
    for pairing, winner in ((0, 0), (1, 0), (2, 1)):
        play(connection, row, pairing, [(winner, winner), (winner, winner)])


def even(connection: Connection, name: str) -> None:
    """Every deal set is split."""
    row = write_tournament(connection, name, "ab")
    play(connection, row, 0, [(0, 1), (1, 0), (0, 1)])


UNKNOWN = re.compile(r"\b(nan|NaN|inf|Infinity|None|Traceback)\b")
CASES: dict[str, tuple[Callable[[Connection, str], None], str]] = {
    "no matches": (nothing, "no complete deal set yet: no rating is known"),
    "one bot": (alone, "one entry: nothing to compare it with"),
    "an open deal set": (half, "no complete deal set yet: no rating is known"),
    "not connected": (apart, "not all entries are connected by matches"),
    "only annulled matches": (helpless, "matches do not count"),
    "only annulled matches, once more": (helpless, "no complete deal set is left: no rating is known"),
    "lost all": (helpless, ""),
    "all even": (even, ""),
}


def test_no_view_says_what_cannot_be_known(
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """A table and a reason, never a NaN, an infinity or a traceback; JSON and CSV can be read."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.chdir(tmp_path)
    for number, (case, (write, reason)) in enumerate(CASES.items()):
        name = f"cup{number}"
        database.run(partial(write, name=name))
        if case.startswith("only annulled matches"):
            annulments.annul(database, Correction(reason="a broken worker", worker="w", tournament=name))
        for view in VIEWS:
            code = run(view.replace("NAME", name).split())
            out, err = capsys.readouterr()
            if view.startswith("report"):
                out += (tmp_path / "page.html").read_text()

            assert (code, err) == (0, ""), (case, view)
            assert not UNKNOWN.search(out), (case, view)
            if view.endswith("--json"):
                assert json.loads(out, parse_constant=refuse)
            if view.endswith("--csv"):
                assert len({len(row) for row in csv.reader(io.StringIO(out))}) == 1, (case, view)
            if view in TELLING:
                assert reason in out, (case, view)


def refuse(name: str) -> None:
    """Refuse a number that JSON does not know."""
    raise AssertionError(name)


def read_by_programs(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> tuple[list[dict[str, object]], list[dict[str, str]]]:
    """Return the rows that a command gives as JSON and as CSV."""
    assert run([*command, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert run([*command, "--csv"]) == 0
    return rows, list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.parametrize("method", ["glicko2", "openskill"])
def test_an_online_rating_orders_nobody_whom_no_match_connects(
    method: str,
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each group has its own places, and its rows say so, as in the joint fit; programs get the same."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    database.run(partial(apart, name="cup"))
    command = ["standings", "cup", "--method", method]

    assert run(command) == 0
    shown = capsys.readouterr().out
    rows, sheet = read_by_programs(command, capsys)

    assert [(row["bot"], row["rank"], row["group"]) for row in rows] == [
        ("a@1", 1, 0),
        ("b@1", 2, 0),
        ("c@1", 1, 1),
        ("d@1", 2, 1),
    ]
    said = "group 2: compares only inside it"
    assert [row["note"] for row in rows] == ["", "", said, said]
    assert [(row["rank"], row["note"]) for row in sheet] == [("1", ""), ("2", ""), ("1", said), ("2", said)]
    assert shown.count(said) == 2
    assert "not all entries are connected by matches" in shown


@pytest.mark.parametrize("method", ["glicko2", "openskill"])
def test_an_online_rating_without_a_match_is_none(
    method: str,
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a method begins with is no rating of a bot: null in JSON and empty in CSV, as `-` in the table."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    database.run(partial(nothing, name="cup"))

    rows, sheet = read_by_programs(["standings", "cup", "--method", method], capsys)

    assert [(row["rating"], row["plus_minus"]) for row in rows] == [(None, None)] * 3
    assert [(row["rating"], row["plus_minus"]) for row in sheet] == [("", "")] * 3


def test_deal_sets_that_no_number_of_would_do_are_no_number(
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between bots that seem just alike programs and spreadsheets read nothing, not a thousand million."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    database.run(partial(even, name="cup"))

    assert run(["standings", "cup", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["sets_to_next"] is None
    assert run(["standings", "cup", "--csv"]) == 0
    assert next(csv.DictReader(io.StringIO(capsys.readouterr().out)))["sets_to_next"] == ""
    assert run(["standings", "cup"]) == 0
    assert "> 1,000,000" in capsys.readouterr().out
