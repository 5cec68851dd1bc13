"""From a pairing's deal sets to jobs: sizes only, no clock and no database.

A pairing is cut into blocks of deal sets. A block becomes one job for each rotation, so that no process sees
two matches of one set. The first blocks are small, because nothing is known of the bots' speed; the next ones
hold about ten seconds of play. Which jobs may be taken, and when more is planned, is `arena.service`'s.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import UsageError

FIRST_SETS: Final = 8
"""Deal sets of a job while the pairing's speed is unknown."""
JOB_SECONDS: Final = 10.0
"""How long a job should play, unless settings say otherwise."""
JOB_MATCHES_MAX: Final = 1024
"""The most matches of a job."""
CUT_SECONDS: Final = 600.0
"""When a job is cut, whatever it has reached."""


@dataclass(frozen=True)
class Progress:
    """What is known of a pairing when its next blocks are planned."""

    deal_sets: int
    """How many it plays in all."""
    planned: int
    """How many are in jobs already: the sets 0 .. planned-1."""
    matches_done: int = 0
    """Matches finished."""
    play_seconds: float = 0.0
    """Time that they took a worker."""


@dataclass(frozen=True)
class JobPlan:
    """One job: one rotation of some deal sets."""

    rotation: int
    """The rotation that all its matches have."""
    sets: tuple[int, ...]
    """Its deal sets, ascending."""


def size_job(matches_done: int, play_seconds: float, job_seconds: float = JOB_SECONDS) -> int:
    """Return how many matches a job should have, from the pairing's measured speed."""
    if matches_done <= 0:
        return FIRST_SETS
    if play_seconds <= 0:
        return JOB_MATCHES_MAX
    return max(1, min(JOB_MATCHES_MAX, round(job_seconds * matches_done / play_seconds)))


def plan_blocks(progress: Progress, workers: int, job_seconds: float = JOB_SECONDS) -> list[range]:
    """Return the next blocks of deal sets: enough to keep every worker busy with this pairing alone.

    As long as no match is finished this is one small block a worker, and nothing more until the speed is
    known. Afterwards it is one block a worker of about ten seconds each; never so large that the pairing's
    sets would make fewer blocks than there are workers.
    """
    workers = max(1, workers)
    left = progress.deal_sets - progress.planned
    if progress.planned and not progress.matches_done:
        return []
    share = math.ceil(progress.deal_sets / workers)
    size = min(size_job(progress.matches_done, progress.play_seconds, job_seconds), share)
    amount = min(left, size * workers)
    return cut(progress.planned, amount, max(math.ceil(amount / size), min(workers, amount)))


def cut(first: int, amount: int, blocks: int) -> list[range]:
    """Cut `amount` deal sets from `first` on into blocks whose sizes differ by at most one."""
    edges = [first + amount * i // blocks for i in range(blocks + 1)] if blocks else []
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
