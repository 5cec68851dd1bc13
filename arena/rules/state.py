"""The state of one round: where the cards are, what lies, whose decision it is, and what is pending.

Owns the data and its smallest steps: a card enters or leaves a hand, the seat after another, a note in the
log. Refuses to know rules: `legal` says what may be done, `effects` and its neighbours what it does.

A hand is a count per kind plus a mask of the kinds held, so that legality is a few bit operations. The log
holds public events as integers (`events`); `sealed` holds, in order, every card that moved unseen: the
hands as dealt (one card to each seat in turn, from the lowest; after a NO_CARD hands that were dealt in vain,
R15), between two NO_CARD the refused first cards (R16), each card drawn, the hands after Shuffle Hands, and
the cards of an exchange. `lines` is what was said. These lists belong to the match; a copy of a round starts
with empty ones.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.cards import NO_CARD, NO_COLOUR, NO_RANK, RANKS, WILD, Card
from arena.rules.events import BY, COUNT_SHIFT
from arena.rules.hand import Hand, hand_of
from arena.rules.moves import CARD_SHIFT, COLOUR_SHIFT, NO_SEAT
from arena.rules.pile import Pile
from arena.rules.questions import NOTHING, OVER
from arena.rules.variant import RANK_OF, Variant

if TYPE_CHECKING:
    from mypy_extensions import i64

NO_HAND: Final = Hand()
"""Stands for the judged hand while there is none."""
NO_PILE: Final = Pile([], 1, [])
"""Stands for the draw pile before the deal; nobody can draw from it."""


def ring(inside: list[bool], direction: int) -> list[int]:
    """Return for each seat the next one in the round, in the direction of play; itself if there is none."""
    seats = len(inside)
    following = list(range(seats))
    for seat in range(seats):
        for steps in range(1, seats):
            other = (seat + steps * direction) % seats
            if inside[other]:
                following[seat] = other
                break
    return following


RINGS: Final[list[list[list[int]]]] = [
    [ring([True] * seats, direction) for direction in (1, -1)] for seats in range(11)
]
"""The rings of full tables, clockwise and the other way, by the number of seats."""


class State:
    """One round, mutable. Only modules of this package look inside; everybody else asks a `View`."""

    # More fields than CPython (3.11: 30) keeps in the fast form of an instance without slots.
    __slots__ = (
        "amount", "answering", "bluffed", "called", "card", "catchable", "centre_draws", "colour",
        "colour_before", "debts", "direction", "discard", "doubtful", "drawn", "emptied", "exits",
        "finishes", "following", "given", "hand_shuffles", "hands", "inside", "judged_hand", "kind",
        "left", "legal", "lines", "log", "named_seat", "number", "passes", "pending", "pending_card", "pile",
        "player", "refilled", "refills", "reshuffles", "sealed", "seat", "seats", "set_key",
        "showing", "shown", "shown_of", "silences", "silent_colour", "source", "stalemate", "top",
        "top_before", "turns", "uno_missed", "variant", "victim", "winner",
    )  # fmt: skip

    def __init__(self, variant: Variant, seats: int, set_key: bytes, number: int) -> None:
        self.variant: Variant = variant
        self.seats: int = seats
        self.set_key: bytes = set_key
        self.number: int = number
        self.log: list[int] = []
        self.sealed: list[Card] = []
        self.lines: list[str] = []

        # Where the cards are.
        self.hands: list[Hand] = [Hand() for _seat in range(seats)]
        self.pile: Pile = NO_PILE
        self.discard: list[Card] = []

        # What lies, and who is in the round.
        self.top: i64 = NO_CARD
        self.colour: i64 = NO_COLOUR
        self.direction: i64 = 1
        self.following: list[int] = RINGS[seats][0]
        self.inside: list[bool] = [True] * seats
        self.left: i64 = seats
        self.exits: list[int] = []
        self.winner: i64 = NO_SEAT
        self.stalemate: bool = False

        # Whose decision it is. `player` had the last turn: the next one begins after it.
        self.kind: i64 = OVER
        self.seat: i64 = NO_SEAT
        self.player: i64 = NO_SEAT
        self.drawn: i64 = NO_CARD
        self.turns: i64 = 0
        self.passes: i64 = 0
        self.legal: tuple[int, ...] | None = None

        # The last play, as the order of effects needs it.
        self.card: i64 = NO_CARD
        self.named_seat: i64 = NO_SEAT
        self.called: bool = False
        self.answering: bool = False
        self.emptied: bool = False
        self.refilled: bool = False
        self.uno_missed: bool = False
        self.catchable: bool = False
        self.given: i64 = NO_CARD
        self.top_before: i64 = NO_CARD
        self.colour_before: i64 = NO_COLOUR

        # The pending penalty.
        self.pending: i64 = NOTHING
        self.amount: i64 = 0
        self.source: i64 = NO_SEAT
        self.victim: i64 = NO_SEAT
        self.pending_card: i64 = NO_CARD
        self.doubtful: bool = False
        self.bluffed: bool = False
        self.judged_hand: Hand = NO_HAND
        self.showing: bool = False
        self.shown: list[list[Card]] = [[] for _seat in range(seats)]
        self.shown_of: list[int] = [NO_SEAT] * seats

        # Special rules, and how often each source of chance was used.
        self.refills: list[int] = [0] * seats
        self.silences: i64 = 0
        self.silent_colour: i64 = NO_COLOUR
        self.debts: list[int] = []
        self.finishes: list[Card] = []
        self.reshuffles: int = 0
        self.hand_shuffles: int = 0
        self.centre_draws: int = 0

    def note(
        self,
        kind: int,
        seat: int = NO_SEAT,
        card: Card = NO_CARD,
        colour: int = NO_COLOUR,
        count: int = 0,
        other: int = NO_SEAT,
    ) -> None:
        """Tell everybody; packed as by `pack_event`."""
        self.log.append(
            count << COUNT_SHIFT
            | BY[kind][seat]
            | (card + 1) << CARD_SHIFT
            | (colour + 1) << COLOUR_SHIFT
            | (other + 1)
        )

    def note_count(self, kind: int, seat: int, count: int) -> None:
        """Tell everybody how many cards a seat took: by far the most frequent news but for plays."""
        self.log.append(count << COUNT_SHIFT | BY[kind][seat])

    def next_seat(self, seat: int) -> int:
        """Return the seat in the round that follows a seat in the direction of play."""
        return self.following[seat]

    def link(self) -> None:
        """Note who follows whom, after the direction or who is in the round has changed."""
        if self.left == self.seats:
            self.following = RINGS[self.seats][self.direction < 0]
        else:
            self.following = ring(self.inside, self.direction)

    def next_asked(self, after: int) -> int:
        """Return the next seat of the circle that begins behind the player and ends with it, or NO_SEAT."""
        seat = self.next_seat(after)
        if self.inside[self.player]:
            return seat
        to_player = (self.player - after) * self.direction % self.seats or self.seats
        return seat if (seat - after) * self.direction % self.seats < to_player else NO_SEAT

    def lay(self, card: Card) -> None:
        """Put a card on the discard pile; a coloured card brings its colour, any other leaves it as it is."""
        self.discard.append(card)
        self.top = card
        if card < WILD:
            self.colour = card // RANKS

    def hand(self, seat: int) -> list[Card]:
        """Return the cards of a hand in order, one entry per copy."""
        return self.hands[seat].cards()

    def show(self, seat: int, cards: list[Card], owner: int) -> None:
        """Let a seat see the hand of another (R34)."""
        self.showing = True
        self.shown[seat] = cards
        self.shown_of[seat] = owner

    def forget_shown(self, seat: int) -> None:
        """A seat that answers has seen what it was shown."""
        self.shown[seat] = []
        self.shown_of[seat] = NO_SEAT
        self.showing = max(self.shown_of) != NO_SEAT

    def set_hand(self, seat: int, cards: list[Card]) -> None:
        """Replace a hand."""
        self.hands[seat] = hand_of(cards)

    @property
    def judged(self) -> list[Card]:
        """The hand by which a challenge of the last wild +4 is judged, in order (R34)."""
        return self.judged_hand.cards()

    @judged.setter
    def judged(self, cards: list[Card]) -> None:
        self.judged_hand = hand_of(cards)

    @property
    def rank(self) -> int:
        """The number or symbol of the top card, NO_RANK when it has none."""
        return NO_RANK if self.top == NO_CARD else RANK_OF[self.top]

    @property
    def sizes(self) -> list[int]:
        """How many cards each seat holds."""
        return [hand.size for hand in self.hands]

    def ask(self, kind: int, seat: int) -> None:
        """Put a question to a seat."""
        self.kind = kind
        self.seat = seat

    def copy_from(self, other: "State") -> None:
        """Take over the position of another state, not its log."""
        self.hands = [hand.copy() for hand in other.hands]
        self.pile = other.pile.copy()
        self.discard = other.discard.copy()
        self.top = other.top
        self.colour = other.colour
        self.direction = other.direction
        self.following = other.following
        self.inside = other.inside.copy()
        self.left = other.left
        self.exits = other.exits.copy()
        self.winner = other.winner
        self.stalemate = other.stalemate
        self.kind = other.kind
        self.seat = other.seat
        self.player = other.player
        self.drawn = other.drawn
        self.turns = other.turns
        self.passes = other.passes
        self.card = other.card
        self.named_seat = other.named_seat
        self.called = other.called
        self.answering = other.answering
        self.emptied = other.emptied
        self.refilled = other.refilled
        self.uno_missed = other.uno_missed
        self.catchable = other.catchable
        self.given = other.given
        self.top_before = other.top_before
        self.colour_before = other.colour_before
        self.pending = other.pending
        self.amount = other.amount
        self.source = other.source
        self.victim = other.victim
        self.pending_card = other.pending_card
        self.doubtful = other.doubtful
        self.bluffed = other.bluffed
        self.judged_hand = other.judged_hand
        self.showing = other.showing
        self.shown = other.shown.copy()
        self.shown_of = other.shown_of.copy()
        self.refills = other.refills.copy()
        self.silences = other.silences
        self.silent_colour = other.silent_colour
        self.debts = other.debts.copy()
        self.finishes = other.finishes.copy()
        self.reshuffles = other.reshuffles
        self.hand_shuffles = other.hand_shuffles
        self.centre_draws = other.centre_draws
