"""Sums over an entry's matches: wins, points, faults, time; whole numbers, so that no order leaves a trace.

Matches, wins and points count complete deal sets only; faults and time count in all matches.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.ratings.facts import Flags, Ints, MatchFacts, places_among
from arena.ratings.margin import Ratio, add_sets, entry_margins
from arena.ratings.tally import find_complete

WHOLE_WIN: Final = 2520
"""A first place in the smallest unit that a table of up to ten can share it in, to add in integers."""


@dataclass(frozen=True)
class Figures:
    """Sums per entry, all of them integers, so that the order of the matches leaves no trace."""

    seats: int
    """Seats of a table."""
    matches: Ints
    """Matches of complete deal sets."""
    win_units: Ints
    """First places among them, in parts of `WHOLE_WIN`."""
    margins: Ratio
    """Points per round over the others of the table."""
    faults: Ints
    """Faults in all matches."""
    decisions: Ints
    """Questions answered in all matches."""
    wall_us: Ints
    """Time that it thought in all matches."""
    open_sets: Ints
    """Deal sets begun and not complete."""

    @classmethod
    def of(cls, facts: MatchFacts, ids: Ints, *, low_wins: bool) -> "Figures":
        """Add up the facts."""
        sets = find_complete(facts)
        complete = sets.complete
        who = places_among(ids, facts.entries)
        first = facts.places == 1
        won = first * (WHOLE_WIN // np.maximum(first.sum(axis=1, keepdims=True), 1))

        def total(values: Ints, chosen: Flags | slice = slice(None)) -> Ints:
            sums = np.bincount(who[chosen].ravel(), weights=values[chosen].ravel(), minlength=ids.size)
            return np.rint(sums).astype(np.int64)

        return cls(
            seats=facts.seats,
            matches=total(np.ones_like(who), complete),
            win_units=total(won, complete),
            margins=entry_margins(add_sets(facts, sets.order, ids, low_wins=low_wins), ids.size),
            faults=total(facts.faults),
            decisions=total(facts.decisions),
            wall_us=total(facts.wall_us),
            open_sets=_count_open_sets(facts, who, complete, ids.size),
        )


def _count_open_sets(facts: MatchFacts, who: Ints, complete: Flags, size: int) -> Ints:
    """Count for each entry the deal sets that were begun and are not complete."""
    _, chosen = np.unique(facts.deal_sets[~complete], return_index=True)
    return np.bincount(who[~complete][chosen].ravel(), minlength=size).astype(np.int64)
