"""How ratings settled: the standing after the first deal sets of every pairing, then after more and more.

Owns which beginnings are looked at. Deal sets count in the order in which they were planned, not in that in
which they ended, so a beginning is what a shorter tournament would have shown. What is open or annulled is
passed over, as if it had not been planned.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from arena.ratings.facts import Ints, MatchFacts
from arena.ratings.standing import Entrant, Row, make_standing

SET_BITS = 32
"""A deal set's number within its pairing stands in the lower bits of its key."""


@dataclass(frozen=True, slots=True)
class Step:
    """The ratings after some deal sets of every pairing."""

    deal_sets: int
    """How many complete ones of each pairing, at the most; of a ladder how many helpings that count."""
    matches: int
    """Matches of complete deal sets among them."""
    rows: tuple[Row, ...]
    """The rows."""


def converge(
    facts: MatchFacts, entrants: Sequence[Entrant], steps: int = 12, *, by_pairing: bool = False
) -> tuple[Step, ...]:
    """Return the standings of about `steps` beginnings, the last of which is everything.

    Args:
        facts: the matches.
        entrants: every entry.
        steps: how many beginnings.
        by_pairing: whether pairings follow each other, as a ladder's helpings do, instead of running abreast.
    """
    if not facts.matches:
        return ()
    numbers = _places(facts, by_pairing=by_pairing)
    whole = int(numbers.max()) + 1
    found = []
    for amount in sorted({max(1, round(whole ** (step / steps))) for step in range(1, steps + 1)} | {whole}):
        chosen = numbers < amount
        part = MatchFacts(**{each.name: getattr(facts, each.name)[chosen] for each in fields(MatchFacts)})
        standing = make_standing(part, entrants)
        found.append(Step(int(np.int64(amount)), standing.matches, standing.rows))
    return tuple(found)


def _places(facts: MatchFacts, *, by_pairing: bool) -> Ints:
    """Return for each match which complete deal set of its pairing it is of, or of which pairing, from 0.

    Those of open deal sets are of the last one: they tell of faults and time alone.
    """
    keys, match = np.unique(facts.deal_sets, return_inverse=True)
    complete = np.bincount(match) == facts.seats
    pairings = keys[complete] >> SET_BITS
    _, first, pairing = np.unique(pairings, return_index=True, return_inverse=True)
    ranks = pairing if by_pairing else np.arange(pairings.size) - first[pairing]
    places = np.full(keys.size, int(ranks.max(initial=0)), dtype=np.int64)
    places[complete] = ranks
    return places[match]
