"""Promises of the sizes of jobs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.planning import (
    FIRST_SETS,
    JOB_MATCHES_MAX,
    JobPlan,
    Progress,
    check_clock,
    cut,
    first_sets,
    plan_blocks,
    plan_jobs,
    replan,
    size_job,
)


def test_the_first_job_has_sixteen_deal_sets() -> None:
    """While nothing is known of the speed, jobs are small, one for each worker."""
    assert plan_blocks(Progress(deal_sets=400, planned=0), 2) == [range(16), range(16, 32)]


@pytest.mark.parametrize(
    ("budget_ms", "bank_ms", "seats", "sets"),
    [
        (20, 10_000, 2, 16),
        (20, 10_000, 4, 13),
        (20, 60_000, 2, 4),
        (20, 300_000, 2, 1),
        (2000, 0, 2, 1),
        (0, 0, 2, 16),
    ],
)
def test_the_first_job_ends_before_its_cut(budget_ms: int, bank_ms: int, seats: int, sets: int) -> None:
    """While the speed is unknown a job is no larger than its bots may take with every bank spent."""
    size = first_sets(budget_ms, bank_ms, seats)

    assert size == sets
    assert [len(block) for block in plan_blocks(Progress(100, 0, first_sets=size), 1)] == [sets]
    assert len(plan_blocks(Progress(100, 50, 0.02, size), 1)[0]) > sets


@pytest.mark.parametrize(
    ("match_s", "size"),
    [(0.125, 80), (5.0, 2), (100.0, 1), (0.0001, 4096), (0.0, 4096)],
)
def test_a_job_is_ten_seconds_of_play(match_s: float, size: int) -> None:
    """At the measured speed, from one match to 4,096."""
    assert size_job(match_s) == size


@pytest.mark.parametrize(
    ("left", "sizes"),
    [(1, [1]), (92, [92]), (149, [149]), (151, [75, 76]), (300, [100] * 3), (1100, [100] * 11)],
)
def test_what_is_left_is_cut_evenly(left: int, sizes: list[int]) -> None:
    """At 100 matches in ten seconds no rest is planned that is much shorter, nor a job half as long again."""
    planned, blocks = 8, []
    while planned < 8 + left:
        (block,) = plan_blocks(Progress(8 + left, planned, 0.1), 1)
        blocks.append(len(block))
        planned = block.stop

    assert blocks == sizes


@given(st.integers(1, 5000), st.integers(1, 16), st.integers(1, 20), st.floats(0.001, 100))
def test_all_deal_sets_are_planned_once(sets: int, workers: int, pairings: int, match_s: float) -> None:
    """Planning until nothing is left covers every deal set exactly once, whatever the speed."""
    planned: list[int] = []
    known: float | None = None
    while len(planned) < sets:
        blocks = plan_blocks(Progress(sets, len(planned), known), workers, pairings=pairings)
        for block in blocks:
            assert 1 <= len(block) <= JOB_MATCHES_MAX
            assert len(block) <= (1.5 * size_job(known) + 1 if known else FIRST_SETS)
            planned += block
        assert blocks
        known = match_s

    assert planned == list(range(sets))


@given(st.integers(1, 5000), st.integers(1, 16), st.integers(1, 20))
def test_there_is_a_block_for_every_worker(sets: int, workers: int, pairings: int) -> None:
    """All pairings together keep all workers busy, as far as they have deal sets, and none is cut smaller."""
    first = plan_blocks(Progress(sets, 0), workers, pairings=pairings)
    fast = plan_blocks(Progress(sets, 0, match_seconds=0.0001), workers, pairings=pairings)
    each = -(-workers // pairings)

    assert len(first) == min(each, sets)
    assert len(fast) == min(each, sets)
    assert max(map(len, first)) <= FIRST_SETS


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(1, 50))
def test_blocks_are_even(first: int, amount: int, blocks: int) -> None:
    """Cut pieces follow each other and differ by one at most."""
    pieces = cut(first, amount, blocks)

    assert [n for piece in pieces for n in piece] == list(range(first, first + amount))
    assert max(map(len, pieces)) - min(map(len, pieces)) <= 1


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_a_block_is_one_job_for_each_rotation(seats: int) -> None:
    """No job holds two rotations of a deal set."""
    assert plan_jobs(range(4, 7), seats) == [JobPlan(r, (4, 5, 6)) for r in range(seats)]


@given(st.sets(st.integers(0, 2000), max_size=200), st.integers(0, 1024))
def test_open_matches_are_planned_again_in_half(open_sets: set[int], more: int) -> None:
    """Each open match stands in exactly one new job of at most half the size, and never in an empty one."""
    matches = len(open_sets) + more
    jobs = replan(list(open_sets), matches)

    assert sorted(s for job in jobs for s in job) == sorted(open_sets)
    assert all(1 <= len(job) <= max(1, matches // 2) for job in jobs)


def test_a_match_that_never_ends_is_alone_at_last() -> None:
    """Halving again and again comes down to the one match."""
    sets, matches = list(range(100)), 100
    for _ in range(7):
        sets = list(replan(sets, matches)[0])
        matches = len(sets)

    assert sets == [0]


def test_a_clock_that_cannot_end_a_match_is_refused() -> None:
    """The longest match is all decisions at the whole budget and all banks; more than 600 s is refused."""
    check_clock(max_decisions=20_000, budget_ms=20, bank_ms=20_000, seats=10)

    with pytest.raises(UsageError, match="lower the budget"):
        check_clock(max_decisions=20_000, budget_ms=20, bank_ms=20_001, seats=10)
    with pytest.raises(UsageError, match=r"2,020 s \(20,000 decisions of 100 ms"):
        check_clock(max_decisions=20_000, budget_ms=100, bank_ms=10_000, seats=2)
