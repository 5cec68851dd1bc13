"""What a match remembers of each decision, packed: the move, its flags, or who left.

Owns the packing of a match's history; `record` gives it its text.
"""

from typing import Final

from arena.rules.moves import Move

UNO: Final = 1
TALKS: Final = 2
ADVICE: Final = 4
LEAVES: Final = 8
FLAG_BITS: Final = 4


def pack_decision(move: Move, uno: bool, talks: bool, advice: bool) -> int:
    """Return a decision as one number."""
    flags = (UNO if uno else 0) | (TALKS if talks else 0) | (ADVICE if talks and advice else 0)
    return move << FLAG_BITS | flags


def pack_leaving(seats: list[int]) -> int:
    """Return as one number that seats left in one moment."""
    mask = 0
    for seat in seats:
        mask |= 1 << seat
    return mask << FLAG_BITS | LEAVES


def leaving_of(packed: int) -> list[int]:
    """Return the seats that left, empty for a decision."""
    if not packed & LEAVES:
        return []
    mask = packed >> FLAG_BITS
    return [seat for seat in range(10) if mask >> seat & 1]


def move_of(packed: int) -> Move:
    """Return the move of a decision."""
    return packed >> FLAG_BITS
