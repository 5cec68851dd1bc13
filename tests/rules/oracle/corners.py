"""Small decks and crowded options, in which rules meet that seldom meet elsewhere."""

import random
from typing import Any

from tests.rules.oracle.sheet import PRESETS, Options, options, refusals

Corner = tuple[Options, dict[str, list[Any]]]
"""What is always set, and what is drawn by lot."""

ANSWERS = {
    "draw_two_answer": ["deflect", "stack"],
    "draw_four_answer": ["deflect", "stack"],
    "skip_answer": ["identical"],
    "reverse_answer": ["draws", "all"],
}
MANY_FOURS = {"R1": 2, "G1": 2, "W": 2, "W+4": 10} | dict.fromkeys(["RR", "GR", "R+2", "G+2", "RS", "GS"], 3)
ALL_FACES = {
    **{colour + face: 2 for colour in "RG" for face in ("0", "2", "5", "7", "S", "R", "+2", "+1")},
    "W": 3,
    "W+4": 4,
    "W+2": 2,
    "SH": 3,
    "BL": 3,
}
FEW_NUMBERS = {"R1": 2, "G2": 1, "RS": 8, "G+2": 6, "W": 4, "BR": 3}
EQUAL_NUMBERS = {"R5": 4, "G5": 4, "YS": 5, "W": 5, "B+2": 3}
NO_WINNER = ["own_points", "lowest", "elimination", "lazy", "single_round"]

CORNERS: dict[str, Corner] = {
    # +4s answered, returned, sent back, doubted and said ready about, on piles that are always empty.
    "fours": (
        {"deck": "custom", "custom": MANY_FOURS, "first_card": "any", "challenge": "on"},
        ANSWERS
        | {
            "challenge_success": ["stays", "returned"],
            "ready": ["on", "off"],
            "uno_centre": ["on", "off"],
            "misplay_penalty": [0, 2],
            "wild_draw_four": ["no_colour", "no_colour_or_match", "always"],
            "to_the_last": ["on", "off"],
            "scoring": ["lowest", "own_points"],
            "silence": ["wilds", "twos", "off"],
            "hand_size": [2, 3, 5],
            "jump_in": ["on", "off"],
            "reverse_two_players": ["skip", "pass"],
        },
    ),
    # Hands that swap, rotate, exchange, are shuffled, refilled and emptied.
    "hands": (
        {
            "deck": "custom",
            "custom": ALL_FACES,
            "first_card": "any",
            "h2o_finish": "on",
            "seven": "swap",
            "zero": "rotate",
            "five": "exchange",
        },
        ANSWERS
        | {
            "blank": ["plus_ten", "wild"],
            "seven_rounds": ["on", "off"],
            "to_the_last": ["on", "off"],
            "jump_in": ["on", "off"],
            "scoring": NO_WINNER,
            "hand_size": [2, 3, 4],
            "misplay_penalty": [0, 2],
            "silence": ["wilds", "twos", "off"],
            "stalemate": ["void", "lowest_hand"],
            "lone_zero": [0, 50],
            "wild_colour": ["choose", "circle"],
            "wild_restriction": ["none", "no_colour"],
            "max_turns": [20, 1000],
            "dealer_rotation": ["lazy", "clockwise"],
        },
    ),
    # Rounds to the last under every scoring, with exits, leaves, eliminations and standstills.
    "exits": (
        {"to_the_last": "on", "deck": "h2o", "h2o_finish": "on"},
        {
            "scoring": NO_WINNER,
            "hand_size": [1, 2, 3],
            "dealer_rotation": ["lazy", "clockwise", "fixed"],
            "stalemate": ["void", "lowest_hand"],
            "max_turns": [6, 15, 1000],
            "target": [20, 60, None],
            "jump_in": ["on", "off"],
            "seven_rounds": ["on", "off"],
            "reverse_answer": ["off", "all"],
        },
    ),
    # Dealers drawn for again and again, first cards refused again and again, and piles played to their end.
    "openings": (
        {"first_dealer": "high_card", "deck": "custom", "draw": "until_playable"},
        {
            "custom": [FEW_NUMBERS, EQUAL_NUMBERS],
            "first_card": ["number_only", "no_wilds"],
            "first_card_return": ["shuffle", "middle", "middle", "bottom"],
            "hand_size": [1, 2, 3],
            "dealer_rotation": ["lazy", "clockwise", "fixed"],
            "scoring": NO_WINNER,
        },
    ),
}


def any_corner(lot: random.Random, name: str) -> tuple[Options, int]:
    """Draw a table of a corner."""
    always, free = CORNERS[name]
    while True:
        rules = options(lot.choice(list(PRESETS)), **always)
        rules |= {option: lot.choice(values) for option, values in free.items()}
        rules |= {"max_decisions": lot.choice([100, 400]), "rounds": lot.choice([None, 3])}
        seats = lot.choice([2, 3, 3, 4, 5, 6])
        if not refusals(rules, seats):
            return rules, seats
