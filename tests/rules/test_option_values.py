"""Whatever a ruleset file gives an option that it cannot be is refused in words that mend it."""

import re
from dataclasses import Field, fields
from typing import Any

import pytest

from arena.rules import Ruleset, RulesetError, parse_ruleset

WRONG = {
    '"hat"': "'hat'",
    '""': "''",
    "7000000": "7000000",
    "-1": "-1",
    "1.5": "1.5",
    "inf": "inf",
    "true": "true",
    "1979-05-27": "the date or time 1979-05-27",
    "07:32:00": "the date or time 07:32:00",
    "1979-05-27T07:32:00Z": "the date or time 1979-05-27 07:32:00",
    '["R1"]': "a list",
    "{ R1 = 1 }": "a table",
    f"0x{'F' * 5000}": "a number of many digits",
}
"""What TOML can write, and how a refusal shows it."""
TAKES = {"true": ("switch",), "{ R1 = 1 }": ("deck",), '"hat"': ("cards",), '""': ("cards",)}
"""What is right for some options, or is read as a deck."""


def kind_of(option: "Field[Any]") -> str:
    """Return which of the exceptions an option belongs to."""
    return "switch" if isinstance(option.default, bool) else option.name


@pytest.mark.parametrize("option", [*fields(Ruleset)], ids=lambda option: option.name)
def test_every_wrong_value_of_every_option_is_refused_in_words(option: "Field[Any]") -> None:
    """The message names the option, what was given, and each value that is allowed."""
    named = [str(value) for key in ("values", "numbers") for value in option.metadata.get(key, ())]
    named = named or {"players": ["2-10"], "cards": ["a text such as", "deck"]}.get(option.name, ["1 to"])
    for written, shown in WRONG.items():
        if kind_of(option) in TAKES.get(written, ()):
            continue
        with pytest.raises(RulesetError) as refusal:
            parse_ruleset(f"{option.name} = {written}")

        message = str(refusal.value)
        assert message.startswith(f"option '{option.name}' cannot be "), message
        assert shown in message, message
        assert [value for value in named if not re.search(rf"\b{value}\b", message)] == [], message
        assert message.count("\n") == 0
        assert len(message) < 250, message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[base]\nR1 = 1", ["'base' cannot be a table", "mattel, classic"]),
        ("base = 3", ["'base' cannot be 3", "mattel, classic"]),
        ("hand_size = 'default'", ["'hand_size' cannot be 'default'", "1 to"]),
        ("draw = 'onee'", ["'draw' cannot be 'onee' (did you mean 'one'?)", "until_playable"]),
        ("[deck]\nR1 = true", ["'deck' cannot have true of R1", "1 to 1000"]),
        ("[deck]\nR1 = 1000\nR2 = 1", ["'deck' cannot have 1001 cards", "1000"]),
        ("[deck]\n'R1 R2' = 2", ["'deck'", "no card is written 'R1 R2'"]),
        ("cards = 'R1'\n[deck]\nR2 = 90", ["'cards'", "'deck'", "one of them"]),
        (f"deck = 'custom'\ncards = 'R1*{'9' * 5000}'", ["'cards'", "no number of copies"]),
    ],
)
def test_what_else_a_file_gets_wrong(text: str, words: list[str]) -> None:
    """The base, the forms of a deck and numbers without end are refused as clearly."""
    with pytest.raises(RulesetError) as refusal:
        parse_ruleset(text)

    assert [word for word in words if word not in str(refusal.value)] == []
    assert len(str(refusal.value)) < 250


def test_what_cannot_be_dealt_or_joined_says_what_to_do() -> None:
    """The sentence ends with the change that makes it playable."""
    with pytest.raises(RulesetError, match="the deck has 108: seat fewer, or deal smaller hands"):
        Ruleset(hand_size=60)
    with pytest.raises(RulesetError, match="cannot be played together: leave one of them out"):
        Ruleset(to_the_last=True, scoring="winner_takes")
