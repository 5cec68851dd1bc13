"""What happened at a table, as an author meets it: one light value for each public event.

The kinds are those of `arena.rules.events` (a test compares them); they stand here because the SDK must
import without the engine.
"""

from enum import IntEnum
from typing import Any, Final, NamedTuple

from arena.bot.cards import WIRE_CARDS, WIRE_COLOURS, Card, Colour


class EventKind(IntEnum):
    """What an event tells. A kind that this SDK does not know reads as `OTHER`."""

    OTHER = 0
    ROUND_BEGAN = 1
    """A round was dealt by `seat`; `amount` is its number."""
    FIRST_CARD = 2
    """`card` lies as the first card; `colour` is in force, none while a first wild waits for its colour."""
    PLAYED = 3
    """`seat` played `card`, also as an answer to a penalty, naming `colour` or the seat `other` if it did."""
    JUMPED_IN = 4
    """`seat` played `card` out of turn; else as PLAYED."""
    DREW = 5
    """`seat` drew `amount` cards instead of playing; none when nothing was left to draw."""
    PAID = 6
    """`seat` drew `amount` cards for a draw card or a challenge."""
    FINED = 7
    """`seat` drew `amount` cards for a missed or false call, a misplay, UNO in the centre, or talking."""
    SKIPPED = 8
    """`seat` loses its turn."""
    COLOUR_NAMED = 9
    """`seat` named `colour` for a first wild."""
    UNO_CALLED = 10
    """`seat` called UNO with the play before."""
    UNO_CAUGHT = 11
    """`seat` pointed out that `other` did not call UNO."""
    FALSE_UNO = 12
    """`seat` called UNO although the play did not leave exactly one card, and that is punished."""
    FALSE_CATCH = 13
    """`seat` pointed at `other`, who had called UNO."""
    CHALLENGED = 14
    """`seat` doubted the wild draw four of `other`; `amount` is 1 when it was a bluff, else 0."""
    RETURNED = 15
    """`card` went back to `seat`; the card before lies on top again and `colour` is in force."""
    SWAPPED = 16
    """`seat` and `other` changed hands."""
    ROTATED = 17
    """Every hand moved on one seat in the direction of play."""
    EXCHANGED = 18
    """`seat` and `other` gave each other one card."""
    HANDS_SHUFFLED = 19
    """All hands were gathered, shuffled and dealt again, beginning after `seat`."""
    REFILLED = 20
    """`seat` emptied its hand and took `amount` new cards."""
    WENT_OUT = 21
    """`seat` has no cards left; `amount` is its place in the order of exits."""
    RESHUFFLED = 22
    """The discard pile became the new draw pile of `amount` cards."""
    SAID = 23
    """`seat` said `text`; `amount` is 1 when it was marked as advice."""
    SAID_READY = 24
    """`seat` is ready to go on."""
    MISPLAYED = 25
    """`seat` answered with something that is no legal move, and that is punished."""
    LEFT = 26
    """`seat` left the match."""
    ROUND_OVER = 27
    """The round is over, won by `seat` (none: nobody won); `amount` is 1 for a stalemate."""
    SCORED = 28
    """`seat` records `amount` points (lazy scoring: 1 for a won round, -1 for a lost one)."""
    ELIMINATED = 29
    """`seat` reached the target and is out of the match."""
    MATCH_OVER = 30
    """The match is over; `amount` says why, as in Ending."""
    PLACED = 31
    """`seat` ends in place `amount`."""


_KINDS: Final[dict[int, EventKind]] = {int(kind): kind for kind in EventKind}


class Event(NamedTuple):
    """One public event. What an event does not use is none, empty or 0."""

    kind: EventKind
    """What happened."""
    seat: int
    """Who did it or whom it befell, -1 when nobody."""
    card: Card | None
    """With which card."""
    colour: Colour
    """With which colour."""
    amount: int
    """How many; what exactly is said at the kind. Points may be negative."""
    other: int
    """The other seat, -1 where there is none."""
    text: str
    """What was said."""

    def __str__(self) -> str:
        parts = [f"seat {self.seat}"] if self.seat >= 0 else []
        parts.append(self.kind.name.lower())
        if self.card is not None:
            parts.append(self.card.text)
        if self.colour is not Colour.NONE:
            parts.append(self.colour.name.lower())
        if self.amount:
            parts.append(f"amount {self.amount}")
        if self.other >= 0:
            parts.append(f"seat {self.other}")
        if self.text:
            parts.append(repr(self.text))
        return " ".join(parts)


def read_event(message: Any) -> Event:
    """Return the value of an `Event` message."""
    return Event(
        _KINDS.get(message.kind, EventKind.OTHER),
        message.seat_plus_one - 1,
        WIRE_CARDS[message.card],
        WIRE_COLOURS[message.colour],
        message.count,
        message.other_plus_one - 1,
        message.text,
    )
