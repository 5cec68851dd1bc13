"""The figures of a trial, counted from records."""

import math
import random
from collections import Counter

import pytest

from arena.match.firing import SPECIAL_RULES
from arena.match.tally import Tally, spread, student_95
from arena.rules import EventKind, Match, Record, Stream, derive, format_move, record_of
from arena.rules.index import INDEX
from arena.rules.options import Ruleset
from arena.rules.presets import ruleset_of
from tests.rules.lots import CUSTOM_DECKS

HEAP: dict[str, object] = {
    "base": "classic",
    "deck": "custom",
    "cards": f"{CUSTOM_DECKS[1]} R0*4 G0*4 R7*4 R5*4 R+1*4 W*4 W+2*3 SH*3 BL*3",
    "hand_size": 2,
    "draw": "until_playable",
    "draw_two_answer": "stack",
    "draw_four_answer": "stack",
    "reverse_answer": "all",
    "misplay_penalty": 2,
    "uno_centre": True,
    "ready": True,
    "jump_in": True,
    "seven": "swap",
    "zero": "rotate",
    "five": "exchange",
    "advice_penalty": 2,
    "blank": "plus_ten",
    "seven_rounds": True,
    "to_the_last": True,
    "scoring": "lowest",
    "lone_zero": 50,
    "h2o_finish": True,
    "rounds": 3,
    "max_decisions": 500,
}
"""Every special rule at once."""
CALM: dict[str, object] = {
    "deck": "custom",
    "cards": "R0*9 G0*9 R1*9 G1*9 R+1*6 G+1*6 W+2*6",
    "hand_size": 2,
    "max_turns": 40,
    "uno_centre": True,
    "scoring": "lowest",
    "lone_zero": 50,
    "h2o_finish": True,
    "rounds": 5,
}
"""Rounds that end soon, with what happens at their end."""
RING: dict[str, object] = {"wild_colour": "circle", "drawn_card": "forced", "hand_size": 3, "rounds": 2}
"""What would take choices from the others."""


def played(ruleset: Ruleset, number: int) -> Match:
    """Play a match by lot, talking, forgetting UNO and misplaying now and then."""
    match = Match(ruleset, 3, derive(b"tally", number))
    lots = Stream(derive(b"tally lots", number))
    while not match.over:
        moves = match.legal_moves()
        move = moves[lots.below(len(moves))]
        if match.round.may_misplay() and lots.below(30) == 0:
            move = 0
        said = "well" if lots.below(20) == 0 else ""
        match.apply(move, uno=lots.below(5) > 0, say=said, advice=True)
    return match


def test_every_special_rule_fires() -> None:
    """Under all special rules at once each is in force, and each is seen to fire, here or in calm rounds."""
    tallies = [Tally(ruleset_of(rules)) for rules in (HEAP, CALM, RING)]
    fired: Counter[str] = Counter()
    for tally, matches in zip(tallies, (30, 12, 2), strict=True):
        for number in range(matches):
            tally.add(record_of(played(tally.ruleset, number)))
        fired += tally.fired

    assert [r for r in SPECIAL_RULES if any(r in tally.rules for tally in tallies)] == list(SPECIAL_RULES)
    assert [special.rule for special in SPECIAL_RULES if not fired[special.rule]] == []
    named = {special.rule for special in SPECIAL_RULES}
    assert {rule for rule in INDEX if "R60" <= rule <= "R72"} <= named <= set(INDEX)


def test_a_preset_is_charged_with_its_own_rules_only() -> None:
    """What a ruleset does not have in force is not listed."""
    rules = {special.rule for special in Tally(Ruleset()).rules}

    assert rules == {"R27", "R33", "R36", "R51"}


def test_the_counts_are_those_of_the_news() -> None:
    """Rounds, decisions, stalemates and events are counted as the match itself tells them."""
    ruleset = ruleset_of(HEAP | {"max_turns": 12})
    tally, matches = Tally(ruleset), [played(ruleset, number) for number in range(12)]
    for match in matches:
        tally.add(record_of(match))
    events = [event for match in matches for event in match.events]
    overs = [event for event in events if event.kind == EventKind.ROUND_OVER]

    assert tally.rounds_a_match == [[match.round_number] for match in matches]
    assert tally.rounds == len(overs)
    assert [len(rounds) for rounds in tally.stalemates] == [len(rounds) for rounds in tally.decisions]
    assert 0 < sum(map(sum, tally.decisions)) <= sum(match.decisions for match in matches)
    assert sum(map(sum, tally.stalemates)) == sum(event.count for event in overs) == tally.fired["R27"] > 0
    assert tally.fired["R68"] == sum(event.kind == EventKind.SAID for event in events) > 0
    assert tally.fired["R63"] == sum(event.kind == EventKind.SWAPPED for event in events)
    assert tally.fired["R61"] < tally.fired["R60"]
    assert set(tally.endings) == {match.ending for match in matches}


def test_the_starting_seat_is_the_one_that_acts_first() -> None:
    """Of two seats the one that begins is credited with the rounds that it wins, less its even share."""
    match = Match(ruleset_of({"hand_size": 1, "rounds": 1, "deck": "custom", "cards": "R1*60"}), 2, bytes(32))
    assert format_move(match.legal_moves()[0]) == "R1"
    match.apply(match.legal_moves()[0])
    tally = Tally(match.ruleset)
    tally.add(record_of(match))

    assert (tally.starters, tally.decisions, tally.rounds_a_match) == ([[0.5]], [[1]], [[1]])


def test_an_interval() -> None:
    """Of single values the half width is Student's quantile times the standard error; one alone has none."""
    assert spread([[1.0]]).half_width is None
    assert spread([]).mean == 0
    found = spread([[0.0], [2.0]] * 50)
    assert found.mean == 1
    assert found.half_width == pytest.approx(1.98422 * math.sqrt(100 / 99 / 100), rel=1e-4)


def test_the_rounds_of_a_match_are_no_independent_values() -> None:
    """Rounds that come out alike within a match tell no more than the match: the interval is as wide."""
    alike = spread([[0.0] * 10, [2.0] * 10] * 20)
    once = spread([[0.0], [2.0]] * 20)

    assert alike == pytest.approx(once)
    assert spread([[0.0, 2.0] * 5] * 40).half_width == 0
    assert spread([[1.0], [], [3.0, 2.0]]).mean == 2


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (9, 2.262), (99, 1.984)]
)
def test_students_quantile(freedom: int, quantile: float) -> None:
    """As the tables have it, to a hundredth."""
    assert student_95(freedom) == pytest.approx(quantile, rel=0.01)


def _covers(matches: int, seed: int) -> bool:
    """Whether the interval of a made-up figure holds its true mean, where rounds of a match are alike."""
    lot = random.Random(seed)
    figures = []
    for _match in range(matches):
        of_match = lot.gauss(0, 1)
        figures.append([of_match + lot.gauss(0, 1) for _round in range(lot.randint(1, 12))])
    found = spread(figures)
    return found.half_width is not None and abs(found.mean) <= found.half_width


@pytest.mark.parametrize("matches", [12, 60])
def test_the_interval_holds_the_truth(matches: int) -> None:
    """About 95 of 100 intervals hold the true mean although the rounds of a match are alike."""
    held = sum(_covers(matches, seed) for seed in range(400))

    assert 365 <= held <= 395


def test_a_record_of_other_rules_is_refused() -> None:
    """A tally counts one ruleset; a record of another is no part of it."""
    record: Record = record_of(played(ruleset_of(HEAP), 1))

    with pytest.raises(ValueError, match="ruleset"):
        Tally(Ruleset()).add(record)
