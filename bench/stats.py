"""What the statistics cost, and what paired deals save.

    python bench/stats.py                  # a million matches of 200 bots, then deal sets of the real engine
    python bench/stats.py --sets 4000      # more deal sets: the savings to a few per cent

The savings are measured on two close bots (veteran and greedy): the variance of a deal set's mean, by that of
the mean of as many matches with deals of their own.
"""

import argparse
import resource
import sys
import time

import numpy as np
from strength import BOTS as BOTS_FOLDER
from strength import start

from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.ratings.crosstable import make_crosstable
from arena.ratings.facts import MatchFacts
from arena.ratings.fit import fit
from arena.ratings.spread import covariance
from arena.ratings.standing import Entrant, make_standing
from arena.ratings.tally import Tally, add, count
from arena.rules.keys import derive
from arena.rules.options import preset

BOTS, MATCHES, NEW = 200, 1_000_000, 1_000


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


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


def measure_savings(seats: int, sets: int) -> None:
    """Print by how much paired deals narrow wins and margins of two close bots on the real engine."""
    ruleset = preset("mattel")
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    ours, *others = (
        start(BOTS_FOLDER / ("veteran" if n == 0 else "greedy") / "bot.py", hello) for n in range(seats)
    )
    wins, margins = np.zeros((sets, seats)), np.zeros((sets, seats))
    for number in range(sets):
        key = derive(b"bench", "savings", seats, number)
        for own in range(seats):
            seated = [*others[:own], ours, *others[own:]]
            seeds = [int.from_bytes(derive(key, "seed", own, seat)[:8]) for seat in range(seats)]
            result = play_messages(ruleset, key, [bot.play for bot in seated], seeds=seeds)
            beaten = sum(np.sign(place - result.places[own]) for place in result.places)
            wins[number, own] = beaten / (seats - 1)
            mean = (sum(result.totals) - result.totals[own]) / (seats - 1)
            margins[number, own] = (result.totals[own] - mean) / result.rounds
    for what, values, goal in (
        ("wins", wins, 0.70 if seats == 2 else 0.55),
        ("margin", margins, 0.50 if seats == 2 else 0.45),
    ):
        ratio = values.mean(axis=1).var(ddof=1) * seats / values.var(axis=0, ddof=1).mean()
        say(f"matches that paired deals need, {seats} players, by {what}: {ratio:.2f} (goal: {goal:.2f})")


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=300, help="deal sets of the real engine")
    given = parser.parse_args()
    measure_speed()
    for seats in (2, 4):
        measure_savings(seats, given.sets)


if __name__ == "__main__":
    main()
