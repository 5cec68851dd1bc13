"""Rulesets by lot: a preset with any of its options changed, one or many, and a table size that fits."""

import random

from tests.rules.oracle.faces import EVERY_CARD
from tests.rules.oracle.sheet import CHOICES, PRESETS, Options, options, refusals


def any_options(lot: random.Random) -> Options:
    """Draw options; they may be refused."""
    rules = options(lot.choice(list(PRESETS)))
    share = lot.choice([0, 0.05, 0.1, 0.3, 0.6])
    for name, values in CHOICES.items():
        if lot.random() < share:
            rules[name] = lot.choice(values)
    if rules["deck"] == "custom":
        rules["custom"] = any_deck(lot)
    # Short matches and small hands meet the ends of rounds and matches more often.
    rules["hand_size"] = lot.choice([1, 2, 2, 3, 3, 4, 7, 10])
    rules["rounds"] = lot.choice([None, 1, 2, 3])
    rules["target"] = lot.choice([None, 1, 20, 60, 150])
    rules["max_turns"] = lot.choice([1, 7, 30, 100, 1000, 1000, 1000, 1000, 1000, 1000])
    rules["max_decisions"] = lot.choice([1, 50, 300, 300, 1000])
    return rules


def any_deck(lot: random.Random) -> dict[str, int]:
    """Draw a custom deck, often of few kinds, so that piles run out and identical cards meet."""
    kinds = lot.sample(EVERY_CARD, lot.choice([3, 10, 30, 61]))
    most = lot.choice([1, 2, 6])
    return {card: lot.randint(1, most) for card in kinds}


def any_table(lot: random.Random) -> tuple[Options, int]:
    """Draw options and a number of seats that the sheet does not refuse."""
    while True:
        rules, seats = any_options(lot), lot.choice([2, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        if not refusals(rules, seats):
            return rules, seats


def one_change(lot: random.Random, name: str, value: object) -> tuple[Options, int]:
    """Return a table at which one option has the value, in a preset by lot."""
    while True:
        rules = options(lot.choice(list(PRESETS)), **{name: value})
        rules["max_decisions"] = 300
        if name == "deck" and value == "custom":
            rules["custom"] = any_deck(lot)
        if name in ("blank", "h2o_finish"):
            rules["deck"] = "blanks" if name == "blank" else "h2o"
        if name == "to_the_last":
            rules["scoring"] = lot.choice(["own_points", "lowest", "elimination", "lazy", "single_round"])
        seats = lot.randint(2, 10)
        if not refusals(rules, seats):
            return rules, seats


def as_given(rules: Options) -> dict[str, object]:
    """Return the options as a ruleset file gives them: a custom deck is a table, what is None is left out."""
    given = {name: value for name, value in rules.items() if value is not None and name != "custom"}
    if rules["deck"] == "custom":
        given["deck"] = rules["custom"]
    return given
