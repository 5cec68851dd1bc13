"""What the statistics cost, what paired deals save, and which goals are met.

    python bench/stats.py                  # a million matches of 200 bots, then deal sets of the real engine
    python bench/stats.py --sets 4000      # more deal sets: the savings to a few per cent
    python bench/stats.py --sets 0         # speed and memory alone

How the savings are measured is in `savings.py`. Every goal is printed as met or missed. A missed one of
memory or of savings is exit code 1; one of time is not, for it may be the machine's other work.
"""

import argparse
import os
import resource
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command `arena` does

import numpy as np
from savings import GOALS, measure_all, misses, say

from arena.ratings.crosstable import make_crosstable
from arena.ratings.facts import MatchFacts
from arena.ratings.fit import fit
from arena.ratings.spread import covariance
from arena.ratings.standing import Entrant, make_standing
from arena.ratings.tally import Tally, add, count

BOTS, MATCHES, NEW = 200, 1_000_000, 1_000
MEMORY_MIB = 1_024


def make_facts(matches: int, first_set: int, random: np.random.Generator) -> MatchFacts:
    """Draw matches of pairs of two among all bots, two a deal set."""
    sets = matches // 2
    first = random.integers(0, BOTS, sets)
    second = (first + random.integers(1, BOTS, sets)) % BOTS
    entries = np.concatenate([np.stack([first, second], 1), np.stack([second, first], 1)])
    strength = np.linspace(0, 1.5, BOTS)
    ahead = 1 / (1 + np.exp(strength[entries[:, 1]] - strength[entries[:, 0]]))
    won = random.random(matches) < ahead
    places = np.where(won[:, None], [1, 2], [2, 1])
    ones = np.ones_like(entries)
    return MatchFacts(
        deal_sets=np.tile(first_set + np.arange(sets), 2),
        rotations=np.repeat([0, 1], sets),
        entries=entries,
        places=places,
        totals=100 * (2 - places),
        rounds=7 * ones[:, 0],
        faults=0 * ones,
        decisions=50 * ones,
        wall_us=9000 * ones,
    )


def measure_speed() -> bool:
    """Print what the fit, the refit and the crosstable of a million matches take; say if memory is kept."""
    random = np.random.default_rng(1)
    facts, ids = make_facts(MATCHES, 0, random), np.arange(BOTS)
    entrants = [Entrant(number, f"bot{number}") for number in range(BOTS)]
    began = time.perf_counter()
    make_standing(facts, entrants)
    tell(f"standing of {MATCHES:,} matches of {BOTS} bots, with intervals", time.perf_counter() - began, 5)
    say("  (so long takes a standing each time it is asked for: it counts all matches anew)")
    tally = count(facts, ids)
    more = make_facts(NEW, MATCHES, random)
    began = time.perf_counter()
    _fit(add(tally, count(more, ids)))
    what = f"refit with intervals after {NEW:,} new matches, the counts of the others kept in memory"
    tell(what, time.perf_counter() - began, 0.5)
    began = time.perf_counter()
    make_crosstable(facts, range(BOTS))
    tell(f"crosstable of {BOTS} bots from all matches", time.perf_counter() - began, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    is_kept = peak <= MEMORY_MIB
    say(
        f"peak memory, the facts included: {peak:,.0f} MiB (goal: {MEMORY_MIB:,} MiB: "
        f"{'met' if is_kept else 'missed'})"
    )
    return is_kept


def tell(what: str, seconds: float, goal: float) -> None:
    """Print a time beside its goal."""
    say(f"{what}: {seconds:.2f} s (goal: {goal:g} s: {'met' if seconds <= goal else 'missed'})")


def _fit(tally: Tally) -> None:
    covariance(tally, fit(tally))


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=200, help="deal sets of the real engine")
    given = parser.parse_args()
    is_kept = measure_speed()
    lines = measure_all(given.sets, list(GOALS), jobs=2) if given.sets else []
    sys.exit(not is_kept or any(map(misses, lines)))


if __name__ == "__main__":
    main()
