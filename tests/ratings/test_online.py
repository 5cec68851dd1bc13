"""Promises of the online ratings: what their papers say, and an order that no clock decides."""

import numpy as np
import pytest

from arena.ratings.facts import no_matches
from arena.ratings.online import METHODS, Glicko, schedule_order, update
from tests.fix_facts import play_round_robin, select, write_facts


def test_glicko2_is_that_of_the_paper() -> None:
    """Glickman's own example: 1500 with 200 against three opponents becomes 1464.06 with 151.52."""
    games = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]

    after = update(Glicko(1500, 200, 0.06), games)

    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_who_does_not_play_grows_uncertain() -> None:
    """Without a game the rating stays and the deviation grows by the volatility."""
    after = update(Glicko(1500, 50, 0.06), [])

    assert after.rating == 1500
    assert after.deviation == pytest.approx(np.hypot(50, 0.06 * 173.7178))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seats", [2, 3])
def test_strong_bots_are_first_whatever_order_they_come_in(method: str, seats: int) -> None:
    """Far apart bots stand in their true order, and shuffled rows give the very same figures."""
    facts = play_round_robin(
        [2.0, 1.0, 0.0, -1.0], seats=seats, sets=40, luck=0.5, random=np.random.default_rng(6)
    )
    shuffled = select(facts, np.random.default_rng(7).permutation(facts.matches))

    rows = METHODS[method](facts, range(5), schedule_order(facts))

    assert [row.number for row in rows] == [0, 1, 2, 3, 4]
    assert rows[-1].matches == 0
    assert METHODS[method](shuffled, range(5), schedule_order(shuffled)) == rows


def test_pairings_run_abreast_except_in_a_ladder() -> None:
    """The first deal sets of all pairings come before the second ones; helpings come one after the other."""
    facts = write_facts(
        *(f"{key} {turn} 0:1 1:2" for key in (0, 1, 1 << 32, (1 << 32) + 1) for turn in (1, 0)), "2 0 0:1 1:2"
    )

    assert schedule_order(facts).tolist() == [1, 0, 5, 4, 3, 2, 7, 6]
    assert schedule_order(facts, by_pairing=True).tolist() == [1, 0, 3, 2, 5, 4, 7, 6]


@pytest.mark.parametrize("method", METHODS)
def test_no_match_is_no_rating_to_speak_of(method: str) -> None:
    """Everybody keeps the method's own beginning, with its full uncertainty."""
    rows = METHODS[method](no_matches(), [3, 7], schedule_order(no_matches()))

    assert [(row.number, row.matches) for row in rows] == [(3, 0), (7, 0)]
    assert rows[0].rating == rows[1].rating
