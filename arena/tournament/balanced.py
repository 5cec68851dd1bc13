"""Tables of k for many entries: every pair meets about equally often, in far fewer tables than all groups.

Owns the search for such a design. Where the number of tables is a multiple of the number of entries it
begins with base tables that are turned through all entries, so only the differences of their numbers must
balance; if that is not even it goes through such bases one by one (`families`). What is left over is filled
greedily. Then members of two tables change places as long as that makes meetings more even, by simulated
annealing with a fixed seed, until no design can be more even (`evenness`). It says how even it got and
claims no more: for many sizes nobody knows the best design. No table comes twice, because its deals would
come twice with it.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.errors import UsageError
from arena.tournament.evenness import least_spread, least_squares
from arena.tournament.families import find_tables

TABLES_MAX: Final = 100_000
STARTS: Final = 8
BASES_MAX: Final = 60_000
"""Base tables that are all looked at where one is enough."""
ATTEMPTS: Final = 1000
"""Draws for a table that there is not yet."""
FEW: Final = 50
"""Entries up to which a search begins anew when it found nothing even."""
STEPS_MAX: Final = 150_000
STEPS_EACH: Final = 600
"""Changes that a search tries: at most, and by seat."""
HOT_TURNS, HOT, COLD = 8.0, 1.5, 0.15
"""Temperatures between which a search cools down, in units of squared meetings."""

Table = tuple[int, ...]


@dataclass(frozen=True)
class Design:
    """Tables, and how even they are."""

    tables: tuple[Table, ...]
    """Who sits at each, ascending, in schedule order."""
    fewest: int
    """Meetings of the pair that meets least."""
    most: int
    """Meetings of the pair that meets most."""
    least: int
    """Below this no design gets the spread, as counting proves: 0, 1 or 2."""

    @property
    def spread(self) -> int:
        """By how much meetings differ."""
        return self.most - self.fewest

    @property
    def is_best(self) -> bool:
        """Whether it is proved that none is more even."""
        return self.spread <= self.least


def balance(entries: int, seats: int, tables: int) -> Design:
    """Seat entries at tables so that everybody plays, and every pair meets, as equally often as is found.

    Appearances never differ by more than one.

    Raises:
        UsageError: The tables cannot be filled, or are too few for everybody to play.
    """
    check_tables(entries, seats, tables)
    groups = math.comb(entries, seats)
    if 2 * tables > groups:
        # What is left out must be even, and is less.
        left = set(_best(entries, seats, groups - tables).tables)
        return _design(
            entries,
            seats,
            [table for table in itertools.combinations(range(entries), seats) if table not in left],
        )
    return _best(entries, seats, tables)


def _best(entries: int, seats: int, tables: int) -> Design:
    best = _search(entries, seats, tables, 0)
    if not best.is_best and tables % entries == 0:
        turned = find_tables(entries, seats, tables // entries)
        best = _design(entries, seats, turned) if turned else best
    for start in range(1, STARTS if entries <= FEW else 1):
        if best.is_best:
            break
        found = _search(entries, seats, tables, start)
        if found.spread < best.spread:
            best = found
    return best


def enough_tables(entries: int, seats: int) -> int:
    """Return how many tables let everybody meet everybody.

    They are whole turns through all entries, which balance best, but never more tables than there are.
    """
    turns = math.ceil((entries - 1) / (seats * (seats - 1)))
    return min(entries * turns, math.comb(entries, seats))


def check_tables(entries: int, seats: int, tables: int) -> None:
    """Refuse numbers of which there is no design.

    Raises:
        UsageError: The tables cannot be filled, or are too few for everybody to play, or too many.
    """
    if entries < seats:
        raise UsageError(f"a table of {seats} needs at least {seats} entries, and there are {entries}")
    if tables * seats < entries:
        raise UsageError(
            f"{tables} tables of {seats} have {tables * seats} seats for {entries} entries: "
            f"at least {math.ceil(entries / seats)} tables are needed"
        )
    if tables > (most := min(TABLES_MAX, math.comb(entries, seats))):
        raise UsageError(
            f"{tables:,} tables are too many, at most {most:,}: no table comes twice, "
            "`--sets` plays each longer"
        )


def _search(entries: int, seats: int, tables: int, start: int) -> Design:
    """Make one design; another start gives another one."""
    dice = Random(start)  # noqa: S311 (a search needs no secret, only the same numbers everywhere)
    turned = tables // entries if start % 2 == 0 else 0
    if start == 0 and tables == entries and math.comb(entries - 1, seats - 1) <= BASES_MAX:
        bases = [_best_base(entries, seats)]
    else:
        bases = _base_tables(entries, seats, turned, dice)
    chosen = [
        tuple(sorted((member + by) % entries for member in base)) for base in bases for by in range(entries)
    ]
    if len(set(chosen)) < len(chosen):
        chosen = []
    meetings = Meetings(entries, chosen)
    while len(meetings.tables) < tables:
        meetings.add(_next_table(meetings, seats, dice))
    if tables > 1:
        meetings.improve(dice)
    return _design(entries, seats, meetings.tables)


def _design(entries: int, seats: int, tables: Sequence[Sequence[int]]) -> Design:
    fewest, most = Meetings(entries, tables).extremes()
    least = least_spread(entries, seats, len(tables))
    return Design(tuple(tuple(sorted(table)) for table in tables), fewest, most, least)


def _base_tables(entries: int, seats: int, amount: int, dice: Random) -> list[list[int]]:
    """Return base tables whose differences are as even as is found."""
    bases = [_sample(entries, seats, dice) for _ in range(amount)]
    counts = [0] * entries
    for base in bases:
        _count_differences(base, counts)
    steps = min(STEPS_MAX, 4000 * amount)
    for step in range(steps):
        if step % 200 == 0 and max(counts[1:]) - min(counts[1:]) <= 1:
            break
        heat = HOT_TURNS * (COLD / HOT_TURNS) ** (step / steps)
        base = bases[int(dice.random() * amount)]
        at, new = int(dice.random() * seats), int(dice.random() * entries)
        if new in base:
            continue
        old = base[at]
        worse = _move(base, at, new, entries, counts)
        if worse > 0 and dice.random() > math.exp(-worse / heat):
            _move(base, at, old, entries, counts)
    return bases


def _best_base(entries: int, seats: int) -> list[int]:
    """Return the one base table, of all that there are, whose differences are most even."""
    best, least = [*range(seats)], entries
    for rest in itertools.combinations(range(1, entries), seats - 1):
        counts = [0] * entries
        _count_differences(base := [0, *rest], counts)
        if (spread := max(counts[1:]) - min(counts[1:])) < least:
            best, least = base, spread
        if least <= 1:
            break
    return best


def _move(base: list[int], at: int, new: int, entries: int, counts: list[int]) -> int:
    """Put another member into a base table; return by how much the sum of squared counts grew."""
    worse = 0
    for by, member in ((-1, base[at]), (1, new)):
        for place, other in enumerate(base):
            if place != at:
                for difference in ((member - other) % entries, (other - member) % entries):
                    worse += 2 * by * counts[difference] + 1
                    counts[difference] += by
    base[at] = new
    return worse


def _count_differences(base: Sequence[int], counts: list[int]) -> None:
    for a, b in itertools.combinations(base, 2):
        counts[a - b] += 1
        counts[b - a] += 1


def _sample(entries: int, seats: int, dice: Random) -> list[int]:
    """Draw different members."""
    return sorted(range(entries), key=lambda _: dice.random())[:seats]


def _next_table(meetings: "Meetings", seats: int, dice: Random) -> list[int]:
    """Fill a table from those who played least, with those who met its members least; never one there is."""
    for attempt in range(ATTEMPTS):
        table = _fill(meetings, seats, dice, heeds_meetings=attempt == 0)
        if frozenset(table) not in meetings.known:
            break
    return table


def _fill(meetings: "Meetings", seats: int, dice: Random, *, heeds_meetings: bool) -> list[int]:
    table: list[int] = []
    drawn = [dice.random() for _ in meetings.played]
    while len(table) < seats:
        free = [entry for entry in range(len(drawn)) if entry not in table]
        least = min(meetings.played[entry] for entry in free)
        table.append(
            min(
                (entry for entry in free if meetings.played[entry] == least),
                key=lambda entry: (
                    sum(meetings.met[entry][other] for other in table) if heeds_meetings else 0,
                    drawn[entry],
                ),
            )
        )
    return table


class Meetings:
    """Tables with a count of who met whom, kept true while members change places."""

    def __init__(self, entries: int, tables: Sequence[Sequence[int]]) -> None:
        self.tables: list[list[int]] = []
        self.known: set[frozenset[int]] = set()
        """The tables as sets: none comes twice."""
        self.met = [[0] * entries for _ in range(entries)]
        """How often two entries met, both ways."""
        self.played = [0] * entries
        """How often each entry plays."""
        for table in tables:
            self.add(table)

    def add(self, table: Sequence[int]) -> None:
        """Add a table."""
        self.tables.append(list(table))
        self.known.add(frozenset(table))
        for entry in table:
            self.played[entry] += 1
        for a, b in itertools.combinations(table, 2):
            self._meet(a, b, 1)

    def extremes(self) -> tuple[int, int]:
        """Return the fewest and the most meetings of a pair."""
        counts = [count for entry, row in enumerate(self.met) for count in row[entry + 1 :]]
        return min(counts), max(counts)

    def improve(self, dice: Random) -> None:
        """Let members of two tables change places until no design is more even, or the search is cold."""
        amount, seats, entries = len(self.tables), len(self.tables[0]), len(self.met)
        steps = min(STEPS_MAX, STEPS_EACH * amount * seats)
        heat, cooling = HOT, (COLD / HOT) ** (1 / steps)
        least = least_spread(entries, seats, amount)
        look = max(500, entries**2 // 4)
        # Half of what the squared meetings are above those of an even design: what a change is worse by.
        over = sum(count**2 for row in self.met for count in row) // 2 - least_squares(entries, seats, amount)
        over //= 2
        for step in range(steps):
            if over == 0 or (least > 1 and step % look == 0 and self._spread() <= least):
                return
            heat *= cooling
            over += self._try_change(dice, heat)

    def _try_change(self, dice: Random, heat: float) -> int:
        """Let two members change places if the temperature allows it; return by how much it is worse."""
        random, tables, met = dice.random, self.tables, self.met
        amount, seats = len(tables), len(tables[0])
        first, second = tables[int(random() * amount)], tables[int(random() * amount)]
        at, to = int(random() * seats), int(random() * seats)
        a, b = first[at], second[to]
        if a in second or b in first:
            return 0
        left = [entry for entry in first if entry != a and entry not in second]
        right = [entry for entry in second if entry != b and entry not in first]
        met_a, met_b = met[a], met[b]
        worse = len(left) + len(right)
        for entry in left:
            worse += met_b[entry] - met_a[entry]
        for entry in right:
            worse += met_a[entry] - met_b[entry]
        if worse > 0 and random() > math.exp(-worse / heat):
            return 0
        changed = frozenset((*(each for each in first if each != a), b))
        other = frozenset((*(each for each in second if each != b), a))
        if changed in self.known or other in self.known:
            return 0
        self.known -= {frozenset(first), frozenset(second)}
        self.known |= {changed, other}
        first[at], second[to] = b, a
        for entry in left:
            self._meet(a, entry, -1)
            self._meet(b, entry, 1)
        for entry in right:
            self._meet(b, entry, -1)
            self._meet(a, entry, 1)
        return worse

    def _spread(self) -> int:
        fewest, most = self.extremes()
        return most - fewest

    def _meet(self, a: int, b: int, by: int) -> None:
        self.met[a][b] += by
        self.met[b][a] += by
