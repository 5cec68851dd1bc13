"""Which cards a deck holds (R01-R05).

Owns the printed decks and the text of a deck of one's own. A deck is the number of copies of each kind.
"""

from collections.abc import Callable, Mapping
from typing import Final

from arena.rules.cards import (
    BLANK,
    CARD_TEXTS,
    COLOURS,
    DRAW_ONE,
    DRAW_TWO,
    KINDS,
    SHUFFLE_HANDS,
    WILD,
    WILD_FOUR,
    WILD_TWO,
    NotationError,
    coloured,
    parse_card,
)

Deck = tuple[int, ...]
"""How many copies of each kind of card there are, by card code."""

MAX_CARDS: Final = 1000
"""More cards than any table needs; a deck of one's own beyond it is refused."""
LONGEST_COUNT: Final = 9
"""Digits of a number of copies."""


def standard_deck() -> Deck:
    """Return the 108 cards of R01: a colour has one 0 and two of all else; 4 wild, 4 wild +4."""
    copies = [0] * KINDS
    for colour in range(COLOURS):
        copies[coloured(colour, 0)] = 1
        for rank in range(1, DRAW_TWO + 1):
            copies[coloured(colour, rank)] = 2
    copies[WILD] = copies[WILD_FOUR] = 4
    return tuple(copies)


def blanks_deck() -> Deck:
    """Return the 112 cards of R02: the standard deck and four blanks."""
    return _with(standard_deck(), {BLANK: 4})


def gdj85_deck() -> Deck:
    """Return the 112 cards of R03: the standard deck, one Shuffle Hands and three blanks."""
    return _with(standard_deck(), {SHUFFLE_HANDS: 1, BLANK: 3})


def h2o_deck() -> Deck:
    """Return the 120 cards of R04: the standard deck, two +1 a colour and four wild +2."""
    return _with(
        standard_deck(), {WILD_TWO: 4} | {coloured(colour, DRAW_ONE): 2 for colour in range(COLOURS)}
    )


DECKS: Final[Mapping[str, Callable[[], Deck]]] = {
    "standard": standard_deck,
    "blanks": blanks_deck,
    "gdj85": gdj85_deck,
    "h2o": h2o_deck,
}


def parse_deck(text: str) -> Deck:
    """Return the deck (R05) that a text such as ``R0 R1*2 W*4`` describes.

    Raises:
        NotationError: A word is no card with a number of copies, a card comes twice, or there are too many.
    """
    copies = [0] * KINDS
    for word in text.split():
        name, star, number = word.partition("*")
        card = parse_card(name)
        if copies[card]:
            raise NotationError(f"the deck names {name!r} twice")
        small = number.isascii() and number.isdigit() and len(number) <= LONGEST_COUNT
        if star and not (small and int(number) > 0):
            raise NotationError(f"no number of copies is written {word[:80]!r}: a card, or a card*copies")
        copies[card] = int(number) if star else 1
    if sum(copies) > MAX_CARDS:
        raise NotationError(f"a deck of {sum(copies)} cards is too large: at most {MAX_CARDS}")
    return tuple(copies)


def format_deck(deck: Deck) -> str:
    """Return the text of a deck, cards in the order of their codes."""
    return " ".join(
        CARD_TEXTS[card] + (f"*{copies}" if copies > 1 else "") for card, copies in enumerate(deck) if copies
    )


def _with(deck: Deck, more: Mapping[int, int]) -> Deck:
    """Return a deck with more copies of some cards."""
    return tuple(copies + more.get(card, 0) for card, copies in enumerate(deck))
