"""The scores of one pair's deal sets in schedule order, as a sequential test counts them."""

import numpy as np

from arena.ratings.facts import MatchFacts
from arena.ratings.tally import find_complete


def scores_in_order(facts: MatchFacts, first: int) -> list[float]:
    """Return the score, 0 to 1, of entry `first` in each deal set from number 0 up to the first open one.

    Args:
        facts: matches of tables of two between the same two entries; the deal sets' numbers count from 0.
        first: the entry whose score it is.
    """
    order = find_complete(facts).order
    names = facts.deal_sets[order].reshape(-1, facts.seats)[:, 0]
    reached = int((names == np.arange(names.size)).sum())
    own = np.where(facts.entries[order, 0] == first, 0, 1)
    rows = np.arange(order.size)
    lead = np.sign(facts.places[order][rows, 1 - own] - facts.places[order][rows, own])
    scores = (1 + lead.reshape(-1, facts.seats)).mean(axis=1) / 2
    return [float(score) for score in scores[:reached]]
