"""One table of a job: the referee, the writer of its messages, and what its seats have spent.

Owns the step from a reply to the next question. Refuses to know streams and batches (`arena.botproc.driver`).
"""

from collections.abc import Sequence
from dataclasses import replace

from arena.match.fault import Fault
from arena.match.plan import TablePlan
from arena.match.referee import Question, Reply, referee
from arena.match.result import MatchResult
from arena.protocol.codec import TableWriter
from arena.rules.match import Match
from arena.rules.options import Ruleset
from arena.rules.variant import Variant


class LiveTable:
    """A match under way, and afterwards its result."""

    __slots__ = (
        "asked",
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
        self.wall_ns = [0] * seats
        self.cpu_ns = [0] * seats
        self.dropped = [0] * seats
        self.question: Question | None = None
        self.result: MatchResult | None = None
        self.referee = referee(match, absent)

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
        return self.writer.turn(question, self.banks_ns[seat] // 1_000_000)

    def seat_of(self, bot: int) -> int:
        """Return where a bot sits."""
        return self.order.index(bot)

    def is_played_by(self, bot: int) -> bool:
        """Return whether a bot's seat is still in the match: it has neither left nor been eliminated."""
        return self.match.standing.in_match[self.seat_of(bot)]

    def release(self) -> None:
        """Forget the match; a job keeps a thousand ended tables for their results and for late answers."""
        self.question = None
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
