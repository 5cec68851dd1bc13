"""Moves as small integers, and their text both ways.

A move packs action, card, colour and seat, in this order of weight, so that sorting the integers gives the
one canonical order of every list of moves. Owns packing and notation; refuses to know what is legal.

    R7          play a card                     draw        take a card instead of playing
    W:B         ... and name a colour           keep        hold on to the drawn card
    Y7:2        ... and name a seat             accept      pay what is pending
    jump R7     play it out of turn             challenge   doubt the wild +4
    give R7     hand it over in an exchange     catch, no   point out a missed UNO; let a chance pass
    colour B    name the first card's colour    ready       go on
"""

from typing import Final

from arena.rules.cards import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    COLOURS,
    KINDS,
    NO_CARD,
    NO_COLOUR,
    Card,
    Colour,
    NotationError,
    parse_card,
    parse_colour,
)

Move = int

PLAY: Final = 1
JUMP: Final = 2
GIVE: Final = 3
NAME: Final = 4
DRAW: Final = 5
KEEP: Final = 6
ACCEPT: Final = 7
CHALLENGE: Final = 8
CATCH_IT: Final = 9
NO: Final = 10
SAY_READY: Final = 11

ACTION_SHIFT: Final = 13
CARD_SHIFT: Final = 7
COLOUR_SHIFT: Final = 4
NAMES: Final = (1 << ACTION_SHIFT) - 1
"""The part of a move that says which card, colour and seat; an event packs them alike."""
NO_SEAT: Final = -1

MOVE_DRAW: Final = DRAW << ACTION_SHIFT
MOVE_KEEP: Final = KEEP << ACTION_SHIFT
MOVE_ACCEPT: Final = ACCEPT << ACTION_SHIFT
MOVE_CHALLENGE: Final = CHALLENGE << ACTION_SHIFT
MOVE_CATCH: Final = CATCH_IT << ACTION_SHIFT
MOVE_NO: Final = NO << ACTION_SHIFT
MOVE_READY: Final = SAY_READY << ACTION_SHIFT
MISPLAY: Final = 0
"""Stands for whatever was answered that is no legal move, where that is part of the game (R53)."""

_WORDS: Final = {
    MISPLAY: "misplay",
    MOVE_DRAW: "draw",
    MOVE_KEEP: "keep",
    MOVE_ACCEPT: "accept",
    MOVE_CHALLENGE: "challenge",
    MOVE_CATCH: "catch",
    MOVE_NO: "no",
    MOVE_READY: "ready",
}
_MOVES: Final = {text: move for move, text in _WORDS.items()}
_PREFIXES: Final = {PLAY: "", JUMP: "jump ", GIVE: "give "}


class IllegalMoveError(ValueError):
    """A move is not in the list of legal moves; nothing was changed."""


def pack(action: int, card: Card = NO_CARD, colour: Colour = NO_COLOUR, seat: int = NO_SEAT) -> Move:
    """Return the move of an action and what it names."""
    return action << ACTION_SHIFT | (card + 1) << CARD_SHIFT | (colour + 1) << COLOUR_SHIFT | (seat + 1)


def action_of(move: Move) -> int:
    """Return what kind of move it is: PLAY, JUMP, GIVE, NAME, DRAW, ..."""
    return move >> ACTION_SHIFT


def card_of(move: Move) -> Card:
    """Return the card that leaves the hand, or NO_CARD."""
    return (move >> CARD_SHIFT & 63) - 1


def colour_of(move: Move) -> Colour:
    """Return the colour that is named, or NO_COLOUR."""
    return (move >> COLOUR_SHIFT & 7) - 1


def seat_of(move: Move) -> int:
    """Return the seat that is named, or NO_SEAT."""
    return (move & 15) - 1


def format_move(move: Move) -> str:
    """Return the text of a move; what is no move is written by its number, e.g. ``#99999``."""
    word = _WORDS.get(move)
    if word is not None:
        return word
    action, card, colour = action_of(move), card_of(move), colour_of(move)
    if action == NAME and NO_COLOUR < colour < COLOURS:
        return f"colour {COLOUR_LETTERS[colour]}"
    prefix = _PREFIXES.get(action)
    if prefix is None or card == NO_CARD or card >= KINDS or colour >= COLOURS:
        return f"#{move}"
    text = prefix + CARD_TEXTS[card]
    if colour != NO_COLOUR:
        text += ":" + COLOUR_LETTERS[colour]
    if seat_of(move) != NO_SEAT:
        text += f":{seat_of(move)}"
    return text


def parse_move(text: str) -> Move:
    """Return the move that a text names.

    Raises:
        NotationError: The text is no move.

    >>> format_move(parse_move("jump W:B"))
    'jump W:B'
    """
    move = _MOVES.get(text)
    if move is not None:
        return move
    first, blank, rest = text.partition(" ")
    if blank and first == "colour":
        return pack(NAME, colour=parse_colour(rest))
    action, body = PLAY, text
    if blank and first in ("jump", "give"):
        action, body = (JUMP if first == "jump" else GIVE), rest
    card, *names = body.split(":")
    colour, seat = NO_COLOUR, NO_SEAT
    for name in names:
        if name in COLOUR_LETTERS and colour == NO_COLOUR and seat == NO_SEAT:
            colour = parse_colour(name)
        elif name.isascii() and name.isdigit() and len(name) == 1 and seat == NO_SEAT and action != GIVE:
            seat = int(name)
        else:
            raise NotationError(f"no move is written {text!r}")
    if action == GIVE and names:
        raise NotationError(f"no move is written {text!r}: a given card names nothing")
    return pack(action, parse_card(card), colour, seat)
