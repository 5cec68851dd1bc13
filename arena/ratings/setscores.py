"""The scores of one pair's deal sets in schedule order, as a sequential test counts them."""

from collections.abc import Collection

import numpy as np

from arena.ratings.facts import MatchFacts
from arena.ratings.tally import find_complete


def scores_in_order(facts: MatchFacts, first: int, annulled: Collection[int] = ()) -> list[float]:
    """Return the score, 0 to 1, of entry `first` in each deal set from number 0 up to the first open one.

    Sets of which something is annulled are passed over, as if they had never been begun.

    Args:
        facts: matches of tables of two between the same two entries; the deal sets' numbers count from 0.
        first: the entry whose score it is.
        annulled: numbers of deal sets with annulled matches, which are not among the facts.
    """
    order = find_complete(facts).order
    names = facts.deal_sets[order].reshape(-1, facts.seats)[:, 0]
    passed = np.array(sorted(annulled), dtype=np.int64)
    expected = np.setdiff1d(np.arange(names.size + passed.size), passed)[: names.size]
    reached = int((names == expected).sum())
    own = np.where(facts.entries[order, 0] == first, 0, 1)
    rows = np.arange(order.size)
    lead = np.sign(facts.places[order][rows, 1 - own] - facts.places[order][rows, own])
    scores = (1 + lead.reshape(-1, facts.seats)).mean(axis=1) / 2
    return [float(score) for score in scores[:reached]]
