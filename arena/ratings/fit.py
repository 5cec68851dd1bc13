"""The joint maximum-likelihood fit of Bradley-Terry strengths to all pairs at once, in any order.

A table of n is its n(n-1)/2 pairs with weight 1/(n-1) each; a shared place is half a win. Each entry has two
fictitious deal sets, one won and one lost, divided among the entries it met, so that an entry which only won
has a finite strength. `Strengths` are in the natural unit (logits); how sure they are is
`arena.ratings.spread`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.ratings.facts import Flags, Floats, Ints
from arena.ratings.tally import Tally

FIT_SHARE: Final = 0.25
"""Weight of a fictitious deal set in the fit. Between two bots this is half a match won and half a match
lost, the weight at which the logarithm of the odds has the least bias; a whole set pulls strong bots down."""
SPREAD_SHARE: Final = 0.75
"""Weight of a fictitious deal set in the covariance, measured in `docs/decisions/0004-rating.md`."""

_STEPS: Final = 200
_TOLERANCE: Final = 1e-12


@dataclass(frozen=True)
class Strengths:
    """The fitted strengths and the groups within which they can be compared."""

    theta: Floats
    """(entries,) Log-strength, mean 0 in each group; 0 for an entry alone in its group."""
    groups: Ints
    """(entries,) Group of entries connected by matches, numbered from 0 by size, then by first entry."""
    pairs: "PairSums"
    """What was fitted."""


@dataclass(frozen=True)
class PairSums:
    """Weighted results of each ordered pair of entries."""

    won: Floats
    """(entries, entries) Weighted wins of the row's entry over the column's, fictitious ones included."""
    weight: Floats
    """(entries, entries) Weighted number of meetings, fictitious ones included."""
    real: Floats
    """(entries, entries) The wins without fictitious ones."""
    fictitious: Floats
    """(entries, entries) The pair's share of the fictitious deal sets' weight in the covariance; 0 where the
    two never met."""


def sum_pairs(tally: Tally) -> PairSums:
    """Add up all pairings, and the fictitious deal sets, to one matrix of pairs."""
    size = tally.ids.size
    seats = tally.seats
    rows = np.broadcast_to(tally.bots[:, :, None], tally.leads.shape)
    columns = np.broadcast_to(tally.bots[:, None, :], tally.leads.shape)
    met = np.zeros((size, size), dtype=np.int64)
    lead = np.zeros((size, size), dtype=np.int64)
    np.add.at(met, (rows, columns), np.broadcast_to(tally.sets[:, None, None], rows.shape))
    np.add.at(lead, (rows, columns), tally.leads)
    np.fill_diagonal(met, 0)
    opponents = (met > 0).sum(axis=1)
    # The one who met fewer decides: in a gauntlet nobody is left with a sliver of a fictitious deal set.
    part = np.where(met > 0, 1.0 / np.maximum(np.minimum(opponents[:, None], opponents[None, :]), 1), 0.0)
    share = 1.0 / (seats - 1)
    fictitious = FIT_SHARE * seats * part
    real: Floats = ((seats * met + lead) * (share / 2)).astype(np.float64)
    return PairSums(
        won=real + fictitious,
        weight=seats * met * share + 2 * fictitious,
        real=real,
        fictitious=SPREAD_SHARE * seats**2 * share * part,
    )


def fit(tally: Tally) -> Strengths:
    """Return the strengths of greatest likelihood."""
    pairs = sum_pairs(tally)
    groups = find_groups(pairs.weight > 0)
    theta = np.zeros(tally.ids.size)
    for group in range(int(groups.max(initial=-1)) + 1):
        members = np.flatnonzero(groups == group)
        if members.size > 1:
            inside = np.ix_(members, members)
            theta[members] = _climb(pairs.won[inside], pairs.weight[inside])
    return Strengths(theta=theta, groups=groups, pairs=pairs)


def find_groups(met: Flags) -> Ints:
    """Number the connected groups of entries, the largest first."""
    label = np.arange(met.shape[0])
    for start in range(met.shape[0]):
        if label[start] != start:
            continue
        reached = np.zeros(met.shape[0], dtype=np.bool_)
        edge = np.array([start])
        while edge.size:
            reached[edge] = True
            edge = np.flatnonzero(met[edge].any(axis=0) & ~reached)
        label[reached] = start
    firsts, inverse, sizes = np.unique(label, return_inverse=True, return_counts=True)
    rank = np.empty(firsts.size, dtype=np.int64)
    rank[np.lexsort((firsts, -sizes))] = np.arange(firsts.size)
    return rank[inverse] if firsts.size else label


def expected(theta: Floats) -> Floats:
    """Return the matrix of the chance that the row's entry is placed before the column's."""
    # The hyperbolic tangent never overflows, whatever the difference.
    chance: Floats = 0.5 + 0.5 * np.tanh((theta[:, None] - theta[None, :]) / 2)
    return chance


def information(theta: Floats, weight: Floats) -> Floats:
    """Return the Fisher information of the strengths; singular along the direction of all ones."""
    chance = expected(theta)
    flow = weight * chance * (1 - chance)
    matrix: Floats = np.diag(flow.sum(axis=1)) - flow
    return matrix


def likelihood(theta: Floats, won: Floats) -> float:
    """Return the logarithm of the likelihood that is written in `docs/statistics.md`."""
    return float(-(won * np.logaddexp(0.0, theta[None, :] - theta[:, None])).sum())


def _climb(won: Floats, weight: Floats) -> Floats:
    """Newton's method on the concave likelihood of one connected group, halving a step that goes down."""
    theta = np.zeros(won.shape[0])
    best = likelihood(theta, won)
    for _ in range(_STEPS):
        slope = won.sum(axis=1) - (weight * expected(theta)).sum(axis=1)
        step = np.linalg.solve(information(theta, weight) + 1.0 / theta.size, slope)
        step -= step.mean()
        value = likelihood(theta + step, won)
        while value < best - 1e-9 * abs(best):
            step /= 2
            value = likelihood(theta + step, won)
        theta = theta + step
        best = value
        if np.abs(step).max() < _TOLERANCE:
            break
    return theta
