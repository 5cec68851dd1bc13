"""Promises of a ladder's choice: newcomers first, then what is undecided, and no rating is bent by it."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from arena.ratings.facts import Flags, MatchFacts, no_matches
from arena.ratings.fit import fit
from arena.ratings.needs import HELPING_BITS, NEWCOMER, Season, choose, counting, is_scout
from arena.ratings.spread import covariance
from arena.ratings.tally import count
from tests.fix_facts import join, play_round_robin

Table = tuple[int, ...]


def play_season(
    true: list[float], helpings: int, *, sets: int, random: np.random.Generator, seats: int = 2
) -> tuple[MatchFacts, list[Table]]:
    """Play a ladder of bots of these strengths, two helpings at a time."""
    season = Season(range(len(true)), seats, sets, [])
    parts = [no_matches(seats)]
    while len(season.helpings) < helpings:
        chosen = choose(join(parts), season, 2)
        for number, table in enumerate(chosen, start=len(season.helpings)):
            played = play_round_robin(
                [true[entry] for entry in table], seats=seats, sets=sets, luck=0.6, random=random
            )
            parts.append(
                replace(
                    played,
                    deal_sets=(number << HELPING_BITS) + played.deal_sets,
                    entries=np.array(table, dtype=np.int64)[played.entries],
                )
            )
        season = replace(season, helpings=[*season.helpings, *chosen])
    return join(parts), list(season.helpings)


def test_equal_bots_do_not_drift_apart() -> None:
    """Of equal bots the intervals hold the truth as in a fixed schedule; looking at what counts, 87 % did."""
    random = np.random.default_rng(11)
    held = []
    for _ in range(40):
        facts, _ = play_season([0.0] * 5, 40, sets=10, random=random)
        tally = count(counting(facts), np.arange(5))
        strengths = fit(tally)
        spread = covariance(tally, strengths)
        for a, b in combinations(range(5), 2):
            deviation = np.sqrt(spread[a, a] + spread[b, b] - 2 * spread[a, b])
            held.append(abs(strengths.theta[a] - strengths.theta[b]) <= 1.96 * deviation)

    assert np.mean(held) >= 0.93


def test_what_counts_is_chosen_by_the_scouts_alone() -> None:
    """Turning every result that counts around changes no choice; turning those of scouts does."""
    facts, helpings = play_season([1.5, 0.5, 0.4, -1.0], 48, sets=10, random=np.random.default_rng(2))
    season = Season(range(4), 2, 10, helpings)
    scouts = facts.deal_sets >> HELPING_BITS
    counted = np.array([not is_scout(int(number)) for number in scouts])
    lost = facts.entries == 1

    def turned(chosen: Flags) -> MatchFacts:
        places = np.where(lost, 2, np.where(lost.any(axis=1, keepdims=True), 1, facts.places))
        return replace(facts, places=np.where(chosen[:, None], places, facts.places))

    assert choose(turned(counted), season, 12) == choose(facts, season, 12)
    assert choose(turned(~counted), season, 12) != choose(facts, season, 12)


def test_undecided_pairs_are_played_most() -> None:
    """Two bots that are nearly equal meet more often than any that are far apart."""
    _, helpings = play_season([3.0, 0.1, 0.0, -3.0], 80, sets=10, random=np.random.default_rng(1))

    met = Counter(table for number, table in enumerate(helpings) if not is_scout(number))

    assert met.most_common(1)[0][0] == (1, 2)
    assert met[1, 2] > 2 * met[0, 3]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_newcomers_come_first_and_meet_the_whole_field(seats: int) -> None:
    """Who enters late plays next, against others each time, until it has its share."""
    true = np.linspace(1, -1, 9).tolist()
    facts, helpings = play_season(true, 40, sets=5, random=np.random.default_rng(3), seats=seats)
    season = Season(range(10), seats, 5, helpings)

    chosen = [
        table for n, table in enumerate(choose(facts, season, 8), start=len(helpings)) if not is_scout(n)
    ]

    first = [table for table in chosen if 9 in table]
    assert first == chosen[: len(first)]
    assert len(first) >= NEWCOMER
    others = [entry for table in first[:NEWCOMER] for entry in table if entry != 9]
    assert max(Counter(others).values()) <= 1 + NEWCOMER * (seats - 1) // 9
    assert min(others) < 3
    assert max(others) > 5


def test_scouts_are_spread_evenly() -> None:
    """Nobody scouts more than once more often than another, whatever was found."""
    _, helpings = play_season([2.0, 0.0, 0.0, -2.0], 64, sets=5, random=np.random.default_rng(4))

    often = Counter(entry for number, table in enumerate(helpings) if is_scout(number) for entry in table)

    assert max(often.values()) - min(often.values()) <= 1


def test_too_few_that_play_on_are_never_chosen() -> None:
    """One bot has nobody to meet, and those that rest are left alone."""
    assert choose(no_matches(), Season([3], 2, 10, []), 5) == []
    assert set(choose(no_matches(), Season([3, 5], 2, 10, [(3, 4)]), 5)) == {(3, 5)}
