"""Promises of the noise floor: what twins, equal by nature, show of luck."""

from dataclasses import replace

import numpy as np
import pytest

from arena.cli.standings import tell_floors
from arena.ratings.facts import MatchFacts
from arena.ratings.fit import fit
from arena.ratings.noise import permuted_covariance
from arena.ratings.standing import ELO_PER_LOGIT, Entrant, Standing, make_standing
from arena.ratings.tally import count
from tests.fix_facts import play_round_robin, write_facts

FIELD = [Entrant(0, "a"), Entrant(1, "a (twin)", twin_of=0), Entrant(2, "b"), Entrant(3, "c")]


def split(facts: MatchFacts) -> MatchFacts:
    """Let entries 0 and 1 split every deal set: who sits first wins."""
    twins = (facts.entries <= 1).all(axis=1)
    return replace(facts, places=np.where(twins[:, None], [1, 2], facts.places))


def field(seed: int, *, sets: int = 30) -> MatchFacts:
    """Play a round robin in which the first two are equal."""
    return play_round_robin(
        [0.5, 0.5, 0.2, 0.0], seats=2, sets=sets, luck=0.6, random=np.random.default_rng(seed)
    )


def floor_of(facts: MatchFacts) -> Standing:
    """Return the standing of the field with the twins."""
    return make_standing(facts, FIELD)


def test_twins_with_seeds_of_their_own_stay_within_the_floor() -> None:
    """In about 95 of 100 tournaments they are less far apart than the floor says."""
    within = []
    for seed in range(120):
        (floor,) = floor_of(field(seed, sets=20)).floors
        within.append(floor.apart <= floor.floor)
        assert not floor.is_permuted

    assert 0.9 <= np.mean(within) <= 1


def test_copies_that_split_every_set_get_a_permuted_floor() -> None:
    """It says so, and is that of bots that are equal by lot, not the zero of their own sets."""
    (floor,) = floor_of(split(field(3))).floors

    assert floor.is_permuted
    assert (floor.first, floor.second, floor.deal_sets) == (0, 1, 30)
    assert floor.floor > 20


@pytest.mark.parametrize(
    ("sets", "said"), [(1, "split all 1 deal set, too few"), (9, "too few"), (10, "without chance: they")]
)
def test_few_split_sets_say_nothing_about_chance(sets: int, said: str) -> None:
    """Bots with dice split a few as well, so no table calls them bots without."""
    standing = floor_of(split(field(3, sets=sets)))

    assert standing.floors[0].is_permuted
    assert said in tell_floors(standing)[0]


@pytest.mark.parametrize("seats", [2, 3])
def test_the_floor_by_lot_is_that_of_drawn_lots(seats: int) -> None:
    """Giving the results of each set to its bots by lot, 300 times, spreads the fits as the formula says."""
    random = np.random.default_rng(5)
    facts = play_round_robin([0.4, 0.3, 0.1, 0.0], seats=seats, sets=60, luck=0.6, random=random)
    ids = np.arange(4)
    tally = count(facts, ids)
    order = np.lexsort((facts.rotations, facts.deal_sets)).reshape(-1, seats)
    sorted_bots = np.sort(facts.entries[order[:, 0]], axis=1)
    thetas = []
    for _ in range(300):
        lots = random.permuted(sorted_bots, axis=1)
        table = np.zeros((order.shape[0], 4), dtype=np.int64)
        np.put_along_axis(table, sorted_bots, lots, axis=1)
        entries = facts.entries.copy()
        for rows in order.T:
            entries[rows] = np.take_along_axis(table, facts.entries[rows], axis=1)
        thetas.append(fit(count(replace(facts, entries=entries), ids)).theta)
    drawn = np.cov(np.array(thetas).T)

    exact = permuted_covariance(tally, fit(tally))

    gap = [m[0, 0] + m[1, 1] - 2 * m[0, 1] for m in (drawn, exact)]
    # The fictitious deal sets, which few real ones would drown in, are in the formula alone.
    assert np.sqrt(gap[0]) * ELO_PER_LOGIT == pytest.approx(np.sqrt(gap[1]) * ELO_PER_LOGIT, rel=0.15)


def test_twins_that_nothing_connects_have_no_floor() -> None:
    """Without matches, or without the twin, nothing is made up."""
    assert make_standing(write_facts("0 0 2:1 3:2", "0 1 3:1 2:2"), FIELD).floors == ()
    assert make_standing(write_facts("0 0 0:1 1:2"), FIELD).floors == ()
