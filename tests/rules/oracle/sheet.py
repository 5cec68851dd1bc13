"""The options of the sheet: their names and values, what each preset sets, and what is refused."""

from typing import Any

from tests.rules.oracle.faces import COLOURLESS, COLOURS, EVERY_CARD, NUMBERS, face_of

Options = dict[str, Any]

CHOICES: dict[str, list[Any]] = {
    "deck": ["standard", "blanks", "gdj85", "h2o", "custom"],
    "first_dealer": ["random", "seat0", "high_card"],
    "dealer_rotation": ["clockwise", "fixed", "lazy"],
    "first_card": ["number_only", "no_wild_draw_four", "no_wilds", "any"],
    "first_card_return": ["shuffle", "middle", "bottom"],
    "first_reverse": ["dealer", "right_of_dealer"],
    "action_match": ["colour_or_symbol", "colour_only"],
    "draw": ["one", "until_playable"],
    "voluntary_draw": ["allowed", "only_when_stuck"],
    "drawn_card": ["optional", "forced"],
    "stalemate": ["void", "lowest_hand"],
    "reverse_two_players": ["skip", "pass"],
    "wild_colour": ["choose", "circle"],
    "wild_draw_four": ["no_colour", "no_colour_or_match", "always"],
    "challenge": ["off", "on"],
    "challenge_success": ["stays", "returned"],
    "wild_restriction": ["none", "no_colour"],
    "draw_two_answer": ["none", "deflect", "stack"],
    "draw_four_answer": ["none", "deflect", "stack"],
    "skip_answer": ["none", "identical"],
    "reverse_answer": ["off", "draws", "all"],
    "uno_penalty": [2, 4],
    "misplay_penalty": [0, 2],
    "uno_centre": ["off", "on"],
    "ready": ["off", "on"],
    "jump_in": ["off", "on"],
    "seven": ["off", "swap"],
    "zero": ["off", "rotate"],
    "five": ["off", "exchange"],
    "silence": ["off", "twos", "wilds"],
    "advice_penalty": [0, 2],
    "blank": ["removed", "plus_ten", "wild"],
    "seven_rounds": ["off", "on"],
    "to_the_last": ["off", "on"],
    "scoring": ["winner_takes", "own_points", "lowest", "elimination", "lazy", "single_round"],
    "lone_zero": [0, 50],
    "h2o_finish": ["off", "on"],
}
"""Every option with a closed list of values."""

MATTEL: Options = {
    "hand_size": 7,
    "deck": "standard",
    "custom": {},
    "first_dealer": "random",
    "dealer_rotation": "clockwise",
    "first_card": "no_wild_draw_four",
    "first_card_return": "shuffle",
    "first_reverse": "dealer",
    "action_match": "colour_or_symbol",
    "draw": "one",
    "voluntary_draw": "allowed",
    "drawn_card": "optional",
    "max_turns": 1000,
    "stalemate": "void",
    "reverse_two_players": "skip",
    "wild_colour": "choose",
    "wild_draw_four": "no_colour",
    "challenge": "on",
    "challenge_success": "stays",
    "wild_restriction": "none",
    "draw_two_answer": "none",
    "draw_four_answer": "none",
    "skip_answer": "none",
    "reverse_answer": "off",
    "uno_penalty": 2,
    "misplay_penalty": 0,
    "uno_centre": "off",
    "ready": "off",
    "jump_in": "off",
    "seven": "off",
    "zero": "off",
    "five": "off",
    "silence": "off",
    "advice_penalty": 0,
    "blank": "removed",
    "seven_rounds": "off",
    "to_the_last": "off",
    "scoring": "winner_takes",
    "lone_zero": 0,
    "h2o_finish": "off",
    "target": None,
    "rounds": None,
    "max_decisions": 20000,
}
"""The columns of the sheet's tables for `mattel`, and the default where the tables have no column."""

PRESETS: dict[str, Options] = {
    "mattel": MATTEL,
    "classic": MATTEL
    | {
        "first_card": "number_only",
        "voluntary_draw": "only_when_stuck",
        "challenge_success": "returned",
        "draw_two_answer": "deflect",
        "draw_four_answer": "deflect",
        "skip_answer": "identical",
    },
    "family": MATTEL
    | {
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
    "czech": MATTEL
    | {
        "first_dealer": "high_card",
        "first_card": "no_wilds",
        "first_card_return": "middle",
        "first_reverse": "right_of_dealer",
        "action_match": "colour_only",
        "draw": "until_playable",
        "drawn_card": "forced",
        "wild_draw_four": "no_colour_or_match",
        "challenge": "off",
        "uno_penalty": 4,
        "scoring": "lowest",
    },
}


def options(preset: str = "mattel", **changes: Any) -> Options:
    """Return a preset with some options changed."""
    unknown = set(changes) - set(MATTEL)
    assert not unknown, unknown
    return PRESETS[preset] | changes


def target_of(rules: Options) -> int:
    """Return the target of the scoring (R91)."""
    if rules["target"] is not None:
        return int(rules["target"])
    return 200 if rules["scoring"] == "own_points" else 500


def rounds_of(rules: Options) -> int:
    """Return how many rounds a match has at most (R91); one round decides under R87."""
    if rules["scoring"] == "single_round":
        return 1
    if rules["rounds"] is not None:
        return int(rules["rounds"])
    return 5 if rules["scoring"] == "lazy" else 200


def deck_of(rules: Options) -> list[str]:
    """Return all cards of the deck (R01-R05), blanks taken out where R69 removes them."""
    counts = dict.fromkeys(EVERY_CARD, 0)
    if rules["deck"] == "custom":
        counts |= rules["custom"]
    else:
        for colour in COLOURS:
            counts[colour + "0"] = 1
            for face in [*NUMBERS[1:], "S", "R", "+2"]:
                counts[colour + face] = 2
        counts["W"] = counts["W+4"] = 4
    if rules["deck"] == "blanks":
        counts["BL"] = 4
    if rules["deck"] == "gdj85":
        counts["BL"], counts["SH"] = 3, 1
    if rules["deck"] == "h2o":
        counts["W+2"] = 4
        for colour in COLOURS:
            counts[colour + "+1"] = 2
    if rules["blank"] == "removed":
        counts["BL"] = 0
    return [card for card in EVERY_CARD for _ in range(counts[card])]


def may_be_first(rules: Options, card: str) -> bool:
    """Tell whether the card may lie as the first one (R15)."""
    if card in ("W+2", "SH", "BL") or face_of(card) == "+1":
        return False
    allowed = rules["first_card"]
    if allowed == "number_only":
        return face_of(card) in NUMBERS
    if allowed == "no_wild_draw_four":
        return card != "W+4"
    if allowed == "no_wilds":
        return card not in COLOURLESS
    return True


def refusals(rules: Options, seats: int = 2) -> list[str]:
    """Return why the sheet refuses these options at a table of so many seats; nothing if it does not."""
    deck = deck_of(rules)
    why = []
    if rules["to_the_last"] == "on" and rules["scoring"] == "winner_takes":
        why.append("to_the_last with winner_takes")
    if rules["h2o_finish"] == "on" and not [c for c in deck if c == "W+2" or face_of(c) == "+1"]:
        why.append("h2o_finish without H2O cards")
    if len(deck) < seats * rules["hand_size"] + 2:
        why.append("the deck cannot deal")
    if not [card for card in deck if may_be_first(rules, card)]:
        why.append("no legal first card")
    return why


def options_of_texts(texts: dict[str, str]) -> Options:
    """Return the options that a ruleset's texts name; `cards` is the table of a custom deck."""
    rules = dict(MATTEL)
    for name, text in texts.items():
        if name == "cards":
            words = [word.partition("*") for word in text.split()]
            rules["custom"] = {card: int(copies or 1) for card, _, copies in words}
        elif name != "players":
            assert name in MATTEL, name
            rules[name] = None if text == "default" else int(text) if text.isdigit() else text
    return rules
