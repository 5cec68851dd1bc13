"""What a move leads to, in a dozen numbers, and what each number is worth in points of the round.

`Prospect` is both: the facts after a move, and the worth of each fact, found by regression over many rounds
(bench/veteran_worth.py; the table is in docs/bots/strength.md). A move's worth is the product of the two.
"""

from typing import NamedTuple

from reading import Reading

from arena.bot import COLOURS, WILD_DRAW_FOUR, Card, Move, Rank, View

MATTERS = 4
"""Cards beyond these that could follow add nothing."""
TAKES_A_TURN = (Rank.SKIP, Rank.DRAW_TWO, Rank.DRAW_ONE, Rank.WILD_DRAW_FOUR, Rank.WILD_DRAW_TWO)
AVERAGE_CARDS = (Card("R3"), Card("G5"), Card("B7"), Card("YS"), Card("R8"))
"""Stand for a hand that nobody has seen."""


class Prospect(NamedTuple):
    """What is so after a move."""

    points: float = 0
    """Points left in the own hand."""
    cards: float = 0
    """Cards left in the own hand."""
    one_left: float = 0
    """The own hand is one card."""
    two_left: float = 0
    """The own hand is two cards."""
    again: float = 0
    """The own turn comes again at once."""
    stranded: float = 0
    """It comes again, and no card can follow."""
    follow: float = 0
    """Cards left of the colour in force, four at most."""
    symbol: float = 0
    """Cards left of other colours with the same number or symbol, four at most."""
    actions: float = 0
    """Coloured action cards left."""
    wilds: float = 0
    """Wilds left."""
    fours: float = 0
    """Wild draw fours left."""
    colours: float = 0
    """Different colours left."""
    ready: float = 0
    """The own last card is wild or of the colour in force."""
    mover: float = 0
    """Cards of the opponent who is on turn next."""
    mover_one: float = 0
    """That opponent has one card."""
    mover_two: float = 0
    """That opponent has two cards."""
    others: float = 0
    """Cards of the other opponents, on average."""
    starved: float = 0
    """The chance that the opponent on turn lacks the colour in force."""
    starved_one: float = 0
    """The same, where that opponent has one or two cards."""
    follow_again: float = 0
    """Cards left of the colour in force, where the own turn comes again."""
    wild_late: float = 0
    """Wild cards left in a hand of three or fewer."""
    points_late: float = 0
    """Points left where some opponent has one or two cards."""
    drew: float = 0
    """A card was drawn instead of playing, and is not seen yet."""

    def worth(self, weights: "Prospect") -> float:
        """Return the points that this is worth."""
        return sum([fact * weight for fact, weight in zip(self, weights, strict=True)])


def foresee(move: Move, view: View, reading: Reading) -> Prospect:
    """Return what is so after a move that lays a card, draws or keeps."""
    card, sizes = move.card, list(view.hand_sizes)
    left, colour, top = list(view.hand), view.colour, view.top
    again, mover = False, view.next_seat
    if card is not None:
        left.remove(card)
        top = card
        colour = move.colour if move.colour in COLOURS else card.colour
        sizes[view.next_seat] += card.draws
        again, mover = turn_after(card, view)
        if move.seat >= 0 and card.rank == 7:
            sizes[move.seat], left = len(left), average_hand(sizes[move.seat], left)
    drew = card is None and view.drawn is None
    lacking = reading.chance_without(mover, colour, view)
    close = sizes[mover] <= 2 and not again
    follow = sum([other.colour is colour for other in left])
    symbol = sum([other.rank == top.rank and other.colour is not colour for other in left]) if top else 0
    wild = sum([other.is_wild for other in left])
    points = sum([other.points for other in left])
    fours = left.count(WILD_DRAW_FOUR)
    others = [sizes[seat] for seat in view.opponents if seat != mover]
    return Prospect(
        points=points,
        cards=len(left) + drew,
        one_left=len(left) == 1 and not drew,
        two_left=len(left) == 2 and not drew,
        again=again,
        stranded=again and not follow and not symbol and not wild,
        follow=min(follow, MATTERS),
        symbol=min(symbol, MATTERS),
        actions=sum([not other.is_number and not other.is_wild for other in left]),
        wilds=wild - fours,
        fours=fours,
        colours=len({other.colour for other in left if not other.is_wild}),
        ready=len(left) == 1 and (left[0].is_wild or left[0].colour is colour),
        mover=sizes[mover],
        mover_one=sizes[mover] == 1 and not again,
        mover_two=sizes[mover] == 2 and not again,
        others=sum(others) / len(others) if others else 0,
        starved=0 if again else lacking,
        starved_one=lacking if close else 0,
        follow_again=min(follow, MATTERS) if again else 0,
        wild_late=wild if len(left) <= 3 else 0,
        points_late=points if min([sizes[seat] for seat in view.opponents], default=9) <= 2 else 0,
        drew=drew,
    )


def turn_after(card: Card, view: View) -> tuple[bool, int]:
    """Return whether the own turn comes again after this card, and which opponent is on turn next."""
    around = view.opponents
    if takes_a_turn(card, view):
        return len(around) == 1, around[1 % len(around)]
    return False, around[-1] if card.rank == Rank.REVERSE else around[0]


def takes_a_turn(card: Card, view: View) -> bool:
    """Say whether the next player loses the turn: a reverse does that with two players."""
    if card.rank == Rank.REVERSE:
        return len(view.opponents) == 1 and view.rules.option("reverse_two_players", "skip") == "skip"
    return card.rank in TAKES_A_TURN


def average_hand(size: int, known: list[Card]) -> list[Card]:
    """Return a hand of this size to stand for one that nobody has seen."""
    return [AVERAGE_CARDS[place % len(AVERAGE_CARDS)] for place in range(size)] if known else []
