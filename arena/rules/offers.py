"""Lists of a turn's moves that depend on nothing but the kinds of card that may be played.

Owns the lists that are kept: the plays of one colour, with and without the draw. Most turns offer the cards
of one colour, or those and a few more, so a list is a look into a table or a few joined. Refuses rulesets in
which a card names a seat or a draw can be forbidden: `variant.plain_turns` tells them apart.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.cards import COLOURS, RANKS, WILD
from arena.rules.moves import MOVE_DRAW, PLAY, pack
from arena.rules.variant import Variant

if TYPE_CHECKING:
    from mypy_extensions import i64

ONLY_DRAW: Final[tuple[int, ...]] = (MOVE_DRAW,)
ONE_COLOUR: Final[list[list[tuple[int, ...]]]] = [
    [ONLY_DRAW, *[()] * (2**RANKS - 1)] for _colour in range(COLOURS)
]
"""What `one_colour_moves` returned, by colour and mask of ranks."""
COLOURED: Final[list[list[tuple[int, ...]]]] = [[()] * 2**RANKS for _colour in range(COLOURS)]
"""The same without the draw."""
PLAYS: Final[list[tuple[int, ...]]] = [(pack(PLAY, card),) for card in range(WILD)]
"""The play of each coloured card; every list is joined from these, so that all share the same few moves."""
ALL_RANKS: Final = 2**RANKS - 1
FROM_THE_LAST: Final = tuple(reversed(range(COLOURS)))


def one_colour_moves(colour: int, ranks: int) -> tuple[int, ...]:
    """Return the plays of a colour's ranks (a mask) and the draw; most turns offer no more, so it is kept."""
    higher = ranks & ranks - 1
    if not ONE_COLOUR[colour][higher]:
        one_colour_moves(colour, higher)
    lowest = PLAYS[colour * RANKS + (ranks ^ higher).bit_length() - 1]
    COLOURED[colour][ranks] = lowest + COLOURED[colour][higher]
    ONE_COLOUR[colour][ranks] = lowest + ONE_COLOUR[colour][higher]
    return ONE_COLOUR[colour][ranks]


def plain_moves(variant: Variant, kinds: "i64") -> tuple[int, ...]:
    """Return the plays of any kinds and the draw, joined from those of each colour."""
    moves = variant.wild_turns[kinds >> WILD]
    for colour in FROM_THE_LAST:
        ranks = kinds >> colour * RANKS & ALL_RANKS
        if ranks:
            if not COLOURED[colour][ranks]:
                one_colour_moves(colour, ranks)
            moves = COLOURED[colour][ranks] + moves
    return moves
