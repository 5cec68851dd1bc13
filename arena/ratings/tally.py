"""Deal sets counted: what the fit and its intervals need to know of a million matches, and no more.

Only complete deal sets count (all n rotations of a table of n are there); the others are reported as open. A
match is its n(n-1)/2 pairs. Everything here is integers, so no order of the matches can change one bit of a
standing. The maximum-likelihood fit of these counts is `arena.ratings.fit`.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.facts import Flags, Ints, MatchFacts, places_among, sort_seats


@dataclass(frozen=True)
class Tally:
    """Counts per pairing; bots of a pairing stand in the order of their entry numbers."""

    seats: int
    """Seats of a table, which is also the number of matches of a deal set."""
    ids: Ints
    """(entries,) The entries' numbers, ascending; the other arrays speak of places in this array."""
    bots: Ints
    """(pairings, n) The entries of each pairing."""
    sets: Ints
    """(pairings,) Complete deal sets."""
    scores: Ints
    """(pairings, n) Pairs won less pairs lost by each bot, over the complete sets."""
    squares: Ints
    """(pairings, n, n) The sum over deal sets of the products of two bots' scores within the set."""
    leads: Ints
    """(pairings, n, n) How often bot a was placed before b, less how often behind."""


@dataclass(frozen=True)
class DealSets:
    """Which matches lie in complete deal sets."""

    order: Ints
    """(sets x n,) Numbers of the matches of complete sets, set by set, rotation by rotation."""
    complete: Flags
    """(matches,) True for the matches of complete sets."""


def find_complete(facts: MatchFacts) -> DealSets:
    """Group matches into deal sets.

    Raises:
        ValueError: two matches are the same rotation of the same deal set.
    """
    seats = facts.seats
    order = np.lexsort((facts.rotations, facts.deal_sets))
    names = facts.deal_sets[order]
    turns = facts.rotations[order]
    if np.any((names[1:] == names[:-1]) & (turns[1:] == turns[:-1])):
        raise ValueError("two matches claim the same rotation of one deal set")
    starts = np.flatnonzero(np.concatenate(([True], names[1:] != names[:-1]))) if names.size else names
    lengths = np.diff(np.concatenate((starts, [names.size])))
    # Rotations of a set differ and lie in 0..n-1, so n of them are all of them.
    inside = np.repeat(lengths == seats, lengths)
    complete = np.zeros(facts.matches, dtype=np.bool_)
    complete[order[inside]] = True
    return DealSets(order=order[inside], complete=complete)


def count(facts: MatchFacts, ids: Ints, sets: DealSets | None = None) -> Tally:
    """Count the complete deal sets of `facts` between the entries `ids` (ascending).

    Args:
        facts: the matches.
        ids: the entries' numbers.
        sets: what `find_complete` said of them, where that is known.

    Raises:
        ValueError: the facts contradict each other, or name an entry that is not in `ids`.
    """
    seats = facts.seats
    order = (find_complete(facts) if sets is None else sets).order
    seated, places = by_entry(facts, order)
    groups = seated.reshape(-1, seats, seats)
    if np.any(groups != groups[:, :1, :]):
        raise ValueError("the matches of a deal set are not between the same entries")
    if np.any(seated[:, 1:] == seated[:, :-1]):
        raise ValueError("an entry sits twice at one table")
    bots = places_among(ids, groups[:, 0, :])
    if bots.size and (bots.max() >= ids.size or np.any(ids[bots] != groups[:, 0, :])):
        raise ValueError("a match of an entry that is not in the standing")
    return _count_pairings(bots, places.reshape(-1, seats, seats), ids)


def by_entry(facts: MatchFacts, order: Ints) -> tuple[Ints, Ints]:
    """Return entries and places of the matches `order` with each row sorted by the entry's number."""
    seated, places = sort_seats(facts.entries[order], facts.places[order])
    return seated, places


def _count_pairings(bots: Ints, places: Ints, ids: Ints) -> Tally:
    seats = bots.shape[1]
    pairings, code = _distinct_rows(bots, ids.size)
    amount = pairings.shape[0]
    leads = np.zeros((amount, seats, seats), dtype=np.int64)
    scores = np.zeros((bots.shape[0], seats), dtype=np.int64)
    for a in range(seats):
        for b in range(a + 1, seats):
            lead = np.sign(places[:, :, b] - places[:, :, a]).sum(axis=1)
            scores[:, a] += lead
            scores[:, b] -= lead
            leads[:, a, b] = _sums(code, lead, amount)
            leads[:, b, a] = -leads[:, a, b]
    squares = np.zeros((amount, seats, seats), dtype=np.int64)
    for a in range(seats):
        for b in range(a, seats):
            squares[:, a, b] = squares[:, b, a] = _sums(code, scores[:, a] * scores[:, b], amount)
    return Tally(
        seats=seats,
        ids=ids,
        bots=pairings,
        sets=np.bincount(code, minlength=amount).astype(np.int64),
        scores=leads.sum(axis=2),
        squares=squares,
        leads=leads,
    )


def _distinct_rows(rows: Ints, base: int) -> tuple[Ints, Ints]:
    """Return the distinct rows and, for each row, the number of its equal; column by column, as one int64."""
    code = np.zeros(rows.shape[0], dtype=np.int64)
    first = np.zeros(min(rows.shape[0], 1), dtype=np.int64)
    for column in rows.T:
        _, first, code = np.unique(code * base + column, return_index=True, return_inverse=True)
    return rows[first], code


def _sums(code: Ints, values: Ints, amount: int) -> Ints:
    """Sum integer values by code; exact, for a double holds every integer below 2**53."""
    return np.rint(np.bincount(code, weights=values, minlength=amount)).astype(np.int64)


def add(tally: Tally, more: Tally) -> Tally:
    """Return the counts of two lots of deal sets between the same entries, as if they were counted together.

    Raises:
        ValueError: the two are not of the same entries and tables.
    """
    if tally.seats != more.seats or not np.array_equal(tally.ids, more.ids):
        raise ValueError("counts of different entries or tables cannot be added")
    pairings, code = _distinct_rows(np.concatenate([tally.bots, more.bots]), tally.ids.size)

    def together(old: Ints, new: Ints) -> Ints:
        sums = np.zeros((pairings.shape[0], *old.shape[1:]), dtype=np.int64)
        np.add.at(sums, code, np.concatenate([old, new]))
        return sums

    return Tally(
        seats=tally.seats,
        ids=tally.ids,
        bots=pairings,
        sets=together(tally.sets, more.sets),
        scores=together(tally.scores, more.scores),
        squares=together(tally.squares, more.squares),
        leads=together(tally.leads, more.leads),
    )
