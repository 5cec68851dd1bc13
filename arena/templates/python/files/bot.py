"""A bot for the arena: one instance of the class plays one table."""

from collections.abc import Sequence

from arena.bot import COLOURS, Action, Bot, Card, Colour, Kind, Move, View, serve

PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


class MyBot(Bot):
    """Lays the card worth most, rather one of the colour that it holds most of."""

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
        rest = favourite([other for other in view.hand if other is not card])
        return card.points + 5.0 * (move.colour is rest or card.colour is rest)


def favourite(cards: Sequence[Card]) -> Colour:
    """Return the colour of most cards; of equals the first."""
    return max(COLOURS, key=lambda colour: sum(card.colour is colour for card in cards))


serve(MyBot)
