"""From entries to pairings: who meets whom, in schedule order.

A format knows numbers of entries only. Its order is fixed, so a schedule that was interrupted is computed
again and goes on at the leg it had come to. How a pairing's deal sets become jobs is
`arena.tournament.planning`.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError

PAIRINGS_MAX: Final = 1_000_000
"""A round robin with more pairings is refused: it would never end."""
SEATS: Final = range(2, 11)
"""Sizes of a table."""


@dataclass(frozen=True)
class Leg:
    """A pairing's deal sets in one fold of the schedule."""

    number: int
    """The pairing's number in schedule order, from 0."""
    pairing: tuple[int, ...]
    """The entries that meet, ascending."""
    first_set: int
    """The first deal set of the leg."""
    sets: int
    """How many deal sets it has."""


@dataclass(frozen=True)
class RoundRobin:
    """Every group of `seats` entries meets at a table, `folds` times over.

    Raises:
        UsageError: the entries cannot fill a table, or there are too many pairings.
    """

    entries: int
    """Number of entries; they are numbered from 0."""
    seats: int = 2
    """Seats of a table."""
    sets: int = 1
    """Deal sets of a pairing in one fold."""
    folds: int = 1
    """How often the whole schedule is gone through."""

    def __post_init__(self) -> None:
        if self.seats not in SEATS:
            raise UsageError(f"a table has {SEATS.start} to {SEATS.stop - 1} seats, not {self.seats}")
        if self.entries < self.seats:
            raise UsageError(
                f"a table of {self.seats} needs at least {self.seats} entries, and there "
                f"{'is' if self.entries == 1 else 'are'} {self.entries}: enter more bots"
            )
        if self.sets < 1 or self.folds < 1:
            raise UsageError(f"at least one deal set is needed, not {min(self.sets, self.folds)}")
        if self.amount > PAIRINGS_MAX:
            raise UsageError(
                f"{self.entries} entries at tables of {self.seats} make {self.amount:,} pairings, and "
                f"{PAIRINGS_MAX:,} are allowed: enter fewer bots or use smaller tables"
            )

    @property
    def amount(self) -> int:
        """Number of pairings."""
        return math.comb(self.entries, self.seats)

    @property
    def matches(self) -> int:
        """Number of matches of the whole schedule."""
        return self.amount * self.sets * self.folds * self.seats

    def pairings(self) -> Iterator[tuple[int, ...]]:
        """Give every pairing once, spread out so that all entries play from the start.

        Pairings whose numbers have the same sum (modulo the number of entries) stand together. With tables of
        two no entry stands twice in such a class: it is a round of the usual circle method.
        """
        if self.seats == 2:
            yield from self._pairs()
            return
        classes: list[list[tuple[int, ...]]] = [[] for _ in range(self.entries)]
        for pairing in itertools.combinations(range(self.entries), self.seats):
            classes[sum(pairing) % self.entries].append(pairing)
        yield from itertools.chain.from_iterable(classes)

    def legs(self, start: int = 0) -> Iterator[Leg]:
        """Give the whole schedule fold by fold, from the leg `start` on."""
        whole = (
            Leg(number, pairing, fold * self.sets, self.sets)
            for fold in range(self.folds)
            for number, pairing in enumerate(self.pairings())
        )
        return itertools.islice(whole, start, None)

    def _pairs(self) -> Iterator[tuple[int, ...]]:
        for total in range(self.entries):
            for first in range(self.entries):
                second = (total - first) % self.entries
                if first < second:
                    yield first, second
