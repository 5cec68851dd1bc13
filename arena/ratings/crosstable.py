"""Every entry against every other: what they played, who scored what, and which of it is luck.

Owns two answers a pair that may differ: the score of the matches in which both sat, with the interval of its
deal sets, and the likelihood of superiority from the joint fit, which also knows what both did against all
others. Pairs that never met have no score; entries that no chain of matches connects have no likelihood.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.comparison import NORMAL_95, luck, superiorities
from arena.ratings.facts import Floats, Ints, MatchFacts, places_among
from arena.ratings.fit import FIT_SHARE, SPREAD_SHARE, fit
from arena.ratings.margin import Ratio, add_sets, pair_margins
from arena.ratings.spread import sandwich, scores_spread, with_fictitious
from arena.ratings.tally import Tally, by_entry, count, find_complete


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry against another, from the first one's side."""

    deal_sets: int
    """Complete deal sets in which both sat."""
    score: float | None
    """Share of these sets' matches in which it was placed before the other, a shared place half."""
    shrunk_score: float | None
    """The score with the fictitious deal sets in it, the middle of the interval."""
    score_plus_minus: float | None
    """Half of the 95 % interval about the shrunk score."""
    points_per_round: float | None
    """Points that it scored more than the other, per round."""
    points_plus_minus: float | None
    """Half of the 95 % interval of the points; None where there are too few deal sets."""
    superiority: float | None
    """How likely it is that it is truly stronger, from the joint fit; None where nothing connects the two."""
    verdict: int
    """1: its score is above one half, surely at 95 %; -1: below; 0: nobody knows yet. It is sure where the
    shrunk score is further from one half than the half interval."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    """All pairs, the strongest entry first."""

    entries: tuple[int, ...]
    """Numbers of the entries in the order of the rows and columns."""
    cells: tuple[tuple[Cell | None, ...], ...]
    """One row an entry; None on the diagonal."""


def make_crosstable(facts: MatchFacts, entries: Sequence[int], *, low_wins: bool = False) -> Crosstable:
    """Compute the crosstable.

    Args:
        facts: the rated matches in scope.
        entries: numbers of the entries in the order wanted, as a standing has them.
        low_wins: whether the ruleset's scoring counts points against their owner.
    """
    ids = np.array(sorted(entries), dtype=np.int64)
    sets = find_complete(facts)
    tally = count(facts, ids, sets)
    strengths = fit(tally)
    real = scores_spread(tally, strengths)
    ratio = luck(real, strengths, facts.seats)
    spread = sandwich(with_fictitious(real, strengths, facts.seats), strengths)
    chance = superiorities(strengths, spread, ratio)
    sums = _sums_of_two(tally) if facts.seats == 2 else _sums(facts, sets.order, ids)
    met, score, plus_minus = _scores(sums, facts.seats)
    margins = pair_margins(add_sets(facts, sets.order, ids, low_wins=low_wins), ids.size)
    rows = _cells(met, score, plus_minus, margins, chance)
    order = np.searchsorted(ids, np.array(entries, dtype=np.int64)).tolist()
    return Crosstable(
        entries=tuple(entries),
        cells=tuple(tuple(None if i == j else rows[i][j] for j in order) for i in order),
    )


def _sums_of_two(tally: Tally) -> Floats:
    """Return what `_sums` does for tables of two: there the counts of a pairing are those of its pair."""
    size = tally.ids.size
    sums = np.zeros((3, size, size))
    first, second = tally.bots.T
    for place, counts in enumerate((tally.sets, tally.leads[:, 0, 1], tally.squares[:, 0, 0])):
        sums[place, first, second] = counts
    return sums


def _sums(facts: MatchFacts, order: Ints, ids: Ints) -> Floats:
    """Return deal sets, leads within them and squares of these, (3, entries, entries).

    A pair stands in one cell, or in parts in both of its cells.
    """
    seats, size = facts.seats, ids.size
    seated, places = by_entry(facts, order)
    bots = places_among(ids, seated[::seats])
    places = places.reshape(-1, seats, seats)
    sums = np.zeros((3, size * size))
    for a in range(seats):
        for b in range(a + 1, seats):
            code = bots[:, a] * size + bots[:, b]
            ahead = np.sign(places[:, :, b] - places[:, :, a]).sum(axis=1)
            for place, weights in enumerate((np.ones_like(ahead), ahead, ahead * ahead)):
                sums[place] += np.bincount(code, weights=weights, minlength=size * size)
    return sums.reshape(3, size, size)


def _scores(upper: Floats, seats: int) -> tuple[Ints, Floats, Floats]:
    """Return deal sets, scores and half intervals of each pair, seen from both sides."""
    lower = upper.transpose(0, 2, 1)
    met, squares, lead = upper[0] + lower[0], upper[2] + lower[2], upper[1] - lower[1]
    known = np.maximum(met, 1)
    # A set's score is between 0 and 1; the fictitious sets keep few of them from looking certain.
    centre = 0.5 + lead / (2 * seats) / (met + 2 * FIT_SHARE)
    real = (squares - 2 * lead * (lead / known) + lead**2 / known) / (2 * seats) ** 2
    fictitious = SPREAD_SHARE * (centre**2 + (1 - centre) ** 2) / np.maximum(real, 1.0)
    spread = np.maximum(real, 0.0) + fictitious
    width = NORMAL_95 * np.sqrt(spread) / (met + 2 * FIT_SHARE)
    return met.astype(np.int64), 0.5 + lead / (2 * seats) / known, width


def _cells(met: Ints, score: Floats, plus_minus: Floats, margins: Ratio, chance: Floats) -> list[list[Cell]]:
    """Turn matrices into cells, row by row."""
    centre = 0.5 + (score - 0.5) * met / (met + 2 * FIT_SHARE)
    verdict = np.where((met > 0) & (np.abs(centre - 0.5) > plus_minus), np.sign(score - 0.5), 0)
    columns = (
        met,
        score,
        centre,
        plus_minus,
        margins.mean,
        margins.plus_minus,
        chance,
        verdict.astype(np.int64),
    )
    return [
        [
            Cell(
                deal_sets=sets,
                score=won if sets else None,
                shrunk_score=middle if sets else None,
                score_plus_minus=width if sets else None,
                points_per_round=_known(points),
                points_plus_minus=_known(points_width),
                superiority=_known(likely),
                verdict=sure,
            )
            for sets, won, middle, width, points, points_width, likely, sure in zip(*row, strict=True)
        ]
        for row in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
