"""Online ratings, for those who want one beside the joint fit: Glicko-2, and OpenSkill's Plackett-Luce.

An online rating is updated from result to result, so it depends on their order. Here the order is that of the
schedule, not that in which matches ended, so the same matches give the same figures. What these methods call
uncertainty knows nothing of deal sets: matches that share their cards count as if they were independent. They
are named as what they are and are never the standing.

Glicko-2 is Glickman's "Example of the Glicko-2 system" (2013), step by step; OpenSkill is the package of that
name (Weng and Lin, 2011). Complete deal sets count. Entries that no match connects have no order, whatever
their figures: they are told in groups.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from arena.ratings.facts import Ints, MatchFacts
from arena.ratings.tally import find_complete

KEY_BITS: Final = 32
"""A deal set's key holds its pairing above so many bits."""
PERIOD_MATCHES: Final = 12
"""Matches of an entry in a rating period, on average: the paper recommends ten to fifteen."""
TAU: Final = 0.5
"""How much volatility may change, as in the paper's example."""
SCALE: Final = 173.7178
"""Points of Glicko by unit of Glicko-2."""
NORMAL_95: Final = 1.959963984540054


@dataclass(frozen=True, slots=True)
class OnlineRow:
    """One entry's online rating."""

    number: int
    """The entry."""
    rating: float
    """On the method's own scale."""
    plus_minus: float
    """Half of what the method takes for a 95 % interval."""
    matches: int
    """Matches that it saw."""
    rank: int | None = None
    """Its place in its group; None as long as it has no match."""
    group: int = 0
    """Whom it can be compared with: entries of one group, which matches connect; the largest is 0."""
    note: str = ""
    """What cannot be known; empty as a rule."""


@dataclass(frozen=True, slots=True)
class Glicko:
    """A player of Glicko-2, on the scale of its ratings."""

    rating: float = 1500.0
    """How strong it seems."""
    deviation: float = 350.0
    """One standard deviation of that."""
    volatility: float = 0.06
    """How much its strength itself is taken to change."""


def schedule_order(facts: MatchFacts, *, by_pairing: bool = False) -> Ints:
    """Return the matches of complete deal sets in schedule order, as numbers of rows.

    Args:
        facts: the matches; keys of deal sets are the pairing's number, shifted, plus the set's own.
        by_pairing: whether pairings follow each other, as a ladder's helpings do, instead of running abreast.
    """
    rows = find_complete(facts).order
    keys = facts.deal_sets[rows]
    pairing, number = keys >> KEY_BITS, keys & ((1 << KEY_BITS) - 1)
    major, minor = (pairing, number) if by_pairing else (number, pairing)
    return rows[np.lexsort((facts.rotations[rows], minor, major))]


def rate_glicko2(facts: MatchFacts, entries: Sequence[int], order: Ints) -> tuple[OnlineRow, ...]:
    """Return Glicko-2 ratings, best first; a table is all its pairs, each a game."""
    players = {entry: Glicko() for entry in entries}
    seen = dict.fromkeys(entries, 0)
    length = max(1, math.ceil(PERIOD_MATCHES * len(players) / facts.seats))
    for start in range(0, order.size, length):
        games: dict[int, list[tuple[Glicko, float]]] = {entry: [] for entry in entries}
        rows = order[start : start + length]
        for seated, places in zip(facts.entries[rows].tolist(), facts.places[rows].tolist(), strict=True):
            for entry, place in zip(seated, places, strict=True):
                seen[entry] += 1
                for other, behind in zip(seated, places, strict=True):
                    if other != entry:
                        score = (1 + (behind > place) - (behind < place)) / 2
                        games[entry].append((players[other], score))
        players = {entry: update(player, games[entry]) for entry, player in players.items()}
    return _sorted(
        [
            OnlineRow(entry, player.rating, NORMAL_95 * player.deviation, seen[entry])
            for entry, player in players.items()
        ]
    )


def update(player: Glicko, games: Sequence[tuple[Glicko, float]], tau: float = TAU) -> Glicko:
    """Return a player after one rating period.

    Args:
        player: As it was before.
        games: The opponents, as they were before, with the score: 1 won, 0 lost, one half shared.
        tau: How much volatility may change.
    """
    phi = player.deviation / SCALE
    if not games:
        return Glicko(player.rating, SCALE * math.hypot(phi, player.volatility), player.volatility)
    precision, gain = 0.0, 0.0
    for other, score in games:
        weight = 1 / math.sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / math.pi**2)
        chance = 1 / (1 + math.exp(-weight * (player.rating - other.rating) / SCALE))
        precision += weight**2 * chance * (1 - chance)
        gain += weight * (score - chance)
    variance = 1 / precision
    volatility = _volatility(player.volatility, phi, variance, variance * gain, tau)
    new_phi = 1 / math.sqrt(1 / (phi**2 + volatility**2) + precision)
    return Glicko(player.rating + SCALE * new_phi**2 * gain, SCALE * new_phi, volatility)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Find the new volatility as the paper's step 5 does, by the Illinois algorithm."""
    start = math.log(sigma**2)

    def slope(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / tau**2

    low = start
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while slope(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def rate_openskill(facts: MatchFacts, entries: Sequence[int], order: Ints) -> tuple[OnlineRow, ...]:
    """Return OpenSkill's Plackett-Luce ratings (mu, around 25), best first, match by match."""
    # Only who asks for this method pays for the import.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    model = PlackettLuce()
    players = {entry: model.rating() for entry in entries}
    seen = dict.fromkeys(entries, 0)
    for seated, places in zip(facts.entries[order].tolist(), facts.places[order].tolist(), strict=True):
        rated = model.rate([[players[entry]] for entry in seated], ranks=[float(place) for place in places])
        for entry, team in zip(seated, rated, strict=True):
            players[entry] = team[0]
            seen[entry] += 1
    return _sorted(
        [
            OnlineRow(entry, player.mu, NORMAL_95 * player.sigma, seen[entry])
            for entry, player in players.items()
        ]
    )


METHODS: Final[dict[str, Callable[[MatchFacts, Sequence[int], Ints], tuple[OnlineRow, ...]]]] = {
    "glicko2": rate_glicko2,
    "openskill": rate_openskill,
}
"""Every online rating by its name."""


def in_groups(
    rows: Sequence[OnlineRow], groups: Mapping[int, int], notes: Mapping[int, str]
) -> tuple[OnlineRow, ...]:
    """Order and number the rows inside the groups that matches connect, as a standing does.

    Args:
        rows: The ratings, best first, those without a match last.
        groups: The group of each entry.
        notes: What a standing of the same matches says of each entry.
    """
    found, places = [], Counter[int]()
    for row in sorted(rows, key=lambda row: (not row.matches, groups[row.number] if row.matches else 0)):
        group = groups[row.number]
        places[group] += 1
        rank = places[group] if row.matches else None
        found.append(replace(row, rank=rank, group=group, note=notes[row.number]))
    return tuple(found)


def _sorted(rows: Sequence[OnlineRow]) -> tuple[OnlineRow, ...]:
    """Order rows, those who played first."""
    return tuple(sorted(rows, key=lambda row: (not row.matches, -row.rating, row.number)))
