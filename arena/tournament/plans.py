"""The formats of a tournament by name: one line of text says which, and gives its pairings.

round_robin         all groups that fit a table, once
round_robin:3       the same three times over, each time with new deal sets
gauntlet:1          the first entry against all others; with 2, each of the first two, who do not meet
balanced:30         30 tables at which pairs meet about equally often (see balanced)
swiss:7             7 rounds of pairs, each drawn when the former is played (see swiss)
ladder              an endless season, whose helpings are chosen as it goes (see arena.ratings.needs)
compare             a round robin of two that a test ends; unlisted
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError, quote
from arena.tournament.balanced import balance, check_tables, enough_tables
from arena.tournament.formats import PAIRINGS_MAX, RoundRobin
from arena.tournament.swiss import STRIDE, Scored, check_rounds, most_rounds, pair_round

NAMES: Final = ("round_robin", "gauntlet", "balanced", "swiss", "ladder")
"""What an organiser can ask for."""
ROUND_ROBIN: Final = "round_robin"
LADDER: Final = "ladder"
COMPARE: Final = "compare"
"""What nobody can ask for by name: `arena compare` does."""
HELPING_SETS: Final = 50
"""Deal sets that a chosen table of a ladder plays, unless it is told otherwise."""
FOLDS_MAX: Final = 10_000


@dataclass(frozen=True)
class Plan:
    """A format with its one number."""

    name: str
    """Which."""
    number: int = 0
    """Folds, challengers, tables or rounds; 0 is what the format takes unasked."""

    @property
    def text(self) -> str:
        """The plan in one line: what `parse_plan` reads."""
        return f"{self.name}:{self.number}" if self.number else self.name

    @property
    def folds(self) -> int:
        """How often the whole schedule is gone through."""
        return max(self.number, 1) if self.name == "round_robin" else 1

    @property
    def is_swiss(self) -> bool:
        """Whether later pairings depend on results."""
        return self.name == "swiss"

    @property
    def is_ladder(self) -> bool:
        """Whether it has no end, and its pairings are chosen as it goes."""
        return self.name == LADDER

    @property
    def needs_all(self) -> bool:
        """Whether all groups of entries meet, so that what is planned need not be counted."""
        return self.name in {"round_robin", "compare"}

    def check(self, entries: int, seats: int, sets: int) -> None:
        """Refuse what cannot be played with so many entries.

        Raises:
            UsageError: Says what cannot be, and what to do.
        """
        RoundRobin(seats, seats, sets)
        if not 0 <= self.number <= FOLDS_MAX and self.name != "balanced":
            raise UsageError(f"{self.name}: 1 to {FOLDS_MAX:,} are possible, not {self.number}")
        if self.needs_all:
            RoundRobin(entries, seats, sets, self.folds)
        elif entries < seats:
            raise UsageError(
                f"a table of {seats} needs at least {seats} entries, and there are {entries}: enter more bots"
            )
        if self.is_swiss:
            if seats != 2:
                raise UsageError("a Swiss has tables of two: leave --seats out, or choose --format balanced")
            check_rounds(entries, self.rounds(entries))
        if self.is_ladder and self.number:
            raise UsageError("a ladder has no number")
        if self.name == "balanced":
            check_tables(entries, seats, self.number or enough_tables(entries, seats))
        if self.name == "gauntlet":
            others = entries - max(self.number, 1)
            amount = max(self.number, 1) * math.comb(max(others, 0), seats - 1)
            if not 1 <= amount <= PAIRINGS_MAX:
                raise UsageError(
                    f"a gauntlet of these entries has {amount:,} pairings: 1 to {PAIRINGS_MAX:,}"
                )

    def rounds(self, entries: int) -> int:
        """Return how many rounds a Swiss has: unasked, enough to find the best of so many by halving."""
        return self.number or min(most_rounds(entries), max(1, math.ceil(math.log2(max(entries, 2)))))

    def tell(self, entries: int, seats: int) -> str:
        """Say in a few words who meets whom; empty where all groups meet once."""
        if self.name == "gauntlet":
            return f"gauntlet of {max(self.number, 1)} against all others"
        if self.is_swiss:
            return f"Swiss of {self.rounds(entries)} rounds"
        if self.is_ladder:
            return "ladder, an endless season"
        if self.name == "balanced":
            design = balance(entries, seats, self.number or enough_tables(entries, seats))
            often = f"{design.fewest}" if design.spread == 0 else f"{design.fewest} to {design.most}"
            how = ", the most even that was found"
            if design.spread <= 1:
                how = ""
            elif design.is_best:
                how = ", and no tables are more even"
            return f"{len(design.tables):,} balanced tables, every pair meets at {often}{how}"
        return f"{self.folds} times over" if self.folds > 1 else ""

    def pairings(self, entries: int, seats: int) -> list[tuple[int, ...]]:
        """Return all pairings in schedule order: of a Swiss the first round's, of a ladder none yet."""
        if self.is_ladder:
            return []
        if self.name == "gauntlet":
            first = max(self.number, 1)
            return [
                (challenger, *rest)
                for rest in itertools.combinations(range(first, entries), seats - 1)
                for challenger in range(first)
            ]
        if self.name == "balanced":
            return list(balance(entries, seats, self.number or enough_tables(entries, seats)).tables)
        if self.is_swiss:
            return list(pair_round([Scored(entry, 0.5) for entry in range(entries)], ()))
        return list(RoundRobin(entries, seats).pairings())


def parse_plan(text: str) -> Plan:
    """Read a plan as `Plan.text` writes it.

    Raises:
        UsageError: It is none.
    """
    name, _, number = text.partition(":")
    if name not in {*NAMES, "compare"} or not (number.isdecimal() or (not number and ":" not in text)):
        raise UsageError(f"no format is called {quote(text)}: one of {', '.join(NAMES)}")
    return Plan(name, int(number or 0))


def is_last_round(plan: Plan, entries: int, numbers: Sequence[int]) -> bool:
    """Say whether the round of the newest of these pairings is the last of a Swiss."""
    return max(numbers, default=-1) // STRIDE + 1 >= plan.rounds(entries)
