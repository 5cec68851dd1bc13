"""Promises of the round robin."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.formats import RoundRobin

SIZES = st.integers(2, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(2, n)))


@given(SIZES)
def test_every_pairing_stands_once(size: tuple[int, int]) -> None:
    """All groups of entries that fit a table meet, each once, entries ascending."""
    entries, seats = size
    pairings = list(RoundRobin(entries, seats).pairings())

    assert sorted(pairings) == list(itertools.combinations(range(entries), seats))
    assert len(pairings) == RoundRobin(entries, seats).amount == math.comb(entries, seats)


@pytest.mark.parametrize("entries", [4, 5, 8, 13])
def test_everybody_plays_from_the_start(entries: int) -> None:
    """In the schedule of pairs nobody stands twice before everybody could stand once."""
    pairings = list(RoundRobin(entries).pairings())
    appearances: Counter[int] = Counter()
    for pairing in pairings:
        appearances.update(pairing)
        assert max(appearances.values()) - min(appearances[i] for i in range(entries)) <= 2


def test_folds_repeat_the_schedule_with_new_deal_sets() -> None:
    """A k-fold round robin goes round k times; a pairing's deal sets go on where they were."""
    legs = list(RoundRobin(3, sets=5, folds=2).legs())

    assert [leg.number for leg in legs] == [0, 1, 2, 0, 1, 2]
    assert [leg.first_set for leg in legs] == [0, 0, 0, 5, 5, 5]
    assert {leg.sets for leg in legs} == {5}
    assert RoundRobin(3, sets=5, folds=2).matches == sum(leg.sets for leg in legs) * 2


@given(SIZES, st.integers(0, 40))
def test_an_interrupted_schedule_goes_on(size: tuple[int, int], start: int) -> None:
    """What is left from any leg on is the rest of the same schedule."""
    plan = RoundRobin(*size, sets=2, folds=2)

    assert list(plan.legs(start)) == list(plan.legs())[start:]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"entries": 1}, "enter more bots"),
        ({"entries": 0}, "there are 0"),
        ({"entries": 3, "seats": 4}, "at least 4 entries"),
        ({"entries": 20, "seats": 11}, "2 to 10 seats"),
        ({"entries": 20, "seats": 1}, "2 to 10 seats"),
        ({"entries": 2, "sets": 0}, "at least one deal set"),
        ({"entries": 2, "folds": -1}, "at least one deal set"),
        ({"entries": 200, "seats": 4}, "64,684,950 pairings"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(arguments: dict[str, int], message: str) -> None:
    """One line says what is wrong and what to do."""
    with pytest.raises(UsageError, match=message):
        RoundRobin(**arguments)
