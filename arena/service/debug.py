"""A bot asked question by question, with all the time that its author needs.

Owns two ways to ask: a match against the house's own bots, and a stored match whose recorded answers go on
whatever the bot says now. The referee, the messages and the reading of answers are those of every match; no
clock runs, nothing is stored and nobody is rated.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.botproc.link import Arrival, Broken, Link
from arena.errors import PlatformError, UsageError
from arena.match.fault import Fault, FaultKind
from arena.match.referee import Answer, Question, Reply, describe_answer, referee
from arena.match.result import MatchResult
from arena.protocol.codec import DecodeError, TableWriter, turns_message
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import read_reply
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.cards import COLOUR_LETTERS, NO_CARD, NO_COLOUR, format_card
from arena.rules.decision import ADVICE, LEAVES, TALKS, UNO, leaving_of, move_of
from arena.rules.match import Match
from arena.rules.moves import JUMP, PLAY, Move, action_of, format_move
from arena.rules.options import Ruleset
from arena.rules.questions import QuestionKind
from arena.rules.record import Record
from arena.service import proofs
from arena.service.seats import HOUSE
from arena.store.pool import Database

TABLE: Final = 1
BANK_MS: Final = 10_000
"""What the bot is told of its bank: it is full all the time, for none is spent."""
LOOK_S: Final = 0.1
FAREWELL_S: Final = 1.0
DYING_S: Final = 2.0
"""How long a process may live on after its stream broke and still be said to have ended."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One question and what the bot answered."""

    number: int
    """Counted as the bot counts them, from 1."""
    kind: str
    hand: Sequence[str]
    top: str
    colour: str
    """The active colour's letter, empty while none is in force."""
    hand_sizes: Sequence[int]
    legal: Sequence[str]
    answer: str
    """The move in text form, or what was answered instead of one."""
    is_legal: bool
    uno: bool
    """Whether UNO was called where that means something."""
    say: str
    wall_ms: float
    """How long it took; nothing is charged."""
    recorded: str | None = None
    """What was answered in the stored match, with `uno` where UNO was called; None where nothing is."""

    @property
    def said(self) -> str:
        """The answer as `recorded` would write it."""
        return f"{self.answer} uno" if self.uno else self.answer

    @property
    def differs(self) -> bool:
        """Whether the bot would now decide otherwise than recorded."""
        return self.recorded is not None and self.recorded != self.said


@dataclass(frozen=True, slots=True)
class Recorded:
    """A stored match, as far as asking one of its bots again needs it."""

    record: Record
    ruleset: Ruleset
    bots: Sequence[str]
    """Who sat where."""
    seeds: Sequence[int]
    """The seed that each seat was given."""


def read_recorded(database: Database, match_id: int) -> Recorded:
    """Return a stored match whose deal set is done.

    Raises:
        UsageError: There is none of that number, or its cards are not to be shown yet.
    """
    found = proofs.read_played(database, match_id)
    row, deals = found.match, found.deals
    seeds = [0] * len(row.entries)
    if deals is not None:
        seeds = [deals.bot_seed(row.entries, row.deal_set, row.rotation, entry) for entry in row.entries]
    return Recorded(found.record, found.ruleset, row.bots, seeds)


def ask_recorded(
    link: Link, recorded: Recorded, seat: int, has_ended: Callable[[], bool]
) -> Iterator[Exchange]:
    """Put every question of a stored match that one seat was asked; what is played is what was recorded.

    Raises:
        UsageError: The bot closed its stream or broke the protocol.
        PlatformError: The record is not of this engine.
    """
    match = Match(recorded.ruleset, recorded.record.seats, recorded.record.set_key)
    desk = _Desk(link, match, seat, recorded.seeds[seat], has_ended)
    history, lines = recorded.record.history, iter(recorded.record.lines)

    def decide(question: Question) -> Generator[Exchange, None, Reply]:
        if len(match.history) >= len(history):
            raise PlatformError("the record ends before the match does; see `arena match verify`")
        item = history[len(match.history)]
        reply = _recorded_reply(item, lines)
        if question.seat == seat:
            yield desk.ask(question, recorded=item)[0]
        return reply

    absent: list[Fault] = []
    if history and history[0] & LEAVES:
        absent = [Fault(FaultKind.NEVER_STARTED, gone) for gone in leaving_of(history[0])]
    yield from _lead(match, desk, decide, absent)


def ask_freely(
    link: Link, ruleset: Ruleset, key: bytes, seats: int, seat: int, has_ended: Callable[[], bool]
) -> Iterator[Exchange]:
    """Let the bot play one match against the house's own bots, in the seat that is given.

    Raises:
        UsageError: The bot closed its stream or broke the protocol.
    """
    match = Match(ruleset, seats, key)
    desk = _Desk(link, match, seat, int.from_bytes(key[:8], "big"), has_ended)
    house = load_bot(HOUSE / "bot.py")
    others = {other: Session(house) for other in range(seats) if other != seat}
    writer = TableWriter(match, TABLE)
    for other, session in others.items():
        session.hello(pb.HelloRequest(ruleset=ruleset_message(ruleset)))
        session.play(pb.Turns.FromString(writer.opened(other, other)))

    def decide(question: Question) -> Generator[Exchange, None, Reply]:
        if question.seat == seat:
            exchange, reply = desk.ask(question)
            yield exchange
            return reply
        turns = pb.Turns.FromString(writer.turn(question, BANK_MS))
        return read_reply(question, TABLE, others[question.seat].play(turns).SerializeToString())

    yield from _lead(match, desk, decide, [])


def _lead(
    match: Match,
    desk: "_Desk",
    decide: Callable[[Question], Generator[Exchange, None, Reply]],
    absent: Sequence[Fault],
) -> Iterator[Exchange]:
    """Drive a referee; the bot is told how it ended."""
    table = referee(match, absent)
    try:
        question = next(table)
        while True:
            reply = yield from decide(question)
            question = table.send(reply)
    except StopIteration as stop:
        desk.close(stop.value)


class _Desk:
    """The conversation with the bot at its one table."""

    def __init__(self, link: Link, match: Match, seat: int, seed: int, has_ended: Callable[[], bool]) -> None:
        self._link, self._seat, self._has_ended = link, seat, has_ended
        self._misplay_costs = match.variant.misplay_penalty > 0
        self._writer = TableWriter(match, TABLE)
        self._news = [self._writer.opened(seat, seed)]

    def ask(self, question: Question, recorded: int | None = None) -> tuple[Exchange, Reply]:
        """Put a question and wait for the answer, however long."""
        view = question.view
        facts = (
            question.number,
            QuestionKind(view.kind).name.lower(),
            [format_card(card) for card in view.hand],
            "" if view.top == NO_CARD else format_card(view.top),
            "" if view.colour == NO_COLOUR else COLOUR_LETTERS[view.colour],
            list(view.hand_sizes),
            [format_move(move) for move in view.legal],
        )
        legal, is_last_but_one = view.legal, len(view.hand) == 2
        said = None if recorded is None else self._describe(recorded, is_last_but_one)
        news, self._news = self._news, []
        began = time.monotonic()
        self._link.send(turns_message([*news, self._writer.turn(question, BANK_MS)]))
        data = self._receive(question.number)
        wall_ms = (time.monotonic() - began) * 1000
        try:
            reply = read_reply(question, TABLE, data)
        except DecodeError as error:
            raise UsageError(f"question {question.number}: the bot sent bytes that are no answer") from error
        if not isinstance(reply, Answer):
            detail = reply[0].evidence.detail
            return Exchange(*facts, detail, False, False, "", wall_ms, said), reply
        move = legal[reply.choice] if 0 <= reply.choice < len(legal) else reply.move
        is_legal = move in legal
        text = format_move(move) if is_legal else describe_answer(reply._replace(uno=False))
        uno = reply.uno and self._counts(move, is_last_but_one)
        return Exchange(*facts, text, is_legal, uno, reply.say, wall_ms, said), reply

    def _counts(self, move: Move, is_last_but_one: bool) -> bool:
        """Whether a call of UNO means anything beside a move: it is due, or it costs."""
        return action_of(move) in {PLAY, JUMP} and (is_last_but_one or self._misplay_costs)

    def _describe(self, item: int, is_last_but_one: bool) -> str:
        """Return what was recorded as an exchange says it."""
        if item & LEAVES:
            return "no answer: it left the match"
        move = move_of(item)
        called = bool(item & UNO) and self._counts(move, is_last_but_one)
        return format_move(move) + (" uno" if called else "")

    def close(self, result: MatchResult) -> None:
        """Tell the bot the result and let it end its stream."""
        self._link.send(turns_message([*self._news, self._writer.closed(self._seat, result)]))
        self._link.finish(FAREWELL_S)

    def _receive(self, number: int) -> bytes:
        while True:
            got = self._link.receive(LOOK_S)
            if isinstance(got, Arrival):
                return got.data
            if isinstance(got, Broken):
                self._let_it_die()
                raise UsageError(f"question {number}: the bot {got.kind.value} the stream: {got.detail}")
            if got is None and self._has_ended():
                raise UsageError(f"question {number}: the bot's process ended instead of answering")

    def _let_it_die(self) -> None:
        """Wait for the end of a process whose stream broke: one that dies closes its stream first."""
        deadline = time.monotonic() + DYING_S
        while not self._has_ended() and time.monotonic() < deadline:
            time.sleep(LOOK_S)


def _recorded_reply(item: int, lines: Iterator[str]) -> Reply:
    """Return an entry of a history as what a referee is sent."""
    if item & LEAVES:
        # Why is not in the record; that they left is all that the game knows.
        return tuple(Fault(FaultKind.CRASHED, seat) for seat in leaving_of(item))
    line = next(lines) if item & TALKS else ""
    return Answer(-1, move_of(item), bool(item & UNO), line, bool(item & ADVICE))
