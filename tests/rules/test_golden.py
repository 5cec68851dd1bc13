"""Golden traces: for every value of every option a whole match in text, in which the option shows.

`ARENA_GOLDEN=write` writes them anew, to be read in the diff, line by line. A case names what must be seen in
the trace; the first short match in which it is seen is the one that is kept, as long as it is seen there.
"""

import os
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from arena.rules import Match, Ruleset, Stream, Variant, derive, parse_ruleset, record_of
from arena.rules.moves import MISPLAY
from arena.rules.trace import trace
from tests.rules.positions import ruleset

Options = dict[str, object]
MOST_LINES = 70
TO_THE_LAST: Options = {"to_the_last": True, "scoring": "lowest"}
H2O: Options = {"deck": "h2o"}
TINY: Options = {"deck": "custom", "cards": "R1*2 G2 RS*5 G+2*2 Y+2 B+2 W*3", "hand_size": 3}
ONE_ROUND: Options = {"rounds": 1, "hand_size": 4}

CASES: dict[str, tuple[Options, str]] = {
    "players-3": ({"players": "3"}, "match of 3 seats"),
    "hand_size-2": ({"hand_size": 2}, "round_over seat="),
    "deck-standard": ({}, r"round_over seat=\d"),
    "deck-blanks": ({"deck": "blanks", "blank": "wild"}, "played seat=. card=BL"),
    "deck-gdj85": ({"deck": "gdj85"}, r"hands_shuffled seat=. count=[4-9]"),
    "deck-h2o": (H2O, r"card=.\+1\n(.*\n)?paid seat=. count=1"),
    "deck-custom": ({"deck": "custom", "cards": "R1*9 G1*9 B2*9 Y2*9 RS*4 W*4"}, "round_over seat="),
    "first_dealer-seat0": ({"first_dealer": "seat0"}, "round_began seat=0"),
    # A card without a number is drawn again, and the highest are drawn for again.
    "first_dealer-high_card": (
        {"first_dealer": "high_card"},
        r"dealer: 0 .\d, 1 (W|.[SR]|.\+2), 1 .\d, 2 .\d, [012] .*\n(.*\n)*round_over seat=",
    ),
    "dealer_rotation-clockwise": ({"rounds": 2, "hand_size": 2}, r"round_began seat=. count=2"),
    "dealer_rotation-fixed": (
        {"rounds": 2, "hand_size": 2, "dealer_rotation": "fixed"},
        r"round_began seat=. count=2",
    ),
    "dealer_rotation-lazy": (
        {"rounds": 2, "hand_size": 2, "dealer_rotation": "lazy"},
        r"round_began seat=. count=2",
    ),
    "first_card-number_only": ({"first_card": "number_only"}, r"first_card card=.\d"),
    "first_card-no_wilds": ({"first_card": "no_wilds"}, r"first_card card=.\+2"),
    "first_card-any": ({"first_card": "any"}, r"first_card card=W\+4\n.*colour"),
    "first_card_return-middle": (
        {"first_card": "number_only", "first_card_return": "middle", "players": "2"} | TINY,
        r"refused (?!R1)(\S+) (?!R1)(?!\1\n)\S+\n(.*\n)*(drew|paid) .*: .*\1(.*\n)*round_over seat=",
    ),
    "first_card_return-bottom": (
        {"first_card": "number_only", "first_card_return": "bottom", "players": "2"} | TINY,
        r"refused (\S+) \S+\n(.*\n)*(drew|paid) .*: .*\1(.*\n)*round_over seat=",
    ),
    "first_card_return-shuffle": (
        {"first_card": "number_only"} | TINY,
        r"refused (\S+) \1 .*\n(.*\n)*round_over seat=",
    ),
    "first_card-dealt_again": ({"first_card": "number_only"} | TINY, r"in vain: (.*\n)*round_over seat="),
    "first_reverse-dealer": ({}, "first_card card=.R "),
    "first_reverse-right_of_dealer": ({"first_reverse": "right_of_dealer"}, "first_card card=.R "),
    "action_match-colour_only": ({"action_match": "colour_only"}, r"played seat=. card=.S\nskipped"),
    "draw-until_playable": ({"draw": "until_playable"}, r"drew seat=. count=[3-6]"),
    "voluntary_draw-only_when_stuck": ({"voluntary_draw": "only_when_stuck"}, r"turn: draw!?   of draw\n"),
    "drawn_card-forced": ({"drawn_card": "forced"}, r"drawn: (.\d)!?   of \1\n"),
    "stalemate-void": ({"max_turns": 6}, r"round_over count=1"),
    "stalemate-lowest_hand": ({"max_turns": 6, "stalemate": "lowest_hand"}, r"round_over seat=. count=1"),
    "reverse_two_players-skip": ({"players": "2"}, r"card=.R\n(uno_called.*\n)?skipped"),
    "reverse_two_players-pass": (
        {"players": "2", "reverse_two_players": "pass"},
        r"played seat=. card=.R\n  seat",
    ),
    "wild_colour-circle": ({"wild_colour": "circle"}, r"turn: W!?   of.*\nplayed seat=. card=W colour"),
    "wild_draw_four-no_colour": ({}, r"challenged seat=. count=1 other"),
    # Guilty although no card of the active colour was held: a number matched.
    "wild_draw_four-no_colour_or_match": (
        {"wild_draw_four": "no_colour_or_match"},
        (
            r"played seat=. card=([RGBY])(\d)\n  seat . turn: W\+4:.!?   of ((?!\1)[RGBY]\2, )+W.*"
            r"\nplayed.*\n  seat . penalty: challenge.*\nchallenged seat=. count=1"
        ),
    ),
    # Played with a card of the active colour in hand, where no bluff is allowed.
    "wild_draw_four-always": (
        {"wild_draw_four": "always", "challenge": False},
        r"played seat=. card=([RGBY])\d\n  seat . turn: W\+4:.!?   of .*\1\d",
    ),
    "challenge-off": ({"challenge": False}, r"card=W\+4.*\npaid seat=. count=4"),
    "challenge_success-stays": ({}, r"count=1 other=.\npaid seat=. count=4.*\n  seat"),
    "challenge_success-returned": ({"challenge_success": "returned"}, "returned seat="),
    "wild_restriction-no_colour": ({"wild_restriction": "no_colour"}, r"played seat=. card=W colour"),
    "draw_two_answer-deflect": (
        {"draw_two_answer": "deflect"},
        r"penalty: .\+2.*\n(.*\n)*?paid seat=. count=2",
    ),
    "draw_two_answer-stack": ({"draw_two_answer": "stack"}, r"penalty: .\+2.*\n(.*\n)*?paid seat=. count=4"),
    "draw_four_answer-deflect": ({"draw_four_answer": "deflect"}, r"penalty: .\+2!?   of"),
    "draw_four_answer-stack": ({"draw_four_answer": "stack"}, r"penalty: W\+4"),
    "skip_answer-identical": ({"skip_answer": "identical"}, r"penalty: .S"),
    "reverse_answer-draws": ({"reverse_answer": "draws"}, r"penalty: .R"),
    "reverse_answer-all": ({"reverse_answer": "all"}, r"card=.S\n  seat . penalty: .R"),
    "uno_penalty-2": ({}, r"uno_caught.*\nfined seat=. count=2"),
    "uno_penalty-4": ({"uno_penalty": 4}, r"uno_caught.*\nfined seat=. count=4"),
    "misplay_penalty-2": ({"misplay_penalty": 2}, r"misplayed(.*\n)*.*false_(uno|catch)"),
    "uno_centre-on": ({"uno_centre": True}, r"uno_called.*\nfined"),
    "ready-on": ({"ready": True}, "said_ready"),
    "jump_in-on": ({"jump_in": True}, "jumped_in"),
    "seven-swap": ({"seven": "swap"}, "swapped"),
    "zero-rotate": ({"zero": "rotate"}, "rotated"),
    "five-exchange": ({"five": "exchange"}, "exchanged"),
    "silence-twos": ({"silence": "twos"}, r"said(.*\n)*.*fined"),
    "silence-wilds": ({"silence": "wilds"}, r"said(.*\n)*.*fined"),
    "advice_penalty-2": ({"advice_penalty": 2}, r"said.*other=1(.*\n)*.*fined seat=. count=2"),
    "blank-plus_ten": ({"deck": "blanks", "blank": "plus_ten"}, r"paid seat=. count=10"),
    "blank-wild": ({"deck": "blanks", "blank": "wild"}, r"played seat=. card=BL"),
    "seven_rounds-on": ({"seven_rounds": True, "hand_size": 3}, r"refilled(.*\n)*.*went_out"),
    "to_the_last-on": (TO_THE_LAST, r"went_out(.*\n)*.*went_out"),
    "scoring-winner_takes": ({}, r"scored seat=. count=[1-9]"),
    "scoring-own_points": ({"scoring": "own_points", "target": 30}, r"match_over count=1"),
    "scoring-lowest": ({"scoring": "lowest", "target": 30}, r"match_over count=1"),
    "scoring-elimination": (
        {"scoring": "elimination", "target": 20, "rounds": 5, "hand_size": 2},
        r"eliminated(.*\n)*round_began",
    ),
    "scoring-lazy": ({"scoring": "lazy"}, r"scored seat=. count=-1"),
    "scoring-single_round": ({"scoring": "single_round"}, "match_over count=1"),
    # No hand of this deck comes to fifty unless its one card is a 0.
    "lone_zero-50": (
        {"lone_zero": 50, "scoring": "lowest", "deck": "custom", "cards": "R0*20 G0*20 R1*20 G1*20"},
        r"scored seat=. count=50",
    ),
    "h2o_finish-on": (H2O | {"h2o_finish": True, "scoring": "lowest"}, r"scored seat=. count=-"),
    "target-20": ({"target": 20}, r"match_over count=1"),
    "rounds-1": ({}, r"match_over count=2"),
    "max_turns-6": ({"max_turns": 6}, r"round_over count=1"),
    "max_decisions-9": ({"max_decisions": 9}, r"match_over count=3"),
    "leaving": ({}, r"left seat=.(.*\n)*.*left seat=.(.*\n)*match_over count=4"),
    "preset-classic": ({"base": "classic"}, r"paid(.*\n)*.*round_over seat"),
    "preset-family": ({"base": "family"}, r"paid(.*\n)*.*round_over seat"),
    "preset-czech": ({"base": "czech"}, r"paid(.*\n)*.*round_over seat"),
}
"""What is set, and what the trace must show."""


def played(name: str, rules: Ruleset, number: int) -> Match:
    """Play a match of three seats (or what the ruleset allows) by the lots of a key."""
    match = Match(rules, min(3, rules.most_seats), derive(b"golden", name, number), Variant(rules))
    lots = Stream(derive(b"golden lots", name, number))
    while not match.over:
        if name == "leaving" and lots.below(8) == 0:
            match.leave([lots.below(match.seats)])
            continue
        moves = match.legal_moves()
        rather_not_draw = len(moves) > 1 and match.question == 1 and lots.below(4) > 0
        move = moves[lots.below(len(moves) - (1 if rather_not_draw else 0))]
        talks = name.startswith(("silence", "advice")) and lots.below(4) == 0
        if match.round.may_misplay() and lots.below(12) == 0:
            move = MISPLAY
        match.apply(move, uno=lots.below(4) > 0, say="well, well" if talks else "", advice=lots.below(2) == 0)
    return match


def told(match: Match) -> str:
    """Return the trace of a match as text."""
    record = record_of(match)
    return "".join(f"{step.text}\n" for step in trace(record, match.ruleset))


def known_number(name: str) -> int | None:
    """Return the number of the match that is kept, None where none is kept yet and one is to be found."""
    path = Path(__file__).parent / "golden" / f"{name}.txt"
    if os.environ.get("ARENA_GOLDEN") == "write" and not path.exists():
        return None
    return int(path.read_text(encoding="utf-8").split(" ", 2)[1].removesuffix(":"))


def first_number(name: str, rules: Ruleset, seen: str) -> int:
    """Return the number of the first short match in which something is seen."""
    for number in range(3000):
        text = told(played(name, rules, number))
        if text.count("\n") <= MOST_LINES and re.search(seen, text):
            return number
    raise AssertionError(f"{seen!r} is never seen")


@pytest.mark.parametrize("name", CASES)
def test_golden_trace(name: str, golden: Callable[[str, str], None]):
    """The same match is told in the same words as when somebody read it last, and shows its option."""
    options, seen = CASES[name]
    rules = ruleset(**{**ONE_ROUND, **options})  # type: ignore[arg-type]
    number = known_number(name)
    text = told(played(name, rules, number)) if number is not None else ""
    if number is None or (os.environ.get("ARENA_GOLDEN") == "write" and not re.search(seen, text)):
        number = first_number(name, rules, seen)
        text = told(played(name, rules, number))

    assert re.search(seen, text)
    golden(name, f"match {number}: {_changes(rules)}\n{text}")


def _changes(rules: Ruleset) -> str:
    """Return the options that differ from `mattel`, each with the id of its rule."""
    usual = ruleset().options()
    ids = {option.name: option.metadata["rule"] for option in fields(Ruleset)}
    return ", ".join(
        f"{ids[name]} {name}={text}" for name, text in rules.options().items() if text != usual[name]
    )


def test_every_value_of_every_option_has_a_golden_trace():
    """No option is added without a trace that somebody reads: each value that `mattel` lacks has one."""
    missing = []
    for option in fields(Ruleset):
        values = [
            str(value) for value in (*option.metadata.get("values", ()), *option.metadata.get("numbers", ()))
        ]
        usual = ruleset().options()[option.name]
        for value in values:
            if value != usual and f"{option.name}-{value}" not in CASES:
                missing.append(f"{option.name}-{value}")

    assert missing == []


def test_the_golden_rulesets_are_what_they_say():
    """A ruleset written as text is the one that is played."""
    for options, _seen in CASES.values():
        rules = ruleset(**options)  # type: ignore[arg-type]
        assert parse_ruleset(rules.canonical_text()) == rules
