"""Points per round, the faster second measure, with intervals from deal sets as the independent observations.

A bot's margin in a match is what it scored less the mean of what the others at its table scored, between two
bots what one scored less the other. Both are divided by the rounds played. Matches of a deal set share their
cards, so their margins are added before anything is squared: luck that is shared out cancels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.ratings.facts import Floats, Ints, MatchFacts, places_among, sort_seats

SETS_MIN: Final = 3
"""Fewer deal sets say nothing about their own spread."""


@dataclass(frozen=True)
class Ratio:
    """Means per round over deal sets, and half the widths of their 95 % intervals; nan where unknown."""

    mean: Floats
    """Points per round."""
    plus_minus: Floats
    """Half of the interval; nan below `SETS_MIN` deal sets, and where these do not differ at all."""


@dataclass(frozen=True)
class SetPoints:
    """Points of the seats of complete deal sets, added up set by set."""

    entries: Ints
    """(sets, n) The entries of each set, ascending, as places in the list of entries."""
    points: Ints
    """(sets, n) Points that each scored in the set's matches; turned where low wins."""
    rounds: Ints
    """(sets,) Rounds of the set's matches."""


def add_sets(facts: MatchFacts, order: Ints, ids: Ints, *, low_wins: bool) -> SetPoints:
    """Add up the matches `order` (set by set) of complete deal sets."""
    seats = facts.seats
    seated, points = sort_seats(facts.entries[order], facts.totals[order])
    return SetPoints(
        entries=places_among(ids, seated[::seats]),
        points=(-1 if low_wins else 1) * points.reshape(-1, seats, seats).sum(axis=1),
        rounds=facts.rounds[order].reshape(-1, seats).sum(axis=1),
    )


def entry_margins(sets: SetPoints, size: int) -> Ratio:
    """Return each entry's points per round over the others of its tables."""
    seats = sets.entries.shape[1]
    if not sets.points.any():
        return _nothing(size)
    over = seats * sets.points - sets.points.sum(axis=1, keepdims=True)
    rounds = np.broadcast_to(sets.rounds[:, None], over.shape)
    return _ratios(sets.entries.ravel(), over.ravel(), (seats - 1) * rounds.ravel(), size)


def pair_margins(sets: SetPoints, size: int) -> Ratio:
    """Return the points per round of each entry over each other, (size, size)."""
    seats = sets.entries.shape[1]
    if not sets.points.any():
        nothing = _nothing(size * size)
        return Ratio(nothing.mean.reshape(size, size), nothing.plus_minus.reshape(size, size))
    codes, over, rounds = [], [], []
    for a in range(seats):
        for b in range(a + 1, seats):
            codes.append(sets.entries[:, a] * size + sets.entries[:, b])
            over.append(sets.points[:, a] - sets.points[:, b])
            rounds.append(sets.rounds)
    half = _ratios(np.concatenate(codes), np.concatenate(over), np.concatenate(rounds), size * size)
    mean, plus_minus = half.mean.reshape(size, size), half.plus_minus.reshape(size, size)
    lower = np.isnan(mean)
    return Ratio(
        mean=np.where(lower, 0.0 - mean.T, mean),  # no minus before a zero
        plus_minus=np.where(np.isnan(plus_minus), plus_minus.T, plus_minus),
    )


def _nothing(size: int) -> Ratio:
    """Return that nothing is known: where nobody ever scored, there are no points to be ahead by."""
    return Ratio(mean=np.full(size, np.nan), plus_minus=np.full(size, np.nan))


def _ratios(codes: Ints, over: Ints, rounds: Ints, size: int) -> Ratio:
    """Divide sums by sums; the spread is that of what each deal set has more than its rounds let expect."""
    sums = _add(codes, over, size)
    lengths = _add(codes, rounds, size)
    count = _add(codes, np.ones_like(codes), size)
    mean = np.divide(sums, lengths, out=np.full(size, np.nan), where=lengths > 0)
    # Sums of products of integers, so that no order of the deal sets leaves a trace.
    squares = _add(codes, over * over, size) - 2 * mean * _add(codes, over * rounds, size)
    squares += mean**2 * _add(codes, rounds * rounds, size)
    enough = (count >= SETS_MIN) & (lengths > 0)
    freedom: Floats = np.where(enough, count - 1, 2.0)
    spread = np.maximum(squares, 0.0) * np.where(enough, count / freedom, 0.0)
    width = student_95(freedom) * np.sqrt(spread)
    return Ratio(
        mean=mean,
        plus_minus=np.divide(width, lengths, out=np.full(size, np.nan), where=enough & (spread > 0)),
    )


def _add(codes: Ints, values: Ints, size: int) -> Floats:
    """Add whole numbers by code; exact below 2**53."""
    return np.bincount(codes, weights=values, minlength=size).astype(np.float64)


def student_95(freedom: Floats) -> Floats:
    """Return the quantile of Student's distribution for a 95 % interval, from two degrees of freedom on.

    The first terms of the expansion by Cornish and Fisher; at two degrees 3 % too small, from five on right
    to a thousandth.
    """
    z = 1.959963984540054
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    quantile: Floats = z + first / freedom + second / freedom**2 + third / freedom**3 + fourth / freedom**4
    return quantile
