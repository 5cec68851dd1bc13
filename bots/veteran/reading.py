"""What opponents show without meaning to: the colours they lack, how they bluff and how they doubt.

A seat that drew instead of playing had no card of the colour in force; only cards it got later can be of
it. A seat's habits are counted over the whole match, beginning with a guess that a few observations overrule.
"""

from arena.bot import COLOURS, WILD_DRAW_FOUR, Colour, Event, EventKind, View

LAID = (EventKind.FIRST_CARD, EventKind.PLAYED, EventKind.JUMPED_IN)
GOT_CARDS = (EventKind.DREW, EventKind.PAID, EventKind.FINED, EventKind.REFILLED)
HANDS_MOVED = (EventKind.SWAPPED, EventKind.ROTATED, EventKind.HANDS_SHUFFLED)
MANY = 99
"""More cards than a hand holds: nothing is known of it."""


class Seat:
    """One opponent."""

    def __init__(self) -> None:
        self.possible = dict.fromkeys(COLOURS, MANY)
        """How many cards of the hand can be of each colour at most."""
        self.bluffs, self.fours = 0.05, 1.0
        """Of the wild draw fours that were challenged, how many were bluffs; both begin as a guess."""
        self.challenges, self.faced = 0.3, 1.0
        """Of the wild draw fours played at this seat, how many it challenged; both begin as a guess."""


class Reading:
    """All seats of one table."""

    def __init__(self, seats: int) -> None:
        self.seats = [Seat() for _ in range(seats)]
        self.colour = Colour.NONE
        self.before = Colour.NONE
        """The colour in force before the last card was laid."""
        self.four_open = False
        """Whether a wild draw four was laid and nobody has answered it yet."""

    def follow(self, event: Event) -> None:
        """Learn from one event."""
        kind = event.kind
        if kind in LAID:
            self._laid(event)
        elif kind in GOT_CARDS:
            possible = self.seats[event.seat].possible
            if self.four_open:
                self.seats[event.seat].faced += 1
                self.four_open = False
            if kind is EventKind.DREW and self.colour in COLOURS:
                possible[self.colour] = 0
            for colour in COLOURS:
                possible[colour] += event.amount
        elif kind is EventKind.CHALLENGED:
            self.four_open = False
            self.seats[event.seat].challenges += 1
            self.seats[event.seat].faced += 1
            self.seats[event.other].bluffs += event.amount
            self.seats[event.other].fours += 1
        elif kind is EventKind.COLOUR_NAMED or kind is EventKind.RETURNED:
            self.colour = event.colour
        elif kind is EventKind.ROUND_BEGAN or kind in HANDS_MOVED:
            for seat in self.seats:
                seat.possible = dict.fromkeys(COLOURS, MANY)

    def _laid(self, event: Event) -> None:
        card = event.card
        assert card is not None
        self.before = self.colour
        self.four_open = card is WILD_DRAW_FOUR
        self.colour = event.colour if event.colour in COLOURS else card.colour

    def chance_without(self, seat: int, colour: Colour, view: View) -> float:
        """Estimate the chance that a seat holds no card of a colour."""
        if colour not in COLOURS:
            return 0.0
        unseen = view.unseen
        first = int(colour) * 14
        of_colour, total = sum(unseen[first : first + 14]), sum(unseen)
        cards = min(self.seats[seat].possible[colour], view.hand_sizes[seat])
        return (1 - of_colour / total) ** cards if total else 0.0

    def chance_of_challenge(self, seat: int) -> float:
        """Estimate the chance that a seat challenges a wild draw four."""
        known = self.seats[seat]
        return known.challenges / known.faced

    def chance_of_bluff(self, seat: int, view: View) -> float:
        """Estimate the chance that the wild draw four this seat just played was a bluff."""
        known = self.seats[seat]
        without = self.chance_without(seat, self.before, view)
        bluffing = known.bluffs / known.fours * (1 - without)
        return bluffing / (bluffing + without) if bluffing else 0.0
