"""The card worth most, always: whoever wins this round then takes little from this hand."""

from arena.bot import COLOURS, Action, Bot, Colour, Kind, Move, View, serve

PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


def commonest_colour(view: View) -> Colour:
    """Return the colour of most cards in hand; of equals the first."""
    return max(COLOURS, key=lambda colour: sum(card.colour is colour for card in view.hand))


class Greedy(Bot):
    """Never bluffs, never challenges, draws only without a playable card."""

    description = "greedy"

    def move(self, view: View) -> Move:
        """Lay the playable card worth most; of equals the first."""
        wanted = commonest_colour(view)
        plays = view.playable
        if plays:
            return max(plays, key=lambda move: (worth(move), move.colour is wanted))
        if view.kind is Kind.EXCHANGE:
            return max(view.legal, key=worth)
        if view.kind is Kind.FIRST_COLOUR:
            return next((move for move in view.legal if move.colour is wanted), view.legal[0])
        return next((move for move in view.legal if move.action in PASSIVE), view.legal[0])


def worth(move: Move) -> int:
    """Return the points of the move's card."""
    return move.card.points if move.card is not None else 0


serve(Greedy)
