"""The deck, the deal, the first card, the dealers (R01-R19)."""

from collections import Counter

import pytest

from arena.rules import Match, RulesetError, Stream, Variant, derive, parse_card, preset
from arena.rules.cards import format_card, parse_cards, points_of_card
from arena.rules.deal import turn_first_card
from arena.rules.dealers import first_dealer, highest_cards, next_dealer, next_starter
from arena.rules.decks import DECKS, parse_deck
from arena.rules.questions import FIRST_COLOUR, TURN
from tests.rules.positions import do, legal, position, ruleset

SIZES = {"standard": 108, "blanks": 112, "gdj85": 112, "h2o": 120}


def opened(first: str, seats: int = 3, **options: object) -> Match:
    """Return a match that begins with the given first card, found among keys."""
    rules = ruleset(**options)
    variant = Variant(rules)
    for number in range(20_000):
        match = Match(rules, seats, derive(b"opened", number), variant)
        if format_card(match.round.top) == first:
            return match
    raise AssertionError(f"no round begins with {first}")


@pytest.mark.parametrize("name", SIZES)
def test_printed_decks(name: str):
    """R01-R04: each printed deck has its number of cards."""
    assert sum(DECKS[name]()) == SIZES[name]


def test_custom_deck():
    """R05: a deck of one's own holds what its text says, and refuses nonsense."""
    rules = ruleset(deck={"R1": 10, "B1": 10, "W": 4})

    assert rules.cards == "R1*10 B1*10 W*4"
    assert Counter(Variant(rules).deck) == Counter({1: 10, 29: 10, 56: 4})
    with pytest.raises(ValueError, match="twice"):
        parse_deck("R1 R1")


def test_card_values():
    """R06: numbers their face, symbols 20, wilds 50, Shuffle Hands and blank 40."""
    worth = {"R0": 0, "G9": 9, "BS": 20, "YR": 20, "R+2": 20, "R+1": 20}
    worth |= {"W": 50, "W+4": 50, "W+2": 50, "SH": 40, "BL": 40}

    assert {text: points_of_card(parse_card(text)) for text in worth} == worth


def test_table_sizes():
    """R10: a table that the ruleset does not play is refused by name."""
    with pytest.raises(RulesetError, match="players"):
        Match(ruleset(players="2-4"), 5, bytes(32))


@pytest.mark.parametrize("seats", range(2, 11))
def test_hand_size(seats: int):
    """R11: every seat gets the number of cards that the option says."""
    match = Match(ruleset(hand_size=5, first_card="number_only"), seats, bytes(32))

    assert match.round.sizes == [5] * seats


def test_hands_that_the_deck_cannot_deal_are_refused():
    """R11: hands, a first card and one to draw must be there."""
    with pytest.raises(RulesetError, match="hand_size"):
        ruleset(hand_size=54)
    with pytest.raises(RulesetError, match="hand_size"):
        Match(ruleset(hand_size=20), 6, bytes(32))


def test_blanks_are_removed_by_default():
    """R12, R69: the option names the deck; blanks are taken out unless the ruleset says what they are."""
    assert len(Variant(ruleset(deck="gdj85")).deck) == 109
    assert len(Variant(ruleset(deck="gdj85", blank="wild")).deck) == 112


def test_first_dealer():
    """R13: seat 0, or drawn by the key, each seat about equally often."""
    rules = ruleset()
    dealers = Counter(first_dealer(Variant(rules), 4, derive(b"d", number)) for number in range(400))

    assert first_dealer(Variant(ruleset(first_dealer="seat0")), 4, bytes(32)) == 0
    assert set(dealers) == {0, 1, 2, 3}
    assert min(dealers.values()) > 60


def test_high_card():
    """R13: the highest number deals; cards without a number are drawn again, ties draw again."""
    assert highest_cards([0, 1, 2], parse_cards("R3 W GS G9 B4"), []) == [1]
    assert highest_cards([0, 1, 2], parse_cards("R9 G9 B4 R1 Y2"), []) == [1]
    assert highest_cards([0, 1], parse_cards("R9 G9"), []) == [0, 1]
    dealers = {first_dealer(Variant(preset("czech")), 3, derive(b"d", number)) for number in range(60)}
    assert dealers == {0, 1, 2}


def test_dealer_rotation():
    """R14: clockwise the next seat in the match deals, fixed the same one as long as it is there."""
    round_ = position("hands=R1|R2|R3 discard=R4 pile= winner=1")

    assert next_dealer(round_, 0, [True, True, True]) == 1
    assert next_dealer(round_, 0, [True, False, True]) == 2
    fixed = position("hands=R1|R2|R3 discard=R4 pile= winner=1", ruleset(dealer_rotation="fixed"))
    assert next_dealer(fixed, 0, [True, True, True]) == 0
    assert next_dealer(fixed, 0, [False, True, True]) == 1


def test_lazy_dealer_rotation():
    """R14: the round's loser deals, never the winner, ties from the old dealer's left; the winner starts."""
    lazy = ruleset(dealer_rotation="lazy")
    round_ = position("hands=R9|R2|B9 discard=R4 pile= winner=1", lazy)
    void = position("hands=R9|R2|B9 discard=R4 pile= stalemate=1", lazy)
    everybody = [True, True, True]

    assert next_dealer(round_, 0, everybody) == 2
    assert next_dealer(round_, 2, everybody) == 0
    assert next_starter(round_, -1, everybody) == 1
    assert next_dealer(void, 1, everybody) == 1
    assert next_starter(void, 2, everybody) == 2


@pytest.mark.parametrize(
    ("first_card", "refused"),
    [
        ("number_only", ["RS", "RR", "R+2", "W", "W+4"]),
        ("no_wild_draw_four", ["W+4"]),
        ("no_wilds", ["W", "W+4"]),
        ("any", []),
    ],
)
def test_which_cards_may_be_first(first_card: str, refused: list[str]):
    """R15: each value refuses its cards, and all refuse the cards that are not in the standard deck."""
    rules = ruleset(first_card=first_card)
    cards = ["R0", "RS", "RR", "R+2", "W", "W+4", "R+1", "W+2", "SH", "BL"]
    assert [card for card in cards if not rules.may_be_first(parse_card(card))] == [
        *refused,
        "R+1",
        "W+2",
        "SH",
        "BL",
    ]


@pytest.mark.parametrize("returns", ["shuffle", "middle", "bottom"])
def test_a_refused_first_card_goes_back(returns: str):
    """R16: a refused card stays in the pile: as its tail, or in the middle of a single stream."""
    seen = set()
    for number in range(200):
        match = Match(ruleset(first_card="number_only", first_card_return=returns), 2, derive(b"r", number))
        pile = match.round.pile
        seen.add((len(pile.streams), bool(pile.tail)))
        assert pile.size == 108 - 14 - 1
        assert match.round.top % 14 <= 9

    assert (
        seen
        == {
            "shuffle": {(2, False)},
            "middle": {(2, False), (1, False)},
            "bottom": {(2, False), (2, True)},
        }[returns]
    )


def test_the_middle_is_half_the_pile_from_the_top():
    """R16 middle: a refused card lies at index len//2 of the pile that is left."""
    round_ = position(
        "hands=R1|R2 discard= pile=", ruleset(first_card="no_wilds", first_card_return="middle")
    )
    turn_first_card(round_, parse_cards("W R3 R4 R5 R6 R7"), 0)

    assert format_card(round_.top) == "R3"
    assert [format_card(round_.pile.take(0)) for _card in range(5)] == ["R4", "W", "R5", "R6", "R7"]


def test_a_first_draw_two():
    """R17: left of the dealer draws two and is skipped."""
    match = opened("R+2")
    left = (match.dealer + 1) % 3

    assert match.round.sizes[left] == 9
    assert match.seat == (left + 1) % 3


def test_a_first_skip():
    """R17: left of the dealer is skipped."""
    match = opened("RS")

    assert match.round.sizes == [7, 7, 7]
    assert match.seat == (match.dealer + 2) % 3


@pytest.mark.parametrize(("first_reverse", "starter"), [("dealer", 0), ("right_of_dealer", -1)])
def test_a_first_reverse(first_reverse: str, starter: int):
    """R18: the dealer or the seat to its right starts, and play goes to the right."""
    match = opened("RR", first_reverse=first_reverse)

    assert match.seat == (match.dealer + starter) % 3
    assert match.round.direction == -1


@pytest.mark.parametrize("first_reverse", ["dealer", "right_of_dealer"])
def test_a_first_reverse_between_two(first_reverse: str):
    """R18: with two players the dealer starts in both."""
    match = opened("RR", seats=2, first_reverse=first_reverse)

    assert match.seat == match.dealer


@pytest.mark.parametrize(("first", "first_card"), [("W", "no_wild_draw_four"), ("W+4", "any")])
def test_a_first_wild(first: str, first_card: str):
    """R19, R15: left of the dealer names the colour, draws nothing, and has the first turn."""
    match = opened(first, first_card=first_card)
    left = (match.dealer + 1) % 3

    assert (match.seat, match.question) == (left, FIRST_COLOUR)
    assert legal(match.round) == ["colour R", "colour G", "colour B", "colour Y"]
    do(match.round, "colour G")
    assert (match.seat, match.question, match.round.colour) == (left, TURN, 1)


def test_a_deal_without_a_legal_first_card_is_dealt_again():
    """R15: when no legal first card is left in the pile, all is dealt again until there is one."""
    rules = ruleset(deck="custom", cards="R1*2 RS*14", first_card="number_only")
    for number in range(50):
        match = Match(rules, 2, derive(b"again", number))
        assert format_card(match.round.top) == "R1"


def test_a_deck_without_a_legal_first_card_is_refused():
    """R15: such a ruleset is refused by name."""
    with pytest.raises(RulesetError, match="first_card"):
        ruleset(deck="custom", cards="W*20", first_card="no_wilds")


def test_every_place_is_equally_likely():
    """The documented shuffle: each card comes to each place about equally often."""
    places = Counter()
    for number in range(3000):
        items = [0, 1, 2, 3, 4]
        Stream(derive(b"s", number)).shuffle(items)
        places[items.index(0)] += 1

    assert all(500 < count < 700 for count in places.values())
