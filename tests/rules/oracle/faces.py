"""What can be read off the text of a card, and the canonical order of moves."""

from functools import cache

COLOURS = ["R", "G", "B", "Y"]
NUMBERS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
SYMBOLS = ["S", "R", "+2", "+1"]
COLOURLESS = ["W", "W+4", "W+2", "SH", "BL"]
EVERY_CARD = [colour + face for colour in COLOURS for face in NUMBERS + SYMBOLS] + COLOURLESS

RING = ["R", "B", "G", "Y"]
"""The ring of R31 as it is walked clockwise: red, blue, green, yellow."""

ACTIONS = ["play", "jump", "give", "colour", "draw", "keep", "accept", "challenge", "catch", "no", "ready"]

Parts = tuple[str, str, str, int]
"""An action, a card or "", a colour or "", a seat or -1."""


def colour_of(card: str) -> str:
    """Return the printed colour, "" for a colourless card."""
    return "" if card in COLOURLESS else card[0]


def face_of(card: str) -> str:
    """Return the number or the symbol, "" for a colourless card, which has neither."""
    return "" if card in COLOURLESS else card[1:]


def is_number(card: str) -> bool:
    """Tell whether the card shows a number."""
    return face_of(card) in NUMBERS


def worth(card: str) -> int:
    """Return the value of one card (R06)."""
    if is_number(card):
        return int(face_of(card))
    if card in COLOURLESS:
        return 40 if card in ("SH", "BL") else 50
    return 20


@cache
def split(move: str) -> Parts:
    """Take the text of a move apart."""
    action, body = "play", move
    for word in ACTIONS:
        if move == word or move.startswith(word + " "):
            action, body = word, move[len(word) + 1 :]
    if action == "colour":
        return action, "", body, -1
    card, *names = body.split(":")
    colour = next((name for name in names if name in COLOURS), "")
    seat = next((int(name) for name in names if name.isdigit()), -1)
    return action, card, colour, seat


@cache
def place_in_order(move: str) -> tuple[int, int, int, int]:
    """Return the sort key of a move: action, card, colour, seat; naming nothing comes first."""
    action, card, colour, seat = split(move)
    return (
        ACTIONS.index(action),
        EVERY_CARD.index(card) if card else -1,
        COLOURS.index(colour) if colour else -1,
        seat,
    )


def in_order(moves: list[str]) -> list[str]:
    """Return the moves once each, in the canonical order."""
    return sorted(set(moves), key=place_in_order)


def sorted_cards(cards: list[str]) -> list[str]:
    """Return the cards in the order of the catalogue."""
    return sorted(cards, key=EVERY_CARD.index)
