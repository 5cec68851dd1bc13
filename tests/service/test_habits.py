"""Promises of `arena habits`: real store and command, matches played at random."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.rules.keys import Stream, derive
from arena.rules.match import Match
from arena.rules.presets import parse_ruleset
from arena.rules.record import record_of
from arena.service import jobs
from arena.service.jobs import Lease
from arena.store.pool import Database
from arena.store.rows import NewMatch
from tests.fix_queue import make_outcome, make_tournament, take


def play(lease: Lease, match: NewMatch) -> NewMatch:
    """Give a made up match the record of one that was played at random, and broken off after a while."""
    key = derive(b"habits", match.deal_set, lease.job.rotation)
    stream = Stream(key)
    played = Match(parse_ruleset(lease.tournament.ruleset_text), len(match.entries), key)
    for _ in range(300):
        moves = played.legal_moves()
        played.apply(moves[stream.below(len(moves))])
    return replace(match, record=str(record_of(played)))


def test_the_command_tells_how_bots_play(
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """As a table, as JSON and as CSV; of complete deal sets alone, and of as many as were asked for."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    make_tournament(database, *"ab", deal_sets=3)
    assert run(["habits", "cup"]) == 0
    assert "nothing is known" in capsys.readouterr().out
    while (lease := take(database)) is not None:
        outcome = make_outcome(lease)
        jobs.finish(database, lease, replace(outcome, matches=[play(lease, one) for one in outcome.matches]))

    assert run(["habits", "--sets", "2"]) == 0
    assert "how the bots played in 4 matches" in capsys.readouterr().out
    assert run(["habits", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["matches"] == 6
    assert [row["matches"] for row in facts["rows"]] == [6, 6]
    assert sum(row["decisions"] for row in facts["rows"]) == 6 * 300
    assert facts["rows"][0]["us_per_decision"] == 25.0
    assert run(["habits", "--csv"]) == 0
    assert capsys.readouterr().out.startswith("bot,matches,rounds,decisions,plays,draws,bluffs")
    assert run(["habits", "--csv", "--json"]) == 2

    _show_habits_beside_the_standing(capsys, tmp_path, facts["rows"])


def _show_habits_beside_the_standing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, rows: list[dict[str, int | str]]
) -> None:
    """Chosen columns of the standing and the page have the same figures, for people and for programs."""
    draws = {str(row["bot"]): int(row["draws"]) / int(row["rounds"]) for row in rows}
    assert run(["standings", "--columns", "bot,habits,time"]) == 0
    shown = capsys.readouterr().out
    assert all(title in shown for title in ("draws", "caught %", "UNO missed %", "time/decision"))
    assert all(f"{rate:.3f}" in shown for rate in draws.values())
    assert "in the newest 6 matches" in shown
    assert run(["standings", "--columns", "bot,draws", "--csv"]) == 0
    told = dict(line.split(",") for line in capsys.readouterr().out.splitlines()[1:])
    assert {name: float(rate) for name, rate in told.items()} == draws
    assert run(["standings", "--columns", "draws", "--json"]) == 0
    played = json.loads(capsys.readouterr().out)["rows"]
    assert {row["name"]: row["habits"]["draws"] / row["habits"]["rounds"] for row in played} == draws
    assert run(["standings", "--columns", "draws", "--all"]) == 2
    assert "of one tournament" in capsys.readouterr().err
    assert run(["report", "--output", str(tmp_path / "cup.html")]) == 0
    page = (tmp_path / "cup.html").read_text(encoding="utf-8")
    assert "How the bots played" in page
    assert all(f"<td>{rate:.3f}</td>" in page for rate in draws.values())
    capsys.readouterr()


def test_a_damaged_record_is_one_sentence(
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """What cannot be replayed is the platform's failure, and says how to look at it."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    make_tournament(database, *"ab", deal_sets=1)
    while (lease := take(database)) is not None:
        jobs.finish(database, lease, make_outcome(lease))

    assert run(["habits"]) == 4
    assert "does not replay" in capsys.readouterr().err
    assert run(["report", "--output", str(tmp_path / "cup.html")]) == 0
    page = (tmp_path / "cup.html").read_text(encoding="utf-8")
    assert "Ratings with 95 % intervals" in page
    assert "This is not known: a record of cup does not replay" in page
