"""Promises of the joint fit, against a plain optimiser of the written likelihood and known strengths."""

import itertools
import math
from collections import defaultdict

import numpy as np
import pytest

from arena.ratings.facts import MatchFacts
from arena.ratings.fit import FIT_SHARE, fit
from arena.ratings.tally import count
from tests.fix_facts import play_round_robin, select, write_facts


def climb_plainly(facts: MatchFacts, entries: int) -> list[float]:
    """Maximise the likelihood as `docs/statistics.md` writes it, match by match, without any of the code."""
    won: dict[tuple[int, int], float] = defaultdict(float)
    seats = facts.seats
    for row, places in zip(facts.entries.tolist(), facts.places.tolist(), strict=True):
        for (a, place_a), (b, place_b) in itertools.permutations(zip(row, places, strict=True), 2):
            won[a, b] += (1.0 if place_a < place_b else 0.5 if place_a == place_b else 0.0) / (seats - 1)
    met = {a: {b for b in range(entries) if (a, b) in won} for a in range(entries)}
    for a, b in list(won):
        won[a, b] += FIT_SHARE * seats / min(len(met[a]), len(met[b]))
    # Zermelo's iteration (1929): every step raises the likelihood.
    strength = [1.0] * entries
    for _ in range(20_000):
        new = [
            sum(won[a, b] for b in met[a])
            / sum((won[a, b] + won[b, a]) / (strength[a] + strength[b]) for b in met[a])
            for a in range(entries)
        ]
        mean = math.exp(sum(map(math.log, new)) / entries)
        new = [value / mean for value in new]
        moved = max(abs(math.log(x / y)) for x, y in zip(new, strength, strict=True))
        strength = new
        if moved < 1e-13:
            break
    return [math.log(value) for value in strength]


@pytest.mark.parametrize(("entries", "seats"), [(2, 2), (5, 2), (4, 3), (5, 5)])
def test_the_fit_is_the_maximum_of_the_written_likelihood(entries: int, seats: int) -> None:
    """A plain optimiser that reads the matches one by one finds the same strengths, ties included."""
    random = np.random.default_rng(entries * 10 + seats)
    facts = play_round_robin(
        np.linspace(0, 2, entries).tolist(), seats=seats, sets=6, luck=0.5, random=random
    )
    ties = random.random(facts.matches) < 0.2
    facts.places[ties] = np.where(facts.places[ties] == 2, 1, facts.places[ties])

    theta = fit(count(facts, np.arange(entries))).theta

    assert theta == pytest.approx(climb_plainly(facts, entries), abs=1e-8)


def test_an_uneven_schedule_is_fitted_too() -> None:
    """Bots that met different numbers of others: the plain optimiser agrees."""
    facts = play_round_robin([0.0, 0.5, 1.0, 1.5], seats=2, sets=5, luck=0.5, random=np.random.default_rng(3))
    gauntlet = select(facts, np.flatnonzero((facts.entries == 0).any(axis=1)))

    theta = fit(count(gauntlet, np.arange(4))).theta

    assert theta == pytest.approx(climb_plainly(gauntlet, 4), abs=1e-8)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_true_strengths_come_back(seats: int) -> None:
    """Many matches between bots of known strengths give the strengths back, at every table size."""
    true = np.array([-0.8, -0.2, 0.1, 0.9])

    facts = play_round_robin(true.tolist(), seats=seats, sets=4000, luck=0.4, random=np.random.default_rng(7))
    theta = fit(count(facts, np.arange(4))).theta

    assert theta == pytest.approx(true, abs=0.06)


def test_only_wins_give_a_finite_strength() -> None:
    """Who won everything is best by a finite distance, that grows with the number of matches."""

    def lead(sets: int) -> float:
        lines = [f"{s} {r} 0:1 1:2" for s in range(sets) for r in range(2)]
        theta = fit(count(write_facts(*lines), np.arange(2))).theta
        return float(theta[0] - theta[1])

    assert lead(1) < lead(10) < lead(100) < math.inf


def test_groups_that_never_met_are_fitted_apart() -> None:
    """Unconnected entries form groups, the largest first, each with mean zero; a stranger is alone."""
    facts = write_facts(
        "0 0 0:1 5:2", "0 1 5:2 0:1",
        "1 0 1:1 2:2", "1 1 2:2 1:1", "2 0 2:1 3:2", "2 1 3:2 2:1",
    )  # fmt: skip

    strengths = fit(count(facts, np.arange(6)))

    assert strengths.groups.tolist() == [1, 0, 0, 0, 2, 1]
    assert strengths.theta[[1, 2, 3]].sum() == pytest.approx(0)
    assert strengths.theta[[0, 5]].sum() == pytest.approx(0)
    assert strengths.theta[4] == 0


def test_fitted_scores_are_the_scores_played() -> None:
    """At the maximum each entry's expected score equals the one it had, so nobody can be found too high."""
    facts = play_round_robin([0, 1, 2], seats=2, sets=30, luck=0.5, random=np.random.default_rng(11))
    strengths = fit(count(facts, np.arange(3)))
    chance = 1 / (1 + np.exp(strengths.theta[None, :] - strengths.theta[:, None]))

    due = (strengths.pairs.weight * chance).sum(axis=1)

    assert strengths.pairs.won.sum(axis=1) == pytest.approx(due, abs=1e-8)
