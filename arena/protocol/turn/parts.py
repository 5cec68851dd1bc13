"""The parts that messages of the arena are joined from: each is written once and then looked up.

Owns the numbering between code and wire (cards, colours and seats are one more on the wire, so that 0 is
none). Refuses to know a match: `arena.protocol.turn.writer` chooses the parts.
"""

from typing import Any, Final

from arena.match.fault import FaultKind
from arena.match.result import MatchResult
from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.wire import NumberField, framed, key, number, zigzag
from arena.rules import events as ev
from arena.rules import moves as mv
from arena.rules.view import Penalty

ACTIONS: Final[dict[int, Any]] = {
    mv.PLAY: pb.PLAY,
    mv.JUMP: pb.JUMP,
    mv.GIVE: pb.GIVE,
    mv.NAME: pb.NAME_COLOUR,
    mv.DRAW: pb.DRAW,
    mv.KEEP: pb.KEEP,
    mv.ACCEPT: pb.ACCEPT,
    mv.CHALLENGE: pb.CHALLENGE,
    mv.CATCH_IT: pb.CATCH_MISSED,
    mv.NO: pb.DECLINE,
    mv.SAY_READY: pb.READY,
}
"""The engine's actions and the wire's."""
VERDICTS: Final[dict[FaultKind, Any]] = {kind: pb.Verdict.Value(kind.name) for kind in FaultKind}
ENDINGS: Final[dict[str, Any]] = {
    name: pb.Ending.Value(name.upper()) for name in ("target", "rounds", "decisions", "last_seat")
}
KINDS: Final[dict[int, Any]] = {int(kind): int(kind) for kind in ev.EventKind}
"""Kinds of events have the same numbers on both sides."""
EVENTS_KEPT: Final = 1 << 16
"""How many different events are kept as bytes before the table is begun anew."""
PLUS_ONE: Final = bytes(range(1, 256)) + b"\0"
"""Translates codes of cards to numbers on the wire."""


def plus_one(code: int) -> Any:
    """Return a card, colour or seat as it stands on the wire: one more, so that 0 is none."""
    return code + 1


def write_move(move: mv.Move) -> pb.Move:
    """Return a legal move as a message."""
    return pb.Move(
        action=ACTIONS[mv.action_of(move)],
        card=plus_one(mv.card_of(move)),
        colour=plus_one(mv.colour_of(move)),
        seat_plus_one=plus_one(mv.seat_of(move)),
    )


def write_event(event: ev.Event, text: str = "") -> pb.Event:
    """Return a public event as a message; a line that was said replaces its number."""
    said = event.kind == ev.SAID
    return pb.Event(
        kind=KINDS[event.kind],
        seat_plus_one=plus_one(event.seat),
        card=plus_one(event.card),
        colour=plus_one(event.colour),
        count=int(event.other == 1) if said else event.count,
        other_plus_one=0 if said else plus_one(event.other),
        text=text,
    )


class _Moves(dict[int, bytes]):
    """Every legal move met so far as one entry of `Turn.legal`."""

    def __missing__(self, move: int) -> bytes:
        self[move] = data = LEGAL + framed(write_move(move).SerializeToString())
        return data


class _Events(dict[int, bytes]):
    """Every public event met so far as one entry of `Turn.events`."""

    def __missing__(self, packed_event: int) -> bytes:
        if len(self) >= EVENTS_KEPT:
            self.clear()
        data = EVENTS + framed(write_event(ev.unpack_event(packed_event)).SerializeToString())
        self[packed_event] = data
        return data


class _Penalties(dict[Penalty, bytes]):
    """Every penalty met so far as the field `Turn.penalty`."""

    def __missing__(self, penalty: Penalty) -> bytes:
        message = pb.Penalty(
            card=plus_one(penalty.card), amount=penalty.amount, source=penalty.source, victim=penalty.victim
        )
        self[penalty] = data = PENALTY + framed(message.SerializeToString())
        return data


TURNS: Final = key(pb.Turns, "turns")
OPENED: Final = key(pb.Turns, "opened")
CLOSED: Final = key(pb.Turns, "closed")
LEGAL: Final = key(pb.Turn, "legal")
BLUFFS: Final = key(pb.Turn, "bluffs")
TOTALS: Final = key(pb.Turn, "totals")
SIZES: Final = key(pb.Turn, "hand_sizes")
PENALTY: Final = key(pb.Turn, "penalty")
SHOWN: Final = key(pb.Turn, "shown")
EVENTS: Final = key(pb.Turn, "events")
TABLE: Final = NumberField(pb.Turn, "table")
QUESTION: Final = NumberField(pb.Turn, "question")
KIND: Final = NumberField(pb.Turn, "kind")
HAND: Final = NumberField(pb.Turn, "hand")
"""The head of the hand: the key and how many bytes follow."""
TOP: Final = NumberField(pb.Turn, "top", added=1)
COLOUR: Final = NumberField(pb.Turn, "colour", added=1)
DIRECTION: Final = {
    1: key(pb.Turn, "direction") + number(zigzag(1)),
    -1: key(pb.Turn, "direction") + number(zigzag(-1)),
}
DRAW_PILE: Final = NumberField(pb.Turn, "draw_pile")
BANK: Final = NumberField(pb.Turn, "bank_ms")
DRAWN: Final = NumberField(pb.Turn, "drawn", added=1)
SHOWN_SEAT: Final = NumberField(pb.Turn, "shown_seat_plus_one", added=1)
ROUND: Final = NumberField(pb.Turn, "round")
DEALER: Final = NumberField(pb.Turn, "dealer")
SEATS_IN: Final = NumberField(pb.Turn, "seats_in")

LEGAL_MOVE: Final = _Moves()
PENALTIES: Final = _Penalties()
PUBLIC_EVENT: Final = _Events()


def write_opened(table: int, seat: int, seats: int, seed: int) -> bytes:
    """Return the news that a table begins, as a part of `Turns`."""
    message = pb.Opened(table=table, seat=seat, seats=seats, seed=seed)
    return OPENED + framed(message.SerializeToString())


def write_closed(table: int, seat: int, result: MatchResult | None) -> bytes:
    """Return the news that a table has ended, as a part of `Turns`; no result means replanned."""
    message = pb.Closed(table=table, ending=pb.REPLANNED)
    if result is not None:
        own = [fault.kind for fault in result.faults if fault.seat == seat]
        message = pb.Closed(
            table=table,
            places=result.places,
            totals=result.totals,
            ending=ENDINGS[result.ending],
            verdict=VERDICTS[own[0]] if own else pb.VERDICT_NONE,
        )
    return CLOSED + framed(message.SerializeToString())


def write_line(packed_event: int, line: str) -> bytes:
    """Return what somebody said, as one entry of `Turn.events`."""
    return EVENTS + framed(write_event(ev.unpack_event(packed_event), line).SerializeToString())
