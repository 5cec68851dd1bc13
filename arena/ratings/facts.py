"""What a standing is computed from: the facts of matches as arrays, one row a match, one column a seat.

This module owns the shape of the input and refuses what cannot be: places outside the table, a seat taken
twice by one entry, two rows for one rotation of a deal set. Which matches are in scope and rated was decided
by whoever fills the arrays; the order of the rows never matters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from array import array

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

TABLE_MOST = 1_000_000
"""Numbers of entries up to which a table is quicker than a search."""


@dataclass(frozen=True)
class MatchFacts:
    """Rated matches of tables of one size n; every array has one row a match."""

    deal_sets: Ints
    """(matches,) A number that names the deal set within the scope."""
    rotations: Ints
    """(matches,) Which of the n rotations of its deal set this match is, from 0."""
    entries: Ints
    """(matches, n) The number of the entry in each seat."""
    places: Ints
    """(matches, n) The place each seat took, 1 is best; a shared place is 1 + the number of better seats."""
    totals: Ints
    """(matches, n) Points of each seat at the end of the match."""
    rounds: Ints
    """(matches,) Rounds played."""
    faults: Ints
    """(matches, n) Faults of each seat."""
    decisions: Ints
    """(matches, n) Questions each seat answered."""
    wall_us: Ints
    """(matches, n) Time each seat thought, in microseconds."""

    def __post_init__(self) -> None:
        matches, seats = self.entries.shape
        for name in ("deal_sets", "rotations", "rounds"):
            if getattr(self, name).shape != (matches,):
                raise ValueError(f"{name}: {getattr(self, name).shape} where ({matches},) is due")
        for name in ("places", "totals", "faults", "decisions", "wall_us"):
            if getattr(self, name).shape != (matches, seats):
                raise ValueError(f"{name}: {getattr(self, name).shape} where ({matches}, {seats}) is due")
        if matches and (self.rotations.min() < 0 or self.rotations.max() >= seats):
            raise ValueError(f"a rotation outside 0..{seats - 1}")
        if matches and (self.places.min() < 1 or self.places.max() > seats):
            raise ValueError(f"a place outside 1..{seats}")

    @property
    def matches(self) -> int:
        """Number of matches."""
        return int(self.entries.shape[0])

    @property
    def seats(self) -> int:
        """Seats of each table."""
        return int(self.entries.shape[1])


def sort_seats(entries: Ints, *values: Ints) -> tuple[Ints, ...]:
    """Return each row of `entries` in ascending order, and the rows of the values in the same order."""
    if entries.shape[1] == 2:
        # By far the commonest table, and much quicker than sorting.
        turned = (entries[:, 0] > entries[:, 1])[:, None]
        return tuple(np.where(turned, array[:, ::-1], array) for array in (entries, *values))
    columns = np.argsort(entries, axis=1, kind="stable")
    return tuple(np.take_along_axis(array, columns, axis=1) for array in (entries, *values))


def places_among(ids: Ints, entries: Ints) -> Ints:
    """Return where each entry stands among the ascending `ids`; of one that is not among them, anywhere."""
    most = int(ids.max(initial=0))
    if not entries.size or int(entries.min()) < 0 or max(most, int(entries.max())) > TABLE_MOST:
        return np.searchsorted(ids, entries)
    table = np.zeros(max(most, int(entries.max())) + 1, dtype=np.int64)
    table[ids] = np.arange(ids.size)
    return table[entries]


def no_matches(seats: int = 2) -> MatchFacts:
    """Return the facts of no match at all, for tables of `seats`."""
    row = np.zeros(0, dtype=np.int64)
    table = np.zeros((0, seats), dtype=np.int64)
    return MatchFacts(row, row, table, table, table, row, table, table, table)


@dataclass(frozen=True)
class Columns:
    """Match facts as plain arrays of numbers, one a match; those of the seats come as one array a seat."""

    pairings: "array[int]"
    """Number of the pairing."""
    deal_sets: "array[int]"
    """Number of the deal set within its pairing."""
    rotations: "array[int]"
    """The rotation."""
    rounds: "array[int]"
    """Rounds played."""
    fault_bits: "array[int]"
    """Bit s is set when seat s had a fault."""
    entries: Sequence["array[int]"]
    """Entry in each seat."""
    places: Sequence["array[int]"]
    """Place of each seat."""
    totals: Sequence["array[int]"]
    """Points of each seat."""
    decisions: Sequence["array[int]"]
    """Questions put to each seat."""
    wall_us: Sequence["array[int]"]
    """Time each seat thought."""


def stack(columns: Columns) -> MatchFacts:
    """Make match facts of plain columns."""
    bits = _integers(columns.fault_bits)
    seats = np.arange(len(columns.entries), dtype=np.int64)
    return MatchFacts(
        deal_sets=(_integers(columns.pairings) << 32) + _integers(columns.deal_sets),
        rotations=_integers(columns.rotations),
        entries=_seats(columns.entries),
        places=_seats(columns.places),
        totals=_seats(columns.totals),
        rounds=_integers(columns.rounds),
        faults=(bits[:, None] >> seats) & 1,
        decisions=_seats(columns.decisions),
        wall_us=_seats(columns.wall_us),
    )


def _integers(column: "array[int]") -> Ints:
    return np.frombuffer(column, dtype=column.typecode).astype(np.int64)


def _seats(columns: Sequence["array[int]"]) -> Ints:
    return np.stack([_integers(column) for column in columns], axis=1)
