"""One batch: the turns that one bot has in hand, their clock, and what each answer means.

Owns the reading of answers: which belongs to an open question, which comes too late, which breaks the
protocol. What is charged is the wall time from the write to an answer's arrival, less what the arena and the
host took of it, plus the processor time that the bot used before the write. Refuses to advance tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from arena.botproc.host import Host
from arena.botproc.player import Player
from arena.botproc.table import LiveTable, Meter
from arena.botproc.verdict import add_usage
from arena.match.clock import BatchClock
from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.plan import ClockSettings
from arena.match.referee import Reply
from arena.protocol.codec import DecodeError, decode_answers, decode_choice, describe_reply
from arena.protocol.pb import bot_pb2 as pb

MESSAGE_BYTES_A_TABLE = 1024
"""What a message may hold for each open table."""
MESSAGE_BYTES = 16 * 1024
"""What a message may hold at least."""
SURPLUS = 1000
"""So many answers to no open question are dropped in a job, and `SURPLUS_A_QUESTION`; more are a flood."""
SURPLUS_A_QUESTION = 2
"""What may be dropped for each question asked: one that is late, one that comes twice."""
LATE_NS = 5_000_000
"""An arena that wakes up so much later than it meant to has been held up."""
STDERR_CHARS = 1000
"""Kept of the standard error in a fault at one table."""


def message_limit(tables: int) -> int:
    """Return the largest message that is accepted from a bot with so many open tables, in bytes."""
    return max(MESSAGE_BYTES, MESSAGE_BYTES_A_TABLE * tables)


def look_at(player: Player) -> Evidence:
    """Return what is seen of a bot's process, as evidence at one table."""
    stderr = player.process.stderr().text[-STDERR_CHARS:]
    seen = Evidence(cpu_ms=round(player.peek_ns() / 1e6, 3), stderr_tail=stderr)
    return add_usage(seen, player.process)


@dataclass(slots=True)
class Reading:
    """What a message, or the passing of time, has brought."""

    replies: list[tuple[LiveTable, Reply]] = field(default_factory=list)
    """What to tell the referees, in order."""
    refusal: str = ""
    """Why the protocol is broken as a whole; empty when it is not."""
    last_answer: str = ""
    """The answer that broke it, where it was one."""


class Batch:
    """The open questions of one bot."""

    def __init__(
        self, player: Player, tables: Mapping[int, LiveTable], clock: ClockSettings, host: Host
    ) -> None:
        """Take the turns of `tables`; `begin` starts the clock."""
        self.player = player
        self.tables = tables
        self._host = host
        self._settings = clock
        index = player.index
        self._asked = [(table, table.order.index(index)) for table in tables.values()]
        banks = {table.number: table.banks_ns[seat] for table, seat in self._asked}
        self.clock = BatchClock(clock.budget_ms * 1_000_000, banks)
        self._meter = Meter(self.clock, partial(look_at, player))
        self.kept_time = True
        """False once a turn has run out of time."""
        self._wrote_ns = 0
        self._carried_ns = 0
        self._arena_ns = 0
        self._host_ns = 0

    def turns(self) -> list[bytes]:
        """Write the questions, as parts of a message."""
        return [table.turn(self._meter) for table, _ in self._asked]

    def begin(self, now_ns: int, carried_ns: int) -> None:
        """Start the clock; `carried_ns` of processor time were used without a question."""
        self._host.mark(now_ns)
        self._wrote_ns = now_ns - carried_ns
        self._carried_ns = carried_ns

    def charged_ns(self, at_ns: int) -> int:
        """Return what is charged for a moment."""
        return at_ns - self._wrote_ns - self._arena_ns - self._host_ns

    def excuse(self, took_ns: int) -> None:
        """Take off what the arena itself used of the bot's time."""
        self._arena_ns += took_ns

    def note_wait(self, until_ns: int, moment_ns: int) -> None:
        """Take off what the arena has slept through: it meant to wake up earlier than it did.

        Something has stopped or starved it, and an answer may have lain there all the while. What the bot has
        computed meanwhile stays charged: it may have starved the arena itself, on the core that they share.
        """
        late_ns = moment_ns - until_ns
        if late_ns >= LATE_NS:
            idle_ns = self.charged_ns(moment_ns) - self.player.peek_ns() - self._carried_ns
            self._arena_ns += max(0, min(late_ns, idle_ns))

    @property
    def is_answered(self) -> bool:
        """True when no question is open any more."""
        return not self.clock.banks_ns

    def until_timeout_ns(self, now_ns: int) -> int:
        """Return how long it is until the next table times out."""
        return self.clock.deadline_ns() - self.charged_ns(now_ns)

    def pass_time(self, at_ns: int) -> Reading:
        """Charge up to a moment; some tables may have timed out."""
        charged = self.charged_ns(at_ns)
        if charged > self.clock.budget_ns and self.clock.banks_ns and charged >= self.clock.deadline_ns():
            # Somebody would time out: first see what the host has taken of this time.
            self._host_ns = max(self._host_ns, self._host.taken_ns())
            charged = self.charged_ns(at_ns)
        reading = Reading()
        for number in self.clock.advance(charged):
            self.kept_time = False
            table = self.tables[number]
            seat = table.seat_of(self.player.index)
            table.banks_ns[seat] = 0
            reading.replies.append((table, (self._timed_out(table, seat),)))
        return reading

    def read(self, data: bytes, at_ns: int, known: Mapping[int, LiveTable]) -> Reading:
        """Read one message that arrived at `at_ns`; `known` are all tables ever opened."""
        reading = self.pass_time(at_ns)
        if len(data) > message_limit(self.player.open_tables):
            reading.refusal = f"a message of {len(data)} bytes for {self.player.open_tables} open tables"
            return reading
        try:
            answers = decode_answers(data)
        except DecodeError:
            reading.refusal = f"a message of {len(data)} bytes that is no Answers"
            return reading
        unanswered = self.clock.banks_ns
        # A message while nothing is asked is surplus, whatever it holds: reading such ones must have an end.
        self.player.surplus += 0 if self.tables else 1
        for message in answers:
            number = message.table
            table = known.get(number)
            if table is None:
                reading.refusal = f"an answer for table {number}, which was never opened"
                reading.last_answer = describe_reply(message)
                break
            question = table.question
            if number not in unanswered or question is None or question.number != message.question:
                self._read_stray(table, message, reading)
                continue
            seat = question.seat
            table.banks_ns[seat] = unanswered.pop(number)
            choice = decode_choice(message)
            reply = choice or (self._broke(table, seat, message, "the answer chose nothing"),)
            reading.replies.append((table, reply))
        player = self.player
        if player.surplus > SURPLUS + SURPLUS_A_QUESTION * player.asked and not reading.refusal:
            reading.refusal = f"{player.surplus} answers to no open question, at {player.asked} asked"
        return reading

    def _read_stray(self, table: LiveTable, message: pb.Answer, reading: Reading) -> None:
        """Drop an answer to no open question; one to a question that was never asked is a fault."""
        seat = table.seat_of(self.player.index)
        number = message.question
        if number <= table.asked[seat] or table.result is not None:
            table.dropped[seat] += 1
            self.player.surplus += 1
            return
        table.banks_ns[seat] = self.clock.banks_ns.pop(table.number, table.banks_ns[seat])
        detail = f"an answer to question {number}, the last one asked was {table.asked[seat]}"
        reading.replies.append((table, (self._broke(table, seat, message, detail),)))

    def settle(self) -> None:
        """Share what the batch took evenly among its tables."""
        used_ns = self.player.used_ns()
        self._meter.cpu_ms = round(used_ns / 1e6, 3)
        cpu = used_ns // len(self.tables)
        charged_ns = self.clock.charged_ns
        self.player.thought_ns += charged_ns
        self.player.over_ns += max(0, charged_ns - self.clock.budget_ns)
        wall = charged_ns // len(self.tables)
        for table, seat in self._asked:
            table.cpu_ns[seat] += cpu
            table.wall_ns[seat] += wall

    def evidence(self, table: LiveTable) -> Evidence:
        """Return what is measured at a table; of questions only the bot's own is told, it shows its hand."""
        return table.proof(table.seat_of(self.player.index), look_at(self.player))

    def _timed_out(self, table: LiveTable, seat: int) -> Fault:
        evidence = self.evidence(table)
        turns = len(self.tables)
        budget_ns = self.clock.budget_ns
        budget, bank = budget_ns // 1_000_000, (table.limit_ns(seat) - budget_ns) // 1_000_000
        time = (
            f"{turns} questions asked at once had a budget of {budget} ms in common, the bank held {bank} ms"
            if turns > 1
            else f"the budget was {budget} ms, the bank held {bank} ms"
        )
        detail = f"no answer after {evidence.wall_ms:.0f} ms; {time}"
        return Fault(FaultKind.TIMED_OUT, seat, replace(evidence, detail=detail))

    def _broke(self, table: LiveTable, seat: int, message: pb.Answer, detail: str) -> Fault:
        evidence = replace(self.evidence(table), last_answer=describe_reply(message), detail=detail)
        return Fault(FaultKind.PROTOCOL_ERROR, seat, evidence)


def unanswered_tables(batch: Batch) -> Sequence[LiveTable]:
    """Return the tables whose turn still stands in the batch, in order."""
    return [table for number, table in batch.tables.items() if number in batch.clock.banks_ns]
