"""How sure the strengths are: sandwich covariance from deal sets as clusters.

Matches of one deal set share their cards, so the deal set, not the match, is the independent observation. The
fictitious deal sets of the fit count here too; without them few deal sets give intervals that are too narrow,
or of width zero. They fade where the real ones vary enough to speak for themselves.
"""

import numpy as np

from arena.ratings.facts import Floats
from arena.ratings.fit import Strengths, expected, information
from arena.ratings.tally import Tally


def covariance(tally: Tally, strengths: Strengths) -> Floats:
    """Return the covariance of the strengths (logits), each group's mean held fixed."""
    return sandwich(with_fictitious(scores_spread(tally, strengths), strengths, tally.seats), strengths)


def sandwich(middle: Floats, strengths: Strengths) -> Floats:
    """Return the covariance of the strengths from the spread of all scores, the fictitious sets' too."""
    spread = np.zeros_like(middle)
    for group in range(int(strengths.groups.max(initial=-1)) + 1):
        members = np.flatnonzero(strengths.groups == group)
        if members.size > 1:
            inside = np.ix_(members, members)
            level = 1.0 / members.size
            bread = np.linalg.inv(
                information(strengths.theta[members], strengths.pairs.weight[inside]) + level
            )
            bread -= level
            spread[inside] = bread @ middle[inside] @ bread
    return spread


def scores_spread(tally: Tally, strengths: Strengths) -> Floats:
    """Sum over real deal sets of the outer product of the set's score: what it was less what was expected."""
    share = 1.0 / (tally.seats - 1)
    chance = expected(strengths.theta)
    middle = np.zeros((tally.ids.size, tally.ids.size))
    rows = np.broadcast_to(tally.bots[:, :, None], tally.squares.shape)
    columns = np.broadcast_to(tally.bots[:, None, :], tally.squares.shape)
    # Won less lost, halved and weighted, is the score above one half in each pair; so is what was expected.
    due = tally.seats * share * (chance[rows, columns] - 0.5).sum(axis=2)
    scores = tally.scores * (share / 2)
    products = (
        tally.squares * (share / 2) ** 2
        - scores[:, :, None] * due[:, None, :]
        - due[:, :, None] * scores[:, None, :]
        + tally.sets[:, None, None] * due[:, :, None] * due[:, None, :]
    )
    np.add.at(middle, (rows, columns), products)
    return middle


def with_fictitious(real: Floats, strengths: Strengths, seats: int) -> Floats:
    """Add the fictitious deal sets to the spread of the real ones.

    Two sets a pair: the one won is `1 - chance` away from what was expected, the one lost `chance`. They
    count in full until the real sets of both entries vary by more than a single deal set can, n²/(n-1), for
    each table that an entry needs to meet its opponents; from then on less and less. (Kept in full they make
    the intervals of unequal bots too wide at 50 deal sets.)
    """
    chance = expected(strengths.theta)
    opponents = (strengths.pairs.weight > 0).sum(axis=1)
    own = np.diag(real) * (seats - 1) / np.maximum(opponents, 1)
    least = np.minimum(own[:, None], own[None, :])
    most = seats**2 / (seats - 1)
    flow = strengths.pairs.fictitious * ((1 - chance) ** 2 + chance**2) * (most / np.maximum(least, most))
    spread: Floats = real + np.diag(flow.sum(axis=1)) - flow
    return spread


def middle_of(strengths: Strengths) -> Floats:
    """Return each entry's share in the middle of its group: what the matches tell about it, of all they tell.

    A bot that loses everything, of which little can be known but that it is weak, has next to no share: it
    does not make everybody else's rating uncertain. In an even field the middle is the mean.
    """
    shares = np.diag(information(strengths.theta, strengths.pairs.weight)).copy()
    for group in range(int(strengths.groups.max(initial=-1)) + 1):
        members = strengths.groups == group
        total = shares[members].sum()
        shares[members] = shares[members] / total if total > 0 else 1.0 / members.sum()
    return shares


def relative_to_middle(spread: Floats, shares: Floats) -> Floats:
    """Return the covariance of one group's differences to its middle, given shares that sum to one."""
    column = spread @ shares
    moved: Floats = spread - column[:, None] - column[None, :] + shares @ column
    return moved


def relative_to(spread: Floats, anchor: int) -> Floats:
    """Return the covariance of the differences to entry `anchor`, whose own becomes zero."""
    column = spread[:, anchor]
    moved: Floats = spread - column[:, None] - column[None, :] + spread[anchor, anchor]
    moved[anchor, :] = moved[:, anchor] = 0.0  # not merely within rounding
    return moved
