"""What standings are computed from, as columns of whole numbers, quickly even for a million matches.

Owns the transport: PostgreSQL's binary COPY with columns of fixed width is taken apart by slices, without a
Python object per number. What the columns mean for a rating is decided by `arena.ratings`.
"""

import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.pool import Connection
from arena.store.rows import TournamentId
from arena.store.sql import query

_HEADER_BYTES = 19
_TRAILER_BYTES = 2
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
    with (
        connection.cursor() as cursor,
        cursor.copy(text.encode(), {"tournament_id": tournament_id, "rated": rated}) as copy,
    ):
        data = b"".join(bytes(block) for block in copy)
    return _take_apart(data, seats)


def _take_apart(data: bytes, seats: int) -> MatchColumns:
    """Cut COPY's rows into columns.

    A row is a count (2 bytes), the rotation as length and value (4 + 2), then length and value (4 + 4) of
    each other column: a multiple of four bytes, so that columns are slices of one array.
    """
    words = array("i")
    words.frombytes(data[_HEADER_BYTES : len(data) - _TRAILER_BYTES])
    halves = array("h")
    halves.frombytes(data[_HEADER_BYTES : len(data) - _TRAILER_BYTES])
    if sys.byteorder == "little":
        words.byteswap()
        halves.byteswap()
    width = 2 + 2 * (_FIXED + seats * len(_SEAT_COLUMNS))
    columns = [words[3 + 2 * column :: width] for column in range(_FIXED + seats * len(_SEAT_COLUMNS))]
    by_name = {
        name: columns[_FIXED + place :: len(_SEAT_COLUMNS)] for place, name in enumerate(_SEAT_COLUMNS)
    }
    return MatchColumns(
        seats=seats,
        rotations=array("i", halves[3 :: 2 * width]),
        pairings=columns[0],
        deal_sets=columns[1],
        rounds=columns[2],
        decisions=columns[3],
        fault_bits=columns[4],
        **by_name,
    )


def deaths(connection: Connection, tournament_id: TournamentId) -> dict[int, int]:
    """Return how often each entry's processes died."""
    rows = connection.execute(query("select_deaths"), {"tournament_id": tournament_id}).fetchall()
    return {int(str(entry)): int(str(count)) for entry, count in rows}
