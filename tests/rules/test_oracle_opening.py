"""The second opinion opens a round as the sheet tells it: decks, dealers, first cards: R01-R19."""

from collections import Counter

import pytest

from tests.rules.oracle.example import asked, example, hand, tell_all
from tests.rules.oracle.faces import COLOURLESS, worth
from tests.rules.oracle.sheet import deck_of, options, refusals


@pytest.mark.parametrize(
    ("deck", "blank", "cards", "points"),
    [
        ("standard", "removed", 108, 1240),
        ("blanks", "wild", 112, 1240 + 4 * 40),
        ("blanks", "removed", 108, 1240),
        ("gdj85", "plus_ten", 112, 1240 + 4 * 40),
        ("gdj85", "removed", 109, 1240 + 40),
        ("h2o", "removed", 120, 1240 + 8 * 20 + 4 * 50),
    ],
)
def test_the_decks(deck: str, blank: str, cards: int, points: int):
    """R01-R04, R06: how many cards each deck has and what they are worth."""
    there = deck_of(options(deck=deck, blank=blank))

    assert len(there) == cards
    assert sum(worth(card) for card in there) == points


def test_the_standard_deck_card_by_card():
    """R01: one 0 a colour, two of each other number and symbol, four wilds and four +4."""
    there = Counter(deck_of(options()))

    assert {card: count for card, count in there.items() if card in COLOURLESS} == {"W": 4, "W+4": 4}
    for colour in "RGBY":
        assert there[colour + "0"] == 1
        assert all(there[colour + face] == 2 for face in [*"123456789", "S", "R", "+2"])


def test_a_custom_deck():
    """R05: a custom deck holds what its table says."""
    rules = options(deck="custom", custom={"R0": 3, "W": 2, "B1": 30})

    assert Counter(deck_of(rules)) == {"R0": 3, "W": 2, "B1": 30}


def test_what_is_refused():
    """The sheet refuses four combinations by name."""
    assert refusals(options()) == []
    assert refusals(options(to_the_last="on")) == ["to_the_last with winner_takes"]
    assert refusals(options(h2o_finish="on")) == ["h2o_finish without H2O cards"]
    assert refusals(options(h2o_finish="on", deck="h2o")) == []
    assert refusals(options(hand_size=54)) == ["the deck cannot deal"]
    assert refusals(options(hand_size=53)) == []
    assert refusals(options(hand_size=53), 3) == ["the deck cannot deal"]
    assert refusals(options(deck="custom", custom={"W": 40})) == []
    assert refusals(options(deck="custom", custom={"W": 40}, first_card="no_wilds")) == [
        "no legal first card"
    ]


def test_the_highest_card_deals():
    """R13 high_card: no number: redrawn; a tie among the highest redraws; the highest number deals."""
    drawn = ["R5", "BS", "W", "R9", "Y9", "G3", "G4"]
    match = example(*["R1"] * 2, "G1", first="B5", first_dealer="high_card", script={"high": drawn})

    assert [facts["card"] for what, facts in match.table["log"] if what == "high_card"] == [*drawn]
    assert match.table["dealer"] == 2
    assert asked(match) == (0, "TURN")


def test_a_tie_between_the_highest_is_settled_by_them():
    """R13 high_card: only those who tie redraw; one who drew lower before cannot win any more."""
    drawn = ["R9", "R2", "Y9", "G3", "B1"]
    match = example("R1", "R1", "G1", first="B5", first_dealer="high_card", script={"high": drawn})

    assert match.table["dealer"] == 0


def test_seat_zero_deals():
    """R13 seat0: seat 0 deals first, its left neighbour begins."""
    match = example("R1", "R1", "G1", first="B5", first_dealer="seat0")

    assert match.table["dealer"] == 0
    assert asked(match) == (1, "TURN")


@pytest.mark.parametrize(
    ("rotation", "dealer", "begins"), [("clockwise", 0, 1), ("fixed", 2, 0), ("lazy", 1, 0)]
)
def test_who_deals_next(rotation: str, dealer: int, begins: int):
    """R14: clockwise, fixed, or lazy: the loser deals and the winner begins."""
    match = example("R1", "R9", "G1", first="R5", dealer_rotation=rotation)
    tell_all(match, "R1")

    assert match.table["dealer"] == dealer
    begun = match.table["starter"] if rotation == "lazy" else (dealer + 1) % 3
    assert begun == begins


def test_lazy_ties_are_settled_from_the_old_dealers_left():
    """R14 lazy: of several hands worth most, the first from the old dealer's left deals; never the winner."""
    match = example("R2", "R9", "G9", "Y1", first="R5", dealer_rotation="lazy")
    tell_all(match, "R2")
    assert match.table["dealer"] == 1
    assert match.table["starter"] == 0

    match = example("R9", "G9", "R2", "Y1", first="R5", dealer_rotation="lazy", script={"dealer": 1})
    tell_all(match, "R2")
    assert match.table["dealer"] == 0


def test_lazy_without_a_winner_changes_nothing():
    """R14 lazy: after a round without a winner dealer and beginner stay."""
    match = example("G2", "R9", "G9", first="R5", dealer_rotation="lazy", max_turns=1)
    tell_all(match, "draw", "keep")

    assert match.table["round"] == 2
    assert match.table["dealer"] == 2
    assert match.table["starter"] is None


@pytest.mark.parametrize(
    ("rule", "first", "last"),
    [
        ("number_only", "RS RR R+2 W W+4 R3", "R3"),
        ("no_wild_draw_four", "W+4 RS", "RS"),
        ("no_wilds", "W W+4 R+2", "R+2"),
        ("any", "W+4", "W+4"),
    ],
)
def test_which_card_may_be_first(rule: str, first: str, last: str):
    """R15: the first cards that each value refuses, and the one it takes."""
    card, *pile = first.split()
    match = example("B1", "B1", first=card, pile=" ".join(pile), first_card=rule, first_card_return="bottom")

    assert match.table["discard"] == [last]


def test_cards_beyond_the_standard_deck_are_never_first():
    """R15: +1, wild +2, Shuffle Hands and blanks are never a first card."""
    h2o = example(
        "B1", "B1", first="R+1", pile="W+2 R3", first_card="any", first_card_return="bottom", deck="h2o"
    )
    box = example(
        "B1",
        "B1",
        first="SH",
        pile="BL R3",
        first_card="any",
        first_card_return="bottom",
        deck="gdj85",
        blank="wild",
    )

    assert h2o.table["discard"] == ["R3"]
    assert box.table["discard"] == ["R3"]


def test_where_a_refused_card_goes():
    """R16: to the bottom; to index len // 2 from the top; or the pile is shuffled."""
    deck = {
        "deck": "custom",
        "custom": {"W": 1, "R1": 2, "R2": 2, "R3": 1},
        "first_card": "no_wilds",
        "hand_size": 1,
    }
    bottom = example("R1", "R1", first="W", pile="R2 R3 R2", first_card_return="bottom", **deck)
    middle = example("R1", "R1", first="W", pile="R2 R3 R2", first_card_return="middle", **deck)
    shuffle = example("R1", "R1", first="W", pile="R2 R3 R2", script={"first": ["R3 W R2 R2"]}, **deck)

    assert (bottom.table["pile"], bottom.table["tail"]) == (["R3", "R2"], ["W"])
    assert middle.table["pile"] == ["W", "R3", "R2"]
    assert shuffle.table["discard"] == ["R3"]
    assert shuffle.table["pile"] == ["W", "R2", "R2"]


def test_a_first_plus_two_and_a_first_skip():
    """R17: +2: left of the dealer draws two and is skipped; skip: it is skipped; there is no answer."""
    two = example("R1 R+2", "R1", "G1", first="B+2", draw_two_answer="stack")
    skip = example("R1 BS", "R1", "G1", first="BS", skip_answer="identical")

    assert len(hand(two, 0)) == 4
    assert asked(two) == asked(skip) == (1, "TURN")


@pytest.mark.parametrize(("value", "seat"), [("dealer", 2), ("right_of_dealer", 1)])
def test_a_first_reverse(value: str, seat: int):
    """R18: the dealer starts, or the seat to the right; then play goes to the right."""
    match = example("R1", "R1", "G1", first="BR", first_reverse=value)

    assert asked(match) == (seat, "TURN")
    assert match.table["direction"] == -1


@pytest.mark.parametrize("value", ["dealer", "right_of_dealer"])
def test_a_first_reverse_between_two(value: str):
    """R18: with two players the dealer starts in both."""
    assert asked(example("R1", "R1", first="BR", first_reverse=value)) == (1, "TURN")


def test_a_first_wild_waits_for_its_colour():
    """R19, R31: the player left of the dealer names the colour, freely also under circle, and begins."""
    match = example("R1", "R1", "G1", first="W", wild_colour="circle")
    assert asked(match) == (0, "FIRST_COLOUR")
    assert match.moves == ["colour R", "colour G", "colour B", "colour Y"]
    tell_all(match, "colour R")

    assert asked(match) == (0, "TURN")
    assert "R1" in match.moves


def test_nobody_draws_for_a_first_plus_four():
    """R15 any: a first +4 lets the first player name the colour, nobody draws."""
    match = example("R1", "R1", "G1", first="W+4", first_card="any")
    tell_all(match, "colour G")

    assert [len(cards) for cards in match.table["hands"].values()] == [1, 1, 1]
    assert asked(match) == (0, "TURN")
