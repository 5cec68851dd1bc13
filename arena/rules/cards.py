"""Cards as small integers, and their text both ways.

Owns the code of every kind of card (0..60), its colour, rank, worth and one-line text. Refuses to know which
cards a deck holds (`decks`) or what a card does (`effects`): here a card is only a name.

A coloured card is ``colour * 14 + rank``; ranks 0-9 are the numbers. Colourless cards follow from 56 on. All
kinds fit in 61 bits, so a hand is a count per kind plus one mask of the kinds it holds.
"""

from typing import Final

Card = int
Colour = int

NO_CARD: Final = -1
NO_COLOUR: Final = -1

RED: Final = 0
GREEN: Final = 1
BLUE: Final = 2
YELLOW: Final = 3
COLOURS: Final = 4
COLOUR_LETTERS: Final = "RGBY"

RANKS: Final = 14
SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12
DRAW_ONE: Final = 13
NO_RANK: Final = 14
"""The rank of a colourless card: it has neither number nor symbol, so it equals no other rank."""

WILD: Final = 56
WILD_FOUR: Final = 57
WILD_TWO: Final = 58
SHUFFLE_HANDS: Final = 59
BLANK: Final = 60
KINDS: Final = 61

RANK_TEXTS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "S", "R", "+2", "+1")
CARD_TEXTS: Final = (
    *[colour + rank for colour in COLOUR_LETTERS for rank in RANK_TEXTS],
    "W",
    "W+4",
    "W+2",
    "SH",
    "BL",
)
_CARDS: Final = {text: card for card, text in enumerate(CARD_TEXTS)}


class NotationError(ValueError):
    """A text is no card, colour, move, event, record or ruleset; the message quotes it."""


def coloured(colour: Colour, rank: int) -> Card:
    """Return the card of a colour and a rank."""
    return colour * RANKS + rank


def colour_of_card(card: Card) -> Colour:
    """Return the printed colour, NO_COLOUR for a colourless card."""
    return card // RANKS if card < WILD else NO_COLOUR


def rank_of_card(card: Card) -> int:
    """Return the number or symbol, NO_RANK for a colourless card."""
    return card % RANKS if card < WILD else NO_RANK


def points_of_card(card: Card) -> int:
    """Return what a card in a hand is worth at the end of a round (R06)."""
    if card < WILD:
        rank = card % RANKS
        return rank if rank < SKIP else 20
    return 40 if card in (SHUFFLE_HANDS, BLANK) else 50


def format_card(card: Card) -> str:
    """Return the text of a card, e.g. ``R7``, ``BS``, ``W+4``."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """Return the card that a text names.

    Raises:
        NotationError: The text names no card.

    >>> format_card(parse_card("Y+2"))
    'Y+2'
    """
    card = _CARDS.get(text)
    if card is None:
        raise NotationError(f"no card is written {text[:80]!r}")
    return card


def format_colour(colour: Colour) -> str:
    """Return the letter of a colour."""
    return COLOUR_LETTERS[colour]


def parse_colour(text: str) -> Colour:
    """Return the colour that a letter names.

    Raises:
        NotationError: The text is none of the four letters.
    """
    colour = COLOUR_LETTERS.find(text)
    if len(text) != 1 or colour < 0:
        raise NotationError(f"no colour is written {text!r}: one of {', '.join(COLOUR_LETTERS)}")
    return colour


def format_cards(cards: list[Card]) -> str:
    """Return a hand or a pile as texts separated by blanks, ``-`` for none."""
    return " ".join([CARD_TEXTS[card] for card in cards]) or "-"


def parse_cards(text: str) -> list[Card]:
    """Return the cards of a text made by `format_cards`.

    Raises:
        NotationError: One of the words names no card.
    """
    return [] if text == "-" else [parse_card(word) for word in text.split()]
