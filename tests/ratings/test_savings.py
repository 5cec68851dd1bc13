"""Promises of the estimate of what paired deals save (`bench/savings.py`)."""

import sys
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.mark.parametrize("seat_effect", [0.0, 2.0])
@pytest.mark.parametrize("shared", [0.0, 0.5, 0.9])
def test_the_saving_is_that_of_independent_deals_and_random_seats(
    shared: float, seat_effect: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches really drawn one by one, each with its own deal and seat, have a variance of that ratio.

    What a hand brings is shared, with the other sign, by the two matches of a set; the seat has its worth.
    """
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH)])
    from savings import measure  # noqa: PLC0415 (found only now)

    random = np.random.default_rng(7)

    def draw(sets: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
        luck = random.normal(size=(sets, 1)) * shared**0.5
        own = random.normal(size=(sets, 2)) * (1 - shared) ** 0.5
        return luck * [1, -1] + own + np.array([seat_effect, -seat_effect]) / 2

    paired = draw(20_000)
    first_seat = random.integers(0, 2, (20_000, 2))
    alone = np.stack([draw(20_000)[np.arange(20_000), first_seat[:, match]] for match in range(2)], axis=1)
    due = paired.mean(axis=1).var() / alone.mean(axis=1).var()

    found = measure(paired[:, :, None])
    assert found.share == pytest.approx(due, abs=0.04)
    assert found.low < found.share < found.high


def test_a_goal_is_missed_where_close_bots_need_more_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table size has its goals by wins and by margin; of bots that are not close nothing is asked."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH)])
    from savings import Line, misses  # noqa: PLC0415 (found only now)

    def judge(kind: str, seats: int, by: str, share: float) -> bool:
        return misses(Line(kind, seats, "a / b", by, share, 0.0, 1.0, 400, 0.5))

    assert [judge("close", 2, "wins", share) for share in (0.70, 0.71)] == [False, True]
    assert [judge("close", 2, "margin", share) for share in (0.50, 0.51)] == [False, True]
    assert [judge("close", 4, "wins", share) for share in (0.55, 0.56)] == [False, True]
    assert [judge("close", 4, "margin", share) for share in (0.45, 0.46)] == [False, True]
    assert not judge("far", 2, "wins", 0.9)
