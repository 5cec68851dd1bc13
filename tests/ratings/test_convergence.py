"""Promises of how ratings settled: which beginnings are looked at."""

import pytest

from arena.ratings.convergence import SET_BITS, Step, converge
from arena.ratings.facts import MatchFacts
from arena.ratings.standing import Entrant
from tests.fix_facts import write_facts

FIELD = [Entrant(number, f"bot{number}") for number in range(3)]
PAIRINGS = ((0, 1), (0, 2), (1, 2))


def season(*pairings: tuple[int, ...], rotations: int = 2) -> MatchFacts:
    """Give the matches of deal sets of each pairing, by their numbers; who wins follows from their order."""
    lines = []
    for number, (bots, sets) in enumerate(zip(PAIRINGS, pairings, strict=True)):
        for place, deal_set in enumerate(sets):
            key = (number << SET_BITS) + deal_set
            for turn in range(rotations):
                first = 1 + (place + turn * number) % 2
                lines.append(f"{key} {turn} {bots[0]}:{first} {bots[1]}:{3 - first}")
    return write_facts(*lines)


def steps(facts: MatchFacts, *, by_pairing: bool = False) -> tuple[Step, ...]:
    """Return the steps of the three bots."""
    return converge(facts, FIELD, by_pairing=by_pairing)


@pytest.mark.parametrize("by_pairing", [False, True])
def test_what_is_annulled_is_as_if_it_had_never_been_planned(by_pairing: bool) -> None:
    """The curve begins with the first deal sets that count, however many before them do not."""
    whole = season(tuple(range(20)), tuple(range(20)), tuple(range(20)))
    late = season(tuple(range(80, 100)), tuple(range(20)), (3, 5, 8, *range(30, 47)))

    found = steps(late, by_pairing=by_pairing)

    assert found == steps(whole, by_pairing=by_pairing)
    assert len(found) == (3 if by_pairing else 10)
    assert found[0].deal_sets == 1
    assert found[0].matches == (40 if by_pairing else 6)


def test_a_pairing_that_has_few_deal_sets_stays_whole() -> None:
    """Each step has the first so many of every pairing, of one that has fewer all."""
    found = steps(season(tuple(range(10)), tuple(range(2)), ()))

    assert [(step.deal_sets, step.matches) for step in found][:3] == [(1, 4), (2, 8), (3, 10)]
    assert found[-1].matches == 24


def test_open_deal_sets_alone_are_no_beginning() -> None:
    """Where no deal set is complete nothing settled: one step, in which no rating is known."""
    (found,) = steps(season((0, 1), (0,), (), rotations=1))

    assert (found.matches, [row.elo for row in found.rows]) == (0, [None, None, None])
