"""What standings are computed from, as columns of whole numbers, quickly even for a million matches.

Owns the transport: PostgreSQL's binary COPY with columns of fixed width is taken apart by slices, without a
Python object per number. What the columns mean for a rating is decided by `arena.ratings`.
"""

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.fetch import fetch_all
from arena.store.pool import Connection
from arena.store.rows import TournamentId
from arena.store.sql import query

_HEADER_BYTES = 19
_BATCH_BYTES = 1 << 20
_FIXED = 5
"""Columns of four bytes before those of the seats."""
_SEAT_COLUMNS = ("entries", "places", "totals", "asked", "wall_us")


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """One number a match in each array; seat columns are lists with one array for each seat."""

    seats: int
    rotations: "array[int]"
    pairings: "array[int]"
    deal_sets: "array[int]"
    """Number of the deal set within its pairing."""
    rounds: "array[int]"
    decisions: "array[int]"
    fault_bits: "array[int]"
    """Bit s is set when seat s has a fault."""
    entries: Sequence["array[int]"]
    places: Sequence["array[int]"]
    totals: Sequence["array[int]"]
    asked: Sequence["array[int]"]
    """Questions put to the seat."""
    wall_us: Sequence["array[int]"]
    """Time that the seat thought."""

    @property
    def matches(self) -> int:
        """Number of matches."""
        return len(self.rotations)


def match_columns(
    connection: Connection, tournament_id: TournamentId, seats: int, *, rated: bool = True
) -> MatchColumns:
    """Return the facts of a tournament's matches that are not annulled.

    Args:
        connection: An open transaction.
        tournament_id: Which tournament.
        seats: Its table size.
        rated: Only matches that count, that is, of an isolation level above none.
    """
    expressions = [
        f"least(match.{name}[{seat}], 2147483647)::integer"
        for seat in range(1, seats + 1)
        for name in _SEAT_COLUMNS
    ]
    # Both come from this module's own constants; the query has no other place for them.
    text = query("copy_match_columns").replace("{seats}", ", ".join(expressions))
    found = _Columns(seats)
    with (
        connection.cursor() as cursor,
        cursor.copy(text.encode(), {"tournament_id": tournament_id, "rated": rated}) as copy,
    ):
        batch = bytearray()
        for block in copy:
            batch += block
            if len(batch) >= _BATCH_BYTES:
                found.take(batch)
        found.take(batch)
    return found.done()


@dataclass(frozen=True, slots=True)
class RecordedRow:
    """A match to be played again for its figures; arrays by seat."""

    entries: Sequence[int]
    asked: Sequence[int]
    wall_us: Sequence[int]
    line: str


def newest_records(
    connection: Connection, tournament_id: TournamentId, *, seats: int, sets: int, rated: bool
) -> list[RecordedRow]:
    """Return the matches of the newest complete deal sets of a tournament, at most `sets` of them."""
    values = {"tournament_id": tournament_id, "seats": seats, "sets": sets, "rated": rated}
    return fetch_all(connection, RecordedRow, "select_newest_records", **values)


class _Columns:
    """Columns that grow by cutting up COPY's rows, some thousands at a time.

    A row is a count (2 bytes), the rotation as length and value (4 + 2), then length and value (4 + 4) of
    each other column: a multiple of four bytes, so that columns are slices of one array.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._width = 2 + 2 * (_FIXED + seats * len(_SEAT_COLUMNS))
        self._is_begun = False
        self._rotations = array("i")
        self._columns = [array("i") for _ in range(_FIXED + seats * len(_SEAT_COLUMNS))]

    def take(self, batch: bytearray) -> None:
        """Cut up all whole rows at the beginning of `batch` and remove them."""
        if not self._is_begun:
            del batch[:_HEADER_BYTES]
            self._is_begun = True
        whole = bytes(batch[: len(batch) - len(batch) % (4 * self._width)])
        del batch[: len(whole)]
        words, halves = array("i", whole), array("h", whole)
        if sys.byteorder == "little":
            words.byteswap()
            halves.byteswap()
        self._rotations.extend(array("i", halves[3 :: 2 * self._width]))
        for number, column in enumerate(self._columns):
            column.extend(words[3 + 2 * number :: self._width])

    def done(self) -> MatchColumns:
        """Return the columns."""
        by_name = {
            name: self._columns[_FIXED + place :: len(_SEAT_COLUMNS)]
            for place, name in enumerate(_SEAT_COLUMNS)
        }
        return MatchColumns(
            seats=self._seats,
            rotations=self._rotations,
            pairings=self._columns[0],
            deal_sets=self._columns[1],
            rounds=self._columns[2],
            decisions=self._columns[3],
            fault_bits=self._columns[4],
            **by_name,
        )


def deaths(connection: Connection, tournament_id: TournamentId) -> dict[int, int]:
    """Return how often each entry's processes died."""
    rows = connection.execute(query("select_deaths"), {"tournament_id": tournament_id}).fetchall()
    return {int(str(entry)): int(str(count)) for entry, count in rows}
