"""Promises of the counting of deal sets."""

import numpy as np
import pytest

from arena.ratings.facts import no_matches
from arena.ratings.tally import add, count, find_complete
from tests.fix_facts import play_round_robin, select, write_facts

IDS = np.arange(4)


def test_an_open_deal_set_counts_nothing() -> None:
    """Only deal sets with all their rotations are counted."""
    facts = write_facts("0 0 0:1 1:2", "0 1 1:1 0:2", "1 0 0:1 1:2")

    tally = count(facts, IDS)

    assert tally.sets.tolist() == [1]
    assert find_complete(facts).complete.tolist() == [True, True, False]


def test_scores_are_pairs_won_less_pairs_lost() -> None:
    """A bot that won both matches of a set leads by two; the other is behind by two."""
    tally = count(write_facts("0 0 2:1 1:2", "0 1 1:2 2:1"), IDS)

    assert tally.bots.tolist() == [[1, 2]]
    assert tally.scores.tolist() == [[-2, 2]]
    assert tally.squares.tolist() == [[[4, -4], [-4, 4]]]


def test_a_shared_place_is_half_a_win() -> None:
    """Two that share a place neither lead nor trail each other."""
    tally = count(write_facts("0 0 0:1 1:1 2:3", "0 1 1:1 2:3 0:1", "0 2 2:3 0:1 1:1"), IDS)

    assert tally.leads.tolist() == [[[0, 0, 3], [0, 0, 3], [-3, -3, 0]]]


def test_a_deal_set_is_one_observation() -> None:
    """Sets in which each bot won once weigh nothing in the spread; two won sets weigh four each."""
    split = count(write_facts("0 0 0:1 1:2", "0 1 1:1 0:2", "1 0 0:1 1:2", "1 1 1:1 0:2"), IDS)
    swept = count(write_facts("0 0 0:1 1:2", "0 1 1:2 0:1", "1 0 0:2 1:1", "1 1 1:1 0:2"), IDS)

    assert split.scores.tolist() == swept.scores.tolist() == [[0, 0]]
    assert split.squares[0, 0, 0] == 0
    assert swept.squares[0, 0, 0] == 8


def test_pairings_are_told_apart() -> None:
    """Each set of bots that met has its own row."""
    tally = count(write_facts("0 0 0:1 1:2", "0 1 1:1 0:2", "1 0 3:1 1:2", "1 1 1:1 3:2"), IDS)

    assert tally.bots.tolist() == [[0, 1], [1, 3]]


def test_the_same_rotation_twice_is_refused() -> None:
    """Two rows for one rotation would count a match twice."""
    with pytest.raises(ValueError, match="same rotation"):
        count(write_facts("0 0 0:1 1:2", "0 0 0:1 1:2"), IDS)


def test_a_deal_set_between_different_bots_is_refused() -> None:
    """A deal set belongs to one pairing."""
    with pytest.raises(ValueError, match="same entries"):
        count(write_facts("0 0 0:1 1:2", "0 1 2:1 0:2"), IDS)


def test_an_entry_twice_at_a_table_is_refused() -> None:
    """Nobody plays against itself."""
    with pytest.raises(ValueError, match="twice"):
        count(write_facts("0 0 1:1 1:2", "0 1 1:1 1:2"), IDS)


def test_an_unknown_entry_is_refused() -> None:
    """A match of somebody who is not in the standing is an error, not a stray row."""
    with pytest.raises(ValueError, match="not in the standing"):
        count(write_facts("0 0 0:1 9:2", "0 1 9:1 0:2"), IDS)


def test_nothing_counts_as_nothing() -> None:
    """No match at all gives empty counts."""
    tally = count(no_matches(3), IDS)

    assert tally.bots.shape == (0, 3)
    assert tally.squares.shape == (0, 3, 3)


def test_new_deal_sets_are_added_to_old_counts() -> None:
    """Counting new deal sets alone and adding them is counting all at once, field by field."""
    facts = play_round_robin([0, 0.5, 1], seats=2, sets=12, luck=0.5, random=np.random.default_rng(1))
    ids, late = np.arange(3), facts.deal_sets % 5 == 0

    both = add(
        count(select(facts, np.flatnonzero(~late)), ids), count(select(facts, np.flatnonzero(late)), ids)
    )

    whole = count(facts, ids)
    for name, values in vars(whole).items():
        assert np.array_equal(getattr(both, name), values), name
