"""Promises of the designs for tables of k."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.balanced import balance, enough_tables
from arena.tournament.evenness import least_spread

SIZES = st.integers(3, 12).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(2, n)).flatmap(
        lambda size: st.tuples(
            st.just(size[0]),
            st.just(size[1]),
            st.integers(
                -(-size[0] // size[1]), max(-(-size[0] // size[1]), min(3 * size[0], math.comb(*size)))
            ),
        )
    )
)


def _meetings(tables: Sequence[tuple[int, ...]], entries: int) -> list[int]:
    """Count how often each pair meets."""
    met = Counter(pair for table in tables for pair in itertools.combinations(table, 2))
    return [met[pair] for pair in itertools.combinations(range(entries), 2)]


def _is_even(tables: Sequence[tuple[int, ...]], entries: int) -> bool:
    """Say whether appearances differ by one at most."""
    played = Counter(entry for table in tables for entry in table)
    return max(played.values()) - min(played[entry] for entry in range(entries)) <= 1


@settings(max_examples=20)
@given(SIZES)
def test_a_design_is_what_it_says(size: tuple[int, int, int]) -> None:
    """Tables are full, none comes twice, appearances differ by one at most, the spread is the true one."""
    entries, seats, tables = size
    design = balance(*size)
    counts = _meetings(design.tables, entries)

    assert len(set(design.tables)) == len(design.tables) == tables
    assert all(list(table) == sorted(set(table)) and len(table) == seats for table in design.tables)
    assert _is_even(design.tables, entries)
    assert (design.fewest, design.most) == (min(counts), max(counts))
    assert design.spread >= design.least


def test_the_same_tables_are_found_again() -> None:
    """What was announced is what is played: the search has no luck of its own."""
    for size in ((9, 4, 11), (7, 3, 17), (20, 4, 40)):
        assert balance(*size) == balance(*size)


@pytest.mark.parametrize(("entries", "seats", "tables"), [(5, 3, 5), (6, 4, 7), (6, 3, 4)])
def test_no_design_is_more_even_than_is_held_possible(entries: int, seats: int, tables: int) -> None:
    """All designs of few entries, looked at one by one: the least spread is the bound, if not above 2."""
    groups = list(itertools.combinations(range(entries), seats))
    for amount in range(math.ceil(entries / seats), tables + 1):
        spreads = {
            max(met) - min(met)
            for chosen in itertools.combinations(groups, amount)
            if _is_even(chosen, entries)
            for met in [_meetings(chosen, entries)]
        }

        assert min(*spreads, 2) == least_spread(entries, seats, amount)
        assert balance(entries, seats, amount).spread == min(spreads)


@pytest.mark.parametrize(
    ("entries", "seats", "tables", "meetings"),
    [
        (7, 3, 7, 1),
        (9, 3, 12, 1),
        (13, 4, 13, 1),
        (16, 4, 20, 1),
        (6, 3, 10, 2),
        (8, 4, 14, 3),
        (25, 4, 50, 1),
        (57, 8, 57, 1),
    ],
)
def test_known_perfect_designs_are_found(entries: int, seats: int, tables: int, meetings: int) -> None:
    """Where a design in which all pairs meet equally often is known, one is found."""
    design = balance(entries, seats, tables)

    assert (design.fewest, design.most) == (meetings, meetings)


@pytest.mark.parametrize(
    ("entries", "seats"), [(4, 4), (8, 4), (10, 4), (20, 4), (30, 5), (40, 4), (12, 6), (19, 9), (39, 7)]
)
def test_unasked_everybody_meets_everybody_to_within_one(entries: int, seats: int) -> None:
    """The number of tables taken unasked gives every pair a meeting, and none two more than another."""
    design = balance(entries, seats, enough_tables(entries, seats))

    assert design.fewest >= 1
    assert design.spread <= 1


@pytest.mark.parametrize(
    ("entries", "seats", "tables", "least"),
    [
        (22, 7, 22, 2),
        (20, 5, 20, 2),
        (16, 6, 16, 0),
        (7, 3, 7, 0),
        (4, 2, 4, 1),
        (6, 2, 12, 1),
        (10, 4, 5, 1),
    ],
)
def test_determinants_rule_out_what_is_known_not_to_be(
    entries: int, seats: int, tables: int, least: int
) -> None:
    """What Bruck, Ryser and Chowla forbid cannot be, nor 20 tables of five for 20; a biplane can."""
    assert least_spread(entries, seats, tables) == least


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ((20, 4, 4), "at least 5 tables"),
        ((3, 4, 4), "at least 4 entries"),
        ((20, 4, 10**9), "no table comes twice"),
    ],
)
def test_tables_that_leave_somebody_out_are_refused(size: tuple[int, int, int], words: str) -> None:
    """Too few tables for everybody to play are one line that says how many are needed."""
    with pytest.raises(UsageError, match=words):
        balance(*size)
