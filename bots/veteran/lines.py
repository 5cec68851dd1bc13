"""What a play leads to while the own turn lasts: with one opponent, an action card brings it back at once.

A line is a play and all that may be laid after it before the opponent is on turn. Only the own hand matters
for it, so it is thought through to its end, which finds every way of going out in one run.
"""

from collections.abc import Callable, Iterator

from prospect import Position

from arena.bot import COLOURS, WILD_DRAW_FOUR, Card, Colour, Move, Rank, View

OUT = 1000.0
"""Worth more than anything: the last card is laid."""
TAKES_A_TURN = (Rank.SKIP, Rank.DRAW_TWO, Rank.DRAW_ONE, Rank.WILD_DRAW_FOUR, Rank.WILD_DRAW_TWO)
AVERAGE_CARDS = (Card("R3"), Card("G5"), Card("B7"), Card("YS"), Card("R8"))
"""Stand for a hand that nobody has seen."""

Judge = Callable[[Position, bool], float]
"""The worth of a position at which an opponent is on turn; the flag says that a card was drawn unseen."""


def position_of(view: View) -> Position:
    """Return the position in which a question is asked."""
    return Position(view.hand, view.top, view.colour, view.hand_sizes, view.opponents)


def worth_of_play(move: Move, view: View, judge: Judge) -> float:
    """Return the worth of the best line that begins with this play."""
    assert move.card is not None
    skips = reverse_skips(view)
    after, again = lay(position_of(view), move.card, move.colour, skips)
    if move.seat >= 0 and move.card.rank == 7 and after.hand:
        after = swap(after, move.seat)
    return worth_of_line(after, again, skips, judge)


def worth_of_line(position: Position, again: bool, skips: bool, judge: Judge) -> float:
    """Return the worth of a position, or of the best that can follow where the own turn comes again."""
    if not position.hand:
        return OUT
    if not again:
        return judge(position, False)
    best = judge(position, True)
    for card, colour in followers(position):
        best = max(best, worth_of_line(*lay(position, card, colour, skips), skips, judge))
    return best


def followers(position: Position) -> Iterator[tuple[Card, Colour]]:
    """Yield what may be laid next without a bluff: each different card, with each colour it can name."""
    hand, top, colour = position.hand, position.top, position.colour
    for card in dict.fromkeys(hand):
        if card is WILD_DRAW_FOUR and any(other.colour is colour for other in hand):
            continue
        if card.is_wild:
            for named in COLOURS:
                yield card, named
        elif card.colour is colour or (top is not None and card.rank == top.rank):
            yield card, Colour.NONE


def lay(position: Position, card: Card, named: Colour, skips: bool) -> tuple[Position, bool]:
    """Return the position after a card, and whether the own turn comes again."""
    hand, _, _, sizes, order = position
    at = hand.index(card)
    victim = order[0]
    if card.draws:
        sizes = (*sizes[:victim], sizes[victim] + card.draws, *sizes[victim + 1 :])
    again = False
    if card.rank in TAKES_A_TURN or (card.rank == Rank.REVERSE and skips and len(order) == 1):
        again = len(order) == 1
        order = (*order[1:], victim)
    elif card.rank == Rank.REVERSE:
        order = order[::-1]
    colour = named if named is not Colour.NONE else card.colour
    return Position(hand[:at] + hand[at + 1 :], card, colour, sizes, order), again


def swap(position: Position, seat: int) -> Position:
    """Return the position after a change of hands with a seat, whose cards nobody can judge."""
    hand, sizes = position.hand, position.sizes
    got = tuple(AVERAGE_CARDS[place % len(AVERAGE_CARDS)] for place in range(sizes[seat]))
    return position._replace(hand=got, sizes=(*sizes[:seat], len(hand), *sizes[seat + 1 :]))


def reverse_skips(view: View) -> bool:
    """Say whether a reverse skips where two players are left."""
    return view.rules.option("reverse_two_players", "skip") == "skip"
