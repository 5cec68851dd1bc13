"""Moves and questions as an author meets them: interned values, one object for each different move.

Two equal moves are the same object, so `move in view.bluffs` and dictionaries of moves cost nothing. A move
knows what it does and how it is written; whether it is legal is said by the question it came with.
"""

from enum import IntEnum
from typing import Final

from arena.bot.cards import CARDS, WIRE_CARDS, WIRE_COLOURS, Card, Colour


class Kind(IntEnum):
    """What a question asks. A kind that this SDK does not know reads as `OTHER`: the legal moves tell."""

    OTHER = 0
    TURN = 1
    """Play a card or draw."""
    DRAWN = 2
    """Play the card just drawn, or keep it."""
    PENALTY = 3
    """Accept, challenge, or answer with a card."""
    CATCH = 4
    """Point out that UNO was not called, or no."""
    JUMP_IN = 5
    """Play the identical card out of turn, or no."""
    FIRST_COLOUR = 6
    """Name the colour of the first card."""
    EXCHANGE = 7
    """Choose a card to give away."""
    READY = 8
    """Say that the game may go on."""


class Action(IntEnum):
    """What a move does."""

    OTHER = 0
    PLAY = 1
    DRAW = 2
    KEEP = 3
    ACCEPT = 4
    CHALLENGE = 5
    CATCH = 6
    NO = 7
    JUMP = 8
    COLOUR = 9
    GIVE = 10
    READY = 11


KINDS: Final[dict[int, Kind]] = {int(kind): kind for kind in Kind}
_ACTIONS: Final[dict[int, Action]] = {int(action): action for action in Action}
_WORDS: Final = {
    Action.DRAW: "draw",
    Action.KEEP: "keep",
    Action.ACCEPT: "accept",
    Action.CHALLENGE: "challenge",
    Action.CATCH: "catch",
    Action.NO: "no",
    Action.READY: "ready",
}
_PREFIXES: Final = {Action.JUMP: "jump ", Action.COLOUR: "colour ", Action.GIVE: "give "}


class Move:
    """One thing that may be done. `Move.parse("W:B")` looks it up by its text.

    Text forms: `R7` play, `W:B` play naming a colour, `Y7:2` play naming a seat, `draw`, `keep`, `accept`,
    `challenge`, `catch`, `no`, `jump R7`, `colour B`, `give R7`, `ready`.
    """

    __slots__ = ("action", "card", "colour", "is_play", "seat", "text", "wire")

    action: Action
    """What is done."""
    card: Card | None
    """Which card is played, jumped in with or given."""
    colour: Colour
    """Which colour is named, `Colour.NONE` where none is."""
    seat: int
    """Which seat is named, -1 where none is."""
    is_play: bool
    """Whether a card leaves the hand for the discard pile: a play or a jump-in."""
    text: str
    """The text form."""
    wire: tuple[int, int, int, int]
    """Action, card, colour and seat as numbers on the wire."""

    @staticmethod
    def parse(text: str) -> "Move":
        """Return the move written as `text`; ValueError when nothing is written so."""
        return MOVES[_parse(text)]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move.parse({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Move.parse, (self.text,)


class _Moves(dict[tuple[int, int, int, int], Move]):
    """All moves met so far, by their numbers on the wire; a new one is made when first looked up."""

    def __missing__(self, wire: tuple[int, int, int, int]) -> Move:
        action, card, colour, seat = wire
        move = Move()
        move.wire = wire
        move.action = _ACTIONS.get(action, Action.OTHER)
        move.card = WIRE_CARDS[card]
        move.colour = WIRE_COLOURS[colour]
        move.seat = seat - 1
        move.is_play = move.action is Action.PLAY or move.action is Action.JUMP
        move.text = _format(move)
        self[wire] = move
        return move


MOVES: Final = _Moves()
"""Every move by its numbers on the wire."""


def _format(move: Move) -> str:
    word = _WORDS.get(move.action)
    if word is not None:
        return word
    if move.action is Action.COLOUR:
        return f"colour {move.colour.letter}"
    if move.card is None:
        return f"action {move.wire}"
    text = _PREFIXES.get(move.action, "") + move.card.text
    if move.colour is not Colour.NONE:
        text += f":{move.colour.letter}"
    return f"{text}:{move.seat}" if move.seat >= 0 else text


def _parse(text: str) -> tuple[int, int, int, int]:
    for action, word in _WORDS.items():
        if text == word:
            return int(action), 0, 0, 0
    action, rest = Action.PLAY, text
    for prefixed, prefix in _PREFIXES.items():
        if text.startswith(prefix):
            action, rest = prefixed, text.removeprefix(prefix)
    if action is Action.COLOUR and rest in set("RGBY"):
        return int(action), 0, "RGBY".index(rest) + 1, 0
    name, *named = rest.split(":")
    colour = seat = 0
    for part in named:
        if part in set("RGBY") and not colour:
            colour = "RGBY".index(part) + 1
        elif part.isdecimal() and part.isascii() and not seat:
            seat = int(part) + 1
        else:
            raise ValueError(f"no such move: {text!r}")
    card = next((card for card in CARDS if card.text == name), None)
    if card is None or action is Action.COLOUR:
        raise ValueError(f"no such move: {text!r}")
    return int(action), int(card) + 1, colour, seat
