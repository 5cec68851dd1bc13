"""Writes the turns of one table, for all its seats, from parts that are ready.

Owns what a turn holds. Hidden information leaves by `View` only; the rest of a turn is public. Compiled with
the core of the rules, because every decision is written here.
"""

from collections.abc import Sequence

from arena.match.referee import Question
from arena.match.result import MatchResult
from arena.protocol.turn.parts import (
    BANK,
    BLUFFS,
    COLOUR,
    DEALER,
    DIRECTION,
    DRAW_PILE,
    DRAWN,
    HAND,
    KIND,
    LEGAL_MOVE,
    PENALTIES,
    PLUS_ONE,
    PUBLIC_EVENT,
    QUESTION,
    ROUND,
    SEATS_IN,
    SHOWN,
    SHOWN_SEAT,
    SIZES,
    TABLE,
    TOP,
    TOTALS,
    TURNS,
    write_closed,
    write_line,
    write_opened,
)
from arena.protocol.wire import number, packed, zigzag
from arena.rules import events as ev
from arena.rules.match import Match
from arena.rules.view import View


class TableWriter:
    """Writes the messages of one table, for all its seats."""

    def __init__(self, match: Match, table: int) -> None:
        """Begin a table under the number that the bots know it by."""
        self.table = table
        self._match = match
        self._events: list[bytes] = []
        self._sent = [0] * match.seats
        self._table_part: bytes = TABLE[table]
        self._round = 0
        self._in_match: list[bool] = []
        self._round_part = b""

    def opened(self, seat: int, seed: int) -> bytes:
        """Return the news that the table begins, as a part of `Turns`."""
        return write_opened(self.table, seat, self._match.seats, seed)

    def turn(self, question: Question, bank_ms: int) -> bytes:
        """Return a question with the news since the seat's last one, as a part of `Turns`."""
        seat, view = question.seat, question.view
        sent, self._sent[seat] = self._sent[seat], self._catch_up()
        hand = view.hand
        body = b"".join(
            [
                self._table_part,
                QUESTION[question.number],
                KIND[view.kind],
                *[LEGAL_MOVE[move] for move in view.legal],
                HAND[len(hand)],
                bytes(hand).translate(PLUS_ONE),
                TOP[view.top],
                COLOUR[view.colour],
                DIRECTION[view.direction],
                SIZES,
                packed(view.hand_sizes),
                self._round_news(view),
                DRAW_PILE[view.draw_pile_size],
                BANK[bank_ms],
                *_rare(view),
                *self._events[sent:],
            ]
        )
        return TURNS + number(len(body)) + body

    def closed(self, seat: int, result: MatchResult | None) -> bytes:
        """Return the news that the table has ended, as a part of `Turns`; no result means replanned."""
        return write_closed(self.table, seat, result)

    def _catch_up(self) -> int:
        """Write the events that are new at the table; return how many there are."""
        log, events = self._match.log, self._events
        if len(log) == len(events):
            return len(log)
        for packed_event in log[len(events) :]:
            if (packed_event >> ev.KIND_SHIFT & 31) == ev.SAID:
                line = ev.unpack_event(packed_event).count
                events.append(write_line(packed_event, self._match.lines[line]))
            else:
                events.append(PUBLIC_EVENT[packed_event])
        return len(events)

    def _round_news(self, view: View) -> bytes:
        """Return what changes from round to round only: totals, number, dealer, seats in the match."""
        in_match = self._match.standing.in_match
        if self._round != view.round_number or self._in_match != in_match:
            self._round = view.round_number
            self._in_match = in_match.copy()
            seats_in = sum(1 << seat for seat, is_in in enumerate(in_match) if is_in)
            totals = packed([zigzag(total) for total in view.totals])
            numbers = ROUND[self._round] + DEALER[view.dealer] + SEATS_IN[seats_in]
            self._round_part = TOTALS + totals + numbers
        return self._round_part


def _rare(view: View) -> Sequence[bytes]:
    """Return what most turns do not have: bluffs, a penalty, a drawn card, a hand that was shown."""
    parts: list[bytes] = []
    if bluffs := view.bluffs:
        parts += [BLUFFS, packed(bluffs)]
    if (penalty := view.penalty) is not None:
        parts.append(PENALTIES[penalty])
    if (drawn := view.drawn) >= 0:
        parts.append(DRAWN[drawn])
    if shown := view.shown_hand:
        parts += [SHOWN, packed([card + 1 for card in shown]), SHOWN_SEAT[view.shown_seat]]
    return parts
