"""Promises of `arena crosstable` and of a standing's own columns, on a real database."""

import csv
import io
import json
from collections.abc import Callable

import pytest

from arena.cli.app import run
from arena.store.pool import Connection, Database
from tests.cli.test_standings import cup
from tests.fix_terminal import Commands
from tests.service.test_standings import play, write_tournament

__all__ = ["cup"]


def test_the_crosstable_as_it_looks(cup: str, arena: Commands, golden: Callable[[str, str], None]) -> None:
    """On a terminal and on a pipe: these very screens."""
    golden("crosstable", arena.on_terminal("crosstable", "cup", ARENA_DATABASE_URL=cup).screen)
    golden("crosstable_pipe", arena("crosstable", "--show", "sure", ARENA_DATABASE_URL=cup).out)


@pytest.mark.usefixtures("cup")
def test_programs_get_every_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and CSV have one record a pair and side, unrounded, with the likelihood of superiority."""
    assert run(["crosstable", "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert run(["crosstable", "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    assert len(pairs) == len(lines) == 6
    assert [pair["superiority"] for pair in pairs] == [float(line["superiority"]) for line in lines]
    assert {pair["bot"] for pair in pairs} == {"weak@1", "mid@1", "strong@1"}


@pytest.mark.usefixtures("cup")
def test_a_standing_of_chosen_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """`--columns` takes names in any order, also for CSV; a wrong one is answered with the nearest."""
    assert run(["standings", "--columns", "bot,elo,ranks"]) == 0
    assert capsys.readouterr().out.splitlines()[2].split() == ["bot", "Elo", "ranks"]
    assert run(["standings", "--columns", "bot,elo", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["bot"] for row in rows] == ["strong@1", "mid@1", "weak@1"]
    assert float(rows[0]["elo"]) > float(rows[2]["elo"])
    assert run(["standings", "--columns", "bot,elos"]) == 2
    assert "did you mean 'elo'" in capsys.readouterr().err


def test_nothing_played_is_said_and_never_a_traceback(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No matches, one bot, only annulled matches: tables that say what cannot be known, never a nan."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    database.run(lambda connection: write_tournament(connection, "none", ["a", "b"]))
    database.run(lambda connection: write_tournament(connection, "one", ["a"]))
    for name, told in (("none", "no rating is known"), ("one", "nothing to compare it with")):
        for command in (["standings", name], ["crosstable", name], ["standings", name, "--columns", "all"]):
            assert run(command) == 0
            text = capsys.readouterr().out
            assert told in text
            assert "nan" not in text


def test_the_reader_can_judge_a_cell_anew(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exported score, number of deal sets and interval give the exported verdict, sure or not."""

    def write(connection: Connection) -> None:
        row = write_tournament(connection, "cup", ["a", "b", "c"])
        for pairing, sets in enumerate([[(0, 0)] * 3, [(0, 0)] * 4, [(1, 2)] * 5]):
            play(connection, row, pairing, sets)

    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    assert run(["crosstable", "--csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    plain = {}
    for line in lines:
        sets, score = int(line["deal_sets"]), float(line["score"])
        shrunk, width = float(line["shrunk_score"]), float(line["score_plus_minus"])
        assert shrunk == pytest.approx(0.5 + (score - 0.5) * sets / (sets + 0.5))
        assert int(line["verdict"]) == (shrunk - width > 0.5) - (shrunk + width < 0.5)
        plain[line["bot"], line["against"]] = (score - width > 0.5) - (score + width < 0.5)
    verdicts = {(line["bot"], line["against"]): int(line["verdict"]) for line in lines}
    assert set(verdicts.values()) == {-1, 0, 1}
    # Three deal sets that are all won: the plain score would have been taken for sure.
    assert (plain["a@1", "b@1"], verdicts["a@1", "b@1"]) == (1, 0)
