"""Which tables of a ladder tell most: newcomers first, then pairs whose order is least decided.

Owns the choice of the next helpings of an endless season, a helping being some deal sets of one table, and
what keeps that choice from biasing the ratings. Who looks at a result to decide how often it is repeated
repeats the lucky ones less than the unlucky ones, and equal bots drift apart. So two kinds of helpings are
kept apart. Each `SCOUT`-th one is a **scout**: spread evenly, whatever comes of it. The others are chosen by
the results of the scouts alone, and they alone count: for them the schedule is as good as fixed beforehand.
What they came to is never looked at, only how many they are. Measured in `docs/statistics.md`.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Final, TypeAlias

import numpy as np

from arena.ratings.comparison import luck
from arena.ratings.facts import Floats, Ints, MatchFacts
from arena.ratings.fit import Strengths, expected, fit
from arena.ratings.spread import sandwich, scores_spread, with_fictitious
from arena.ratings.tally import count

SCOUT: Final = 4
"""Every so manyth helping is a scout, from the first on."""
NEWCOMER: Final = 4
"""Helpings that count with which an entry begins, against opponents from all over the field."""
UNKNOWN: Final = 4.0
"""Variance of a strength (logits) of which no match tells anything."""
HELPING_BITS: Final = 32
"""A deal set's key holds the number of its helping above so many bits."""
NODES: Final = ((0.0, 8 / 15), (1.3556262, 0.2220759), (-1.3556262, 0.2220759), (2.8569700, 0.0112574))
"""Where a normal variable is looked at, and with what weight (Gauss and Hermite, five points)."""

Need: TypeAlias = Callable[[Sequence[int], int], tuple[float, ...]]
"""How much is gained by seating one more entry at a table."""


@dataclass(frozen=True)
class Season:
    """What is known of a ladder beside its matches."""

    active: Sequence[int]
    """Numbers of the entries that play on."""
    seats: int
    """Seats of a table."""
    sets: int
    """Deal sets of a helping."""
    helpings: Sequence[tuple[int, ...]]
    """The tables of all helpings that were ever chosen, in their order."""


def is_scout(helping: int) -> bool:
    """Say whether a helping only tells where to look, and does not count."""
    return helping % SCOUT == 0


def counting(facts: MatchFacts) -> MatchFacts:
    """Return the matches of a ladder that count: all but those of scouts."""
    return _select(facts, scouts=False)


def choose(facts: MatchFacts, season: Season, amount: int) -> list[tuple[int, ...]]:
    """Return the tables of the next helpings, entries ascending; none where too few play on.

    Args:
        facts: the matches; a deal set's key is the number of its helping, shifted, plus its own number.
        season: what they are matches of.
        amount: how many helpings.
    """
    if len(season.active) < season.seats:
        return []
    chooser = _Chooser(_select(facts, scouts=True), season)
    return [chooser.next() for _ in range(amount)]


class _Chooser:
    """The state of a choice: what the scouts said, and how sure the standing will be once all is played."""

    def __init__(self, scouted: MatchFacts, season: Season) -> None:
        seated = {entry for table in season.helpings for entry in table}
        self._ids = sorted({*season.active, *seated})
        self._season = season
        place = {entry: number for number, entry in enumerate(self._ids)}
        self._active = [place[entry] for entry in sorted(season.active)]
        size = len(self._ids)
        self._met: Ints = np.zeros((2, size, size), dtype=np.int64)
        """How often two met in helpings that count, and in scouts."""
        self._times: Ints = np.zeros((2, size), dtype=np.int64)
        tally = count(scouted, np.array(self._ids, dtype=np.int64))
        self._scouts = fit(tally)
        real = scores_spread(tally, self._scouts)
        spread = sandwich(with_fictitious(real, self._scouts, season.seats), self._scouts)
        self._doubts = _of_differences(spread + _between_groups(self._scouts))
        ratio = luck(real, self._scouts, season.seats)
        self._told = told_of_helping(self._scouts, season.seats, season.sets, ratio)
        self._number = 0
        for entries in season.helpings:
            self._note([place[entry] for entry in entries])
        flow = self._told * self._met[0]
        np.fill_diagonal(flow, 0.0)
        information = np.diag(flow.sum(axis=1)) - flow
        self._spread: Floats = np.linalg.inv(information + np.eye(size) / UNKNOWN)

    def next(self) -> tuple[int, ...]:
        """Choose one table and take it as played."""
        newcomers = [entry for entry in self._active if self._times[0, entry] < NEWCOMER]
        if is_scout(self._number):
            table = self._fill([], self._rarity)
        elif newcomers:
            first = min(newcomers, key=lambda entry: (self._times[0, entry], entry))
            table = self._fill([first], self._acquaintance(first))
        else:
            table = self._fill([], self._doubt())
        if not is_scout(self._number):
            self._learn(table)
        self._note(table)
        return tuple(sorted(self._ids[entry] for entry in table))

    def _note(self, table: Sequence[int]) -> None:
        kind = int(is_scout(self._number))
        self._times[kind, list(table)] += 1
        self._met[kind][np.ix_(table, table)] += 1
        self._number += 1

    def _learn(self, table: Sequence[int]) -> None:
        """Take into account how much surer everything is when this table is played."""
        for at, i in enumerate(table):
            for j in table[at + 1 :]:
                column = self._spread[:, i] - self._spread[:, j]
                told = self._told[i, j]
                self._spread -= np.outer(column, column) * (told / (1 + told * (column[i] - column[j])))

    def _rarity(self, table: Sequence[int], other: int) -> tuple[float, ...]:
        """Seat those who scouted least, and met those at the table least."""
        met = int(self._met[1][table, other].sum())
        return (-met, -int(self._times[1, other]))

    def _acquaintance(self, entry: int) -> Need:
        """Seat a newcomer with those it met least, from one part of the field after the other."""
        field = [other for other in self._active if other != entry and self._times[0, other] >= NEWCOMER]
        field.sort(key=lambda other: -self._scouts.theta[other])
        wanted = (int(self._times[0, entry]) + 0.5) / NEWCOMER * len(field)
        distance = {other: abs(rank + 0.5 - wanted) for rank, other in enumerate(field)}

        def need(_: Sequence[int], other: int) -> tuple[float, ...]:
            met = int(self._met[0, entry, other])
            return (-met, -distance.get(other, math.inf), -int(self._times[0, other]))

        return need

    def _doubt(self) -> Need:
        """Return how much seating one at a table is expected to mend the order."""
        lead = self._scouts.theta[:, None] - self._scouts.theta[None, :]
        worth = worth_of_helping(lead, self._doubts, _of_differences(self._spread), self._told)
        np.fill_diagonal(worth, -np.inf)
        best = worth[np.ix_(self._active, self._active)].max(axis=1).tolist()
        first = dict(zip(self._active, best, strict=True))

        def need(table: Sequence[int], other: int) -> tuple[float, ...]:
            return (float(worth[table, other].sum()) if table else first[other],)

        return need

    def _fill(self, table: list[int], need: Need) -> list[int]:
        """Seat those with the greatest need, one after the other; of equals the lowest number."""
        while len(table) < self._season.seats:
            left = [entry for entry in self._active if entry not in table]
            table = [*table, max(left, key=lambda entry: (*need(table, entry), -entry))]
        return table


def told_of_helping(strengths: Strengths, seats: int, sets: int, luck_ratio: float) -> Floats:
    """Return how much a helping tells about each difference of a pair in it: one over a variance."""
    chance = expected(strengths.theta)
    told: Floats = sets * seats / (seats - 1) * chance * (1 - chance) / luck_ratio
    return told


def worth_of_helping(lead: Floats, doubt: Floats, variance: Floats, told: Floats) -> Floats:
    """Return by how much a helping of each pair is expected to lessen what a wrong order costs.

    A standing that knows a difference δ to a variance v has the wrong order with the chance 1 - Φ(|δ| / √v),
    and then it is wrong by |δ|. A helping that tells t makes v to v / (1 + vt).

    Args:
        lead: the differences, as far as the scouts know them.
        doubt: the variances of what the scouts know.
        variance: those with which the standing knows the differences.
        told: how much a helping tells.
    """
    before, after = np.sqrt(variance), np.sqrt(variance / (1 + variance * told))
    worth = np.zeros_like(lead)
    for node, weight in (*NODES, (-NODES[3][0], NODES[3][1])):
        gap = np.abs(lead + node * np.sqrt(doubt))
        worth += weight * gap * (_above(gap / after) - _above(gap / before))
    return worth


def _above(z: Floats) -> Floats:
    """Return about the chance that a normal variable is below z: to 3e-4, which is enough to choose by."""
    chance: Floats = 0.5 + 0.5 * np.tanh(0.7978845608 * (z + 0.044715 * z**3))
    return chance


def _of_differences(spread: Floats) -> Floats:
    """Return the variance of each difference of two strengths."""
    own = np.diag(spread)
    variance: Floats = np.maximum(own[:, None] + own[None, :] - 2 * spread, 1e-12)
    return variance


def _between_groups(strengths: Strengths) -> Floats:
    """Return the covariance of where groups stand to each other that no match connects."""
    alike: Floats = UNKNOWN * (strengths.groups[:, None] == strengths.groups[None, :])
    return alike


def _select(facts: MatchFacts, *, scouts: bool) -> MatchFacts:
    """Return the matches of scouts, or those of all other helpings."""
    chosen = ((facts.deal_sets >> HELPING_BITS) % SCOUT == 0) == scouts
    return MatchFacts(**{each.name: getattr(facts, each.name)[chosen] for each in fields(MatchFacts)})
