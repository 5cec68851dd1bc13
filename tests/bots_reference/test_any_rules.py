"""The reference bots under rulesets by lot: nobody needs to know a special rule to play by it."""

import random

import pytest

from arena.protocol.hello import ruleset_message
from arena.rules.options import Ruleset
from arena.rules.presets import PRESETS, parse_ruleset, preset, ruleset_of
from tests.bots_reference.reference import CLASSES, NAMES, key_of, play
from tests.rules.oracle.rulesets import any_table, as_given

SETS = 50
SHORT = {"max_decisions": 300, "rounds": 2}


def table_by_lot(number: int) -> tuple[Ruleset, int]:
    """Return one of the rulesets by lot, and how many seats were drawn for it."""
    rules, seats = any_table(random.Random(f"bots {number}"))
    return ruleset_of(as_given(rules | SHORT)), seats


@pytest.mark.parametrize("number", range(SETS))
def test_every_bot_plays_random_rulesets_without_a_fault(number: int) -> None:
    """Under 50 rulesets of the differential test's generator, at tables of 2 to 10, no reference bot errs."""
    ruleset, drawn = table_by_lot(number)
    # Every size is played: the drawn one, and where cards suffice each of 2 to 10 in its turn.
    most = min(ruleset.most_seats, (sum(ruleset.deck_copies) - 2) // ruleset.hand_size)
    for seats in {drawn, min(max(2 + number % 9, ruleset.least_seats), most)}:
        names = [NAMES[(number + seat) % len(NAMES)] for seat in range(seats)]
        result = play(ruleset, key_of("any", number, seats), [CLASSES[name] for name in names])

        assert result.faults == ()
        assert len(result.places) == seats


def test_the_hello_tells_exactly_what_is_played() -> None:
    """The hello's options, its text and its deck each read back to the ruleset of its digest."""
    drawn = [ruleset_of(as_given(any_table(random.Random(f"hello {i}"))[0])) for i in range(200)]
    for ruleset in [*map(preset, PRESETS), *drawn]:
        told = ruleset_message(ruleset, "house")

        assert told.digest == ruleset.digest
        assert ruleset_of(dict(told.options)).digest == told.digest
        assert parse_ruleset(told.text).digest == told.digest
        deck = {entry.card - 1: entry.count for entry in told.deck}
        assert deck == {card: copies for card, copies in enumerate(ruleset.deck_copies) if copies}
