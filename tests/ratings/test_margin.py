"""Promises of points per round and its paired interval."""

import numpy as np
import pytest

from arena.ratings.facts import MatchFacts
from arena.ratings.margin import add_sets, entry_margins, pair_margins, student_95
from arena.ratings.tally import find_complete
from tests.fix_facts import play_round_robin


def play(sets: int, edge: float, shared: float, random: np.random.Generator) -> MatchFacts:
    """Play pairs in which bot 0 scores `edge` more a round, and the seats' luck is shared in part."""
    facts = play_round_robin([0, 0], seats=2, sets=sets, luck=0, random=random)
    rounds = random.integers(5, 12, facts.matches)
    of_seat = np.repeat(random.standard_normal((1, sets)), 2, axis=0).ravel()
    luck = np.sqrt(shared) * of_seat + np.sqrt(1 - shared) * random.standard_normal(facts.matches)
    of_first = np.where(facts.entries[:, 0] == 0, 1, -1)
    over = np.rint(rounds * edge * of_first + 200 * luck).astype(np.int64)
    values = {**vars(facts), "rounds": rounds, "totals": np.stack([500 + over, 500 + 0 * over], axis=1)}
    return MatchFacts(**values)


@pytest.mark.parametrize("sets", [5, 20, 100])
def test_the_interval_of_the_margin_holds_the_truth(sets: int) -> None:
    """The 95 % interval of points per round holds the true margin, from few deal sets on."""
    random = np.random.default_rng(4)
    held = []
    for _ in range(400):
        facts = play(sets, 6.0, 0.6, random)
        ids = np.arange(2)
        ratio = pair_margins(add_sets(facts, find_complete(facts).order, ids, low_wins=False), 2)
        held.append(abs(ratio.mean[0, 1] - 6.0) <= ratio.plus_minus[0, 1])

    assert 0.92 <= np.mean(held) <= 0.98


def test_shared_luck_narrows_the_interval() -> None:
    """Luck that both bots have once is not counted as doubt."""
    widths = []
    for shared in (0.0, 0.9):
        facts = play(100, 0.0, shared, np.random.default_rng(2))
        sets = add_sets(facts, find_complete(facts).order, np.arange(2), low_wins=False)
        widths.append(entry_margins(sets, 2).plus_minus[0])

    assert widths[1] < widths[0] / 2


def test_both_sides_of_a_pair_mirror_each_other() -> None:
    """What one bot has more the other has less, with the same interval, and low wins turn the sign."""
    facts = play_round_robin([1, 0, 0.5], seats=3, sets=9, luck=0.5, random=np.random.default_rng(2))
    order = find_complete(facts).order
    high = pair_margins(add_sets(facts, order, np.arange(3), low_wins=False), 3)
    low = pair_margins(add_sets(facts, order, np.arange(3), low_wins=True), 3)

    off = ~np.eye(3, dtype=bool)
    assert high.mean[off] == pytest.approx(-high.mean.T[off])
    assert high.plus_minus[off] == pytest.approx(high.plus_minus.T[off])
    assert low.mean[off] == pytest.approx(-high.mean[off])


def test_where_nobody_scores_there_are_no_points_to_be_ahead_by() -> None:
    """Nothing is known then, which is not the same as even; and what is even has no minus before its zero."""
    facts, ids = play(5, 0.0, 0.5, np.random.default_rng(1)), np.arange(2)
    order = find_complete(facts).order
    for totals, is_known in ((0, False), (100, True)):
        level = MatchFacts(**{**vars(facts), "totals": totals + 0 * facts.totals})
        sets = add_sets(level, order, ids, low_wins=False)
        alone, pairs = entry_margins(sets, 2).mean, pair_margins(sets, 2).mean

        assert (alone.tolist() == [0.0, 0.0], bool(np.isnan(alone).all())) == (is_known, not is_known)
        assert str(pairs[1, 0]) == ("0.0" if is_known else "nan")


def test_the_quantile_is_students() -> None:
    """The expansion agrees with the tables of Student's distribution."""
    known = {2: 4.3027, 3: 3.1824, 5: 2.5706, 10: 2.2281, 30: 2.0423, 1000: 1.9623}

    assert student_95(np.array(list(known), dtype=float)) == pytest.approx(list(known.values()), rel=0.01)
