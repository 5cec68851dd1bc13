"""Cards and colours as an author meets them: light interned values with a text form both ways.

`Card("R7")` and `Card(7)` are the same object; a card is an int (its code, 0..60), so it indexes a list of
counts, compares and hashes at the price of an int, and carries what a bot asks about it as attributes that
were worked out once. The codes are those of `arena.rules.cards` (a test compares them); this module exists
because the SDK must import without the engine. It refuses to know any rule: what may be played stands in the
legal moves of a question.
"""

from enum import IntEnum
from typing import Final, Self


class Colour(IntEnum):
    """The four colours, and the absence of one."""

    NONE = -1
    """No colour: what a wild card has, and the round before its first colour is named."""
    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3

    @property
    def letter(self) -> str:
        """The colour in text forms: R, G, B, Y, or a dash."""
        return "RGBY-"[self]


COLOURS: Final = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)


class Rank(IntEnum):
    """Names of the ranks that are not numbers: 0 to 9 are the numbers themselves."""

    SKIP = 10
    REVERSE = 11
    DRAW_TWO = 12
    DRAW_ONE = 13
    WILD = 14
    WILD_DRAW_FOUR = 15
    WILD_DRAW_TWO = 16
    SHUFFLE_HANDS = 17
    BLANK = 18


_COLOURED_NAMES: Final = (*"0123456789", "S", "R", "+2", "+1")
_WILD_NAMES: Final = ("W", "W+4", "W+2", "SH", "BL")
_FIRST_WILD: Final = 56
_DRAWS: Final = {Rank.DRAW_TWO: 2, Rank.DRAW_ONE: 1, Rank.WILD_DRAW_FOUR: 4, Rank.WILD_DRAW_TWO: 2}


def _points(rank: int) -> int:
    if rank <= 9:
        return rank
    if rank <= Rank.DRAW_ONE:
        return 20
    return 50 if rank <= Rank.WILD_DRAW_TWO else 40


class Card(int):
    """A card. `Card("G+2")` looks it up by its text, `Card(26)` by its code."""

    text: str
    """The text form: a colour letter and 0-9, `S`, `R`, `+2`, `+1`; or `W`, `W+4`, `W+2`, `SH`, `BL`."""
    colour: Colour
    """The colour, `Colour.NONE` for a wild card."""
    rank: int
    """0-9 for a number, else one of `Rank`."""
    points: int
    """What it is worth in a hand at the end of a round."""
    is_number: bool
    """Whether it is a plain number card."""
    is_wild: bool
    """Whether it has no colour of its own."""
    draws: int
    """How many cards the next player draws, 0 for most (a blank may draw ten: the rules say)."""

    def __new__(cls, which: "str | int") -> Self:
        """Look a card up by its text or its code."""
        found = _BY_TEXT.get(which) if isinstance(which, str) else _BY_CODE.get(which)
        if found is None:
            raise ValueError(f"no such card: {which!r}")
        return found  # type: ignore[return-value]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"


def _make(code: int) -> Card:
    card = int.__new__(Card, code)
    if code < _FIRST_WILD:
        colour, rank = divmod(code, 14)
        card.colour, card.rank = COLOURS[colour], rank
        card.text = "RGBY"[colour] + _COLOURED_NAMES[rank]
    else:
        card.colour, card.rank = Colour.NONE, code - _FIRST_WILD + Rank.WILD
        card.text = _WILD_NAMES[code - _FIRST_WILD]
    card.points = _points(card.rank)
    card.is_number = card.rank <= 9
    card.is_wild = code >= _FIRST_WILD
    card.draws = _DRAWS.get(card.rank, 0)  # type: ignore[call-overload]
    return card


CARDS: Final[tuple[Card, ...]] = tuple(_make(code) for code in range(61))
"""Every card, by code."""

_BY_CODE: Final[dict[int, Card]] = dict(enumerate(CARDS))
_BY_TEXT: Final[dict[str, Card]] = {card.text: card for card in CARDS}

WIRE_CARDS: Final[tuple[Card | None, ...]] = (None, *CARDS)
"""Every card by its number on the wire, where 0 is none."""

WIRE_COLOURS: Final = (Colour.NONE, *COLOURS)
"""Every colour by its number on the wire, where 0 is none."""

WILD: Final = Card("W")
WILD_DRAW_FOUR: Final = Card("W+4")
