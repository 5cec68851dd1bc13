"""The proof of calibration: 24,000 simulated tournaments, fitted by the same code that makes a standing.

Tournaments are islands of one big standing: entries of different islands never meet, so each is fitted and
has its intervals for itself. Seeds are fixed. Four times 250 tournaments measure the share of intervals that
hold the truth to 0.7 %, those of one strength alone to 1.4 %: each is judged for itself, less its noise.
"""

from dataclasses import replace

import choix
import numpy as np
import pytest

from arena.ratings.facts import Floats, Ints, MatchFacts
from arena.ratings.fit import Strengths, fit, sum_pairs
from arena.ratings.spread import covariance, middle_of, relative_to_middle
from arena.ratings.tally import Tally, count
from tests.fix_facts import play_round_robin

NORMAL_95 = 1.959964
TOURNAMENTS, LOT = 800, 50
"""Of each true score and number of deal sets, and how many are fitted at once."""
FORFEITED = 250
"""Tournaments with forfeits of each true score, number of deal sets and bot that dies."""


def islands(
    true: list[float], amount: int, *, sets: int, luck: float, random: np.random.Generator, seats: int = 2
) -> MatchFacts:
    """Play `amount` round robins of the same bots as one array of facts."""
    facts = [play_round_robin(true, seats=seats, sets=sets, luck=luck, random=random) for _ in range(amount)]
    per = int(facts[0].deal_sets.max()) + 1
    joined = {name: np.concatenate([getattr(one, name) for one in facts]) for name in vars(facts[0])}
    island = np.repeat(np.arange(amount), facts[0].matches)
    joined["entries"] += len(true) * island[:, None]
    joined["deal_sets"] += per * island
    return MatchFacts(**joined)


def measure(facts: MatchFacts, bots: int) -> tuple[Tally, Strengths, Floats]:
    """Fit all islands, and return each difference's deviation from the standing's covariance."""
    tally = count(facts, np.arange(int(facts.entries.max()) + 1))
    strengths = fit(tally)
    spread = covariance(tally, strengths)
    first = np.arange(0, tally.ids.size, bots)
    variance = spread[first, first] + spread[first + 1, first + 1] - 2 * spread[first, first + 1]
    return tally, strengths, np.sqrt(variance)


@pytest.mark.parametrize("sets", [5, 10, 20, 50, 200])
def test_intervals_hold_the_truth_as_often_as_they_say(sets: int) -> None:
    """93-97 % from 50 deal sets on, never below 93 % at 5, 10 and 20, for true scores of 0.5 to 0.95."""
    random = np.random.default_rng(2000 + sets)
    for score in (0.5, 0.7, 0.85, 0.95):
        lead = float(np.log(score / (1 - score)))
        held: list[bool] = []
        for _ in range(TOURNAMENTS // LOT):
            facts = islands([lead, 0.0], LOT, sets=sets, luck=0.6, random=random)
            _, strengths, deviation = measure(facts, 2)
            error = strengths.theta[::2] - strengths.theta[1::2] - lead
            held += (np.abs(error) <= NORMAL_95 * deviation).tolist()

        assert np.mean(held) >= 0.93, f"true score {score}"
        assert sets < 50 or np.mean(held) <= 0.97, f"true score {score}"


@pytest.mark.parametrize("sets", [10, 50])
def test_ratings_of_a_field_hold_the_truth(sets: int) -> None:
    """The printed intervals, from the middle of a field of five, hold the true ratings."""
    random = np.random.default_rng(77)
    true = np.linspace(1.5, 0, 5)
    facts = islands(true.tolist(), 60, sets=sets, luck=0.6, random=random)

    assert 0.93 <= hold_from_middle(facts, true) <= 0.97


def hold_from_middle(facts: MatchFacts, true: Floats) -> float:
    """Return how often the intervals that a standing prints, from the middle of the field, hold the truth."""
    tally, strengths, _ = measure(facts, true.size)
    spread, shares = covariance(tally, strengths), middle_of(strengths)
    held = []
    for start in range(0, tally.ids.size, true.size):
        island = slice(start, start + true.size)
        error = strengths.theta[island] - true
        deviation = np.sqrt(np.diag(relative_to_middle(spread[island, island], shares[island])))
        held.append(np.abs(error - shares[island] @ error) <= NORMAL_95 * deviation)
    return float(np.mean(held))


def kill(
    facts: MatchFacts, sets: int, dying: int, share: float, random: np.random.Generator
) -> tuple[MatchFacts, Ints]:
    """Let processes of the bots `dying` die: all matches of a rotation of up to eight deal sets are lost.

    The last process of a tournament has what is left of its `sets`. Returned are the facts, and 1 for each
    match that was lost so.
    """
    island, inside = facts.deal_sets // sets, facts.deal_sets % sets
    job = (island * (1 + (sets - 1) // 8) + inside // 8) * 2 + facts.rotations
    dead = random.random(int(job.max()) + 1) < share
    loser = facts.entries % 2 == dying
    places = np.where(dead[job][:, None], np.where(loser, 2, 1), facts.places)
    return replace(facts, places=places), dead[job].astype(np.int64)


def hold_with_forfeits(
    score: float, amount: int, *, sets: int, dying: int, random: np.random.Generator
) -> list[bool]:
    """Say of each tournament whether its interval held the score that is due, given which processes died."""
    lead = float(np.log(score / (1 - score)))
    facts = islands([lead, 0.0], amount, sets=sets, luck=0.6, random=random)
    facts, lost = kill(facts, sets, dying, 0.05, random)
    island = facts.entries.min(axis=1) // 2
    played = 1 - np.bincount(island, weights=lost) / np.bincount(island)
    due, other = played * score, played * (1 - score)
    due, other = (due, 1 - due) if dying == 0 else (1 - other, other)
    # Where every process died no finite strength is due: the interval has missed it.
    with np.errstate(divide="ignore"):
        true = np.log(due) - np.log(other)
    _, strengths, deviation = measure(facts, 2)
    held: list[bool] = (
        np.abs(strengths.theta[::2] - strengths.theta[1::2] - true) <= NORMAL_95 * deviation
    ).tolist()
    return held


@pytest.mark.parametrize("sets", [5, 10, 20, 50])
def test_forfeits_of_whole_processes_keep_the_coverage(sets: int) -> None:
    """With 5 % of the matches lost by whole processes of either bot: at least 93 %, given which died."""
    random = np.random.default_rng(500 + sets)
    for score in (0.5, 0.7, 0.85, 0.95):
        for dying in (0, 1):
            held = hold_with_forfeits(score, FORFEITED, sets=sets, dying=dying, random=random)

            assert np.mean(held) >= 0.93, f"{score} against {1 - score:.2f}, {dying} dies"


def test_equal_bots_with_seeds_of_their_own_differ_in_about_one_case_of_twenty() -> None:
    """A bot and its copy are significantly apart in 5 % of tournaments; 400 measure it to 1.1 %."""
    facts = islands([0.0, 0.0], 400, sets=60, luck=0.5, random=np.random.default_rng(42))

    _, strengths, deviation = measure(facts, 2)

    apart = np.abs(strengths.theta[::2] - strengths.theta[1::2]) > NORMAL_95 * deviation
    assert 0.025 <= np.mean(apart) <= 0.08


@pytest.mark.parametrize("seed", range(3))
def test_an_independent_package_fits_the_same(seed: int) -> None:
    """Without shared places, `choix` finds the same ratings of the same pairs and penalty to 0.1 Elo."""
    true = [0.0, 0.5, 1.0, 1.2, 2.5, -3.0]
    facts = play_round_robin(true, seats=2, sets=12, luck=0.5, random=np.random.default_rng(seed))
    tally = count(facts, np.arange(6))

    ours = fit(tally).theta

    theirs = choix.ilsr_pairwise_dense(sum_pairs(tally).won, tol=1e-12, max_iter=10_000)
    assert 400 / np.log(10) * np.abs((ours - ours.mean()) - (theirs - theirs.mean())).max() < 0.1
