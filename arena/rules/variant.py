"""A ruleset as the numbers and masks that the core computes with.

Owns the translation of a `Ruleset` into flags and tables, made once for a match. Refuses to hold state.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.cards import (
    BLANK,
    COLOURS,
    DRAW_ONE,
    DRAW_TWO,
    KINDS,
    NO_RANK,
    RANKS,
    REVERSE,
    SHUFFLE_HANDS,
    SKIP,
    WILD,
    WILD_FOUR,
    WILD_TWO,
    rank_of_card,
)
from arena.rules.moves import COLOUR_SHIFT, MOVE_DRAW, PLAY, pack
from arena.rules.options import Ruleset
from arena.rules.questions import A_FOUR, A_ONE, A_SKIP, A_TEN, A_TWO, A_WILD_TWO, NOTHING

if TYPE_CHECKING:
    from mypy_extensions import i64

NONE: Final = 0
DEFLECT: Final = 1
STACK: Final = 2

OFF: Final = 0
DRAWS: Final = 1
ALL: Final = 2

TWOS: Final = 1
WILDS: Final = 2

ALWAYS: Final = 0
NO_CARD_OF_COLOUR: Final = 1
NO_CARD_OF_COLOUR_OR_MATCH: Final = 2

BITS: Final[list[int]] = [2**card for card in range(KINDS)]
"""The mask of one kind of card."""
RANK_OF: Final[list[int]] = [rank_of_card(card) for card in range(KINDS)]
"""The number or symbol of a card, NO_RANK for a colourless one."""
COLOUR_MASKS: Final[list[int]] = [
    sum(BITS[colour * RANKS + rank] for rank in range(RANKS)) for colour in range(COLOURS)
]
RANK_MASKS: Final[list[int]] = [
    *[sum(BITS[colour * RANKS + rank] for colour in range(COLOURS)) for rank in range(RANKS)],
    0,
]
"""The cards of a number or symbol; the last entry belongs to NO_RANK, which no card shares."""
WILD_BIT: Final = BITS[WILD]
FOUR_BIT: Final = BITS[WILD_FOUR]
EVERYTHING: Final = sum(BITS)
CIRCLE: Final[list[int]] = [2, 3, 1, 0]
"""The next colour on the ring red, blue, green, yellow (R31)."""
CIRCLE_BACK: Final[list[int]] = [3, 2, 0, 1]

AMOUNTS: Final[list[int]] = [0, 0, 2, 4, 1, 2, 10]
"""The cards to draw, by kind of penalty."""


class Fit:
    """The kinds of card that fit on a top card while a colour is in force."""

    __slots__ = ("allowed", "fits", "other_colours")

    def __init__(self, colour: int, fits: int, bluffs: int) -> None:
        self.fits: i64 = fits
        """Those that break no rule, but for the cards that depend on the rest of the hand."""
        self.allowed: i64 = fits | bluffs
        """Those, and the bluffs."""
        self.other_colours: i64 = EVERYTHING & ~COLOUR_MASKS[colour]
        """All that are not of the colour."""


class Variant:
    """What the core asks of a ruleset; each field is one option of the sheet or derived from some."""

    # More fields than CPython (3.11: 30) keeps in the fast form of an instance without slots.
    __slots__ = (
        "advice_penalty", "answerable", "challenge", "circle", "deck", "depending",
        "effective", "effects", "eventful", "exchange", "fits", "forced", "four_answer",
        "four_rule", "hand_size", "jump_in", "lone_zero", "lowest_hand_wins", "max_turns",
        "may_be_first", "misplay_penalty", "on_hands", "only_when_stuck",
        "plain_turns", "ready", "restricted", "returned", "reverse_answer", "reverse_skips",
        "rotate", "ruleset", "seven_rounds", "silence", "skip_answer", "swap", "to_the_last",
        "two_answer", "uno_centre", "uno_penalty", "until_playable", "ways", "wild_turns",
    )  # fmt: skip

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset: Ruleset = ruleset
        self.until_playable: bool = ruleset.draw == "until_playable"
        self.only_when_stuck: bool = ruleset.voluntary_draw == "only_when_stuck"
        self.forced: bool = ruleset.drawn_card == "forced"
        self.max_turns: i64 = ruleset.max_turns
        self.lowest_hand_wins: bool = ruleset.stalemate == "lowest_hand"
        self.reverse_skips: bool = ruleset.reverse_two_players == "skip"
        self.circle: bool = ruleset.wild_colour == "circle"
        self.four_rule: i64 = ("always", "no_colour", "no_colour_or_match").index(ruleset.wild_draw_four)
        self.challenge: bool = ruleset.challenge
        self.returned: bool = ruleset.challenge_success == "returned"
        self.two_answer: i64 = ("none", "deflect", "stack").index(ruleset.draw_two_answer)
        self.four_answer: i64 = ("none", "deflect", "stack").index(ruleset.draw_four_answer)
        self.skip_answer: bool = ruleset.skip_answer == "identical"
        self.reverse_answer: i64 = ("off", "draws", "all").index(ruleset.reverse_answer)
        self.uno_penalty: i64 = ruleset.uno_penalty
        self.misplay_penalty: i64 = ruleset.misplay_penalty
        self.uno_centre: bool = ruleset.uno_centre
        self.ready: bool = ruleset.ready
        self.jump_in: bool = ruleset.jump_in
        self.swap: bool = ruleset.seven == "swap"
        self.rotate: bool = ruleset.zero == "rotate"
        self.exchange: bool = ruleset.five == "exchange"
        self.silence: i64 = ("off", "twos", "wilds").index(ruleset.silence)
        self.advice_penalty: i64 = ruleset.advice_penalty
        self.seven_rounds: bool = ruleset.seven_rounds
        self.to_the_last: bool = ruleset.to_the_last
        self.hand_size: i64 = ruleset.hand_size
        self.lone_zero: i64 = ruleset.lone_zero
        self.deck: list[int] = [
            card for card, copies in enumerate(ruleset.deck_copies) for _copy in range(copies)
        ]
        self.may_be_first: list[bool] = [ruleset.may_be_first(card) for card in range(KINDS)]
        self.restricted: i64 = restricted_wilds(ruleset)
        self.effects: list[int] = [effect_of(card, ruleset) for card in range(KINDS)]
        self.effective: list[bool] = [
            effect != NOTHING or rank_of_card(card) == REVERSE for card, effect in enumerate(self.effects)
        ]
        self.answerable: list[bool] = [self._has_answer(kind) for kind in range(len(AMOUNTS))]
        always = self.challenge or self.four_rule == ALWAYS
        self.fits: list[list[Fit]] = fitting_kinds(ruleset, self.restricted, FOUR_BIT if always else 0)
        self.depending: i64 = self.restricted | (0 if always else FOUR_BIT)
        self.plain_turns: bool = not (self.swap or self.exchange or self.only_when_stuck)
        self.ways: list[tuple[int, ...]] = [ways_to_play(card, ruleset) for card in range(KINDS)]
        self.wild_turns: list[tuple[int, ...]] = [
            (
                *[
                    way
                    for card in range(WILD, KINDS)
                    if wilds >> (card - WILD) & 1
                    for way in self.ways[card]
                ],
                MOVE_DRAW,
            )
            for wilds in range(2 ** (KINDS - WILD))
        ]
        """The plays of the colourless cards of a mask, and the draw."""
        self.on_hands: list[bool] = [self._on_hands() & bit != 0 for bit in BITS]
        may_owe = self.silence != OFF or self.advice_penalty > 0
        always_eventful = self.jump_in or may_owe or self.misplay_penalty > 0
        self.eventful: list[bool] = [
            always_eventful or card >= WILD or self.on_hands[card] or self.effective[card]
            for card in range(KINDS)
        ]

    def _has_answer(self, kind: int) -> bool:
        """Return whether a pending penalty of this kind can leave anything to decide (R33, R40-R45)."""
        if kind == A_SKIP:
            return self.skip_answer or self.reverse_answer == ALL
        if kind == A_TWO:
            return self.two_answer != NONE or self.reverse_answer != OFF
        if kind == A_FOUR:
            return self.challenge or self.four_answer != NONE or self.reverse_answer != OFF
        return kind == A_TEN and self.reverse_answer != OFF

    def _on_hands(self) -> int:
        """Return the cards with an effect on hands (R63-R65, R70)."""
        mask = BITS[SHUFFLE_HANDS]
        mask |= RANK_MASKS[7] if self.swap else 0
        mask |= RANK_MASKS[0] if self.rotate else 0
        mask |= RANK_MASKS[5] if self.exchange else 0
        return mask


def ways_to_play(card: int, ruleset: Ruleset) -> tuple[int, ...]:
    """Return the moves that play a card: a wild can name any colour (R30) unless the ring decides (R31).

    There are none for a card that can name a seat (R63, R65): they depend on who is there.
    """
    move = pack(PLAY, card)
    if card >= WILD and ruleset.wild_colour != "circle":
        return tuple([move | (colour + 1) << COLOUR_SHIFT for colour in range(COLOURS)])
    rank = rank_of_card(card)
    names_a_seat = (rank == 7 and ruleset.seven == "swap") or (rank == 5 and ruleset.five == "exchange")
    return () if names_a_seat else (move,)


def restricted_wilds(ruleset: Ruleset) -> int:
    """Return the wilds that need a hand without the active colour (R39, R69)."""
    if ruleset.wild_restriction == "none":
        return 0
    return WILD_BIT | (BITS[BLANK] if ruleset.blank == "wild" else 0)


def fitting_kinds(ruleset: Ruleset, restricted: int, bluffs: int) -> list[list[Fit]]:
    """Return which cards fit on an active colour and a top card, at ``[colour][card]``; NO_CARD is the last.

    R20, R21 and the cards that always fit (R30, R04, R69, R70); the wild +4 and restricted wilds, which
    depend on the hand, are not among them.
    """
    always = WILD_BIT | BITS[WILD_TWO] | BITS[SHUFFLE_HANDS] | BITS[BLANK]
    always &= ~restricted
    rows = []
    for colour in range(COLOURS):
        by_rank = [
            Fit(colour, COLOUR_MASKS[colour] | same_rank(ruleset, rank) | always, bluffs)
            for rank in range(NO_RANK + 1)
        ]
        rows.append([by_rank[rank] for rank in (*RANK_OF, NO_RANK)])
    return rows


def same_rank(ruleset: Ruleset, rank: int) -> int:
    """Return the cards that match a number or symbol; skip, reverse and +2 may match by colour only (R21)."""
    if ruleset.action_match == "colour_only" and SKIP <= rank <= DRAW_TWO:
        return 0
    return RANK_MASKS[rank]


def effect_of(card: int, ruleset: Ruleset) -> int:
    """Return what a card makes pending against the next seat (R29, R45, R69); a reverse is not here."""
    rank = rank_of_card(card)
    if rank == SKIP:
        return A_SKIP
    if rank == DRAW_TWO:
        return A_TWO
    if rank == DRAW_ONE:
        return A_ONE
    if card == WILD_FOUR:
        return A_FOUR
    if card == WILD_TWO:
        return A_WILD_TWO
    if card == BLANK and ruleset.blank == "plus_ten":
        return A_TEN
    return NOTHING
