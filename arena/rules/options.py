"""A ruleset: every permitted variant of the game as one documented field.

Owns the options of the rule sheet, the canonical text and its digest, and the refusal of options that cannot
be played together, by name. What a value may be is `option_kinds`; presets and the TOML form are `presets`.
Refuses to know how an option works: that is `legal` and `effects`.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from hashlib import sha256
from typing import Final

from arena.rules.cards import BLANK, DRAW_TWO, WILD, WILD_FOUR, NotationError, rank_of_card
from arena.rules.decks import DECKS, Deck, format_deck, parse_deck
from arena.rules.option_kinds import (
    RulesetError,
    check_value,
    format_value,
    number,
    one_of,
    refusal,
    switch,
    text,
)

SCORINGS: Final = ("winner_takes", "own_points", "lowest", "elimination", "lazy", "single_round")
DEFAULT_TARGETS: Final = {"winner_takes": 500, "own_points": 200, "lowest": 500, "elimination": 500}
DEFAULT_ROUNDS: Final = 200
DEFAULT_ROUNDS_LAZY: Final = 5


@dataclass(frozen=True)
class Ruleset:
    """The rules of a match. Equal rulesets have equal texts, and equal digests."""

    players: str = text("R10", "2-10", "a number from 2 to 10, or a range such as 2-10")
    """Table sizes that are allowed: one number or a range."""
    hand_size: int = number("R11", 7)
    """Cards dealt to each seat."""
    deck: str = one_of(
        "R12", "standard", "blanks", "gdj85", "h2o", "custom", also=", or a table of cards and their copies"
    )
    """The deck; `custom` reads `cards`."""
    cards: str = text("R05", "", 'a text such as "R0 R1*2 W*4" (as a table it is written [deck])')
    """The cards of a custom deck, e.g. ``R0 R1*2 W*4``; empty for a printed deck."""
    first_dealer: str = one_of("R13", "random", "seat0", "high_card")
    """Who deals the first round."""
    dealer_rotation: str = one_of("R14", "clockwise", "fixed", "lazy")
    """Who deals the next round."""
    first_card: str = one_of("R15", "no_wild_draw_four", "number_only", "no_wilds", "any")
    """Which cards may lie as the first card."""
    first_card_return: str = one_of("R16", "shuffle", "middle", "bottom")
    """Where a refused first card goes."""
    first_reverse: str = one_of("R18", "dealer", "right_of_dealer")
    """Who starts after a reverse as the first card."""

    action_match: str = one_of("R21", "colour_or_symbol", "colour_only")
    """Whether skip, reverse and +2 also match by symbol."""
    draw: str = one_of("R22", "one", "until_playable")
    """How many cards are drawn instead of playing."""
    voluntary_draw: str = one_of("R23", "allowed", "only_when_stuck")
    """Whether one may draw with a playable card in hand."""
    drawn_card: str = one_of("R24", "optional", "forced")
    """Whether a playable drawn card must be played."""
    stalemate: str = one_of("R27", "void", "lowest_hand")
    """What a round that cannot end counts."""
    max_turns: int = number("R27", 1000)
    """Turns after which a round is a stalemate."""
    reverse_two_players: str = one_of("R28", "skip", "pass")
    """What a reverse does with two players."""

    wild_colour: str = one_of("R31", "choose", "circle")
    """Whether a colour is named or the next on the ring."""
    wild_draw_four: str = one_of("R32", "no_colour", "no_colour_or_match", "always")
    """With which hand a wild +4 may be played."""
    challenge: bool = switch("R33", default=True)
    """Whether a wild +4 may be a bluff and be doubted."""
    challenge_success: str = one_of("R35", "stays", "returned")
    """What becomes of a wild +4 that was a bluff."""
    wild_restriction: str = one_of("R39", "none", "no_colour")
    """With which hand a plain wild may be played."""

    draw_two_answer: str = one_of("R40", "none", "deflect", "stack")
    """How a +2 may be answered."""
    draw_four_answer: str = one_of("R41", "none", "deflect", "stack")
    """How a wild +4 may be answered."""
    skip_answer: str = one_of("R43", "none", "identical")
    """How a skip may be answered."""
    reverse_answer: str = one_of("R44", "off", "draws", "all")
    """What a reverse sends back."""

    uno_penalty: int = number("R52", 2, (2, 4))
    """Cards for a missed UNO that is pointed out."""
    misplay_penalty: int = number("R53", 0, (0, 2))
    """Cards for an illegal move, a false call or a false catch; 0: an illegal move is the bot's fault."""
    uno_centre: bool = switch("R54")
    """Whether a called UNO makes one of the others draw two."""
    ready: bool = switch("R56")
    """Whether who drew because of a wild +4 says ready."""

    jump_in: bool = switch("R60")
    """Whether the identical card may be played out of turn."""
    seven: str = one_of("R63", "off", "swap")
    """Whether a 7 swaps hands."""
    zero: str = one_of("R64", "off", "rotate")
    """Whether a 0 rotates the hands."""
    five: str = one_of("R65", "off", "exchange")
    """Whether a 5 exchanges a card."""
    silence: str = one_of("R67", "off", "twos", "wilds")
    """What forbids talking."""
    advice_penalty: int = number("R68", 0, (0, 2))
    """Cards for a line marked as advice."""
    blank: str = one_of("R69", "removed", "plus_ten", "wild")
    """What a blank card is."""
    seven_rounds: bool = switch("R71")
    """Whether an emptied hand is refilled with one card less each time."""
    to_the_last: bool = switch("R72")
    """Whether the round goes on until one seat is left."""

    scoring: str = one_of("R82", *SCORINGS)
    """How rounds count and when the match ends (R82-R87)."""
    lone_zero: int = number("R88", 0, (0, 50))
    """What a hand of exactly one 0 is worth."""
    h2o_finish: bool = switch("R89")
    """Whether finishing with a +1 or a wild +2 takes points off."""
    target: int | None = number("R91", None)
    """Points that end the match; None: 500, or 200 for own_points."""
    rounds: int | None = number("R91", None)
    """Rounds after which the leader wins; None: 200, or 5 for lazy."""
    max_decisions: int = number("R91", 20_000)
    """Decisions after which the leader wins."""

    def __post_init__(self) -> None:
        """Refuse what cannot be played.

        Raises:
            RulesetError: An option has an unknown value, or the options cannot be played together.
        """
        for option in fields(self):
            check_value(option, getattr(self, option.name))
        _check_together(self)

    @cached_property
    def deck_copies(self) -> Deck:
        """The copies of each kind that are dealt."""
        return dealt_deck(self)

    @property
    def least_seats(self) -> int:
        """The smallest table."""
        return _table_sizes(self.players)[0]

    @property
    def most_seats(self) -> int:
        """The largest table."""
        return _table_sizes(self.players)[1]

    @property
    def points_target(self) -> int:
        """The points that end the match; 0 where points don't."""
        return DEFAULT_TARGETS.get(self.scoring, 0) if self.target is None else self.target

    @property
    def most_rounds(self) -> int:
        """The rounds that cap a match."""
        if self.rounds is not None:
            return self.rounds
        return DEFAULT_ROUNDS_LAZY if self.scoring == "lazy" else DEFAULT_ROUNDS

    def options(self) -> dict[str, str]:
        """Return the text of every option, in the order of the sheet."""
        return {option.name: format_value(getattr(self, option.name)) for option in fields(self)}

    def canonical_text(self) -> str:
        """Return the ruleset as TOML: every option, one a line, in the order of the sheet."""
        return "".join(f'{name} = "{value}"\n' for name, value in self.options().items())

    @cached_property
    def digest(self) -> bytes:
        """The SHA-256 of the canonical text: the name of this ruleset in records and standings."""
        return sha256(self.canonical_text().encode()).digest()

    def check_table(self, seats: int) -> None:
        """Refuse a table that this ruleset does not play (R10) or its deck cannot deal (R11).

        Raises:
            RulesetError: Too few or too many seats, or too few cards for them.
        """
        if not self.least_seats <= seats <= self.most_seats:
            raise RulesetError(
                f"option 'players' = {self.players}: a table of {seats} seats is not played; "
                "`--seats` says how many sit at one"
            )
        needed = seats * self.hand_size + 2
        if sum(self.deck_copies) < needed:
            raise RulesetError(
                f"options 'deck', 'hand_size': {seats} hands of {self.hand_size}, a first card and one more "
                f"need {needed} cards, and the deck has {sum(self.deck_copies)}: "
                "seat fewer, or deal smaller hands"
            )

    def may_be_first(self, card: int) -> bool:
        """Whether a card may lie as the first card of a round (R15)."""
        if card > WILD_FOUR or rank_of_card(card) == DRAW_TWO + 1:
            return False
        if self.first_card == "number_only":
            return card < WILD and rank_of_card(card) <= 9
        if self.first_card == "no_wilds":
            return card < WILD
        return card != WILD_FOUR or self.first_card == "any"


def dealt_deck(ruleset: Ruleset) -> Deck:
    """Return the deck of a ruleset (R12), without blanks where they are removed (R69)."""
    deck = parse_deck(ruleset.cards) if ruleset.deck == "custom" else DECKS[ruleset.deck]()
    return (*deck[:BLANK], 0) if ruleset.blank == "removed" else deck


def _table_sizes(sizes_text: str) -> tuple[int, int]:
    """Return the least and the most seats that the text of `players` allows."""
    least, dash, most = sizes_text.partition("-")
    sizes = [least, most if dash else least]
    small = all(size.isascii() and size.isdigit() and len(size) <= 2 for size in sizes)
    if small and 2 <= int(sizes[0]) <= int(sizes[1]) <= 10:
        return int(sizes[0]), int(sizes[1])
    raise refusal(Ruleset.__dataclass_fields__["players"], sizes_text)


def _check_together(ruleset: Ruleset) -> None:
    """Refuse options that cannot be played together."""
    if ruleset.deck == "custom":
        if not ruleset.cards:
            raise RulesetError("option 'cards' is empty: deck = \"custom\" needs it")
        try:
            canonical = format_deck(parse_deck(ruleset.cards))
        except NotationError as error:
            raise RulesetError(f"option 'cards': {error}") from error
        if canonical != ruleset.cards:
            object.__setattr__(ruleset, "cards", canonical)
    elif ruleset.cards:
        raise RulesetError(f"option 'cards' needs deck = \"custom\", not {ruleset.deck!r}")
    if ruleset.to_the_last and ruleset.scoring == "winner_takes":
        raise RulesetError(
            "options 'to_the_last' and 'scoring' = winner_takes cannot be played together: "
            "leave one of them out"
        )
    copies = ruleset.deck_copies
    if ruleset.h2o_finish and not any(copies[card] for card in _H2O_CARDS):
        raise RulesetError("option 'h2o_finish' needs a deck with +1 or W+2 cards")
    if not any(copies[card] and ruleset.may_be_first(card) for card in range(len(copies))):
        raise RulesetError(
            f"options 'deck', 'first_card': no card of the deck may be the first ({ruleset.first_card})"
        )
    ruleset.check_table(ruleset.least_seats)


_H2O_CARDS: Final = (13, 27, 41, 55, 58)
