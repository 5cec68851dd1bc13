"""Who is surely better than whom: every pair of a fit, the ranks an entry may have, what is left to play.

Owns the sentences that need more than one rating: the likelihood of superiority of every pair, the range of
ranks of every entry, and how many more deal sets would tell two neighbours apart. Entries that are not
connected by matches are never compared.
"""

import math
from typing import Final

import numpy as np

from arena.ratings.facts import Flags, Floats, Ints
from arena.ratings.fit import FIT_SHARE, SPREAD_SHARE, Strengths, expected, information
from arena.ratings.spread import middle_of, relative_to_middle

ERROR: Final = 0.05
"""One range of ranks in twenty may miss the truth."""
NORMAL_95: Final = 1.959963984540054
"""Standard deviations on each side of a 95 % interval."""
UNBOUNDED: Final = 10**9
"""As many deal sets, and any more."""
LUCK_MIN: Final = 0.02
"""However evenly few deal sets were split, the next ones are not expected to differ by less."""


def connected(strengths: Strengths) -> Flags:
    """Return which pairs of entries can be compared: two of one group, each with complete deal sets."""
    met: Flags = np.any(strengths.pairs.weight > 0, axis=1)
    alike: Flags = (strengths.groups[:, None] == strengths.groups[None, :]) & met[:, None] & met[None, :]
    np.fill_diagonal(alike, val=False)
    return alike


def difference_deviations(spread: Floats) -> Floats:
    """Return the standard deviation of every difference of two strengths, from their covariance."""
    own = np.diag(spread)
    # Rounding may leave a variance a hair below zero where it is zero.
    deviations: Floats = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * spread, 0.0))
    return deviations


def superiorities(strengths: Strengths, spread: Floats, luck_ratio: float = 1.0) -> Floats:
    """Return how likely it is that the row's entry is truly stronger than the column's; nan: not known.

    Args:
        strengths: the fit.
        spread: its covariance.
        luck_ratio: what `luck` returned; below one it is taken for one.
    """
    known = connected(strengths)
    deviation = difference_deviations(spread)
    lead = strengths.theta[:, None] - strengths.theta[None, :]
    scaled = np.divide(lead, deviation, out=np.zeros_like(lead), where=known & (deviation > 0))
    extreme = find_extreme(strengths)
    own = own_variances(strengths, spread) if extreme.any() else np.zeros(0)
    for entry in np.flatnonzero(extreme):
        told = if_equal(strengths, own, int(entry), max(luck_ratio, 1.0), extreme)
        surer = np.where(np.abs(told) > np.abs(scaled[entry]), told, scaled[entry])
        scaled[entry], scaled[:, entry] = surer, -surer
    chance = normal_cdf(scaled)
    chance[~known] = np.nan
    return chance


def find_extreme(strengths: Strengths) -> Flags:
    """Return which entries won nothing, or lost nothing: how far apart they are from others nobody knows."""
    real = strengths.pairs.real
    played = (real.sum(axis=1) + real.sum(axis=0)) > 0
    extreme: Flags = played & ((real.sum(axis=1) == 0) | (real.sum(axis=0) == 0))
    return extreme


def own_variances(strengths: Strengths, spread: Floats) -> Floats:
    """Return how uncertain each strength is, seen from the middle of its group."""
    shares, own = middle_of(strengths), np.zeros(strengths.theta.size)
    for group in range(int(strengths.groups.max(initial=-1)) + 1):
        members = np.flatnonzero(strengths.groups == group)
        own[members] = np.diag(relative_to_middle(spread[np.ix_(members, members)], shares[members]))
    return own


def if_equal(strengths: Strengths, own: Floats, entry: int, luck_ratio: float, extreme: Flags) -> Floats:
    """Return by how many deviations an entry's results differ from those of one as strong as each other.

    The test of Rao: where an entry lost everything, its strength and that strength's deviation are both
    without bound, so that dividing them says nothing; but if it were as strong as another one, so many losses
    would be strange, and how strange is known. The other one's own uncertainty is added. Against one that is
    extreme itself only the matches of the two count.
    """
    pairs, theta = strengths.pairs, strengths.theta
    chance = 0.5 + 0.5 * np.tanh((theta[:, None] - theta[None, :]) / 2)
    # Row j: the entry in the place of j, so the chance against j itself is one half.
    weight = pairs.weight[entry][None, :]
    gain = pairs.won[entry].sum() - (weight * chance).sum(axis=1)
    spare = luck_ratio * weight * chance * (1 - chance)
    spare = spare + pairs.fictitious[entry][None, :] * (chance**2 + (1 - chance) ** 2)
    slope = (weight * chance * (1 - chance)).sum(axis=1)
    doubt = spare.sum(axis=1) + slope**2 * own
    told: Floats = np.divide(gain, np.sqrt(doubt), out=np.zeros_like(gain), where=doubt > 0)
    direct = pairs.won[entry] - pairs.weight[entry] / 2
    spare_direct = luck_ratio * pairs.weight[entry] / 4 + pairs.fictitious[entry] / 2
    alone = np.divide(direct, np.sqrt(spare_direct), out=np.zeros_like(direct), where=spare_direct > 0)
    told[extreme] = alone[extreme]
    told[entry] = 0.0
    return told


def normal_cdf(values: Floats) -> Floats:
    """Return the normal distribution function of each value."""
    flat = [0.5 * math.erfc(-value / math.sqrt(2)) for value in values.ravel().tolist()]
    return np.array(flat, dtype=np.float64).reshape(values.shape)


def rank_ranges(chance: Floats) -> tuple[Ints, Ints]:
    """Return the best and the worst rank that each entry may truly have within its group.

    Of all the entry's comparisons with the others of its group those count that Holm's procedure finds
    significant, so that all of them together are wrong in at most one case of twenty. An entry's best rank is
    behind those that are surely better, its worst one before those that are surely worse.

    Args:
        chance: what `superiorities` returned.
    """
    known = ~np.isnan(chance)
    others = known.sum(axis=1)
    doubt = np.where(known, 2 * np.minimum(np.nan_to_num(chance), 1 - np.nan_to_num(chance)), np.inf)
    order = np.argsort(doubt, axis=1, kind="stable")
    ranked = np.take_along_axis(doubt, order, axis=1)
    left = others[:, None] - np.arange(chance.shape[0])[None, :]
    passed = np.logical_and.accumulate(ranked * np.maximum(left, 1) <= ERROR, axis=1)
    significant = np.zeros_like(known)
    np.put_along_axis(significant, order, passed, axis=1)
    better = (significant & (np.nan_to_num(chance) < 0.5)).sum(axis=1)
    worse = (significant & (np.nan_to_num(chance) > 0.5)).sum(axis=1)
    return 1 + better, 1 + others - worse


def luck(real: Floats, strengths: Strengths, seats: int) -> float:
    """Return the spread of the deal sets' scores by that of independent matches; paired deals: below one.

    Args:
        real: the sum of the outer products of the real deal sets' scores, see `arena.ratings.spread`.
        strengths: the fit.
        seats: seats of a table.
    """
    pairs = strengths.pairs
    played = pairs.weight - 2 * pairs.fictitious * FIT_SHARE / SPREAD_SHARE * (seats - 1) / seats
    told = float(np.trace(information(strengths.theta, played)))
    return max(float(np.trace(real)) / told, LUCK_MIN) if told > 0 else 1.0


def sets_to_tell(
    strengths: Strengths, spread: Floats, luck_ratio: float, seats: int, pair: tuple[int, int]
) -> int:
    """Return how many more deal sets the two must play together until they are told apart at 95 %.

    `UNBOUNDED` stands for so many and any more, as between bots that seem just alike.

    If their difference is what it seems, and what more sets tell adds to what is known already. 0: they are
    told apart; the others at a larger table are taken to be as strong as the two together.
    """
    first, second = pair
    lead = abs(float(strengths.theta[first] - strengths.theta[second]))
    variance = float(spread[first, first] + spread[second, second] - 2 * spread[first, second])
    wanted = (NORMAL_95 / max(lead, 1e-9)) ** 2
    if variance <= 0 or wanted <= 1 / variance:
        return 0
    chance = expected(np.array([lead, lead / 2, 0.0]))
    direct = float(chance[0, 2] * chance[2, 0])
    through = float(chance[0, 1] * chance[1, 0])
    told = seats / (seats - 1) * (direct + (seats - 2) * through / 2)
    return math.ceil(min(luck_ratio / told * (wanted - 1 / variance), UNBOUNDED))
