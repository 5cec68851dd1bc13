"""Veteran: plays as people who play much do, by weighing a few things and remembering what was shown.

A play is worth what it does now (points laid off, cards and lost turns given away) and what it leaves
(cards that can follow, wild cards kept for need). `Weights` holds every number; how they were found, and what
each is worth, is in docs/bots/strength.md. What opponents showed about their hands is in `reading.py`.
"""

from typing import NamedTuple

from reading import Reading

from arena.bot import COLOURS, WILD_DRAW_FOUR, Action, Bot, Card, Colour, Event, Kind, Move, Rank, View, serve

TAKES_A_TURN = (Rank.SKIP, Rank.DRAW_TWO, Rank.DRAW_ONE, Rank.WILD_DRAW_FOUR, Rank.WILD_DRAW_TWO)
PASSIVE = (Action.DRAW, Action.KEEP, Action.ACCEPT, Action.NO)


class Weights(NamedTuple):
    """What a play is judged by; the unit is the worth of one more card that can follow."""

    follow: float = 1.0
    """A card left in hand of the colour then in force."""
    symbol: float = 0.3
    """A card left in hand with the same number or symbol."""
    points: float = 0.05
    """A point laid off."""
    again: float = 2.0
    """Being on turn again at once (two players)."""
    block: float = 1.0
    """Taking the next player's turn at a larger table."""
    gift: float = 0.5
    """A card that the next player must draw."""
    alarm: float = 3.0
    """Taking the turn of a next player who holds one or two cards."""
    starve: float = 2.0
    """The chance that the next player cannot follow the colour."""
    wild: float = 3.0
    """Keeping a wild."""
    four: float = 3.0
    """Keeping a wild draw four."""
    draw: float = -3.0
    """Drawing although something could be played."""
    keep: float = -3.0
    """Keeping a drawn card that could be played."""
    caught: float = 8.0
    """Being challenged for a bluff."""
    doubt: float = 0.25
    """The chance of a bluff from which on a challenge is tried."""
    swap: float = 1.0
    """A card fewer in hand by a change of hands."""


class Veteran(Bot):
    """Remembers, weighs, bluffs and doubts by what the table has shown so far."""

    description = "veteran"
    weights = Weights()

    def opened(self) -> None:
        """Begin to read the table."""
        self.reading = Reading(self.seats)

    def event(self, event: Event) -> None:
        """Follow what is shown."""
        self.reading.follow(event)

    def move(self, view: View) -> Move:
        """Choose by the kind of question."""
        if view.kind is Kind.PENALTY and self.doubts(view):
            challenge = view.legal_by(Action.CHALLENGE)
            if challenge is not None:
                return challenge
        if view.plays:
            return self.best_play(view)
        if view.kind is Kind.FIRST_COLOUR:
            return max(view.legal, key=lambda move: count(view.hand, move.colour))
        if view.kind is Kind.EXCHANGE:
            return max(view.legal, key=lambda move: move.card.points if move.card else 0)
        return passive(view)

    def best_play(self, view: View) -> Move:
        """Return the play worth most, or draw or keep where nothing is worth it."""
        run = finishing_run(view) if len(view.opponents) == 1 else None
        if run is not None:
            return run
        weighed = {move: self.worth(move, view) for move in view.plays}
        best = max(view.plays, key=lambda move: weighed[move])
        other = passive(view)
        floor = {Action.DRAW: self.weights.draw, Action.KEEP: self.weights.keep}.get(other.action)
        if floor is not None and weighed[best] < floor:
            return other
        if view.kind is Kind.TURN and best in view.bluffs and not view.playable and weighed[best] < 0:
            return other
        return best

    def worth(self, move: Move, view: View) -> float:
        """Weigh one play."""
        w, card = self.weights, move.card
        assert card is not None
        left = list(view.hand)
        left.remove(card)
        if not left:
            return 1000.0
        after = move.colour if move.colour in COLOURS else card.colour
        value = w.points * card.points
        value += w.follow * count(left, after)
        value += w.symbol * sum(other.rank == card.rank and other.colour is not after for other in left)
        value += w.starve * self.reading.chance_without(view.next_seat, after, view)
        value += w.gift * card.draws
        if takes_a_turn(card, view):
            value += w.again if len(view.opponents) == 1 else w.block
            value += w.alarm if view.next_cards <= 2 else 0.0
        elif card.rank == Rank.REVERSE:
            value += w.block * compare(view.hand_sizes[view.opponents[-1]], view.next_cards)
        if card.is_wild:
            value -= w.four if card is WILD_DRAW_FOUR else w.wild
        if move in view.bluffs:
            value -= w.caught * self.reading.chance_of_challenge(view.next_seat)
        if move.seat >= 0 and card.rank == 7:
            value += w.swap * (len(left) - view.hand_sizes[move.seat])
        return value

    def doubts(self, view: View) -> bool:
        """Say whether the wild draw four that was just played was likely enough a bluff."""
        penalty = view.penalty
        return penalty is not None and self.reading.chance_of_bluff(penalty.source, view) > self.weights.doubt


def takes_a_turn(card: Card, view: View) -> bool:
    """Say whether the next player loses the turn: a reverse does that with two players."""
    if card.rank == Rank.REVERSE:
        return len(view.opponents) == 1 and view.rules.option("reverse_two_players", "skip") == "skip"
    return card.rank in TAKES_A_TURN


def finishing_run(view: View) -> Move | None:
    """Return the first play of a run that empties the hand without giving up the turn (two players)."""
    hand = view.hand
    if len(hand) > 8 or sum(not takes_a_turn(card, view) for card in hand) > 1:
        return None
    for move in view.playable:
        assert move.card is not None
        left = list(hand)
        left.remove(move.card)
        if not left or (takes_a_turn(move.card, view) and can_finish(left, move.card, move.colour, view)):
            return move
    return None


def can_finish(hand: list[Card], top: Card, named: Colour, view: View) -> bool:
    """Say whether this hand can be laid in one run on `top`, by its colour or the colour named."""
    colour = named if named in COLOURS else top.colour
    for card in hand:
        if card is WILD_DRAW_FOUR and count(hand, colour):
            continue
        if not (card.is_wild or card.colour is colour or card.rank == top.rank):
            continue
        left = list(hand)
        left.remove(card)
        if not left:
            return True
        if not takes_a_turn(card, view):
            continue
        colours = COLOURS if card.is_wild else (card.colour,)
        if any(can_finish(left, card, after, view) for after in colours):
            return True
    return False


def passive(view: View) -> Move:
    """Return the move that lays nothing: draw, keep, accept or no."""
    return next((move for move in view.legal if move.action in PASSIVE), view.legal[0])


def count(cards: "list[Card] | tuple[Card, ...]", colour: Colour) -> int:
    """Count the cards of a colour."""
    return sum(card.colour is colour for card in cards)


def compare(one: int, other: int) -> int:
    """Return 1, 0 or -1 as the first number is larger, equal or smaller."""
    return (one > other) - (one < other)


serve(Veteran)
