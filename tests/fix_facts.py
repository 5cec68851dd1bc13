"""Facts of matches for the tests of the ratings: written by hand, or drawn from bots of known strengths."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arena.ratings.facts import Floats, Ints, MatchFacts


def write_facts(*matches: str) -> MatchFacts:
    """Build facts from lines ``set rotation entry:place entry:place ...``; every match has 5 rounds."""
    fields = [line.split() for line in matches]
    seats = [[seat.split(":") for seat in field[2:]] for field in fields]
    entries = np.array([[int(entry) for entry, _ in row] for row in seats], dtype=np.int64)
    places = np.array([[int(place) for _, place in row] for row in seats], dtype=np.int64)
    rounds = np.full(len(matches), 5, dtype=np.int64)
    return MatchFacts(
        deal_sets=np.array([int(field[0]) for field in fields], dtype=np.int64),
        rotations=np.array([int(field[1]) for field in fields], dtype=np.int64),
        entries=entries,
        places=places,
        totals=100 * (entries.shape[1] - places),
        rounds=rounds,
        faults=np.zeros_like(places),
        decisions=np.full_like(places, 40),
        wall_us=np.full_like(places, 40_000),
    )


def select(facts: MatchFacts, chosen: Ints) -> MatchFacts:
    """Return the chosen rows, in the order they are chosen in."""
    return replace(facts, **{name: values[chosen] for name, values in vars(facts).items()})


def join(parts: Sequence[MatchFacts]) -> MatchFacts:
    """Return all matches of several lots."""
    return MatchFacts(
        **{name: np.concatenate([getattr(one, name) for one in parts]) for name in vars(parts[0])}
    )


def play_round_robin(
    theta: Sequence[float], *, seats: int, sets: int, luck: float, random: np.random.Generator
) -> MatchFacts:
    """Play every pairing of `seats` bots with strengths `theta` (logits).

    A table is ranked by strength plus a Gumbel term, so its pairs follow Bradley-Terry exactly. The share
    `luck` of what makes the term belongs to the seat and is the same in all matches of a deal set, as good
    cards are.
    """
    entries, places, deal_sets, rotations = [], [], [], []
    for number, pairing in enumerate(itertools.combinations(range(len(theta)), seats)):
        seat_luck = random.standard_normal((sets, seats))
        for rotation in range(seats):
            seated = np.array([pairing[(seat + rotation) % seats] for seat in range(seats)])
            own = random.standard_normal((sets, seats))
            merit = np.asarray(theta)[seated] + _gumbel(np.sqrt(luck) * seat_luck + np.sqrt(1 - luck) * own)
            places.append(1 + np.argsort(np.argsort(-merit, axis=1), axis=1))
            entries.append(np.tile(seated, (sets, 1)))
            deal_sets.append(number * sets + np.arange(sets))
            rotations.append(np.full(sets, rotation))
    seated_all = np.concatenate(entries)
    ones = np.ones_like(seated_all)
    return MatchFacts(
        deal_sets=np.concatenate(deal_sets),
        rotations=np.concatenate(rotations),
        entries=seated_all,
        places=np.concatenate(places),
        totals=100 * (seats - np.concatenate(places)),
        rounds=7 * ones[:, 0],
        faults=0 * ones,
        decisions=50 * ones,
        wall_us=9000 * ones,
    )


def _gumbel(normal: Floats) -> Floats:
    """Turn standard normal values into standard Gumbel ones of the same rank."""
    # The logistic approximation of the normal distribution, exact to 2e-4, is monotone and keeps the sign.
    below = 1 / (1 + np.exp(-(1.5976 * normal + 0.070565992 * normal**3)))
    return -np.log(-np.log(np.clip(below, 1e-15, 1 - 1e-15)))
