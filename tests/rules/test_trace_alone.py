"""A trace is enough: the second opinion follows its JSON lines and nothing else, and notices a forged one.

No engine and no random generator takes part in the checking: hands, legal lists, news, points and places are
worked out anew from the lines, and compared with what they claim.
"""

import json
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from arena.rules.presets import ruleset_of
from arena.rules.record import record_of
from arena.rules.trace import trace
from tests.rules.duel import EVERY_MOVE, Duel, Manners, as_line
from tests.rules.oracle.match import FaultError, OracleMatch
from tests.rules.oracle.rulesets import any_table, as_given
from tests.rules.oracle.sheet import options_of_texts, refusals
from tests.rules.positions import ruleset
from tests.rules.test_golden import CASES, ONE_ROUND, known_number, played
from tests.rules.trace_supply import DifferenceError, TraceSupply, same

Steps = list[dict[str, Any]]


def check_trace(lines: list[str]) -> None:
    """Check every step of a trace from its JSON lines alone.

    Raises:
        DifferenceError: A step is not what the sheet makes of the steps before it.
    """
    steps = deque(json.loads(line) for line in lines)
    head = steps.popleft()
    rules = options_of_texts(head["ruleset"])
    least, _, most = head["ruleset"]["players"].partition("-")
    same("a table that is played (R10)", int(least) <= head["seats"] <= int(most or least), True)
    same("why it is refused", refusals(rules, head["seats"]), [])
    supply = TraceSupply(rules)

    def take_events() -> Steps:
        events = []
        while steps and steps[0]["step"] == "event":
            events.append(steps.popleft())
        supply.feed(events)
        return events

    events = take_events()
    oracle, told = OracleMatch(rules, head["seats"], supply), 0
    while True:
        news = oracle.events[told:]
        same("events", [as_line(event) for event in events], news)
        told += len(news)
        if not steps:
            break
        step = steps.popleft()
        if step["step"] == "leave":
            events = take_events()
            oracle.leave(*[seat for seat in step["seats"] if seat in oracle.table["match"]])
            continue
        same("asked", (step["seat"], step["question"].upper()), (oracle.seat, oracle.kind))
        same("legal", step["legal"], oracle.moves)
        same("bluffs", [step["legal"][index] for index in step["bluffs"]], oracle.bluffs)
        move = step["move"]
        if move == "misplay":
            move = next(text for text in EVERY_MOVE if text not in oracle.moves)
        events = take_events()
        oracle.tell(move, step["uno"], "a line" if step["talks"] else "", step["advice"])
    same("over", oracle.over, True)
    supply.check_unseen(oracle.table["log"])


@pytest.mark.parametrize("name", CASES)
def test_a_golden_trace_can_be_checked_alone(name: str) -> None:
    """Every step of each golden match follows from the lines before it, by the sheet."""
    rules = ruleset(**{**ONE_ROUND, **CASES[name][0]})  # type: ignore[arg-type]
    number = known_number(name) or 0
    match = played(name, rules, number)

    check_trace([step.json for step in trace(record_of(match), rules)])


def random_trace(seed: int) -> Steps:
    """Return the steps of a whole match under rules by lot."""
    lot = random.Random(f"alone {seed}")
    rules, seats = any_table(lot)
    duel = Duel(ruleset_of(as_given(rules)), seats, lot.randbytes(32), lot, Manners(calls=0.7, talks=0.1))
    return [json.loads(step.json) for step in trace(record_of(duel.play()), duel.ruleset)]


def test_a_random_trace_can_be_checked_alone() -> None:
    """So does every step of matches under rules by lot."""
    for seed in range(30):
        check_trace([json.dumps(step) for step in random_trace(seed)])


def _a_point_more(steps: Steps) -> None:
    next(step for step in steps if step.get("event") == "scored")["count"] += 1


def _a_legal_move_less(steps: Steps) -> None:
    next(step for step in steps if len(step.get("legal", ())) > 1)["legal"].pop()


def _another_card_drawn(steps: Steps) -> None:
    next(step for step in steps if step.get("cards"))["cards"][0] = "R0*"


def _another_seat(steps: Steps) -> None:
    step = next(step for step in steps if step.get("event") == "drew")
    step["seat"] = step["seat"] + 1


def _another_place(steps: Steps) -> None:
    steps[-1]["count"] += 1


def _an_event_less(steps: Steps) -> None:
    steps.remove(next(step for step in steps if step.get("event") == "played"))


def _a_hand_of_others(steps: Steps) -> None:
    hands = next(step for step in steps if step.get("event") == "round_began")["hands"]
    hands[0], hands[1] = hands[1], hands[0]


def _another_dealer(steps: Steps) -> None:
    draws = steps[1]["dealer_draws"]
    draws[0]["card"], draws[-1]["card"] = draws[-1]["card"], draws[0]["card"]


def _a_card_for_the_dealer_less(steps: Steps) -> None:
    del steps[1]["dealer_draws"][0]


def _a_deal_in_vain_that_was_none(steps: Steps) -> None:
    steps[1]["in_vain"].append(steps[1]["hands"])


def _a_refused_card_less(steps: Steps) -> None:
    steps[2]["refused"].pop()


def _a_refused_card_more(steps: Steps) -> None:
    steps[2]["refused"].append(steps[2]["card"])


def _refused_in_another_order(steps: Steps) -> None:
    steps[2]["refused"].reverse()


OPENING: dict[str, object] = {
    "first_dealer": "high_card",
    "deck": {"R1": 2, "G2": 1, "RS": 12, "G+2": 8, "W": 4},
    "hand_size": 3,
    "first_card": "number_only",
    "first_card_return": "middle",
}
"""Rules under which much happens before the first turn (R13, R15, R16)."""


@pytest.mark.parametrize(
    "forge",
    [
        _another_dealer,
        _a_card_for_the_dealer_less,
        _a_deal_in_vain_that_was_none,
        _a_refused_card_less,
        _a_refused_card_more,
        _refused_in_another_order,
    ],
)
def test_a_forged_opening_is_noticed(forge: Callable[[Steps], None]) -> None:
    """R13, R15, R16: neither the dealer nor a refused first card nor a deal in vain can be made up."""
    rules = ruleset(scoring="lowest", rounds=1, **OPENING)
    match = played("opening", rules, 25)
    steps = [json.loads(step.json) for step in trace(record_of(match), rules)]
    check_trace([json.dumps(step) for step in steps])
    forge(steps)

    with pytest.raises((DifferenceError, FaultError)):
        check_trace([json.dumps(step) for step in steps])


def _another_card_given(steps: Steps) -> None:
    next(step for step in steps if step.get("event") == "exchanged")["cards"].reverse()


def _a_line_too_long(steps: Steps) -> None:
    next(step for step in steps if step.get("event") == "said")["line"] = "a" * 201


def _a_table_too_large(steps: Steps) -> None:
    steps[0]["ruleset"]["players"] = "4-10"


@pytest.mark.parametrize("forge", [_another_card_given, _a_line_too_long, _a_table_too_large])
def test_what_no_event_tells_is_checked(forge: Callable[[Steps], None]) -> None:
    """R10, R65, R68: the size of the table, the two cards exchanged, and what was said."""
    rules = ruleset(scoring="lowest", rounds=1, five="exchange")
    match = played("silence or not", rules, 1)
    steps = [json.loads(step.json) for step in trace(record_of(match), rules)]
    check_trace([json.dumps(step) for step in steps])
    forge(steps)

    with pytest.raises(DifferenceError):
        check_trace([json.dumps(step) for step in steps])


@pytest.mark.parametrize(
    "forge",
    [
        _a_point_more,
        _a_legal_move_less,
        _another_card_drawn,
        _another_seat,
        _another_place,
        _an_event_less,
        _a_hand_of_others,
    ],
)
def test_a_forged_trace_is_noticed(forge: Callable[[Steps], None]) -> None:
    """One changed fact of a trace is enough for the check to fail."""
    rules = ruleset(scoring="lowest", rounds=1)
    match = played("forged", rules, 3)
    steps = [json.loads(step.json) for step in trace(record_of(match), rules)]
    check_trace([json.dumps(step) for step in steps])
    forge(steps)

    with pytest.raises((DifferenceError, FaultError)):
        check_trace([json.dumps(step) for step in steps])
