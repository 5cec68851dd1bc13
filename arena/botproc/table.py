"""One table of a job: the referee, the writer of its messages, and what its seats have spent.

Owns the step from a reply to the next question. Refuses to know streams and batches (`arena.botproc.driver`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from arena.match.clock import BatchClock
from arena.match.fault import Evidence, Fault
from arena.match.plan import TablePlan
from arena.match.referee import Question, Reply, describe_asked, referee
from arena.match.result import MatchResult
from arena.protocol.codec import TableWriter
from arena.rules.match import Match
from arena.rules.moves import Move
from arena.rules.options import Ruleset
from arena.rules.variant import Variant

Asked = tuple[int, int, Sequence[Move]]
"""A question as it was sent: its number, its kind, its legal moves."""


@dataclass(slots=True)
class Meter:
    """What a batch is charged; the tables that were asked in it keep it as proof of their last question."""

    clock: BatchClock
    """The time of the batch."""
    look: Callable[[], Evidence]
    """Returns what is seen of the bot's process now."""
    cpu_ms: float | None = None
    """The processor time of the batch, once it is over."""


class LiveTable:
    """A match under way, and afterwards its result."""

    __slots__ = (
        "asked",
        "asked_last",
        "banks_ns",
        "cpu_ns",
        "dropped",
        "index",
        "limits_ns",
        "match",
        "meters",
        "number",
        "order",
        "plan",
        "question",
        "referee",
        "result",
        "wall_ns",
        "writer",
    )

    def __init__(
        self,
        index: int,
        plan: TablePlan,
        number: int,
        ruleset: Ruleset,
        variant: Variant,
        bank_ns: int,
        absent: Sequence[Fault] = (),
    ) -> None:
        """Deal the first round of `plan` at a table that the bots know as `number`."""
        seats = len(plan.order)
        match = Match(ruleset, seats, plan.set_key, variant)
        self.index = index
        self.match = match
        self.plan = plan
        self.number = number
        self.order = plan.order
        self.writer = TableWriter(match, number)
        self.banks_ns = [bank_ns] * seats
        self.asked = [0] * seats
        self.asked_last: list[Asked | None] = [None] * seats
        self.meters: list[Meter | None] = [None] * seats
        self.limits_ns = [0] * seats
        self.wall_ns = [0] * seats
        self.cpu_ns = [0] * seats
        self.dropped = [0] * seats
        self.question: Question | None = None
        self.result: MatchResult | None = None
        self.referee = referee(match, absent, self._measured)

    def begin(self) -> Question | None:
        """Return the first question, None when nobody is left to ask."""
        try:
            self.question = next(self.referee)
        except StopIteration as stop:
            self.result = stop.value
        return self.question

    def advance(self, reply: Reply) -> Question | None:
        """Hand the reply to the referee; return the next question, None when the match is over."""
        try:
            question = self.question = self.referee.send(reply)
        except StopIteration as stop:
            self.question = None
            self.result = stop.value
            return None
        return question

    def turn(self) -> bytes:
        """Return the message of the open question."""
        question = self.question
        if question is None:
            raise AssertionError("no question is open at this table")
        seat = question.seat
        self.asked[seat] = question.number
        self.asked_last[seat] = question.number, question.view.kind, question.view.legal
        return self.writer.turn(question, self.banks_ns[seat] // 1_000_000)

    def join(self, seat: int, meter: Meter) -> None:
        """Note the batch in which a seat is asked: its budgets and this table's bank are the limit."""
        self.meters[seat] = meter
        self.limits_ns[seat] = meter.clock.budget_ns + self.banks_ns[seat]

    def proof(self, seat: int, seen: Evidence) -> Evidence:
        """Return what is measured of a seat: of the last question that it was asked here, and of no other.

        A seat that was never asked has a bank, and neither a question nor a limit.
        """
        meter, asked = self.meters[seat], self.asked_last[seat]
        bank_ns = self.banks_ns[seat]
        if meter is None or asked is None:
            return replace(seen, cpu_ms=None, bank_left_ms=round(bank_ns / 1e6, 3))
        bank_ns = meter.clock.banks_ns.get(self.number, bank_ns)
        return replace(
            seen,
            limit_ms=self.limits_ns[seat] // 1_000_000,
            wall_ms=round(meter.clock.charged_ns / 1e6, 3),
            cpu_ms=seen.cpu_ms if meter.cpu_ms is None else meter.cpu_ms,
            bank_left_ms=round(bank_ns / 1e6, 3),
            last_question=describe_asked(*asked),
        )

    def _measured(self, seat: int) -> Evidence:
        """Return the same for the referee, which knows neither bots nor batches."""
        meter = self.meters[seat]
        return self.proof(seat, meter.look() if meter is not None else Evidence())

    def seat_of(self, bot: int) -> int:
        """Return where a bot sits."""
        return self.order.index(bot)

    def is_played_by(self, bot: int) -> bool:
        """Return whether a bot's seat is still in the match: it has neither left nor been eliminated."""
        return self.match.standing.in_match[self.seat_of(bot)]

    def release(self) -> None:
        """Forget the match; a job keeps some thousand ended tables for their results and for late answers."""
        self.question = None
        self.meters = [None] * len(self.order)
        self.asked_last = [None] * len(self.order)
        self.referee.close()
        del self.match, self.writer, self.referee

    def final(self) -> MatchResult:
        """Return the result with what the seats have spent."""
        if self.result is None:
            raise AssertionError("this match is not over")
        seats = tuple(
            replace(
                stats,
                wall_us=self.wall_ns[seat] // 1000,
                cpu_us=self.cpu_ns[seat] // 1000,
                dropped_answers=self.dropped[seat],
            )
            for seat, stats in enumerate(self.result.seats)
        )
        return replace(self.result, seats=seats)
