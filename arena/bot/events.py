"""What happened at a table, as an author meets it: one light value for each public event."""

from enum import IntEnum
from typing import Any, Final, NamedTuple

from arena.bot.cards import WIRE_CARDS, WIRE_COLOURS, Card, Colour


class EventKind(IntEnum):
    """What an event tells. A kind that this SDK does not know reads as `OTHER`."""

    OTHER = 0
    ROUND_BEGAN = 1
    """`seat` deals, `amount` cards a hand, `card` lies first."""
    PLAYED = 2
    """`seat` played `card`, naming `colour` or the seat `other`."""
    DREW = 3
    """`seat` drew `amount` cards."""
    PASSED = 4
    """`seat` kept what it drew, or could not draw."""
    SKIPPED = 5
    """`seat` lost its turn."""
    CALLED_UNO = 6
    """`seat` called UNO."""
    CAUGHT = 7
    """`seat` pointed out that `other` had not called UNO."""
    CHALLENGED = 8
    """`seat` challenged `other`; `amount` is 1 when it was right, 0 when not."""
    COLOUR_NAMED = 9
    """`seat` named `colour` without a card."""
    RESHUFFLED = 10
    """The discard pile became a new draw pile of `amount` cards."""
    WENT_OUT = 11
    """`seat` went out."""
    ROUND_WON = 12
    """`seat` won the round and `amount` points."""
    ROUND_VOID = 13
    """The round ended and nobody scored."""
    LEFT = 14
    """`seat` left the match."""
    JUMPED_IN = 15
    """`seat` jumped in with `card`."""
    SWAPPED = 16
    """`seat` and `other` swapped hands."""
    ROTATED = 17
    """All hands moved one seat on; `amount` 1 clockwise, 2 the other way."""
    EXCHANGED = 18
    """`seat` and `other` exchanged a card each."""
    HANDS_SHUFFLED = 19
    """All hands were gathered and dealt again, starting with `seat`."""
    CENTRE = 20
    """`seat` draws `amount` because of UNO in the centre."""
    SAID = 21
    """`seat` said `text`; `amount` is 1 when it was advice."""
    MISPLAYED = 22
    """`seat` made a move or a call that costs `amount` cards."""
    REFILLED = 23
    """`seat` emptied its hand and got `amount` new cards."""
    SAID_READY = 24
    """`seat` is ready."""
    ELIMINATED = 25
    """`seat` is out of the match by the scoring system."""
    ACCEPTED = 26
    """`seat` accepted the pending penalty."""
    RETURNED = 27
    """The card that `seat` played went back to its hand."""
    SCORED = 28
    """`seat` wrote down `amount` points for the round that ended."""


_KINDS: Final[dict[int, EventKind]] = {int(kind): kind for kind in EventKind}
_SIGN_BIT: Final = 1 << 31


class Event(NamedTuple):
    """One public event. What an event does not use is none, empty or 0."""

    kind: EventKind
    """What happened."""
    seat: int
    """Who."""
    card: Card | None
    """With which card."""
    colour: Colour
    """With which colour."""
    amount: int
    """How many."""
    other: int
    """To whom, -1 when nobody."""
    text: str
    """What was said."""

    def __str__(self) -> str:
        parts = [f"seat {self.seat} {self.kind.name.lower()}"]
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
    amount = message.count
    return Event(
        _KINDS.get(message.kind, EventKind.OTHER),
        message.seat,
        WIRE_CARDS[message.card],
        WIRE_COLOURS[message.colour],
        amount if amount < _SIGN_BIT else amount - 2 * _SIGN_BIT,
        message.other_plus_one - 1,
        message.text,
    )
