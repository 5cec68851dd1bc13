"""Base tables whose turns through a group seat every pair equally often, or to within one.

Owns the search for such a family (mathematicians call it a difference family): entries are the members of a
commutative group, a base table is moved by every member, and two entries meet as often as their difference
comes up in a base table. Tables are filled one after the other, each from the first difference that still
lacks, and given up as soon as one comes up too often. It says nothing of sizes for which there is no such
family, or none that is found soon: `balanced` has other ways.
"""

import itertools
import math
from random import Random
from typing import Final

TRIES_MAX: Final = 120_000
"""Members that are tried in all: half a second."""
TRIES_EACH: Final = 30_000
"""Tries until the search begins anew with the members in another order."""


def find_tables(entries: int, seats: int, bases: int) -> list[tuple[int, ...]]:
    """Return all turns of so many base tables at which pairs meet evenly to within one; else none."""
    tries = TRIES_MAX
    for group in _groups(entries):
        difference, moved = _tables_of(group)
        start = 0
        while tries > 0:
            family = _Family(difference, seats, bases, Random(start), min(TRIES_EACH, tries))  # noqa: S311
            is_found = family.is_found()
            tries -= TRIES_EACH - max(family.tries, 0)
            if is_found:
                turned = [
                    tuple(sorted(moved[member][by] for member in base))
                    for base in family.bases
                    for by in range(entries)
                ]
                return turned if len(set(turned)) == len(turned) else []
            if family.tries > 0:
                break  # all was looked at: this group has none
            start += 1
    return []


def _groups(entries: int) -> list[tuple[int, int]]:
    """Return the groups that are tried, as the sizes of two rings: the ring itself, then real products."""
    products = [
        (part, entries // part)
        for part in range(2, math.isqrt(entries) + 1)
        if entries % part == 0 and math.gcd(part, entries // part) > 1
    ]
    return [(1, entries), *products]


def _tables_of(group: tuple[int, int]) -> tuple[list[list[int]], list[list[int]]]:
    """Return the tables of differences and of sums."""
    first, second = group
    members = list(itertools.product(range(first), range(second)))
    return (
        [[(a - c) % first * second + (b - d) % second for c, d in members] for a, b in members],
        [[(a + c) % first * second + (b + d) % second for c, d in members] for a, b in members],
    )


class _Family:
    """Base tables under construction, with a count of their differences."""

    def __init__(
        self, difference: list[list[int]], seats: int, amount: int, dice: Random, tries: int
    ) -> None:
        entries = len(difference)
        self.bases: list[list[int]] = []
        self.tries = tries
        """Members that may still be tried; none left: given up."""
        self._difference, self._seats, self._amount = difference, seats, amount
        self._least, self._free = divmod(amount * seats * (seats - 1), entries - 1)
        """How often each difference comes up at least, and how many may once more."""
        self._counts = [0] * entries
        self._order = sorted(range(1, entries), key=lambda _: dice.random())

    def is_found(self) -> bool:
        """Fill all tables, or say that it cannot be done or was given up."""
        if len(self.bases) == self._amount:
            return True
        lacking = next((each for each in self._order if self._counts[each] < self._least), self._order[0])
        base = [0]
        self.bases.append(base)
        if self._add(base, lacking):
            if self._fill(base, 0):
                return True
            self._remove(base)
        self.bases.pop()
        return False

    def _fill(self, base: list[int], begin: int) -> bool:
        if len(base) == self._seats:
            return self.is_found()
        for at in range(begin, len(self._order)):
            if self.tries <= 0:
                return False
            member = self._order[at]
            if member not in base and self._add(base, member):
                if self._fill(base, at + 1):
                    return True
                self._remove(base)
        return False

    def _add(self, base: list[int], member: int) -> bool:
        """Put a member into a table; return whether no difference comes up too often, else leave it out."""
        self.tries -= 1
        base.append(member)
        fits = True
        for other in base[:-1]:
            for each in (self._difference[member][other], self._difference[other][member]):
                self._counts[each] += 1
                if self._counts[each] > self._least:
                    self._free -= 1
                    fits &= self._counts[each] <= self._least + 1
        if not fits or self._free < 0:
            self._remove(base)
            return False
        return True

    def _remove(self, base: list[int]) -> None:
        """Take the last member out of a table."""
        member = base.pop()
        for other in base:
            for each in (self._difference[member][other], self._difference[other][member]):
                self._free += self._counts[each] > self._least
                self._counts[each] -= 1
