"""The clock's arithmetic: budgets in common, equal draws, one table timing out alone, a limit for all."""

from hypothesis import given
from hypothesis import strategies as st

from arena.match.clock import BatchClock
from arena.match.plan import ClockSettings

DEFAULT = ClockSettings()
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
    assert clock.deadline_ns() == clock.limit_ns == 120 * MS
    assert clock.advance(200 * MS) == [8]


def _default_batch() -> BatchClock:
    """Return a batch of 128 tables with the budget and the bank that a tournament has by default."""
    return BatchClock(DEFAULT.budget_ms * MS, dict.fromkeys(range(128), DEFAULT.bank_ms * MS))


def test_who_falls_silent_loses_within_one_bank() -> None:
    """At the defaults 128 tables without an answer are lost together after 2.56 s and one bank of 10 s."""
    clock = _default_batch()

    assert clock.deadline_ns() == clock.limit_ns == 12_560 * MS
    assert not clock.advance(12_560 * MS - 1)
    assert clock.advance(12_560 * MS) == list(range(128))
    assert not clock.banks_ns
    assert not clock.advance(13_000 * MS)


def test_the_limit_of_a_batch_costs_only_what_is_unanswered() -> None:
    """Of 128 tables 120 answered in time go on; they have paid their part of what went beyond the budgets."""
    clock = _default_batch()
    clock.advance((2_560 + 1_280) * MS)
    left = {clock.answer(table) for table in range(120)}

    assert left == {(10_000 - 10) * MS}
    assert clock.advance(12_560 * MS) == list(range(120, 128))


def test_long_thought_at_one_table_is_paid_there() -> None:
    """With 127 tables answered at once, the last one has all budgets and its whole bank."""
    clock = _default_batch()
    clock.advance(100 * MS)
    kept = {clock.answer(table) for table in range(127)}
    clock.advance(12_500 * MS)

    assert kept == {10_000 * MS}
    assert clock.answer(127) == 60 * MS


def test_answers_in_order_and_at_the_end_have_the_same_time() -> None:
    """Twice the budget at each of 128 tables is no fault and costs the same, in one message or in 128."""
    together, in_order = _default_batch(), _default_batch()
    together.advance(128 * 40 * MS)
    at_the_end = sum(together.answer(table) for table in range(128))
    one_by_one = 0
    for table in range(128):
        in_order.advance((table + 1) * 40 * MS)
        one_by_one += in_order.answer(table)

    assert at_the_end == one_by_one == 128 * (10_000 - 20) * MS


def test_a_poor_table_among_rich_ones_pays_its_part_only() -> None:
    """The limit is the largest bank: a table with little left is not lost by what others may still spend."""
    clock = BatchClock(20 * MS, {0: 50 * MS, **dict.fromkeys(range(1, 10), 10_000 * MS)})
    clock.advance((200 + 400) * MS)

    assert clock.answer(0) == 10 * MS
    assert clock.deadline_ns() == 10_200 * MS


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
        before = max(now, clock.budget_ns)
        now += wait
        if now >= clock.limit_ns or not clock.banks_ns:
            break
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
    st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=30),
    st.dictionaries(st.integers(0, 9), st.integers(0, 500), min_size=1, max_size=6),
    st.integers(0, 50),
)
def test_no_table_is_open_beyond_the_limit_nor_lost_before_its_own(
    steps: list[tuple[int, bool]], banks: dict[int, int], budget: int
) -> None:
    """Who answers within the budgets and its own bank is in time; who passes the largest bank is not."""
    clock = BatchClock(budget, banks)
    now = 0
    for wait, answers in steps:
        now += wait
        lost = clock.advance(now)

        assert all(now > clock.budget_ns and now >= clock.budget_ns + banks[table] for table in lost)
        if now > clock.limit_ns or (now == clock.limit_ns > clock.budget_ns):
            assert not clock.banks_ns
        if answers and clock.banks_ns:
            clock.answer(min(clock.banks_ns))


@given(
    st.dictionaries(st.integers(0, 9), st.integers(1, 10**9), min_size=1, max_size=8), st.integers(0, 10**8)
)
def test_the_deadline_is_the_first_timeout(banks: dict[int, int], budget: int) -> None:
    """Just before the deadline nobody is out; at the deadline the poorest table is, or all at the limit."""
    clock = BatchClock(budget, banks)
    deadline = clock.deadline_ns()

    assert BatchClock(budget, banks).advance(deadline - 1) in ((), [])
    poorest = {table for table, bank in banks.items() if bank == min(banks.values())}
    assert set(clock.advance(deadline)) == (set(banks) if deadline == clock.limit_ns else poorest)
