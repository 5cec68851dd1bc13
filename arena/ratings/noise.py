"""The noise floor: how far apart a bot and its twin seem, which are equal by nature.

Owns two ways to it. Copies that decide by seeds of their own are apart by chance like any two equal bots:
the floor is the 95 % interval of their difference. Copies that decide without chance split every deal set,
which says nothing about luck. For them the floor is that of a field in which the results of every deal set
were given to its bots by lot, all matches of the set together: the covariance of that lottery is known
exactly, so nothing need be drawn. It takes differences of strength for luck, too, so it is rather too high.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.ratings.comparison import NORMAL_95, connected, difference_deviations
from arena.ratings.facts import Floats
from arena.ratings.fit import Strengths
from arena.ratings.spread import sandwich, with_fictitious
from arena.ratings.tally import Tally

TELLING_SETS = 10
"""Two equal bots split about half of their deal sets at two seats, all of ten once in a thousand times."""


@dataclass(frozen=True)
class NoiseFloor:
    """How far apart two entries of one version are."""

    first: int
    """Number of the entry."""
    second: int
    """Number of its twin."""
    deal_sets: int
    """Complete deal sets in which both sat."""
    apart: float
    """The difference of their ratings in Elo, never below zero."""
    floor: float
    """How far apart equal bots seem by chance, in 95 of 100 tournaments like this one."""
    is_permuted: bool
    """Whether the two split every deal set, so that the floor is of results given out by lot."""

    @property
    def decides_without_chance(self) -> bool:
        """True when they split so many deal sets that bots with dice would hardly have done it."""
        return self.is_permuted and self.deal_sets >= TELLING_SETS


def noise_floors(
    tally: Tally, strengths: Strengths, spread: Floats, twins: Sequence[tuple[int, int]], elo_per_logit: float
) -> tuple[NoiseFloor, ...]:
    """Return the floor of each pair of twins that can be compared.

    Args:
        tally: the deal sets.
        strengths: their fit.
        spread: its covariance.
        twins: pairs of entries of one version, by number.
        elo_per_logit: how many Elo a logit is.
    """
    known = connected(strengths)
    plain = difference_deviations(spread)
    by_lot: Floats | None = None
    floors = []
    for first, second in twins:
        i, j = np.searchsorted(tally.ids, [first, second]).tolist()
        if not known[i, j]:
            continue
        sets, is_split = _met(tally, i, j)
        if is_split and by_lot is None:
            by_lot = difference_deviations(permuted_covariance(tally, strengths))
        deviation = by_lot[i, j] if is_split and by_lot is not None else plain[i, j]
        floors.append(
            NoiseFloor(
                first=first,
                second=second,
                deal_sets=sets,
                apart=elo_per_logit * abs(float(strengths.theta[i] - strengths.theta[j])),
                floor=elo_per_logit * NORMAL_95 * float(deviation),
                is_permuted=is_split,
            )
        )
    return tuple(floors)


def permuted_covariance(tally: Tally, strengths: Strengths) -> Floats:
    """Return the covariance of the strengths if each deal set's results went to its bots by lot.

    The scores of a set sum to zero; given out by lot, each bot has the variance Σs²/n, and any two have the
    covariance of minus Σs²/n(n-1).
    """
    seats, size = tally.seats, tally.ids.size
    total = np.trace(tally.squares, axis1=1, axis2=2) * (0.5 / (seats - 1)) ** 2
    shape = (np.eye(seats) - 1 / seats) / (seats - 1)
    middle = np.zeros((size, size))
    np.add.at(middle, (tally.bots[:, :, None], tally.bots[:, None, :]), total[:, None, None] * shape)
    even = replace(strengths, theta=np.zeros(size))
    return sandwich(with_fictitious(middle, even, seats), even)


def _met(tally: Tally, i: int, j: int) -> tuple[int, bool]:
    """Return in how many deal sets two entries sat, and whether they came out even in each of them."""
    both = np.flatnonzero((tally.bots == i).any(axis=1) & (tally.bots == j).any(axis=1))
    if not both.size:
        return 0, False
    a, b = (np.argmax(tally.bots[both] == entry, axis=1) for entry in (i, j))
    rows = np.arange(both.size)
    squares = tally.squares[both]
    # The sum of (sᵢ - sⱼ)² over the sets; at a larger table they are even when both took the same off it.
    apart = squares[rows, a, a] + squares[rows, b, b] - 2 * squares[rows, a, b]
    return int(tally.sets[both].sum()), not apart.any()
