"""The engine and the second opinion play the same matches and tell the same, over rulesets by lot.

`ARENA_DUELS=5000` plays as many matches of random rulesets instead of the few of an ordinary run;
`ARENA_DUELS_FROM=100000` begins with another seed.
"""

import json
import os
import random
from collections import Counter
from typing import Any

import pytest

from arena.rules.cards import format_card
from arena.rules.match import Match
from arena.rules.moves import parse_move
from arena.rules.option_kinds import RulesetError
from arena.rules.options import Ruleset
from arena.rules.pile import Pile
from arena.rules.presets import ruleset_of
from arena.rules.questions import QuestionKind
from arena.rules.record import record_of
from arena.rules.trace import trace
from arena.rules.view import View
from tests.rules import duel
from tests.rules.duel import Manners, fight
from tests.rules.oracle.corners import CORNERS, any_corner
from tests.rules.oracle.faces import EVERY_CARD, face_of
from tests.rules.oracle.match import OracleMatch
from tests.rules.oracle.rulesets import any_options, any_table, as_given, one_change
from tests.rules.oracle.sheet import CHOICES, PRESETS, Options, deck_of, may_be_first, options, refusals
from tests.rules.oracle.streams import Streams
from tests.rules.oracle.supply import Lottery
from tests.rules.trace_supply import DifferenceError

DUELS = int(os.environ.get("ARENA_DUELS", "0"))
FIRST_SEED = int(os.environ.get("ARENA_DUELS_FROM", "0"))
PATIENCE = 300 + DUELS
"""Seconds after which a test has hung."""
VALUES = [(name, value) for name, values in CHOICES.items() for value in values]
BUSY = Manners(plays=0.8, calls=0.7, talks=0.1, errs=0.02, leaves=0.002)

SELDOM = {
    *(
        "challenged True",
        "challenged False",
        "returned",
        "caught",
        "false_catch",
        "false_uno",
        "misplay",
        "uno",
    ),
    *(
        "swap",
        "rotate",
        "exchange",
        "shuffle_hands",
        "out",
        "ready",
        "said",
        "leave",
        "reshuffle",
        "first_colour",
    ),
    *(
        f"drawn for {why}"
        for why in ("first", "last", "refill", "centre", "talk", "guilty", "+1", "W+2", "+10")
    ),
    *("jumped in", "answered", "round over alone", "over by target", "over by rounds", "over by decisions"),
    *("over by last_seat", "stalemate won", "dropped"),
}
"""What must have happened at least once in a long run, so that it cannot agree about nothing."""


def what_happened(match: OracleMatch) -> Counter[str]:
    """Count what happened in a match."""
    seen: Counter[str] = Counter([f"over by {match.ending}"])
    for what, facts in match.table["log"]:
        if what == "draw" and facts["cards"]:
            seen[f"drawn for {facts['why']}"] += 1
        elif what == "challenge":
            seen[f"challenged {facts['guilty']}"] += 1
        elif what == "play":
            seen[{"jump": "jumped in", "answer": "answered", "turn": "played"}[facts["how"]]] += 1
        elif what == "round_over":
            seen[f"round over {facts['why']}"] += 1
            seen["stalemate won"] += facts["why"] == "stalemate" and facts["winner"] is not None
            seen["dropped"] += len(facts["dropped"])
        else:
            seen[what] += 1
    return seen


@pytest.mark.timeout(PATIENCE)
def test_matches_of_random_rulesets_agree() -> None:
    """Same deal, same moves: same legal lists, news, hands and scores, whatever options come together."""
    seen: Counter[str] = Counter()
    for seed in range(FIRST_SEED, FIRST_SEED + (DUELS or 110)):
        rules, seats = any_table(random.Random(seed))
        seen += what_happened(fight(rules, seats, seed))

    assert seen["played"] > 1000
    if DUELS >= 3000:
        assert sorted(SELDOM - set(seen)) == []


@pytest.mark.timeout(PATIENCE)
@pytest.mark.parametrize("name", CORNERS)
def test_matches_in_the_corners_agree(name: str) -> None:
    """Small decks and crowded options, in which rules meet that seldom meet elsewhere."""
    for seed in range(FIRST_SEED, FIRST_SEED + (DUELS // 3 or 15)):
        rules, seats = any_corner(random.Random(seed), name)
        fight(rules, seats, seed)


@pytest.mark.parametrize("seats", [2, 3, 5, 10])
@pytest.mark.parametrize("preset", PRESETS)
def test_presets_agree(preset: str, seats: int) -> None:
    """Every preset, as it stands but for a shorter match, is played the same by both."""
    fight(options(preset, max_decisions=400), seats, seats, BUSY)


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_each_value_of_each_option_agrees(name: str, value: Any) -> None:
    """Every value of every option, alone on top of a preset, is played the same by both."""
    lot = random.Random(f"{name}={value}")
    rules, seats = one_change(lot, name, value)
    fight(rules | {"max_decisions": 150}, seats, lot.randrange(10**6), BUSY)


def played_by_another_rule(monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    """Let the second opinion play by another value of an option than the engine."""
    honest = duel.options_of_texts
    monkeypatch.setattr(duel, "options_of_texts", lambda texts: honest(texts) | {name: value})


def fight_often(rules: Options) -> None:
    """Let both play many matches of the same rules."""
    for seed in range(60):
        fight(rules, 2 + seed % 3, seed, Manners(calls=0.5, talks=0.2))


@pytest.mark.parametrize(
    ("name", "engine", "oracle", "more"),
    [
        ("action_match", "colour_or_symbol", "colour_only", {}),
        ("draw", "one", "until_playable", {}),
        ("voluntary_draw", "allowed", "only_when_stuck", {}),
        ("drawn_card", "optional", "forced", {}),
        ("wild_draw_four", "no_colour", "no_colour_or_match", {"hand_size": 10}),
        ("challenge_success", "stays", "returned", {}),
        ("draw_two_answer", "deflect", "stack", {}),
        ("draw_four_answer", "stack", "none", {"hand_size": 10}),
        ("uno_penalty", 2, 4, {"hand_size": 2}),
        ("uno_centre", "off", "on", {"hand_size": 2}),
        ("jump_in", "off", "on", {}),
        ("seven", "swap", "off", {}),
        ("zero", "rotate", "off", {}),
        ("silence", "twos", "wilds", {}),
        ("reverse_two_players", "skip", "pass", {}),
        ("scoring", "lowest", "own_points", {"hand_size": 1, "target": 10}),
        ("lone_zero", 0, 50, {"hand_size": 1, "scoring": "lowest"}),
        ("dealer_rotation", "clockwise", "fixed", {"hand_size": 1}),
        ("max_turns", 30, 31, {}),
        ("stalemate", "void", "lowest_hand", {"max_turns": 5}),
    ],
)
def test_a_duel_notices_a_difference(
    monkeypatch: pytest.MonkeyPatch, name: str, engine: Any, oracle: Any, more: Options
) -> None:
    """Where the two play by different rules the duel ends with a difference: agreement means something."""
    played_by_another_rule(monkeypatch, name, oracle)
    rules = options("mattel", max_decisions=300, **more) | {name: engine}

    with pytest.raises(DifferenceError):
        fight_often(rules)


def test_both_refuse_the_same_rulesets() -> None:
    """What the sheet refuses, the engine refuses by name, at the smallest table and at the real one."""
    refused = 0
    for seed in range(1500):
        lot = random.Random(seed)
        rules, seats = any_options(lot), lot.randint(2, 10)
        try:
            ruleset = ruleset_of(as_given(rules))
        except RulesetError:
            refused += 1
            assert refusals(rules), seed
            continue
        assert not refusals(rules), seed
        try:
            ruleset.check_table(seats)
        except RulesetError:
            assert refusals(rules, seats), seed
        else:
            assert not refusals(rules, seats), seed

    assert 100 < refused < 1400


@pytest.mark.parametrize("seats", [2, 3, 7, 10])
def test_both_cut_the_same_streams(seats: int) -> None:
    """A pile gives each seat the cards of its stream, then of the longest, then those from under it."""
    for seed in range(40):
        lot = random.Random(seed)
        pile = [lot.randrange(61) for _ in range(lot.randint(0, 60))]
        tail = [lot.randrange(61) for _ in range(lot.randint(0, 3))]
        one_pile = lot.random() < 0.2
        engine, oracle = Pile(list(pile), 1 if one_pile else seats, list(tail)), Streams(seats)
        oracle.lies([EVERY_CARD[card] for card in pile], [EVERY_CARD[card] for card in tail], one_pile)
        left = len(pile) + len(tail)
        while left:
            if lot.random() < 0.05:
                under = [lot.randrange(61)]
                engine.put_under(list(under))
                oracle.under([EVERY_CARD[card] for card in under])
                left += 1
            seat = lot.choice([0, lot.randrange(seats)])
            assert EVERY_CARD[engine.take(seat)] == oracle.take(seat)
            left -= 1


@pytest.mark.parametrize("value", CHOICES["first_card"])
@pytest.mark.parametrize("deck", ["standard", "h2o", "gdj85"])
def test_the_same_cards_may_be_first(deck: str, value: str) -> None:
    """R15: over many deals just those faces lie first that the sheet allows, each of them."""
    rules = options(deck=deck, blank="wild", first_card=value)
    ruleset = ruleset_of(as_given(rules))
    lying = set()
    for seed in range(400):
        lying.add(format_card(View(Match(ruleset, 2, random.Random(seed).randbytes(32)), 0).top))

    faces = {face_of(card) or card for card in lying}
    assert faces == {face_of(card) or card for card in deck_of(rules) if may_be_first(rules, card)}


NINE = {f"{colour}{number}": 1 for colour, number in zip("RGBYRGBY", "12345678", strict=True)} | {"BS": 1}
ONE_REFUSED = {
    "deck": "custom",
    "custom": NINE,
    "hand_size": 1,
    "first_card": "number_only",
    "first_dealer": "seat0",
}


class Watched(Lottery):
    """A lottery that keeps the pile of the first round."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.pile = Streams(2)

    def lies(self, pile: list[str], tail: list[str], one_pile: bool) -> None:
        """Keep the pile."""
        self.pile.lies(pile, tail, one_pile)


def engine_draws(ruleset: Ruleset, seed: int) -> list[str]:
    """Return all cards of the engine's first pile, drawn by seat 1, seat 0, seat 1, and so on."""
    match = Match(ruleset, 2, random.Random(seed).randbytes(32))
    while View(match, match.seat).draw_pile_size:
        match.apply(parse_move("draw" if match.question == QuestionKind.TURN else "keep"))
    steps = [json.loads(step.json) for step in trace(record_of(match), ruleset)]
    return [card for step in steps if step.get("event") == "drew" for card in step["cards"]]


def oracle_draws(rules: Options, seed: int) -> list[str]:
    """Return all cards of a first pile of the second opinion, drawn by the same seats."""
    supply = Watched(seed)
    table = OracleMatch(rules, 2, supply).table
    return [supply.pile.take(1 - i % 2) for i in range(len(table["pile"]) + len(table["tail"]))]


@pytest.mark.parametrize("value", CHOICES["first_card_return"])
def test_a_refused_first_card_goes_to_the_same_place(value: str) -> None:
    """R16: the one card that may not be first is drawn as late, and as often so late, from both piles."""
    rules = options(**ONE_REFUSED, first_card_return=value)
    ruleset = ruleset_of(as_given(rules))
    engine = [draws.index("BS") for draws in (engine_draws(ruleset, i) for i in range(600)) if "BS" in draws]
    oracle = [draws.index("BS") for draws in (oracle_draws(rules, i) for i in range(4000)) if "BS" in draws]

    for place in range(6):
        often = oracle.count(place) / len(oracle)
        error = (often * (1 - often) / len(engine)) ** 0.5
        assert abs(engine.count(place) / len(engine) - often) < 4 * error, (place, often)
