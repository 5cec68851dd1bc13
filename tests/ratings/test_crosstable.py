"""Promises of the crosstable."""

from dataclasses import astuple

import numpy as np
import pytest

from arena.ratings.crosstable import make_crosstable
from arena.ratings.facts import no_matches
from tests.fix_facts import play_round_robin, select, write_facts


def test_a_cell_says_how_two_bots_did_against_each_other() -> None:
    """Deal sets, score, points and what is sure are those of the matches the two played; sides mirror."""
    facts = write_facts(*(f"{s} {r} 0:1 1:2" for s in range(8) for r in range(2)))

    cells = make_crosstable(facts, [1, 0, 2]).cells

    won, lost = cells[1][0], cells[0][1]
    assert won is not None
    assert lost is not None
    assert (won.deal_sets, won.score, won.points_per_round, won.verdict) == (8, 1.0, 20.0, 1)
    assert (lost.deal_sets, lost.score, lost.points_per_round, lost.verdict) == (8, 0.0, -20.0, -1)
    assert won.score_plus_minus == lost.score_plus_minus
    assert won.superiority == pytest.approx(1 - (lost.superiority or 0))
    stranger = cells[0][2]
    assert stranger is not None
    assert astuple(stranger) == (0, None, None, None, None, None, None, 0)
    assert cells[0][0] is None


def test_one_clean_deal_set_is_not_sure() -> None:
    """A bot that won the only deal set is not surely better."""
    cell = make_crosstable(write_facts("0 0 0:1 1:2", "0 1 0:1 1:2"), [0, 1]).cells[0][1]

    assert cell is not None
    assert cell.verdict == 0


@pytest.mark.parametrize("seats", [2, 3])
def test_equal_bots_are_shaded_in_about_one_case_of_twenty(seats: int) -> None:
    """Among equal bots about 5 % of the cells are called significant, and the order of matches is nothing."""
    random = np.random.default_rng(12)
    facts = play_round_robin([0.0] * 12, seats=seats, sets=40 if seats == 2 else 6, luck=0.5, random=random)

    table = make_crosstable(facts, range(12))

    verdicts = [cell.verdict for line in table.cells for cell in line if cell is not None]
    assert np.mean(np.abs(verdicts)) <= 0.12
    assert sum(verdicts) == 0
    assert make_crosstable(select(facts, random.permutation(facts.matches)), range(12)) == table


def test_no_match_at_all_is_an_empty_table() -> None:
    """Without matches nothing is known of any pair."""
    cells = make_crosstable(no_matches(), [0, 1]).cells

    assert [cell.score for line in cells for cell in line if cell is not None] == [None, None]
