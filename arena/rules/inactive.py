"""Options that are accepted and cannot matter under the others.

Owns the table that says when; people are shown it, the game is not changed by it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from arena.rules.cards import BLANK, COLOURS, DRAW_TWO, REVERSE, SKIP, WILD, WILD_FOUR, coloured, rank_of_card
from arena.rules.options import Ruleset


def inactive_options(ruleset: Ruleset) -> list[str]:
    """Return the options that cannot matter in this ruleset, in the order of the sheet."""
    return [name for name in ruleset.options() if name in _CANNOT_MATTER and _CANNOT_MATTER[name](ruleset)]


def _without(*ranks: int) -> Callable[[Ruleset], bool]:
    """Return a test that a deck has no card of these numbers or symbols."""
    cards = [coloured(colour, rank) for rank in ranks for colour in range(COLOURS)]
    return lambda ruleset: not any(ruleset.deck_copies[card] for card in cards)


def _without_card(card: int) -> Callable[[Ruleset], bool]:
    """Return a test that a deck has no such card."""
    return lambda ruleset: not ruleset.deck_copies[card]


def _without_blanks(ruleset: Ruleset) -> bool:
    """Whether the deck, as printed, has no blanks."""
    if ruleset.deck == "custom":
        return not any(word.split("*")[0] == "BL" for word in ruleset.cards.split())
    return ruleset.deck not in ("blanks", "gdj85")


def _without_colour_to_name(ruleset: Ruleset) -> bool:
    """Whether no card of the deck names a colour."""
    return not any(ruleset.deck_copies[WILD:])


def _without_restricted_wilds(ruleset: Ruleset) -> bool:
    """Whether the deck has neither a wild nor a blank that is one."""
    return not ruleset.deck_copies[WILD] and (ruleset.blank != "wild" or not ruleset.deck_copies[BLANK])


def _without_effects_to_send_back(ruleset: Ruleset) -> bool:
    """Whether no reverse can send anything back: there is none, or nothing that would be pending."""
    if _without(REVERSE)(ruleset):
        return True
    nothing = _without(SKIP, DRAW_TWO)(ruleset) and _no_four(ruleset)
    tens = ruleset.blank == "plus_ten" and ruleset.deck_copies[BLANK] > 0
    return nothing and not tens and ruleset.reverse_two_players == "pass"


def _without_pairs_to_jump(ruleset: Ruleset) -> bool:
    """Whether no two cards are identical among those that may be jumped on (R60)."""
    pairs = [card for card, copies in enumerate(ruleset.deck_copies) if copies > 1 and card <= WILD]
    return not any(
        card == WILD or rank_of_card(card) < SKIP or rank_of_card(card) == REVERSE for card in pairs
    )


def _scored_by(*scorings: str) -> Callable[[Ruleset], bool]:
    """Return a test of the scoring."""
    return lambda ruleset: ruleset.scoring in scorings


_no_four: Final = _without_card(WILD_FOUR)

_CANNOT_MATTER: Final[Mapping[str, Callable[[Ruleset], bool]]] = {
    "dealer_rotation": lambda r: r.scoring == "single_round" or r.most_rounds == 1,
    "first_card_return": lambda r: all(
        r.may_be_first(card) for card, copies in enumerate(r.deck_copies) if copies
    ),
    "first_reverse": lambda r: r.first_card == "number_only" or r.most_seats == 2 or _without(REVERSE)(r),
    "action_match": _without(SKIP, REVERSE, DRAW_TWO),
    "reverse_two_players": _without(REVERSE),
    "wild_colour": _without_colour_to_name,
    "wild_draw_four": _no_four,
    "challenge": _no_four,
    "challenge_success": lambda r: not r.challenge or r.wild_draw_four == "always" or _no_four(r),
    "wild_restriction": _without_restricted_wilds,
    "draw_two_answer": _without(DRAW_TWO),
    "draw_four_answer": _no_four,
    "skip_answer": _without(SKIP),
    "reverse_answer": _without_effects_to_send_back,
    "ready": _no_four,
    "jump_in": _without_pairs_to_jump,
    "seven": _without(7),
    "zero": _without(0),
    "five": _without(5),
    "silence": lambda r: _without(2)(r) and _without_colour_to_name(r),
    "blank": _without_blanks,
    "seven_rounds": lambda r: r.hand_size == 1,
    "lone_zero": lambda r: _without(0)(r) or (r.scoring == "single_round" and r.stalemate == "void"),
    "h2o_finish": _scored_by("lazy", "single_round"),
    "target": _scored_by("lazy", "single_round"),
    "rounds": _scored_by("single_round"),
}
