"""What the statistics cost, and what paired deals save.

    python bench/stats.py                  # a million matches of 200 bots, then deal sets of the real engine
    python bench/stats.py --sets 4000      # more deal sets: the savings to a few per cent
    python bench/stats.py --sets 0         # speed and memory alone

How the savings are measured is in `savings.py`.
"""

import argparse
import os
import resource
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command `arena` does

import numpy as np
from savings import GOALS, measure_all, say

from arena.ratings.crosstable import make_crosstable
from arena.ratings.facts import MatchFacts
from arena.ratings.fit import fit
from arena.ratings.spread import covariance
from arena.ratings.standing import Entrant, make_standing
from arena.ratings.tally import Tally, add, count

BOTS, MATCHES, NEW = 200, 1_000_000, 1_000


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


def measure_speed() -> None:
    """Print what the fit, the refit and the crosstable of a million matches take."""
    random = np.random.default_rng(1)
    facts, ids = make_facts(MATCHES, 0, random), np.arange(BOTS)
    entrants = [Entrant(number, f"bot{number}") for number in range(BOTS)]
    began = time.perf_counter()
    make_standing(facts, entrants)
    standing = time.perf_counter() - began
    say(f"standing of {MATCHES:,} matches of {BOTS} bots, with intervals: {standing:.2f} s (goal: 5 s)")
    tally = count(facts, ids)
    more = make_facts(NEW, MATCHES, random)
    began = time.perf_counter()
    _fit(add(tally, count(more, ids)))
    say(f"refit with intervals after {NEW:,} new matches: {time.perf_counter() - began:.2f} s (goal: 0.5 s)")
    began = time.perf_counter()
    make_crosstable(facts, range(BOTS))
    say(f"crosstable of {BOTS} bots from all matches: {time.perf_counter() - began:.2f} s (goal: 1 s)")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"peak memory, the facts included: {peak:,.0f} MiB (goal: 1,024 MiB)")


def _fit(tally: Tally) -> None:
    covariance(tally, fit(tally))


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=200, help="deal sets of the real engine")
    given = parser.parse_args()
    measure_speed()
    if given.sets:
        measure_all(given.sets, list(GOALS), jobs=2)


if __name__ == "__main__":
    main()
