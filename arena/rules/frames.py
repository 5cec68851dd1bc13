"""A match as a row of pictures: after the deal, and after every decision, what lies on the table.

Owns what a picture holds; it is made by playing a record again, together with the steps of
`arena.rules.trace` that led to it. Refuses to be shown to a bot: it names every card.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arena.rules.cards import COLOUR_LETTERS, NO_CARD, NO_COLOUR, format_card
from arena.rules.match import Match
from arena.rules.options import Ruleset
from arena.rules.record import Record
from arena.rules.trace import Step, Tracer


@dataclass(frozen=True, slots=True)
class Position:
    """What lies on the table; sequences go by seat."""

    round_number: int
    top: str
    """The top card, empty before there is one."""
    colour: str
    """The active colour's letter, empty while none is in force."""
    direction: int
    """1 clockwise, -1 the other way."""
    draw_pile: int
    """How many cards it has."""
    hands: Sequence[Sequence[str]]
    in_round: Sequence[bool]
    totals: Sequence[int]
    seat: int
    """Who is asked next, -1 when the match is over."""
    places: Sequence[int]
    """Empty until the match is over."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and what led to it."""

    steps: Sequence[dict[str, Any]]
    """Steps since the picture before, as `docs/trace.md` describes them."""
    position: Position


def frames(record: Record, ruleset: Ruleset) -> Iterator[Frame]:
    """Play a record again and yield its pictures.

    Raises:
        NotationError: The record belongs to another ruleset or rules epoch.
        IllegalMoveError: A move of the record is not legal: the record is forged or damaged.
    """
    tracer = Tracer(record, ruleset)
    yield Frame(read_steps(tracer.opening()), position_of(tracer.match))
    for steps in tracer.follow(record):
        yield Frame(read_steps(steps), position_of(tracer.match))


def read_steps(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the fields of steps."""
    return [json.loads(step.json) for step in steps]


def position_of(match: Match) -> Position:
    """Return what lies on the table of a match now."""
    round_ = match.round
    return Position(
        round_number=match.round_number,
        top="" if round_.top == NO_CARD else format_card(round_.top),
        colour="" if round_.colour == NO_COLOUR else COLOUR_LETTERS[round_.colour],
        direction=round_.direction,
        draw_pile=round_.pile.size,
        hands=[[format_card(card) for card in round_.hand(seat)] for seat in range(match.seats)],
        in_round=list(round_.inside),
        totals=match.totals,
        seat=match.seat,
        places=match.places,
    )
