"""Promises of what is said of pairs: superiority, ranks, and how much is left to play."""

from dataclasses import replace

import numpy as np
import pytest

from arena.ratings.comparison import luck, rank_ranges, sets_to_tell, superiorities
from arena.ratings.fit import fit
from arena.ratings.spread import covariance, scores_spread
from arena.ratings.standing import Entrant, make_standing
from arena.ratings.tally import count
from tests.fix_facts import play_round_robin, write_facts


def test_every_pair_has_its_likelihood_of_superiority() -> None:
    """Of a pair the two likelihoods add up to one; nobody is compared with itself or with strangers."""
    facts = write_facts(*(f"{s} {r} {s // 4 * 2}:1 {s // 4 * 2 + 1}:2" for s in range(8) for r in range(2)))
    tally = count(facts, np.arange(5))

    strengths = fit(tally)
    chance = superiorities(strengths, covariance(tally, strengths))

    assert chance[0, 1] + chance[1, 0] == pytest.approx(1)
    assert chance[0, 1] > 0.7
    assert np.isnan(chance).sum() == 25 - 2 * 2


@pytest.mark.parametrize("step", [0.0, 0.3])
def test_the_range_of_ranks_holds_the_true_rank(step: float) -> None:
    """At least 95 % of the ranges hold the true rank; among equals every rank is true."""
    random = np.random.default_rng(6)
    held = []
    for _ in range(200):
        facts = play_round_robin([-step * i for i in range(6)], seats=2, sets=30, luck=0.6, random=random)
        tally = count(facts, np.arange(6))
        strengths = fit(tally)
        best, worst = rank_ranges(superiorities(strengths, covariance(tally, strengths)))
        true = np.arange(1, 7)
        held.append(((best == 1) & (worst == 6)) if step == 0 else (best <= true) & (true <= worst))

    assert np.mean(held) >= 0.95


def test_clear_differences_fix_the_ranks() -> None:
    """With enough deal sets far bots have one possible rank each."""
    facts = play_round_robin([3, 1.5, 0], seats=2, sets=200, luck=0.5, random=np.random.default_rng(3))
    tally = count(facts, np.arange(3))
    strengths = fit(tally)

    best, worst = rank_ranges(superiorities(strengths, covariance(tally, strengths)))

    assert best.tolist() == worst.tolist() == [1, 2, 3]


@pytest.mark.parametrize("seats", [2, 4])
def test_the_deal_sets_that_are_named_tell_two_bots_apart(seats: int) -> None:
    """After as many more deal sets as were named the interval is typically as wide as the difference."""
    random = np.random.default_rng(9)
    true, sets = [0.25, 0.0, 0.1, 0.15][:seats], {2: 20, 4: 6}[seats]
    reached = []
    for _ in range(25):
        tally = count(
            play_round_robin(true, seats=seats, sets=sets, luck=0.6, random=random), np.arange(seats)
        )
        strengths = fit(tally)
        middle = scores_spread(tally, strengths)
        known = replace(strengths, theta=np.array(true))
        more = sets_to_tell(
            known, covariance(tally, strengths), luck(middle, strengths, seats), seats, (0, 1)
        )
        later = count(
            play_round_robin(true, seats=seats, sets=sets + more, luck=0.6, random=random), np.arange(seats)
        )
        spread = covariance(later, fit(later))
        reached.append(1.959964 * np.sqrt(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1]))

    assert np.median(reached) == pytest.approx(0.25, rel=0.15)


def test_bots_that_are_told_apart_need_no_more() -> None:
    """Nothing is left to play once the interval excludes equality."""
    facts = play_round_robin([2, 0], seats=2, sets=60, luck=0.5, random=np.random.default_rng(1))
    tally = count(facts, np.arange(2))
    strengths = fit(tally)

    assert sets_to_tell(strengths, covariance(tally, strengths), 0.5, 2, (0, 1)) == 0


@pytest.mark.parametrize("others", [[0.0], [0.0, 0.0], [0.0, 0.3, -0.3, 0.1]])
def test_who_lost_everything_is_last_for_sure(others: list[float]) -> None:
    """However little its rating is known: after enough losses no other rank is possible."""
    random = np.random.default_rng(4)
    facts = play_round_robin([*others, -30.0], seats=2, sets=40, luck=0.6, random=random)
    bots = len(others) + 1

    rows = make_standing(facts, [Entrant(number, f"b{number}") for number in range(bots)]).rows

    assert rows[-1].number == bots - 1
    assert (rows[-1].best_rank, rows[-1].worst_rank) == (bots, bots)
    assert all(row.worst_rank is not None and row.worst_rank < bots for row in rows[:-1])
    assert (rows[-2].above_next or 0) > 0.99
    assert rows[-2].sets_to_next == 0


def test_few_losses_are_not_yet_sure() -> None:
    """Who lost two deal sets of two may be as good as the other one; equals are seldom told apart."""
    few = write_facts(*(f"{s} {r} 0:1 1:2" for s in range(2) for r in range(2)))
    rows = make_standing(few, [Entrant(0, "a"), Entrant(1, "b")]).rows
    assert rows[1].best_rank == 1

    random = np.random.default_rng(8)
    wrong = []
    for _ in range(300):
        tally = count(
            play_round_robin([0.0, 0.0, 0.0], seats=2, sets=3, luck=0.2, random=random), np.arange(3)
        )
        strengths = fit(tally)
        best, worst = rank_ranges(superiorities(strengths, covariance(tally, strengths)))
        wrong.append((best > 1) | (worst < 3))
    assert np.mean(wrong) <= 0.05
