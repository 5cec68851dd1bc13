"""Veteran: weighs what each move leads to, and remembers what the table has shown.

`lines.py` thinks the own turn through to its end, `prospect.py` says what the table is like then and what
that is worth, `reading.py` what opponents showed about their hands and habits. How strong it is, and what
each part adds, is in docs/bots/strength.md.
"""

from lines import position_of, worth_of_play
from prospect import Position, Prospect, look
from reading import Reading
from worth import DUEL, TABLE

from arena.bot import Action, Bot, Event, Kind, Move, View, serve

PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


class Veteran(Bot):
    """Remembers, weighs, bluffs and doubts by what the table has shown so far."""

    description = "veteran"
    duel: Prospect = DUEL
    """What each fact is worth against one opponent."""
    table: Prospect = TABLE
    """What each fact is worth against several."""
    challenged_costs = 25.0
    """Points that being challenged for a bluff costs."""
    doubt = 0.3
    """The chance of a bluff from which on it challenges."""

    def opened(self) -> None:
        """Begin to read the table."""
        self.reading = Reading(self.seats)

    def event(self, event: Event) -> None:
        """Follow what is shown."""
        self.reading.follow(event)

    def move(self, view: View) -> Move:
        """Choose by the kind of question."""
        challenge = view.legal_by(Action.CHALLENGE)
        if challenge is not None and self.doubts(view):
            return challenge
        if view.plays and view.opponents:
            return self.best(view)
        if view.kind is Kind.FIRST_COLOUR:
            return max(view.legal, key=lambda move: sum(card.colour is move.colour for card in view.hand))
        if view.kind is Kind.EXCHANGE:
            return max(view.legal, key=lambda move: move.card.points if move.card else 0)
        return passive(view)

    def best(self, view: View) -> Move:
        """Return the move worth most: a play, or drawing or keeping."""
        other = passive(view)
        candidates = view.plays
        if other.action in (Action.DRAW, Action.KEEP):
            candidates += (other,)
        return max(candidates, key=lambda move: self.worth(move, view))

    def worth(self, move: Move, view: View) -> float:
        """Return the points of this round that a move promises."""
        weights = self.duel if len(view.opponents) == 1 else self.table

        def judge(position: Position, drew: bool) -> float:
            return look(position, view, self.reading, drew=drew).worth(weights)

        if not move.is_play:
            return judge(position_of(view), move.action is Action.DRAW)
        worth = worth_of_play(move, view, judge)
        if move in view.bluffs:
            worth -= self.challenged_costs * self.reading.chance_of_challenge(view.next_seat)
        return worth

    def doubts(self, view: View) -> bool:
        """Say whether the wild draw four that was just played was likely enough a bluff."""
        penalty = view.penalty
        return penalty is not None and self.reading.chance_of_bluff(penalty.source, view) > self.doubt


def passive(view: View) -> Move:
    """Return the move that lays nothing: draw, keep, accept or no."""
    return next((move for move in view.legal if move.action in PASSIVE), view.legal[0])


serve(Veteran)
