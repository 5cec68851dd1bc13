"""From a pairing's deal sets to jobs: sizes only, no clock and no database.

A pairing is cut into blocks of deal sets. A block becomes one job for each rotation, so that no process sees
two matches of one set. While nothing is known of the bots' speed blocks are small; then they hold about ten
seconds of play. Which jobs may be taken, and when more is planned, is `arena.service`'s.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError

FIRST_SETS: Final = 16
"""The most deal sets of a job while nothing is known of its speed."""
DECISIONS_USUAL: Final = 200
"""More than a match takes as a rule."""
JOB_SECONDS: Final = 10.0
"""How long a job should play, unless settings say otherwise."""
JOB_MATCHES_MAX: Final = 4096
"""The most matches of a job: what quick compiled bots end in ten seconds."""
CUT_SECONDS: Final = 600.0
"""When a job is cut, whatever it has reached."""


@dataclass(frozen=True)
class Progress:
    """What is known of a pairing when its next blocks are planned."""

    deal_sets: int
    """How many it plays in all."""
    planned: int
    """How many are in jobs already: the sets 0 .. planned-1."""
    match_seconds: float | None = None
    """What a match takes a worker, as far as it was measured; None while nothing is known of its bots."""
    first_sets: int = FIRST_SETS
    """Deal sets of a job while nothing is known; see `first_sets`."""


@dataclass(frozen=True)
class JobPlan:
    """One job: one rotation of some deal sets."""

    rotation: int
    """The rotation that all its matches have."""
    sets: tuple[int, ...]
    """Its deal sets, ascending."""


def size_job(match_seconds: float, job_seconds: float = JOB_SECONDS) -> int:
    """Return how many matches a job should have, from what one took."""
    if match_seconds * JOB_MATCHES_MAX <= job_seconds:
        return JOB_MATCHES_MAX
    return max(1, round(job_seconds / match_seconds))


def first_sets(budget_ms: int, bank_ms: int, seats: int) -> int:
    """Return the deal sets of a job at an unknown speed: as many as end in time with all banks spent."""
    longest_ms = DECISIONS_USUAL * budget_ms + seats * bank_ms
    return max(1, min(FIRST_SETS, int(CUT_SECONDS * 1000) // max(1, longest_ms)))


def plan_blocks(
    progress: Progress, workers: int, *, pairings: int = 1, job_seconds: float = JOB_SECONDS
) -> list[range]:
    """Return a pairing's next blocks of deal sets, so many that all pairings together keep every worker busy.

    What is left of the pairing is cut evenly into blocks of about ten seconds, by what is known now; only the
    next ones are returned, because more will be known then. A job costs something beside its play, so no
    pairing is cut smaller for the sake of workers that have other pairings to play.

    Args:
        progress: How far the pairing is.
        workers: How many there are.
        pairings: How many pairings of the tournament are still to be played, this one among them.
        job_seconds: How long a job should play.
    """
    left = progress.deal_sets - progress.planned
    at_once = min(left, math.ceil(max(1, workers) / max(1, pairings)))
    if progress.match_seconds is None:
        return cut(progress.planned, min(left, at_once * progress.first_sets), at_once)
    # By half too long is better than two that are too short, if it is allowed.
    even = round(left / size_job(progress.match_seconds, job_seconds))
    return cut(progress.planned, left, max(even, math.ceil(left / JOB_MATCHES_MAX), at_once), at_once)


def cut(first: int, amount: int, blocks: int, at_most: int | None = None) -> list[range]:
    """Cut `amount` deal sets from `first` on into blocks that differ by at most one set; return the first."""
    wanted = blocks if at_most is None else min(blocks, at_most)
    edges = [first + amount * i // blocks for i in range(wanted + 1)] if blocks else []
    return [range(start, end) for start, end in itertools.pairwise(edges)]


def plan_jobs(block: Iterable[int], seats: int) -> list[JobPlan]:
    """Return the jobs of a block of deal sets, one for each rotation."""
    sets = tuple(block)
    return [JobPlan(rotation, sets) for rotation in range(seats)]


def replan(open_sets: Sequence[int], matches: int) -> list[tuple[int, ...]]:
    """Return the deal sets of the jobs that replace one of `matches` matches that did not finish `open_sets`.

    The new jobs have at most half the size of the old one, down to one match, so a job that cannot end is cut
    to the match that does not.
    """
    size = max(1, matches // 2)
    sets = sorted(open_sets)
    return [tuple(sets[i : i + size]) for i in range(0, len(sets), size)]


def check_clock(max_decisions: int, budget_ms: int, bank_ms: int, seats: int) -> None:
    """Refuse a clock with which one match may last longer than a job.

    Raises:
        UsageError: the longest match does not end in 600 seconds.
    """
    longest = (max_decisions * budget_ms + seats * bank_ms) / 1000
    if longest > CUT_SECONDS:
        raise UsageError(
            f"a match could last {longest:,.0f} s ({max_decisions:,} decisions of {budget_ms:,} ms and "
            f"{seats} banks of {bank_ms:,} ms), and {CUT_SECONDS:,.0f} s is the most: "
            "lower the budget, the bank or max_decisions"
        )
