"""The arithmetic of thinking time: budgets, banks, and who of a batch has run out of time.

A batch of k turns has k budgets in common. What it takes beyond them is drawn in equal parts from the banks
of the tables still unanswered; a table whose bank is empty has timed out, alone. A batch as a whole ends with
its budgets and the largest of its banks: whatever is unanswered then has timed out. So who falls silent is
found out within one bank, at one table as at a thousand. Owns the arithmetic in whole nanoseconds. Refuses to
look at a clock: what is charged is said by the driver (`arena.botproc.driver`).
"""

from collections.abc import Mapping, Sequence


class BatchClock:
    """The time of one batch of one bot, from the write to its last answer."""

    __slots__ = ("_budget_ns", "_limit_ns", "_now_ns", "_rest_ns", "banks_ns")

    banks_ns: dict[int, int]
    """What is left at each table that is still unanswered."""

    def __init__(self, budget_ns: int, banks_ns: Mapping[int, int]) -> None:
        """Begin a batch with one turn a table; `budget_ns` is the budget of one decision."""
        self.banks_ns = dict(banks_ns)
        self._budget_ns = budget_ns * len(self.banks_ns)
        self._limit_ns = self._budget_ns + max(self.banks_ns.values(), default=0)
        self._now_ns = 0
        self._rest_ns = 0

    @property
    def budget_ns(self) -> int:
        """All budgets of the batch together."""
        return self._budget_ns

    @property
    def limit_ns(self) -> int:
        """The longest that the batch may take: its budgets and the largest of its banks."""
        return self._limit_ns

    @property
    def charged_ns(self) -> int:
        """What has been charged so far."""
        return self._now_ns

    def answer(self, table: int) -> int:
        """Take an answered table out of the batch and return what is left in its bank."""
        return self.banks_ns.pop(table)

    def advance(self, charged_ns: int) -> Sequence[int]:
        """Charge up to `charged_ns` since the write; return the tables that timed out, in order.

        Time never runs backwards: an earlier moment than the last one charges nothing.
        """
        before = max(self._now_ns, self._budget_ns)
        self._now_ns = max(self._now_ns, charged_ns)
        if self._now_ns <= before:
            return ()
        out = self._draw(min(self._now_ns, self._limit_ns) - before)
        if self._now_ns >= self._limit_ns:
            # What is left of these banks is lost with their matches: no bank is as large as what was taken.
            out += sorted(self.banks_ns)
            self.banks_ns.clear()
        return out

    def deadline_ns(self) -> int:
        """Return the charged time at which the next of the open tables times out if none answers before."""
        banks = self.banks_ns
        drawn = max(self._now_ns, self._budget_ns) + min(banks.values()) * len(banks) - self._rest_ns
        return min(drawn, self._limit_ns)

    def _draw(self, over_ns: int) -> list[int]:
        """Draw from the banks evenly; a bank that empties leaves the rest of the bill to the others."""
        banks = self.banks_ns
        over_ns += self._rest_ns
        out: list[int] = []
        while banks and over_ns > 0:
            least = min(banks.values())
            share = min(over_ns // len(banks), least)
            over_ns -= share * len(banks)
            for table in banks:
                banks[table] -= share
            if share < least:
                # Less than one nanosecond a table is left over: it waits for the next draw.
                break
            empty = sorted(table for table, bank in banks.items() if bank == 0)
            for table in empty:
                del banks[table]
            out += empty
        self._rest_ns = over_ns if banks else 0
        return out
