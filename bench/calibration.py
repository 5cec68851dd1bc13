"""How well the intervals hold and how long a comparison takes: the suite's simulations, many more of them.

    PYTHONPATH=. python bench/calibration.py            # some minutes on a core; writes docs/statistics/*.csv
    PYTHONPATH=. python bench/calibration.py --runs 0   # the intervals alone
    deploy/gen-plots                                    # draws the plots of these figures

The tournaments are those of `tests/ratings/test_calibration.py`, the comparisons of `test_sequential.py`.
"""

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from arena.ratings.sequential import Comparison, Verdict, compare
from tests.ratings.test_calibration import NORMAL_95, hold_from_middle, hold_with_forfeits, islands, measure
from tests.ratings.test_sequential import draw

PAGES: Final = Path(__file__).resolve().parents[1] / "docs" / "statistics"
SCORES: Final = (0.5, 0.6, 0.7, 0.85, 0.95)
SETS: Final = (5, 10, 20, 50, 100, 200)
FORFEIT_SETS: Final = (16, 24, 48, 96, 200)
"""A process that dies loses eight deal sets, so fewer than two processes tell nothing."""
FIELDS: Final = ((3, 2), (10, 2), (4, 4))
"""Entries and seats."""
APART: Final = (0, 5, 10, 20, 50, 100, 200)
LOT: Final = 250
"""Tournaments that are fitted at once."""
FIELD_LOT: Final = 50
LUCK, SHARED = 0.6, 0.5
"""How much of the luck belongs to the cards, and how much the matches of a set correlate."""
LONGEST: Final = 30_000


def coverage(tournaments: int) -> Iterator[tuple[str, float, int, int, float]]:
    """Yield what, true score, deal sets, tournaments, and the share of 95 % intervals that hold the truth."""
    for sets in SETS:
        for score in SCORES:
            held = [_pairs(score, sets, lot) for lot in range(4 * tournaments // LOT)]
            yield "pair", score, sets, len(held) * LOT, round(float(np.mean(held)), 4)
    for entries, seats in FIELDS:
        for sets in SETS[:4]:
            for score in (SCORES[0], SCORES[-1]):
                lots = [_field(entries, seats, score, sets, lot) for lot in range(tournaments // LOT)]
                yield (
                    f"{entries} of {seats}",
                    score,
                    sets,
                    len(lots) * FIELD_LOT,
                    round(float(np.mean(lots)), 4),
                )
    for sets in FORFEIT_SETS:
        for score in SCORES[::2]:
            held = [_forfeits(score, sets, lot) for lot in range(tournaments // LOT)]
            yield "forfeits", score, sets, len(held) * LOT, round(float(np.mean(held)), 4)


def _pairs(score: float, sets: int, lot: int) -> float:
    """Return how often the interval of a difference held the truth in a lot of pairs."""
    random = np.random.default_rng([lot, sets, round(100 * score)])
    lead = float(np.log(score / (1 - score)))
    _, strengths, deviation = measure(islands([lead, 0.0], LOT, sets=sets, luck=LUCK, random=random), 2)
    error = strengths.theta[::2] - strengths.theta[1::2] - lead
    return float(np.mean(np.abs(error) <= NORMAL_95 * deviation))


def _field(entries: int, seats: int, score: float, sets: int, lot: int) -> float:
    """Return how often the intervals of ratings held the truth; the score is the best's against the last."""
    random = np.random.default_rng([lot, sets, round(100 * score), entries])
    true = np.linspace(np.log(score / (1 - score)), 0, entries)
    return hold_from_middle(
        islands(true.tolist(), FIELD_LOT, sets=sets, luck=LUCK, random=random, seats=seats), true
    )


def _forfeits(score: float, sets: int, lot: int) -> float:
    """Return the same where 5 % of the first bot's processes die, given which."""
    random = np.random.default_rng([lot, sets, round(100 * score), 1])
    return float(np.mean(hold_with_forfeits(score, LOT, sets=sets, dying=0, random=random)))


def lengths(runs: int) -> Iterator[tuple[float, ...]]:
    """Yield Elo apart, runs, shares of the verdicts better, worse and close, and quantiles of deal sets."""
    for elo in APART:
        random = np.random.default_rng(elo)
        found = [_compare(elo, random) for _ in range(runs)]
        sets = np.quantile([one.sets for one in found], [0.05, 0.5, 0.95])
        shares = [
            np.mean([one.verdict is verdict for one in found])
            for verdict in (Verdict.FIRST, Verdict.SECOND, Verdict.CLOSE)
        ]
        yield elo, runs, *(round(float(share), 4) for share in shares), *(round(float(q)) for q in sets)


def _compare(elo: float, random: np.random.Generator) -> Comparison:
    """Compare two bots in short draws first: most comparisons end soon."""
    scores: list[float] = []
    for more in (500, 2_500, 7_000, LONGEST):
        scores += draw(elo, SHARED, more, random)
        if (found := compare(scores)).decided:
            break
    return found


def write(name: str, titles: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    """Write one file of figures, and show it as it grows."""
    with (PAGES / name).open("w", encoding="ascii", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(titles)
        for row in rows:
            out.writerow(row)
            sys.stdout.write(f"{name}: {', '.join(map(str, row))}\n")
            sys.stdout.flush()


def main() -> None:
    """Read the arguments, simulate, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tournaments", type=int, default=1_000, help="of each cell, of pairs 4 x")
    parser.add_argument("--runs", type=int, default=2_000, help="comparisons of a difference")
    given = parser.parse_args()
    if given.tournaments:
        write("coverage.csv", ["what", "score", "sets", "tournaments", "held"], coverage(given.tournaments))
    if given.runs:
        write(
            "compare.csv",
            ["elo", "runs", "better", "worse", "close", "sets_5", "sets_50", "sets_95"],
            lengths(given.runs),
        )


if __name__ == "__main__":
    main()
