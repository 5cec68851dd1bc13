"""Rulesets by name and as TOML: the presets, and what a file changes in one.

Owns the four presets of the sheet and the reading of a ruleset that somebody wrote. Refuses, by name, what is
no preset, no option, or no TOML; what an option may be is `option_kinds`, what goes together `options`.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from arena.errors import nearest, quote
from arena.rules.cards import KINDS, NotationError, parse_card
from arena.rules.decks import MAX_CARDS, format_deck
from arena.rules.option_kinds import RulesetError, parse_value, shown
from arena.rules.options import Ruleset
from arena.toml import read_toml

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "mattel": {},
    "classic": {
        "first_card": "number_only",
        "voluntary_draw": "only_when_stuck",
        "challenge_success": "returned",
        "draw_two_answer": "deflect",
        "draw_four_answer": "deflect",
        "skip_answer": "identical",
    },
    "family": {
        "first_card": "number_only",
        "voluntary_draw": "only_when_stuck",
        "drawn_card": "forced",
        "wild_restriction": "no_colour",
        "draw_two_answer": "stack",
        "draw_four_answer": "stack",
        "reverse_answer": "draws",
        "uno_penalty": 4,
        "advice_penalty": 2,
    },
    "czech": {
        "first_dealer": "high_card",
        "first_card": "no_wilds",
        "first_card_return": "middle",
        "first_reverse": "right_of_dealer",
        "action_match": "colour_only",
        "draw": "until_playable",
        "drawn_card": "forced",
        "wild_draw_four": "no_colour_or_match",
        "challenge": False,
        "uno_penalty": 4,
        "scoring": "lowest",
    },
}
"""The four texts of the sheet, as what each changes in `mattel`."""


def preset(name: str) -> Ruleset:
    """Return a preset by name.

    Raises:
        RulesetError: There is no such preset.
    """
    if name not in PRESETS:
        raise RulesetError(
            f"unknown ruleset {quote(name)}{nearest(name, PRESETS)}: one of {', '.join(PRESETS)}"
        )
    return Ruleset(**PRESETS[name])


def parse_ruleset(text: str) -> Ruleset:
    """Return the ruleset of a preset's name or of a TOML text: ``base = "mattel"`` and options that differ.

    Raises:
        RulesetError: The text is no TOML, or names an unknown preset, option or value.
    """
    if "=" not in text:
        return preset(text.strip())
    try:
        given = read_toml(text)
    except ValueError as error:
        raise RulesetError(f"the ruleset is no TOML: {error}") from error
    return ruleset_of(given)


def ruleset_of(given: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a table of options, as TOML gives it; values may also be the texts of `options`.

    Raises:
        RulesetError: It names an unknown preset, option or value.
    """
    base = given.get("base", "mattel")
    if not isinstance(base, str):
        raise RulesetError(f"'base' cannot be {shown(base)}: one of {', '.join(PRESETS)}")
    if base not in PRESETS:
        raise RulesetError(f"unknown base {quote(base)}{nearest(base, PRESETS)}: one of {', '.join(PRESETS)}")
    chosen = dict(PRESETS[base])
    known = {option.name: option for option in fields(Ruleset)}
    for name, value in given.items():
        if name == "base":
            continue
        if name not in known:
            hint = nearest(name, known) or f": one of base, {', '.join(known)}"
            raise RulesetError(f"unknown option {quote(name)}{hint}")
        if name == "deck" and isinstance(value, Mapping):
            if "cards" in given:
                raise RulesetError("option 'cards' and a table 'deck' both say what the deck is: one of them")
            chosen |= {"deck": "custom", "cards": _deck_text(value)}
        else:
            chosen[name] = parse_value(known[name], value)
    return Ruleset(**chosen)


def _deck_text(table: Mapping[str, Any]) -> str:
    """Return the text of a deck given as a TOML table card -> copies."""
    deck = [0] * KINDS
    for name, copies in table.items():
        try:
            card = parse_card(name)
        except NotationError as error:
            raise RulesetError(f"option 'deck': {error}") from error
        if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= MAX_CARDS:
            raise RulesetError(
                f"option 'deck' cannot have {shown(copies)} of {name}: a whole number, 1 to {MAX_CARDS}"
            )
        deck[card] = copies
    if sum(deck) > MAX_CARDS:
        raise RulesetError(f"option 'deck' cannot have {sum(deck)} cards: at most {MAX_CARDS}")
    return format_deck(tuple(deck))
