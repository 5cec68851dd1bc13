"""What the table is like when the turn passes on, in a score of numbers, and what each number is worth.

`Prospect` is both: the facts of a position, and the worth of each fact in points of the round, found by
regression over many rounds (bench/veteran_worth.py; the table is in docs/bots/strength.md). The worth of a
position is the product of the two.
"""

from typing import NamedTuple

from reading import Reading

from arena.bot import WILD_DRAW_FOUR, Card, Colour, View

MATTERS = 4
"""Cards beyond these that could follow add nothing."""
LATE = 3
"""A hand of so many cards is near its end."""


class Position(NamedTuple):
    """The table after a move."""

    hand: tuple[Card, ...]
    """The own cards left."""
    top: Card | None
    """The card on top."""
    colour: Colour
    """The colour in force."""
    sizes: tuple[int, ...]
    """Cards of every seat; the own number is not looked at."""
    order: tuple[int, ...]
    """The opponents, the one on turn next first."""


class Prospect(NamedTuple):
    """What is so when the turn passes to an opponent."""

    points: float = 0
    """Points left in the own hand."""
    cards: float = 0
    """Cards left in the own hand."""
    one_left: float = 0
    """The own hand is one card."""
    two_left: float = 0
    """The own hand is two cards."""
    follow: float = 0
    """Cards left of the colour in force, four at most."""
    symbol: float = 0
    """Cards left of other colours with the same number or symbol, four at most."""
    actions: float = 0
    """Coloured action cards left."""
    actions_late: float = 0
    """The same, in a hand of three cards or fewer."""
    wilds: float = 0
    """Wilds left."""
    fours: float = 0
    """Wild draw fours left."""
    wild_late: float = 0
    """Wild cards of either kind left in a hand of three or fewer."""
    colours: float = 0
    """Different colours left."""
    ready: float = 0
    """The own last card is wild or of the colour in force."""
    mover: float = 0
    """Cards of the opponent on turn."""
    mover_one: float = 0
    """That opponent has one card."""
    mover_two: float = 0
    """That opponent has two cards."""
    others: float = 0
    """Cards of the other opponents, on average."""
    starved: float = 0
    """The chance that the opponent on turn lacks the colour in force."""
    starved_late: float = 0
    """The same, where that opponent has one or two cards."""
    points_late: float = 0
    """Points left where some opponent has one or two cards."""
    drew: float = 0
    """A card was drawn instead of playing, and is not seen yet."""

    def worth(self, weights: "Prospect") -> float:
        """Return the points that this is worth."""
        return sum([fact * weight for fact, weight in zip(self, weights, strict=True)])


def look(position: Position, view: View, reading: Reading, *, drew: bool = False) -> Prospect:
    """Return the facts of a position at which an opponent is on turn."""
    left, top, colour, sizes, order = position
    mover, others = sizes[order[0]], [sizes[seat] for seat in order[1:]]
    count = len(left)
    wild = sum([card.is_wild for card in left])
    fours = left.count(WILD_DRAW_FOUR)
    actions = sum([not card.is_number for card in left]) - wild
    symbol = sum([card.rank == top.rank and card.colour is not colour for card in left]) if top else 0
    points = sum([card.points for card in left])
    lacking = reading.chance_without(order[0], colour, view)
    late = count <= LATE
    return Prospect(
        points=points,
        cards=count + drew,
        one_left=count == 1 and not drew,
        two_left=count == 2 and not drew,
        follow=min(sum([card.colour is colour for card in left]), MATTERS),
        symbol=min(symbol, MATTERS),
        actions=actions,
        actions_late=actions if late else 0,
        wilds=wild - fours,
        fours=fours,
        wild_late=wild if late else 0,
        colours=len({card.colour for card in left if not card.is_wild}),
        ready=count == 1 and (left[0].is_wild or left[0].colour is colour),
        mover=mover,
        mover_one=mover == 1,
        mover_two=mover == 2,
        others=sum(others) / len(others) if others else 0,
        starved=lacking,
        starved_late=lacking if mover <= 2 else 0,
        points_late=points if min(mover, *others, 9) <= 2 else 0,
        drew=drew,
    )
