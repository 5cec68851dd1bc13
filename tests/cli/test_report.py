"""Promises of `arena report`, on a real database."""

import itertools
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.cli.report_page import LEFT, RIGHT, WIDTH, draw_ratings, round_values, write_page
from arena.ratings.standing import Entrant, make_standing
from arena.service.habits import tournament_habits
from arena.service.standings import tournament_report
from arena.store.pool import Connection, Database
from tests.fix_facts import write_facts
from tests.service.test_standings import play, write_tournament


def write(connection: Connection) -> None:
    """Write a tournament with results and one without."""
    cup = write_tournament(connection, "cup", ["weak", "strong", "a<b>&'c"])
    play(connection, cup, 0, [(1, 1), (1, 1), (0, 1)])
    play(connection, cup, 1, [(2, 2)])
    play(connection, cup, 2, [(1, 2), (1, -1)])
    write_tournament(connection, "empty", ["weak", "strong"])


def test_the_page_needs_nothing_else(
    database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is well formed, loads nothing, runs nothing, and names every bot in table, plots and crosstable."""
    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.chdir(tmp_path)
    assert run(["report", "cup"]) == 0
    page = (tmp_path / "cup.html").read_text(encoding="utf-8")

    root = ET.fromstring(page.partition("\n")[2])
    assert re.search(r"https?:|//|src=|href=|url\(|<script|@import", page) is None
    ratings, settled = root.iter("svg")
    for plot in (ratings, settled):
        assert {"weak@1", "strong@1", "a<b>&'c@1"} <= {text.text for text in plot.iter("text")}
    assert len(list(ratings.iter("circle"))) == 3
    assert [len(list(table.iter("tr"))) for table in root.iter("table")] == [4, 4]
    assert re.search(r"\bnan\b", page, re.IGNORECASE) is None


def test_a_tournament_without_matches_has_a_page(database: Database) -> None:
    """What cannot be known is said; nothing is drawn of it."""
    database.run(write)
    page = write_page(tournament_report(database, "empty"), tournament_habits(database, "empty"))

    root = ET.fromstring(page.partition("\n")[2])
    assert list(root.iter("svg")) == []
    assert page.count("Nothing is known yet.") == 3


def test_who_lost_all_leaves_room_for_the_others() -> None:
    """An interval that knows no bound ends in arrows at the frame; the others are drawn in full."""
    even = [f"{n} {turn} 0:{1 + (n + turn) % 2} 1:{2 - (n + turn) % 2}" for n in range(60) for turn in (0, 1)]
    lost = [f"{n} {turn} 0:1 2:2" for n in range(60, 120) for turn in (0, 1)]
    rows = make_standing(
        write_facts(*even, *lost), [Entrant(number, f"bot{number}") for number in range(3)]
    ).rows

    drawn = draw_ratings(rows)

    lines = [[float(x) for x in line] for line in re.findall(r'd="M([0-9.-]+) [0-9.]+H([0-9.-]+)"', drawn)]
    assert drawn.count("v10z") == 2
    assert [line == [LEFT, WIDTH - RIGHT] for line in lines] == [False, False, True]
    assert all(LEFT <= begin < end <= WIDTH - RIGHT for begin, end in lines)
    assert "v10z" not in draw_ratings(rows[:2])


@pytest.mark.parametrize("middle", [-300.0, 0.0, 1499.6])
@pytest.mark.parametrize("width", [10.0, 33.0, 100.0, 999.0, 2604.0, 1e6])
def test_the_scales_have_a_few_round_values(middle: float, width: float) -> None:
    """Of every range some are inside, evenly apart by 1, 2 or 5 and zeros."""
    found = round_values(middle - width / 2, middle + width / 2)

    assert 1 <= len(found) <= 7
    assert middle - width / 2 <= found[0] <= found[-1] <= middle + width / 2
    steps = {b - a for a, b in itertools.pairwise(found)}
    assert len(steps) <= 1
    assert all(str(step).rstrip("0") in {"1", "2", "5"} for step in steps)


def test_the_last_step_is_the_standing(database: Database) -> None:
    """Beginnings grow, and the one of all deal sets gives the ratings of the standing itself."""
    database.run(write)
    found = tournament_report(database, "cup")

    assert [step.deal_sets for step in found.steps] == sorted({step.deal_sets for step in found.steps})
    assert found.steps[-1].rows == found.found.standing.rows
    assert found.steps[0].matches < found.steps[-1].matches


def test_a_file_that_cannot_be_written_is_one_line(
    database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line names the file and why."""
    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)

    assert run(["report", "cup", "--output", "/nowhere/cup.html"]) == 2
    assert "/nowhere/cup.html: cannot be written" in capsys.readouterr().err


def test_no_file_but_an_earlier_report_is_written_over(
    database: Database,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A report takes the place of a report, of another file only with --force, of a pipe never."""
    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    page, mine, pipe = tmp_path / "cup.html", tmp_path / "mine.html", tmp_path / "pipe"
    mine.write_text("<!DOCTYPE html>\n<title>mine</title>")
    os.mkfifo(pipe)

    def write_to(path: Path, *force: str) -> int:
        return run(["report", "cup", "--output", str(path), *force])

    assert [write_to(page), write_to(page)] == [0, 0]
    assert write_to(mine) == 2
    assert "mine.html is there and is no report" in capsys.readouterr().err
    assert mine.read_text().endswith("<title>mine</title>")
    assert [write_to(path, "--force") for path in (pipe, tmp_path, mine)] == [2, 2, 0]
    assert pipe.is_fifo()
    assert mine.read_text() == page.read_text()
