"""Promises of a Swiss: whatever the results, nobody meets twice and everybody plays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import UsageError
from arena.tournament.swiss import Scored, check_rounds, most_rounds, pair_round


@given(st.integers(2, 24), st.randoms(use_true_random=False))
def test_nobody_meets_twice_or_pauses_twice(entries: int, dice: object) -> None:
    """Through as many rounds as are allowed, with any scores, all play but one of an odd number."""
    met: set[tuple[int, int]] = set()
    paused: list[int] = []
    for _ in range(most_rounds(entries)):
        scored = [Scored(entry, dice.choice([0.0, 0.25, 0.5, 1.0])) for entry in range(entries)]  # type: ignore[attr-defined]
        pairs = pair_round(scored, met)
        playing = [entry for pair in pairs for entry in pair]

        assert len(playing) == len(set(playing)) == entries - entries % 2
        assert met.isdisjoint(pairs)
        met.update(pairs)
        paused += set(range(entries)) - set(playing)
    assert len(paused) == len(set(paused))


def test_those_who_scored_alike_meet() -> None:
    """The best meets the next best whom it has not met; equal scores go by number."""
    scored = [Scored(0, 0.2), Scored(1, 0.9), Scored(2, 0.9), Scored(3, 0.5), Scored(4, 0.2), Scored(5, 0.6)]

    assert pair_round(scored, ()) == [(1, 2), (3, 5), (0, 4)]
    assert pair_round(scored, {(1, 2)}) == [(1, 5), (2, 3), (0, 4)]


def test_too_many_rounds_are_refused() -> None:
    """More rounds than can be promised without meeting twice are one line."""
    check_rounds(7, 4)
    with pytest.raises(UsageError, match="1 to 4 rounds, not 5"):
        check_rounds(7, 5)
    with pytest.raises(UsageError, match="not 0"):
        check_rounds(7, 0)
