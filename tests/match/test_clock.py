"""The clock's arithmetic: budgets in common, equal draws, one table timing out alone."""

from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import BatchClock

MS = 1_000_000


def test_budgets_are_common_to_the_batch() -> None:
    """A batch of k turns has k budgets, however unevenly it uses them."""
    clock = BatchClock(20 * MS, {1: 50 * MS, 2: 50 * MS, 3: 50 * MS})

    assert clock.advance(60 * MS) == ()
    assert [clock.answer(table) for table in (1, 2, 3)] == [50 * MS] * 3


def test_what_goes_beyond_is_drawn_in_equal_parts() -> None:
    """Beyond the budgets every unanswered table pays the same; an answered one pays nothing more."""
    clock = BatchClock(20 * MS, {1: 50 * MS, 2: 50 * MS})
    clock.advance(50 * MS)

    assert clock.answer(1) == 45 * MS
    clock.advance(60 * MS)
    assert clock.answer(2) == 35 * MS


def test_a_table_times_out_alone() -> None:
    """The table with the emptiest bank times out; the other goes on and pays alone from then."""
    clock = BatchClock(10 * MS, {7: 5 * MS, 8: 100 * MS})

    assert clock.deadline_ns() == 30 * MS
    assert clock.advance(30 * MS) == [7]
    assert clock.banks_ns == {8: 95 * MS}
    assert clock.deadline_ns() == 125 * MS
    assert clock.advance(200 * MS) == [8]


def test_without_a_bank_the_budget_is_the_limit() -> None:
    """With empty banks a batch may use its budgets to the last nanosecond and nothing more."""
    clock = BatchClock(10 * MS, {1: 0, 2: 0})

    assert clock.advance(20 * MS) == ()
    assert clock.advance(20 * MS + 1) == [1, 2]


def test_time_never_runs_backwards() -> None:
    """An arrival stamped before the last charge draws nothing and gives nothing back."""
    clock = BatchClock(10 * MS, {1: 50 * MS})
    clock.advance(30 * MS)
    clock.advance(5 * MS)

    assert clock.charged_ns == 30 * MS
    assert clock.answer(1) == 30 * MS


def _spend(steps: list[tuple[int, bool]], banks: dict[int, int], budget: int) -> tuple[int, int]:
    """Play `steps` (time to pass, whether the first open table answers); return drawn and owed time."""
    clock = BatchClock(budget, banks)
    now = left = owed = 0
    for wait, answers in steps:
        if not clock.banks_ns:
            break
        before = max(now, clock.budget_ns)
        now += wait
        clock.advance(now)
        if clock.banks_ns or now <= before:
            owed += max(0, now - before)
        else:
            owed = sum(banks.values()) - left
        if answers and clock.banks_ns:
            left += clock.answer(min(clock.banks_ns))
    return sum(banks.values()) - left - sum(clock.banks_ns.values()), owed


@given(
    st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=30),
    st.dictionaries(st.integers(0, 9), st.integers(0, 500), min_size=1, max_size=6),
    st.integers(0, 50),
)
def test_nothing_is_drawn_twice_or_forgotten(
    steps: list[tuple[int, bool]], banks: dict[int, int], budget: int
) -> None:
    """What left the banks is what went beyond the budgets, less than one unit a table apart."""
    drawn, owed = _spend(steps, banks, budget)

    assert owed - len(banks) < drawn <= owed


@given(
    st.dictionaries(st.integers(0, 9), st.integers(1, 10**9), min_size=1, max_size=8), st.integers(0, 10**8)
)
def test_the_deadline_is_the_first_timeout(banks: dict[int, int], budget: int) -> None:
    """Just before the deadline nobody is out; at the deadline the poorest table is."""
    deadline = BatchClock(budget, banks).deadline_ns()

    assert BatchClock(budget, banks).advance(deadline - 1) in ((), [])
    poorest = {table for table, bank in banks.items() if bank == min(banks.values())}
    assert set(BatchClock(budget, banks).advance(deadline)) == poorest
