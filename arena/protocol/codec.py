"""From a seat's view to the bytes of a turn, and from the bytes of answers to the domain.

Owns both directions and the numbering between code and wire (cards, colours and seats are one more on the
wire, so that 0 is none). Hidden information leaves by `View` only; the rest of a turn is public. Refuses to
send, to time and to judge: an undecodable message is a `DecodeError`, all else is for the referee.
"""

from collections.abc import Sequence
from typing import Any, Final

from google.protobuf.message import DecodeError

from arena.match.fault import FaultKind
from arena.match.referee import NO_MOVE, Answer, Question
from arena.match.result import MatchResult
from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.wire import NumberField, framed, key, number, packed, zigzag
from arena.rules import events as ev
from arena.rules import moves as mv
from arena.rules.match import Match
from arena.rules.view import Penalty, View

__all__ = ["DecodeError", "TableWriter", "decode_answers", "decode_choice", "turns_message"]

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
ACTIONS_BACK: Final = {int(wire): action for action, wire in ACTIONS.items()}
VERDICTS: Final[dict[FaultKind, Any]] = {kind: pb.Verdict.Value(kind.name) for kind in FaultKind}
ENDINGS: Final[dict[str, Any]] = {
    name: pb.Ending.Value(name.upper()) for name in ("target", "rounds", "decisions", "last_seat")
}
KINDS: Final[dict[int, Any]] = {int(kind): int(kind) for kind in ev.EventKind}
"""Kinds of events have the same numbers on both sides."""
EVENTS_KEPT: Final = 1 << 16
"""How many different events are kept as bytes before the table is begun anew."""
MOVES_KEPT: Final = 1 << 8
"""Indices below this have a shared answer; no list of legal moves is longer."""

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
        self[move] = data = _LEGAL + framed(write_move(move).SerializeToString())
        return data


class _Events(dict[int, bytes]):
    """Every public event met so far as one entry of `Turn.events`."""

    def __missing__(self, packed_event: int) -> bytes:
        if len(self) >= EVENTS_KEPT:
            self.clear()
        data = _EVENTS + framed(write_event(ev.unpack_event(packed_event)).SerializeToString())
        self[packed_event] = data
        return data


class _Penalties(dict[Penalty, bytes]):
    """Every penalty met so far as the field `Turn.penalty`."""

    def __missing__(self, penalty: Penalty) -> bytes:
        message = pb.Penalty(
            card=plus_one(penalty.card), amount=penalty.amount, source=penalty.source, victim=penalty.victim
        )
        self[penalty] = data = _PENALTY + framed(message.SerializeToString())
        return data


_TURNS: Final = key(pb.Turns, "turns")
_OPENED: Final = key(pb.Turns, "opened")
_CLOSED: Final = key(pb.Turns, "closed")
_LEGAL: Final = key(pb.Turn, "legal")
_BLUFFS: Final = key(pb.Turn, "bluffs")
_TOTALS: Final = key(pb.Turn, "totals")
_SIZES: Final = key(pb.Turn, "hand_sizes")
_PENALTY: Final = key(pb.Turn, "penalty")
_SHOWN: Final = key(pb.Turn, "shown")
_EVENTS: Final = key(pb.Turn, "events")
_TABLE: Final = NumberField(pb.Turn, "table")
_QUESTION: Final = NumberField(pb.Turn, "question")
_KIND: Final = NumberField(pb.Turn, "kind")
_HAND: Final = NumberField(pb.Turn, "hand")
"""The head of the hand: the key and how many bytes follow."""
_TOP: Final = NumberField(pb.Turn, "top", added=1)
_COLOUR: Final = NumberField(pb.Turn, "colour", added=1)
_DIRECTION: Final = {
    1: key(pb.Turn, "direction") + number(zigzag(1)),
    -1: key(pb.Turn, "direction") + number(zigzag(-1)),
}
_DRAW_PILE: Final = NumberField(pb.Turn, "draw_pile")
_BANK: Final = NumberField(pb.Turn, "bank_ms")
_DRAWN: Final = NumberField(pb.Turn, "drawn", added=1)
_SHOWN_SEAT: Final = NumberField(pb.Turn, "shown_seat_plus_one", added=1)
_ROUND: Final = NumberField(pb.Turn, "round")
_DEALER: Final = NumberField(pb.Turn, "dealer")
_SEATS_IN: Final = NumberField(pb.Turn, "seats_in")

_MOVES: Final = _Moves()
_PENALTIES: Final = _Penalties()
_SEEN_EVENTS: Final = _Events()


class TableWriter:
    """Writes the messages of one table, for all its seats."""

    __slots__ = ("_events", "_in_match", "_match", "_round", "_round_part", "_sent", "_table_part", "table")

    def __init__(self, match: Match, table: int) -> None:
        """Begin a table under the number that the bots know it by."""
        self.table = table
        self._match = match
        self._events: list[bytes] = []
        self._sent = [0] * match.seats
        self._table_part = _TABLE[table]
        self._round = 0
        self._in_match: list[bool] = []
        self._round_part = b""

    def opened(self, seat: int, seed: int) -> bytes:
        """Return the news that the table begins, as a part of `Turns`."""
        message = pb.Opened(table=self.table, seat=seat, seats=self._match.seats, seed=seed)
        return _OPENED + framed(message.SerializeToString())

    def turn(self, question: Question, bank_ms: int) -> bytes:
        """Return a question with the news since the seat's last one, as a part of `Turns`."""
        seat, count, view = question
        sent, self._sent[seat] = self._sent[seat], self._catch_up()
        hand = view.hand
        body = b"".join(
            [
                self._table_part,
                _QUESTION[count],
                _KIND[view.kind],
                *[_MOVES[move] for move in view.legal],
                _HAND[len(hand)],
                bytes(hand).translate(PLUS_ONE),
                _TOP[view.top],
                _COLOUR[view.colour],
                _DIRECTION[view.direction],
                _SIZES,
                packed(view.hand_sizes),
                self._round_news(view),
                _DRAW_PILE[view.draw_pile_size],
                _BANK[bank_ms],
                *_rare(view),
                *self._events[sent:],
            ]
        )
        return _TURNS + number(len(body)) + body

    def closed(self, seat: int, result: MatchResult | None) -> bytes:
        """Return the news that the table has ended, as a part of `Turns`; no result means replanned."""
        message = pb.Closed(table=self.table, ending=pb.REPLANNED)
        if result is not None:
            own = [fault.kind for fault in result.faults if fault.seat == seat]
            message = pb.Closed(
                table=self.table,
                places=result.places,
                totals=result.totals,
                ending=ENDINGS[result.ending],
                verdict=VERDICTS[own[0]] if own else pb.VERDICT_NONE,
            )
        return _CLOSED + framed(message.SerializeToString())

    def _catch_up(self) -> int:
        """Write the events that are new at the table; return how many there are."""
        log, events = self._match.log, self._events
        if len(log) == len(events):
            return len(log)
        for packed_event in log[len(events) :]:
            if (packed_event >> 17 & 31) == ev.SAID:
                event = ev.unpack_event(packed_event)
                message = write_event(event, self._match.lines[event.count])
                events.append(_EVENTS + framed(message.SerializeToString()))
            else:
                events.append(_SEEN_EVENTS[packed_event])
        return len(events)

    def _round_news(self, view: View) -> bytes:
        """Return what changes from round to round only: totals, number, dealer, seats in the match."""
        in_match = self._match.standing.in_match
        if self._round != view.round_number or self._in_match != in_match:
            self._round = view.round_number
            self._in_match = in_match.copy()
            seats_in = sum(1 << seat for seat, is_in in enumerate(in_match) if is_in)
            totals = packed([zigzag(total) for total in view.totals])
            numbers = _ROUND[self._round] + _DEALER[view.dealer] + _SEATS_IN[seats_in]
            self._round_part = _TOTALS + totals + numbers
        return self._round_part


def _rare(view: View) -> Sequence[bytes]:
    """Return what most turns do not have: bluffs, a penalty, a drawn card, a hand that was shown."""
    parts: list[bytes] = []
    if bluffs := view.bluffs:
        parts += [_BLUFFS, packed(bluffs)]
    if (penalty := view.penalty) is not None:
        parts.append(_PENALTIES[penalty])
    if (drawn := view.drawn) >= 0:
        parts.append(_DRAWN[drawn])
    if shown := view.shown_hand:
        parts += [_SHOWN, packed([card + 1 for card in shown]), _SHOWN_SEAT[view.shown_seat]]
    return parts


def turns_message(parts: Sequence[bytes]) -> bytes:
    """Return one `Turns` message made of parts that `TableWriter` wrote."""
    return b"".join(parts)


def decode_answers(data: bytes) -> Sequence[pb.Answer]:
    """Return the answers of a message.

    Raises:
        DecodeError: It is no `Answers` message.
    """
    return pb.Answers.FromString(data).answers


def decode_choice(message: pb.Answer) -> Answer | None:
    """Return what an answer chose, None when it chose nothing."""
    choice = message.WhichOneof("choice")
    if choice == "index" and not message.say:
        return (_WITH_UNO if message.uno else _WITHOUT)[message.index]
    if choice is None:
        return None
    index, move = (message.index, NO_MOVE) if choice == "index" else (-1, read_move(message.move))
    return Answer(index, move, message.uno, message.say, message.advice)


class _Plain(dict[int, Answer]):
    """Answers by index alone, which nearly all are: made once and shared."""

    def __init__(self, uno: bool) -> None:
        self._uno = uno

    def __missing__(self, index: int) -> Answer:
        answer = Answer(index, NO_MOVE, self._uno)
        if index < MOVES_KEPT:
            self[index] = answer
        return answer


_WITH_UNO: Final = _Plain(uno=True)
_WITHOUT: Final = _Plain(uno=False)


def read_move(message: pb.Move) -> mv.Move:
    """Return the move of a message, `NO_MOVE` when no move has such numbers."""
    action = ACTIONS_BACK.get(message.action)
    card, colour, seat = message.card - 1, message.colour - 1, message.seat_plus_one - 1
    if action is None or not (-1 <= card <= 60 and -1 <= colour <= 3 and -1 <= seat <= 9):
        return NO_MOVE
    return mv.pack(action, card, colour, seat)
