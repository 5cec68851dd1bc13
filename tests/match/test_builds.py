"""One job, one standing: whatever the number of tables and however the core was built."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLAYED = """
import sys
from dataclasses import replace
import numpy as np
from arena.match import referee
from arena.ratings.facts import MatchFacts
from arena.ratings.standing import Entrant, make_standing
from arena.rules import COMPILED, preset
from tests.botproc.scripted import CLOCK, Job, sound

tables, preset_name = int(sys.argv[1]), sys.argv[2]
job = Job(sound, sound, matches=256, tables=tables)
played = job.play(
    replace(CLOCK, tables_max=tables), ruleset=replace(preset(preset_name), scoring="single_round")
)
results = [result for _, result in played.finished]
for result in results:
    print(result.sha256(), result.record)
column = lambda of: np.array([of(plan, result) for plan, result in played.finished], dtype=np.int64)
zeros = np.zeros((len(results), 2), dtype=np.int64)
facts = MatchFacts(
    deal_sets=column(lambda plan, _: plan.deal_set // 2),
    rotations=column(lambda plan, _: plan.rotation),
    entries=column(lambda plan, _: plan.order),
    places=column(lambda _, result: result.places),
    totals=column(lambda _, result: result.totals),
    rounds=column(lambda _, result: result.rounds),
    faults=zeros,
    decisions=column(lambda _, result: [seat.decisions for seat in result.seats]),
    wall_us=zeros,
)
print(make_standing(facts, [Entrant(0, "a", 0, None, False), Entrant(1, "b", 0, None, False)]))
open_now = width = 0
for turns in job.links[0].received:
    open_now += len(turns.opened) - len(turns.closed)
    width = max(width, open_now)
print("compiled" if referee.__file__.endswith(".so") else "pure", width, file=sys.stderr)
"""


def play(tables: int, build: str, preset: str) -> tuple[str, str, int]:
    """Return records and standing of a job in a process of its own, which build played it, and how wide.

    The width is counted from what a bot was told: the most tables that were open at once.
    """
    environment = {**os.environ, "ARENA_ENGINE": build, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLAYED, str(tables), preset]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    *_, played_by, width = done.stderr.split()
    return done.stdout, played_by, int(width)


@pytest.mark.needs("cc")
@pytest.mark.parametrize("preset", ["mattel", "family"])
def test_tables_and_builds_change_no_bit(preset: str) -> None:
    """1, 128 and 256 tables, compiled and not: the same 256 records and the same standing, bit for bit."""
    first, build, width = play(1, "compiled", preset)

    assert first.count("\n") >= 257
    assert (build, width) == ("compiled", 1)
    assert play(128, "compiled", preset) == (first, "compiled", 128)
    assert play(256, "compiled", preset) == (first, "compiled", 256)
    assert play(1, "pure", preset) == (first, "pure", 1)
    assert play(256, "pure", preset) == (first, "pure", 256)
