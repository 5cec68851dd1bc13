"""What everybody at the table learns: one event per thing that happened, in order.

Owns the kinds of event (numbered as on the wire), their packing and their text. An event is stored once, as
one integer, in the match's log, and decoded when somebody reads it. Nothing hidden is ever in an event: a
draw says how many cards, never which; a declined question says nothing at all (R93).
"""

from enum import IntEnum
from typing import Final, NamedTuple

from arena.rules.cards import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    NO_CARD,
    NO_COLOUR,
    Card,
    Colour,
    NotationError,
    parse_card,
    parse_colour,
)
from arena.rules.moves import NO_SEAT

ROUND_BEGAN: Final = 1
FIRST_CARD: Final = 2
PLAYED: Final = 3
JUMPED_IN: Final = 4
DREW: Final = 5
PAID: Final = 6
FINED: Final = 7
SKIPPED: Final = 8
COLOUR_NAMED: Final = 9
UNO_CALLED: Final = 10
UNO_CAUGHT: Final = 11
FALSE_UNO: Final = 12
FALSE_CATCH: Final = 13
CHALLENGED: Final = 14
RETURNED: Final = 15
SWAPPED: Final = 16
ROTATED: Final = 17
EXCHANGED: Final = 18
HANDS_SHUFFLED: Final = 19
REFILLED: Final = 20
WENT_OUT: Final = 21
RESHUFFLED: Final = 22
SAID: Final = 23
SAID_READY: Final = 24
MISPLAYED: Final = 25
LEFT: Final = 26
ROUND_OVER: Final = 27
SCORED: Final = 28
ELIMINATED: Final = 29
MATCH_OVER: Final = 30
PLACED: Final = 31

SEAT_SHIFT: Final = 13
KIND_SHIFT: Final = 17
COUNT_SHIFT: Final = 22

BY: Final[list[list[int]]] = [
    [kind << KIND_SHIFT | (seat + 1) << SEAT_SHIFT for seat in (*range(10), NO_SEAT)] for kind in range(32)
]
"""The part of an event that says what happened and to whom, at ``[kind][seat]``."""


class EventKind(IntEnum):
    """The kinds of event, for people and for the wire; the core uses the plain numbers above."""

    ROUND_BEGAN = 1
    """A round was dealt by `seat`; `count` is its number."""
    FIRST_CARD = 2
    """`card` lies as the first card; `colour` is in force, none while a first wild waits for its colour."""
    PLAYED = 3
    """`seat` played `card`, also as an answer to a penalty, naming `colour` or the seat `other` if it did."""
    JUMPED_IN = 4
    """`seat` played `card` out of turn; else as `PLAYED`."""
    DREW = 5
    """`seat` drew `count` cards instead of playing; none when nothing was left to draw."""
    PAID = 6
    """`seat` drew `count` cards for a draw card or a challenge."""
    FINED = 7
    """`seat` drew `count` cards for a missed or false call, a misplay, UNO in the centre, or talking."""
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
    """`seat` doubted the wild +4 of `other`; `count` is 1 when it was a bluff, else 0."""
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
    """`seat` emptied its hand and took `count` new cards."""
    WENT_OUT = 21
    """`seat` has no cards left; `count` is its place in the order of exits."""
    RESHUFFLED = 22
    """The discard pile became the new draw pile of `count` cards."""
    SAID = 23
    """`seat` said the line with number `count`; `other` is 1 when it was advice."""
    SAID_READY = 24
    """`seat` is ready to go on."""
    MISPLAYED = 25
    """`seat` answered with something that is no legal move, and that is punished."""
    LEFT = 26
    """`seat` left the match."""
    ROUND_OVER = 27
    """The round is over, won by `seat` (none: nobody won); `count` is 1 when it was a stalemate."""
    SCORED = 28
    """`seat` records `count` points (`lazy`: 1 a won round, -1 a lost one)."""
    ELIMINATED = 29
    """`seat` reached the target and is out of the match."""
    MATCH_OVER = 30
    """The match is over; `count` says why: 1 target, 2 rounds, 3 decisions, 4 last seat."""
    PLACED = 31
    """`seat` ends in place `count`."""


class Event(NamedTuple):
    """One thing that happened at the table."""

    kind: int
    """An `EventKind`."""
    seat: int = NO_SEAT
    """Who did it or whom it befell."""
    card: Card = NO_CARD
    """The card it is about."""
    colour: Colour = NO_COLOUR
    """The colour it is about."""
    count: int = 0  # type: ignore[assignment]  # the domain's word; nobody counts the items of an event
    """How many; what exactly is said at the kind."""
    other: int = NO_SEAT
    """The other seat."""


def pack_event(
    kind: int,
    seat: int = NO_SEAT,
    card: Card = NO_CARD,
    colour: Colour = NO_COLOUR,
    count: int = 0,
    other: int = NO_SEAT,
) -> int:
    """Return an event as the integer that the log holds."""
    return (
        count << COUNT_SHIFT
        | kind << KIND_SHIFT
        | (seat + 1) << SEAT_SHIFT
        | (card + 1) << 7
        | (colour + 1) << 4
        | (other + 1)
    )


def unpack_event(packed: int) -> Event:
    """Return the event that an integer of the log stands for."""
    return Event(
        packed >> KIND_SHIFT & 31,
        (packed >> SEAT_SHIFT & 15) - 1,
        (packed >> 7 & 63) - 1,
        (packed >> 4 & 7) - 1,
        packed >> COUNT_SHIFT,
        (packed & 15) - 1,
    )


def format_event(event: Event) -> str:
    """Return an event as one line, e.g. ``played seat=1 card=W colour=B``."""
    words = [EventKind(event.kind).name.lower()]
    if event.seat != NO_SEAT:
        words.append(f"seat={event.seat}")
    if event.card != NO_CARD:
        words.append(f"card={CARD_TEXTS[event.card]}")
    if event.colour != NO_COLOUR:
        words.append(f"colour={COLOUR_LETTERS[event.colour]}")
    if event.count:
        words.append(f"count={event.count}")
    if event.other != NO_SEAT:
        words.append(f"other={event.other}")
    return " ".join(words)


def parse_event(text: str) -> Event:
    """Return the event that a line made by `format_event` describes.

    Raises:
        NotationError: The text is no event.
    """
    name, *words = text.split(" ")
    try:
        kind = EventKind[name.upper()]
        fields = dict(word.split("=") for word in words)
        event = Event(
            int(kind),
            int(fields.pop("seat", NO_SEAT)),
            parse_card(fields.pop("card")) if "card" in fields else NO_CARD,
            parse_colour(fields.pop("colour")) if "colour" in fields else NO_COLOUR,
            int(fields.pop("count", 0)),
            int(fields.pop("other", NO_SEAT)),
        )
    except (KeyError, ValueError) as error:
        raise NotationError(f"no event is written {text!r}") from error
    if fields:
        raise NotationError(f"no event is written {text!r}: unknown field {next(iter(fields))!r}")
    return event
