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


@dataclass(slots=True)
class Meter:
    """What a batch is charged; the tables that were asked in it keep it as proof of their last question."""

    clock: BatchClock
    """The time of the batch."""
    look: Callable[[], Evidence]
    """Returns what is seen of the bot's process now."""
    cpu_ms: float | None = None
    """The processor time of the batch, once it is over."""


Asked = tuple[int, int, Sequence[Move], int, Meter]
"""A question as it was sent: its number, its kind, its legal moves, the bank, and the batch."""


class LiveTable:
    """A match under way, and afterwards its result."""

    __slots__ = (
        "asked",
        "asked_last",
        "banks_ns",
        "cpu_ns",
        "dropped",
        "index",
        "match",
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

    def turn(self, meter: Meter) -> bytes:
        """Return the message of the open question, and note the batch in which it is asked."""
        question = self.question
        if question is None:
            raise AssertionError("no question is open at this table")
        seat, number, view = question.seat, question.number, question.view
        bank_ns = self.banks_ns[seat]
        self.asked[seat] = number
        self.asked_last[seat] = number, view.kind, view.legal, bank_ns, meter
        return self.writer.turn(question, bank_ns // 1_000_000)

    def limit_ns(self, seat: int) -> int:
        """Return how long the last question of a seat may take: the budgets of its batch and its own bank."""
        asked = self.asked_last[seat]
        return 0 if asked is None else asked[4].clock.budget_ns + asked[3]

    def proof(self, seat: int, seen: Evidence) -> Evidence:
        """Return what is measured of a seat: of the last question that it was asked here, and of no other.

        A seat that was never asked has a bank, and neither a question nor a limit.
        """
        asked = self.asked_last[seat]
        bank_ns = self.banks_ns[seat]
        if asked is None:
            return replace(seen, cpu_ms=None, bank_left_ms=round(bank_ns / 1e6, 3))
        number, kind, legal, _, meter = asked
        bank_ns = meter.clock.banks_ns.get(self.number, bank_ns)
        return replace(
            seen,
            limit_ms=self.limit_ns(seat) // 1_000_000,
            wall_ms=round(meter.clock.charged_ns / 1e6, 3),
            cpu_ms=seen.cpu_ms if meter.cpu_ms is None else meter.cpu_ms,
            bank_left_ms=round(bank_ns / 1e6, 3),
            last_question=describe_asked(number, kind, legal),
        )

    def _measured(self, seat: int) -> Evidence:
        """Return the same for the referee, which knows neither bots nor batches."""
        asked = self.asked_last[seat]
        return self.proof(seat, asked[4].look() if asked is not None else Evidence())

    def seat_of(self, bot: int) -> int:
        """Return where a bot sits."""
        return self.order.index(bot)

    def is_played_by(self, bot: int) -> bool:
        """Return whether a bot's seat is still in the match: it has neither left nor been eliminated."""
        return self.match.standing.in_match[self.seat_of(bot)]

    def release(self) -> None:
        """Forget the match; a job keeps some thousand ended tables for their results and for late answers."""
        self.question = None
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
