"""What a seat can be asked: the kinds of question, numbered as on the wire.

Owns the numbers and what each means. The lists of answers are in `legal`.
"""

from enum import IntEnum
from typing import Final

OVER: Final = 0
TURN: Final = 1
DRAWN: Final = 2
PENALTY: Final = 3
CATCH: Final = 4
JUMP_IN: Final = 5
FIRST_COLOUR: Final = 6
EXCHANGE: Final = 7
READY: Final = 8


class QuestionKind(IntEnum):
    """The kinds of question, for people and for the wire; the core uses the plain numbers above."""

    OVER = 0
    """Nobody is asked: the round or the match is over."""
    TURN = 1
    """Play a card or draw."""
    DRAWN = 2
    """Play the card just drawn, or keep it."""
    PENALTY = 3
    """Accept what is pending, challenge it, or answer with a card."""
    CATCH = 4
    """Point out that a seat did not call UNO, or let it pass."""
    JUMP_IN = 5
    """Play the identical card out of turn, or let it pass."""
    FIRST_COLOUR = 6
    """Name the colour of a wild that lies as the first card."""
    EXCHANGE = 7
    """Choose the card to give away."""
    READY = 8
    """Say that the game may go on."""


NOTHING: Final = 0
A_SKIP: Final = 1
A_TWO: Final = 2
A_FOUR: Final = 3
A_ONE: Final = 4
A_WILD_TWO: Final = 5
A_TEN: Final = 6


class PenaltyKind(IntEnum):
    """What can be pending against a seat."""

    NOTHING = 0
    """Nothing is pending."""
    SKIP = 1
    """Lose the turn: a skip, or a reverse between two."""
    DRAW_TWO = 2
    """A +2, or several."""
    DRAW_FOUR = 3
    """A wild +4, or several."""
    DRAW_ONE = 4
    """A +1."""
    WILD_TWO = 5
    """A wild +2."""
    DRAW_TEN = 6
    """A blank that is a +10."""
