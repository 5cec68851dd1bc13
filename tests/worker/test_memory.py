"""The promise that no bot process ever sees two matches of one deal set."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.botproc.probe import open_sandbox
from arena.botproc.sandbox import SandboxSettings
from arena.botproc.tables import play_tables
from arena.bundle.cache import BundleCache
from arena.rules.presets import parse_ruleset
from arena.service import jobs
from arena.service.play import Arena, plan_tables
from arena.service.workers import find_abilities, load_bundle
from arena.store.pool import Database
from tests.fix_queue import read_rows
from tests.fix_workers import ROOT, Fleet

BOTS = (ROOT / "tests" / "bots" / "remembers", ROOT / "bots" / "greedy")
NAMES = ("remembers", "greedy")
RULES = 'base = "mattel"\nrounds = 1\n'
DEAL_SETS = 1000
FEW = 50
FOUND = 86


@pytest.fixture
def arena(tmp_path: Path, database: Database) -> Arena:
    """Give what a worker plays with."""
    sandbox = open_sandbox(SandboxSettings(cache_dir=tmp_path / "cache"))
    return Arena(
        sandbox=sandbox,
        bundles=BundleCache(tmp_path / "bundles"),
        load_bundle=lambda digest: load_bundle(database, digest),
    )


def test_a_bot_that_remembers_every_deal_never_meets_one_twice(fleet: Fleet) -> None:
    """S33: in 1,000 deal sets a bot that looks for deals seen before, in memory and files, finds none."""
    fleet.submit(*BOTS)
    fleet.start(*NAMES, rules=RULES, workers=2, deal_sets=DEAL_SETS)
    fleet.up(2)

    fleet.finish()

    with fleet.database.transaction() as connection:
        deaths = connection.execute("SELECT kind, evidence FROM death").fetchall()
    assert deaths == []
    assert len(read_rows(fleet.database)) == 2 * DEAL_SETS


def test_the_same_bot_finds_a_sibling_deal_where_there_is_one(fleet: Fleet, arena: Arena) -> None:
    """Given both rotations in one process, the bot recognises a deal: the other test can fail."""
    fleet.submit(*BOTS)
    fleet.start(*NAMES, rules=RULES, deal_sets=FEW)
    lease = jobs.claim(fleet.database, "w", find_abilities(arena.sandbox), lease_s=600)
    assert lease is not None
    both = [
        plan
        for rotation in (0, 1)
        for plan in plan_tables(replace(lease, job=replace(lease.job, rotation=rotation, sets=range(FEW))))
    ]

    with arena.bots(lease) as bots:
        played = play_tables(bots, both, lease.clock, parse_ruleset(RULES))

    assert [death.fault.evidence.exit_code for death in played.deaths] == [FOUND]
