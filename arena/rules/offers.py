"""Lists of a turn's moves that depend on nothing but the kinds of card that may be played.

Owns the lists that are kept: the plays of one colour, with and without the draw. Most turns offer the cards
of one colour, or those and a few more, so a list is a look into a table or a few joined. Refuses rulesets in
which a card names a seat or a draw can be forbidden: `variant.plain_turns` tells them apart.
"""

from typing import Final

from arena.rules.cards import COLOURS, RANKS, WILD
from arena.rules.moves import ACTION_SHIFT, CARD_SHIFT, MOVE_DRAW, PLAY
from arena.rules.variant import ALL_COLOURED, BELOW, Variant

PLAYING: Final = PLAY << ACTION_SHIFT
ONLY_DRAW: Final[tuple[int, ...]] = (MOVE_DRAW,)
ONE_COLOUR: Final[list[list[tuple[int, ...]]]] = [[()] * 2**RANKS for _colour in range(COLOURS)]
"""What `one_colour_moves` returned, by colour and mask of ranks."""
COLOURED: Final[list[list[tuple[int, ...]]]] = [[()] * 2**RANKS for _colour in range(COLOURS)]
"""The same without the draw."""


def one_colour_moves(colour: int, ranks: int) -> tuple[int, ...]:
    """Return the plays of a colour's ranks (a mask) and the draw; most turns offer no more, so it is kept."""
    cards = [colour * RANKS + rank for rank in range(RANKS) if ranks >> rank & 1]
    plays = tuple([PLAYING | (card + 1) << CARD_SHIFT for card in cards])
    COLOURED[colour][ranks] = plays
    ONE_COLOUR[colour][ranks] = plays + ONLY_DRAW
    return ONE_COLOUR[colour][ranks]


def plain_moves(variant: Variant, kinds: int) -> tuple[int, ...]:
    """Return the plays of any kinds and the draw, joined from those of each colour."""
    moves = variant.wild_turns[kinds >> WILD]
    kinds &= ALL_COLOURED
    while kinds:
        colour = (kinds.bit_length() - 1) // RANKS
        ranks = kinds >> colour * RANKS
        if not COLOURED[colour][ranks]:
            one_colour_moves(colour, ranks)
        moves = COLOURED[colour][ranks] + moves
        kinds &= BELOW[colour]
    return moves
