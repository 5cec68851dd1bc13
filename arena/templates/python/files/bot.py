"""A bot for the arena: one instance of the class plays one table."""

from collections.abc import Sequence

from arena.bot import COLOURS, Action, Bot, Card, Colour, Kind, Move, View, serve

PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


class MyBot(Bot):
    """Lays a card of the colour it holds most of, and keeps its wild cards for later."""

    description = "a first bot"

    def move(self, view: View) -> Move:
        """Choose one of `view.legal`; every decision of a match comes here."""
        if view.kind is Kind.FIRST_COLOUR:
            return next((move for move in view.legal if move.colour is favourite(view.hand)), view.legal[0])
        if view.playable:
            return max(view.playable, key=lambda move: self.worth(move, view))
        return next((move for move in view.legal if move.action in PASSIVE), view.legal[0])

    def worth(self, move: Move, view: View) -> float:
        """Say how good it is to lay a card: change this first."""
        card = move.card
        if card is None:
            return 0.0
        colour = favourite([other for other in view.hand if other is not card])
        if card.colour is None:  # a wild card: any other one first
            return 1.0 if move.colour is colour else 0.0
        return 2.0 + (card.colour is colour) + card.points / 100


def favourite(cards: Sequence[Card]) -> Colour:
    """Return the colour of most cards; of equals the first."""
    return max(COLOURS, key=lambda colour: sum(card.colour is colour for card in cards))


serve(MyBot)
