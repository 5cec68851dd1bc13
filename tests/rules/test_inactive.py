"""Options that cannot matter under the others: each is shown, and none that is shown matters."""

from dataclasses import fields
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.rules import Match, Ruleset, RulesetError, derive, parse_ruleset, preset
from arena.rules.inactive import inactive_options
from arena.rules.presets import ruleset_of
from tests.rules.lots import decide, rulesets

NUMBERS = 'deck = "custom"\ncards = "R1*10 G1*10 B1*10"\n'
VALUES = {
    option.name: (*option.metadata.get("values", ()), *option.metadata.get("numbers", ()))
    for option in fields(Ruleset)
} | {"target": (1, 30), "rounds": (1, 4)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('base = "czech"', {"challenge_success"}),
        ('wild_draw_four = "always"', {"challenge_success"}),
        (NUMBERS, {"seven", "challenge", "reverse_answer", "wild_colour", "silence", "wild_restriction"}),
        (NUMBERS + 'scoring = "single_round"', {"target", "rounds", "dealer_rotation"}),
        ("rounds = 1", {"dealer_rotation"}),
        ("hand_size = 1", {"seven_rounds"}),
        ('reverse_two_players = "pass"\n[deck]\nR1 = 20\nRR = 9', {"reverse_answer"}),
        ("hand_size = 1\n[deck]\nR1 = 1\nR2 = 1\nR3 = 1\nRS = 9", {"jump_in"}),
    ],
)
def test_what_cannot_matter_is_shown(text: str, names: set[str]) -> None:
    """Options without the cards, the rounds or the other options that they need are inactive."""
    assert names <= set(inactive_options(parse_ruleset(text)))


def test_little_is_inactive_in_a_preset() -> None:
    """The standard deck has no blanks; all else may matter in `mattel`."""
    assert inactive_options(preset("mattel")) == ["blank"]


@st.composite
def _small_decks(draw: st.DrawFn) -> str:
    """Draw a deck of few kinds, in which many options have no card."""
    kinds = draw(
        st.lists(
            st.sampled_from(["R1", "G1", "R2", "R7", "RS", "RR", "GR", "R+2", "W", "W+4", "BL"]),
            min_size=1,
            unique=True,
        )
    )
    return " ".join(f"{kind}*{draw(st.sampled_from([1, 5, 9]))}" for kind in ["G3", "R3", *kinds])


@given(rulesets(), _small_decks(), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_what_is_inactive_does_not_matter(rules: Ruleset, cards: str, small: bool, seed: int) -> None:
    """Whatever value an inactive option is given, the same moves from one deal lead to the same game."""
    given_ = rules.options() | ({"deck": "custom", "cards": cards, "hand_size": "2"} if small else {})
    given_ |= {"max_decisions": "80"}
    try:
        ruleset = ruleset_of(given_)
    except RulesetError:
        assume(condition=False)
        raise
    can_deal = (sum(ruleset.deck_copies) - 2) // ruleset.hand_size
    seats = Random(seed).randint(2, min(4, can_deal, ruleset.most_seats))
    usual = game(ruleset, seats, seed)
    for name in inactive_options(ruleset):
        for value in VALUES[name]:
            try:
                other = ruleset_of(given_ | {name: value})
            except RulesetError:
                continue
            assert game(other, seats, seed) == usual, (name, value)


def game(ruleset: Ruleset, seats: int, seed: int) -> list[object]:
    """Return all that is to be seen of a match played by lot: every list, what happened, the end."""
    match = Match(ruleset, seats, derive(b"inactive", seed))
    random = Random(seed)
    lists: list[object] = []
    while not match.over:
        lists.append((match.seat, match.question, match.legal_moves(), match.bluffs()))
        decide(match, random)
    return [*lists, match.events, match.totals, match.places]
