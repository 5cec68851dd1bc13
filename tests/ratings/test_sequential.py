"""Promises of the test that tells two bots apart: how often it errs, how long it takes, what stays."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.errors import UsageError
from arena.ratings.sequential import SETS_MIN, Comparison, Design, Test, Verdict, compare


def draw(elo: float, shared: float, sets: int, random: np.random.Generator) -> list[float]:
    """Draw scores of deal sets of two matches whose results are correlated by `-shared`."""
    p = 1 / (1 + 10 ** (-elo / 400))
    both, neither = p * p - shared * p * (1 - p), (1 - p) ** 2 - shared * p * (1 - p)
    chances = [max(neither, 0.0), 0.0, max(both, 0.0)]
    chances[1] = 1 - chances[0] - chances[2]
    return [float(score) for score in random.choice([0.0, 0.5, 1.0], size=sets, p=chances)]


def run_many(elo: float, shared: float, amount: int) -> list[Comparison]:
    """Run the test on many bots of a known difference."""
    random = np.random.default_rng(20)
    return [compare(draw(elo, shared, 8000, random)) for _ in range(amount)]


def share(found: Sequence[Comparison], verdict: Verdict) -> float:
    """Return how often the test came to a verdict."""
    return sum(one.verdict is verdict for one in found) / len(found)


def test_equal_bots_are_told_apart_in_at_most_one_case_of_twenty() -> None:
    """With correlated matches of a set; 300 runs measure 5 % to 1.3 %."""
    found = run_many(0, 0.7, 300)

    assert share(found, Verdict.FIRST) + share(found, Verdict.SECOND) <= 0.075
    assert share(found, Verdict.CLOSE) >= 0.9


def test_bots_that_differ_by_the_width_are_told_apart() -> None:
    """At ten Elo in at least 95 % of the runs, never the wrong way round, on either side."""
    for elo, right, wrong in ((10, Verdict.FIRST, Verdict.SECOND), (-10, Verdict.SECOND, Verdict.FIRST)):
        found = run_many(elo, 0.7, 200)
        assert share(found, right) >= 0.92
        assert share(found, wrong) <= 0.01


def test_far_bots_are_told_apart_soon() -> None:
    """Fifty Elo need a few hundred deal sets, two hundred Elo hardly more than the first look."""
    fifty, far = run_many(50, 0.6, 200), run_many(200, 0.5, 100)

    assert share(fifty, Verdict.FIRST) == share(far, Verdict.FIRST) == 1.0
    assert np.median([one.sets for one in fifty]) <= 300
    assert np.median([one.sets for one in far]) <= 3 * SETS_MIN


def test_the_verdict_stays_whatever_comes_after() -> None:
    """Scores in one piece or set by set give the same verdict, and later ones change nothing."""
    scores = draw(60, 0.5, 2000, np.random.default_rng(3))
    whole = compare(scores)
    test = Test()
    for score in scores:
        found = test.add([score])

    assert found == whole
    assert whole.decided
    assert test.add([0.0] * 5000) == whole
    assert compare(scores[: whole.sets]) == whole
    assert not compare(scores[: whole.sets - 1]).decided


def test_bots_that_split_every_set_are_identical_so_far() -> None:
    """Copies of one deterministic bot are named as such, and end after a bounded number of sets."""
    few, many = compare([0.5] * 20), compare([0.5] * 2000)

    assert (few.verdict, few.decided) == (Verdict.IDENTICAL, False)
    assert (many.verdict, many.decided) == (Verdict.IDENTICAL, True)
    assert many.sets < 300


def test_nothing_is_decided_before_thirty_sets() -> None:
    """Even a bot that wins everything is looked at after thirty deal sets, and no set is no figure."""
    assert not compare([1.0] * (SETS_MIN - 1)).decided
    assert compare([1.0] * 100).verdict is Verdict.FIRST
    assert compare([]).score is None


@pytest.mark.parametrize("wrong", [{"width_elo": 0}, {"width_elo": 1e9}, {"error": 0}, {"error": 0.5}])
def test_a_design_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    """The message says what is possible."""
    with pytest.raises(UsageError, match="is possible"):
        Design(**wrong)
