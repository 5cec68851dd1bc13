"""Turn messages written in the text forms of cards and moves, for the tests of the SDK."""

from typing import Any

from arena.bot import Card, Colour, Kind, Move
from arena.protocol.pb import bot_pb2 as pb


def card(text: str) -> Any:
    """Return a card's number on the wire."""
    return int(Card(text)) + 1


def wire(colour: Colour) -> Any:
    """Return a colour's number on the wire."""
    return int(colour) + 1


def make_turn(
    hand: str,
    legal: str,
    *,
    top: str = "R5",
    kind: Kind = Kind.TURN,
    bluffs: tuple[int, ...] = (),
    events: tuple[Any, ...] = (),
    **fields: Any,
) -> Any:
    """Return a `Turn`: hand as `R7 GS`, legal moves as `R7, W:B, draw`."""
    number: Any = kind.value
    turn: Any = pb.Turn(question=1, kind=number, direction=1, hand_sizes=[7, 7], totals=[0, 0], round=1)
    turn.hand.extend(card(text) for text in hand.split())
    turn.top = card(top)
    turn.colour = wire(Card(top).colour)
    turn.bluffs.extend(bluffs)
    for text in legal.split(", "):
        action, number, colour, seat = Move.parse(text).wire
        turn.legal.add(action=action, card=number, colour=colour, seat_plus_one=seat)
    turn.events.extend(events)
    turn.MergeFrom(pb.Turn(**{name: value for name, value in fields.items() if not isinstance(value, list)}))
    for name, value in fields.items():
        if isinstance(value, list):
            del getattr(turn, name)[:]
            getattr(turn, name).extend(value)
    return turn


def make_event(kind: Any, seat: int = -1, on: str = "", colour: Colour = Colour.NONE, count: int = 0) -> Any:
    """Return an `Event` message by the name of its kind."""
    return pb.Event(
        kind=kind,
        seat_plus_one=seat + 1,
        card=card(on) if on else None,
        colour=wire(colour),
        count=count,
    )
