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
from tests.botproc.scripted import Job, sound

tables, preset_name = int(sys.argv[1]), sys.argv[2]
job = Job(sound, sound, matches=128, tables=tables)
played = job.play(ruleset=replace(preset(preset_name), scoring="single_round"))
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
print("compiled" if referee.__file__.endswith(".so") else "pure", file=sys.stderr)
"""


def play(tables: int, build: str, preset: str) -> tuple[str, str]:
    """Return records and standing of a job in a process of its own, and which build played it."""
    environment = {**os.environ, "ARENA_ENGINE": build, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLAYED, str(tables), preset]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout, done.stderr.split()[-1]


@pytest.mark.needs("cc")
@pytest.mark.parametrize("preset", ["mattel", "family"])
def test_tables_and_builds_change_no_bit(preset: str) -> None:
    """1 and 128 tables, compiled and not: the same 128 records and the same standing, bit for bit."""
    first, build = play(1, "compiled", preset)

    assert first.count("\n") >= 129
    assert build == "compiled"
    assert play(128, "compiled", preset) == (first, "compiled")
    assert play(1, "pure", preset) == (first, "pure")
    assert play(128, "pure", preset) == (first, "pure")
