"""A tryout: how strong a bot is, without submitting it: the jobs of a tournament, played in this process.

Owns the order of play: one bot against each of the others in deal sets, each rotation in a job of its own
with fresh processes, so that none sees two matches of one deal set. Sandbox, limits and clock are those of a
tournament, and so are the fit and its intervals. Nothing is stored. From the main thread only.
"""

import os
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from arena.botproc.live import Death, PlayedTables, Progress
from arena.botproc.probe import still_holds
from arena.botproc.sandbox import Sandbox
from arena.errors import PlatformError, UsageError
from arena.match.fault import Fault
from arena.match.plan import ClockSettings, TablePlan
from arena.match.result import MatchResult
from arena.ratings.facts import Columns, stack
from arena.ratings.standing import MIDDLE_ELO, Anchor, Standing, make_standing
from arena.ratings.standing import Entrant as Rated
from arena.rules.options import Ruleset
from arena.service.seats import Entrant, running
from arena.service.standings import LOW_WINS
from arena.tournament.seating import seat_bots
from arena.tournament.seeds import make_bot_seed, make_set_key

SETS_A_JOB: Final = 64
"""Deal sets that are played before progress can be kept."""
MOST_DEATHS: Final = 3
"""A bot that died more often is tried no further, as a tournament suspends it."""
PAIR: Final = 2

Show = Callable[[int, int, int], None]
"""Told how many matches are finished, of how many, and how many the tried bot won."""


@dataclass
class Tryout:
    """What is to be played, and what came of it so far."""

    entrants: Sequence[Entrant]
    """The bot that is tried, then its opponents."""
    ruleset: Ruleset
    clock: ClockSettings
    key: bytes
    """All deals and seeds come from it."""
    sets: int
    """Deal sets against each opponent."""
    finished: list[tuple[int, TablePlan, MatchResult]] = field(default_factory=list)
    """The opponent and the match."""
    deaths: list[tuple[int, Death]] = field(default_factory=list)
    """Processes that died, in the matches against which opponent."""

    @property
    def matches(self) -> int:
        """How many matches there are to be."""
        return PAIR * self.sets * (len(self.entrants) - 1)

    @property
    def wins(self) -> int:
        """How many the tried bot has won."""
        return sum(result.places[plan.order.index(0)] == 1 for _, plan, result in self.finished)

    def faults(self) -> list[tuple[int, Fault]]:
        """Return every fault, with the number of the entrant whose it was."""
        return [
            (opponent if plan.order[fault.seat] else 0, fault)
            for opponent, plan, result in self.finished
            for fault in result.faults
        ]

    def count_deaths(self, entrant: int) -> int:
        """Return how many processes of an entrant died."""
        return sum((opponent if death.bot else 0) == entrant for opponent, death in self.deaths)

    def standing(self) -> Standing:
        """Rate what was played; the first opponent keeps its rating."""
        rated = [
            Rated(number, entrant.name, self.count_deaths(number), planned_sets=None)
            for number, entrant in enumerate(self.entrants)
        ]
        return make_standing(
            stack(_columns(self.finished)),
            rated,
            anchor=Anchor(1, MIDDLE_ELO),
            low_wins=self.ruleset.scoring in LOW_WINS,
        )


def play_tryout(tryout: Tryout, sandbox: Sandbox, show: Show) -> None:
    """Play a tryout to its end; what is finished stays in it whatever ends it.

    Raises:
        UsageError: A bot dies again and again.
        PlatformError: The machine could not start them.
    """
    with _on_one_core() as core:
        for first in range(0, tryout.sets, SETS_A_JOB):
            sets = range(first, min(first + SETS_A_JOB, tryout.sets))
            for opponent in range(1, len(tryout.entrants)):
                for rotation in range(PAIR):
                    plans = _plan(tryout, opponent, sets, rotation)
                    while plans:
                        played = _play_job(tryout, sandbox, opponent, plans, core, show)
                        _refuse_the_dying(tryout)
                        if played.cut and not played.finished:
                            raise PlatformError("no match came to an end within the time of a job")
                        plans = list(played.replanned)


def _play_job(
    tryout: Tryout, sandbox: Sandbox, opponent: int, plans: Sequence[TablePlan], core: int, show: Show
) -> PlayedTables:
    """Play some matches with fresh processes and note what came of them."""
    from arena.botproc.tables import play_tables  # noqa: PLC0415 (gRPC is loaded by who plays only)

    done, wins = len(tryout.finished), tryout.wins

    def tell(progress: Progress) -> None:
        show(done + progress.finished, tryout.matches, wins)

    with running(sandbox, [tryout.entrants[0], tryout.entrants[opponent]], core) as bots:
        played = play_tables(
            bots,
            plans,
            tryout.clock,
            tryout.ruleset,
            on_progress=tell,
            probe_starts=lambda: still_holds(sandbox),
        )
    tryout.finished += [(opponent, plan, result) for plan, result in played.finished]
    tryout.deaths += [(opponent, death) for death in played.deaths]
    show(len(tryout.finished), tryout.matches, tryout.wins)
    return played


def _plan(tryout: Tryout, opponent: int, sets: Sequence[int], rotation: int) -> list[TablePlan]:
    """Plan one rotation of some deal sets."""
    pairing = (0, opponent)
    plans = []
    for deal_set in sets:
        key = make_set_key(tryout.key, pairing, deal_set)
        order = seat_bots(key, PAIR, rotation)
        seeds = tuple(make_bot_seed(tryout.key, pairing, deal_set, rotation, pairing[at]) for at in order)
        plans.append(TablePlan(deal_set, rotation, key, order, seeds))
    return plans


def _refuse_the_dying(tryout: Tryout) -> None:
    for number, entrant in enumerate(tryout.entrants):
        died = tryout.count_deaths(number)
        if died > MOST_DEATHS and died * 1000 > len(tryout.finished):
            raise UsageError(
                f"{entrant.name} died {died} times in {len(tryout.finished)} matches: a tournament would "
                "suspend it; mend what is named above and try again"
            )


@contextmanager
def _on_one_core() -> Iterator[int]:
    """Keep this process, and so the arena, on one core, as a worker is; its bots are given the same."""
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)


def _columns(finished: Sequence[tuple[int, TablePlan, MatchResult]]) -> Columns:
    """Lay out matches as the fit wants them."""

    def seats(value: Callable[[int, TablePlan, MatchResult, int], int]) -> list["array[int]"]:
        return [array("q", [value(*match, seat) for match in finished]) for seat in range(PAIR)]

    return Columns(
        pairings=array("q", [opponent for opponent, _, _ in finished]),
        deal_sets=array("q", [plan.deal_set for _, plan, _ in finished]),
        rotations=array("q", [plan.rotation for _, plan, _ in finished]),
        rounds=array("q", [result.rounds for _, _, result in finished]),
        fault_bits=array("q", [sum({1 << f.seat for f in result.faults}) for _, _, result in finished]),
        entries=seats(lambda opponent, plan, _, seat: opponent if plan.order[seat] else 0),
        places=seats(lambda _, __, result, seat: result.places[seat]),
        totals=seats(lambda _, __, result, seat: result.totals[seat]),
        decisions=seats(lambda _, __, result, seat: result.seats[seat].decisions),
        wall_us=seats(lambda _, __, result, seat: result.seats[seat].wall_us),
    )
