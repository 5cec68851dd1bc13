"""How ratings settled: the standing after the first deal sets of every pairing, then after more and more.

Owns which beginnings are looked at. Deal sets count in the order in which they were planned, not in that in
which they ended, so a beginning is what a shorter tournament would have shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from arena.ratings.facts import MatchFacts
from arena.ratings.standing import Entrant, Row, make_standing

SET_BITS = 32
"""A deal set's number within its pairing stands in the lower bits of its key."""


@dataclass(frozen=True, slots=True)
class Step:
    """The ratings after some deal sets of every pairing."""

    deal_sets: int
    """How many of each pairing, at the most; of a ladder how many helpings."""
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
    numbers = facts.deal_sets >> SET_BITS if by_pairing else facts.deal_sets & ((1 << SET_BITS) - 1)
    whole = int(numbers.max()) + 1
    found = []
    for amount in sorted({max(1, round(whole ** (step / steps))) for step in range(1, steps + 1)} | {whole}):
        chosen = numbers < amount
        part = MatchFacts(**{each.name: getattr(facts, each.name)[chosen] for each in fields(MatchFacts)})
        standing = make_standing(part, entrants)
        found.append(Step(int(np.int64(amount)), standing.matches, standing.rows))
    return tuple(found)
