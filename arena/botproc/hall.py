"""The tables of one job: which are open, whose question waits at which bot, and how each one ended.

Owns opening, going on and closing, and the news of it for the bots. Refuses to send and to time anything:
that is for `arena.botproc.driver`.
"""

import random
from collections.abc import Sequence

from arena.botproc.player import Player
from arena.botproc.table import LiveTable
from arena.match.fault import Fault
from arena.match.plan import ClockSettings, TablePlan
from arena.match.referee import Answer, Question, Reply
from arena.match.result import MatchResult
from arena.rules.options import Ruleset
from arena.rules.variant import Variant


class Hall:
    """All tables of a job, opened in the order of the plans."""

    def __init__(
        self, players: Sequence[Player], plans: Sequence[TablePlan], clock: ClockSettings, ruleset: Ruleset
    ) -> None:
        """Prepare; players that are dead already are absent from every match."""
        self.tables: dict[int, LiveTable] = {}
        self._open: dict[int, LiveTable] = {}
        self.finished = 0
        self.is_closed = False
        self._players = players
        self._plans = plans
        self._clock = clock
        self._ruleset = ruleset
        self._variant = Variant(ruleset)
        self._numbers = _table_numbers(len(plans))
        living = [player.link.tables for player in players if player.link is not None]
        self._most = min([clock.tables_max, *living])

    @property
    def open(self) -> int:
        """How many tables are open."""
        return len(self._open)

    def begin_tables(self) -> None:
        """Open tables up to what every living bot plays at once, unless no more shall begin."""
        while not self.is_closed and self.open < self._most and len(self.tables) < len(self._plans):
            self._begin(len(self.tables))

    def deliver(self, table: LiveTable, reply: Reply) -> None:
        """Hand a reply to the table's referee and let the table go on; an ended table ignores it."""
        question = table.question
        if question is None:
            return
        if not isinstance(reply, Answer):
            # Whoever is at fault may leave a table whose question still waits: its own, or another's.
            self._players[table.order[question.seat]].waiting.pop(table.number, None)
        self._place(table, table.advance(reply))

    def drop(self, table: LiveTable) -> None:
        """Close an open table whose match will be played again."""
        question = table.question
        if question is not None:
            self._players[table.order[question.seat]].waiting.pop(table.number, None)
            self._close(table)

    def open_tables(self) -> Sequence[LiveTable]:
        """Return the tables that have a question, in the order in which they were opened."""
        return list(self._open.values())

    def outcome(self) -> tuple[Sequence[tuple[TablePlan, MatchResult]], Sequence[TablePlan]]:
        """Return what is finished and what is to be played again, each in the order of the plans."""
        ended = [table for table in self.tables.values() if table.result is not None]
        kept = {table.index for table in ended}
        replanned = [plan for index, plan in enumerate(self._plans) if index not in kept]
        return [(table.plan, table.final()) for table in ended], replanned

    def _begin(self, index: int) -> None:
        plan = self._plans[index]
        bots = [self._players[bot] for bot in plan.order]
        absent = [
            Fault(bot.death[0], seat, bot.death[1]) for seat, bot in enumerate(bots) if bot.death is not None
        ]
        bank_ns = self._clock.bank_ms * 1_000_000
        table = LiveTable(index, plan, self._numbers[index], self._ruleset, self._variant, bank_ns, absent)
        self.tables[table.number] = self._open[table.number] = table
        for seat, bot in enumerate(bots):
            if bot.death is None:
                bot.news.append(table.writer.opened(seat, plan.seeds[seat]))
                bot.open_tables += 1
        self._place(table, table.begin())

    def _place(self, table: LiveTable, question: Question | None) -> None:
        """Queue the table's question at its bot, or close the table."""
        if question is not None:
            self._players[table.order[question.seat]].waiting[table.number] = table
            return
        self.finished += 1
        self._close(table)

    def _close(self, table: LiveTable) -> None:
        """Tell the living bots of a table that it has ended; without a result it is replanned."""
        del self._open[table.number]
        for seat, bot in enumerate(table.order):
            player = self._players[bot]
            if player.death is None:
                player.news.append(table.writer.closed(seat, table.result))
                player.open_tables -= 1
        table.release()


def _table_numbers(count: int) -> Sequence[int]:
    """Return a random number for each table: it tells a bot neither the order nor the deal set."""
    return random.SystemRandom().sample(range(max(1 << 14, 2 * count)), count)
