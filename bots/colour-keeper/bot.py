"""Colour keeper: lay what leaves most cards of the colour then in force, and keep wild cards for need.

It looks at one question at a time and remembers nothing, so the same strategy is easily written in any
language; `README.md` gives it step by step.
"""

from arena.bot import COLOURS, Action, Bot, Card, Colour, Kind, Move, View, serve

PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


class ColourKeeper(Bot):
    """Never bluffs, never challenges, draws only without a playable card."""

    description = "colour-keeper"

    def move(self, view: View) -> Move:
        """Follow the steps of README.md."""
        hand, legal = view.hand, view.legal
        if view.playable:
            return max(view.playable, key=lambda move: merit(move, hand, view.hand_sizes))
        if view.kind is Kind.FIRST_COLOUR:
            return max(legal, key=lambda move: holds(hand, move.colour))
        if view.kind is Kind.EXCHANGE:
            return max(legal, key=lambda move: move.card.points if move.card else 0)
        return next((move for move in legal if move.action in PASSIVE), legal[0])


def merit(move: Move, hand: tuple[Card, ...], sizes: tuple[int, ...]) -> tuple[bool, int, int, int]:
    """Compare plays: coloured before wild, the colour kept, points, the smaller hand to swap with."""
    card = move.card
    assert card is not None
    after = move.colour if move.colour in COLOURS else card.colour
    kept = holds(hand, after) - (card.colour is after) if after in COLOURS else 0
    swapped = -sizes[move.seat] if move.seat >= 0 else 0
    return not card.is_wild, kept, card.points, swapped


def holds(hand: tuple[Card, ...], colour: Colour) -> int:
    """Count the cards of a colour."""
    return sum(card.colour is colour for card in hand)


serve(ColourKeeper)
