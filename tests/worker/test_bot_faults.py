"""Promises about bots that misbehave in a tournament: they lose by rule, and the tournament goes on."""

import shutil
from pathlib import Path

import pytest

from arena.store.pool import Database
from tests.fix_queue import read_rows
from tests.fix_workers import QUICK, ROOT, Fleet

MISBEHAVE = ROOT / "tests" / "bots" / "misbehave"
GREEDY = ROOT / "bots" / "greedy"


def misbehaving(folder: Path, name: str, *arguments: str) -> Path:
    """Make a bot that misbehaves in one way, and return its folder."""
    made = folder / name
    shutil.copytree(MISBEHAVE, made, ignore=shutil.ignore_patterns("__pycache__"))
    run = ", ".join(f'"{part}"' for part in ("python3", "bot.py", *arguments))
    (made / "bot.toml").write_text(
        f'name = "{name}"\nruntime = "python"\nrun = [{run}]\ninclude = ["bot.py"]\n'
    )
    return made


def faults(database: Database) -> list[tuple[str, int]]:
    """Return each kind of fault with how many matches have it."""
    with database.transaction() as connection:
        rows = connection.execute("SELECT kind, count(*) FROM fault GROUP BY kind ORDER BY kind").fetchall()
    return [(str(kind), int(str(count))) for kind, count in rows]


def test_a_bot_that_never_starts_loses_every_match(fleet: Fleet, tmp_path: Path) -> None:
    """F24. Nothing is retried: the other bot wins by rule, and the standard error is kept as evidence."""
    fleet.submit(GREEDY, misbehaving(tmp_path, "absent", "exit-at-start"))
    fleet.start("greedy", "absent", rules=QUICK, deal_sets=4)
    fleet.up(1)

    watched = fleet.finish()

    assert faults(fleet.database) == [("never_started", 8)]
    assert [entry.wins for entry in watched.entries] == [8.0, 0.0]
    assert {row.places[row.entries.index(0)] for row in read_rows(fleet.database)} == {1}
    with fleet.database.transaction() as connection:
        evidence = connection.execute("SELECT evidence FROM fault LIMIT 1").fetchone()
        deaths = connection.execute("SELECT count(*) FROM death").fetchone()
    assert evidence is not None
    assert "misbehave:" in str(evidence[0])
    assert deaths == (2,)


@pytest.mark.parametrize(
    ("what", "kind"), [("bad-index", "illegal_move"), ("crash", "crashed"), ("garbage", "protocol_error")]
)
def test_a_bot_that_breaks_the_rules_loses_and_the_rest_is_played(
    fleet: Fleet, tmp_path: Path, what: str, kind: str
) -> None:
    """Whatever it did, its matches are lost by rule and every other match of the tournament is played."""
    fleet.submit(GREEDY, ROOT / "bots" / "colour-keeper", misbehaving(tmp_path, "bad", what, "40"))
    fleet.start("greedy", "bad", "colour-keeper", rules=QUICK, deal_sets=4)
    fleet.up(1)

    watched = fleet.finish()

    assert kind in {found for found, _ in faults(fleet.database)}
    rows = [row for row in read_rows(fleet.database) if set(row.entries) == {0, 2}]
    assert len(rows) == 8
    assert watched.entries[1].faults >= 1
    with fleet.database.transaction() as connection:
        innocent = connection.execute(
            "SELECT entries[seat + 1], kind, evidence FROM fault JOIN match ON match.id = match_id"
            " WHERE entries[seat + 1] <> 1"
        ).fetchall()
    assert innocent == []


def test_a_version_that_crashes_again_and_again_is_suspended(fleet: Fleet, tmp_path: Path) -> None:
    """After its third death its other matches are cancelled, not forfeited, and the tournament ends."""
    fleet.submit(GREEDY, ROOT / "bots" / "colour-keeper", misbehaving(tmp_path, "bad", "crash", "30"))
    fleet.start("greedy", "bad", "colour-keeper", rules=QUICK, deal_sets=16)
    fleet.up(1)

    watched = fleet.finish()

    assert [entry.suspended for entry in watched.entries] == [False, True, False]
    assert watched.totals.jobs_cancelled > 0
    assert len([row for row in read_rows(fleet.database) if set(row.entries) == {0, 2}]) == 32
    with fleet.database.transaction() as connection:
        deaths = connection.execute("SELECT count(*) FROM death WHERE entry = 1").fetchone()
    assert deaths == (3,)
