"""The worked examples of the sheet, by name."""

import pytest

from arena.rules import Match
from arena.rules.cards import format_cards, parse_cards
from arena.rules.scoring import hand_points
from arena.rules.standing import Standing
from arena.rules.variant import Variant
from tests.rules.positions import bluffs, do, legal, news, position, ruleset, turn


def test_on_a_blue_5():
    """R20: on a blue 5 a blue 2 and a red 5 may be played, a green 8 may not."""
    round_ = turn("B2,R5,G8|R1,R2", "B5")

    assert legal(round_) == ["R5", "B2", "draw"]


def test_blue_5_with_red_5_and_wild_four():
    """R32: on a blue 5 with a red 5 and a +4 and no blue card the +4 is playable."""
    round_ = turn("R5,W+4|R1,R2", "B5")

    assert legal(round_) == ["R5", "W+4:R", "W+4:G", "W+4:B", "W+4:Y", "draw"]
    assert bluffs(round_) == []


def test_blue_5_with_a_blue_2_and_wild_four():
    """R32, R33: with a blue 2 in hand the +4 is legal, and a bluff."""
    round_ = turn("B2,W+4|R1,R2", "B5")

    assert bluffs(round_) == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]


def test_red_7_and_a_drawn_red_9():
    """R25: a red 9 drawn on a red 7 may be played or kept; the red 2 and the blue 7 may not."""
    round_ = turn("R2,B7|R1,R3", "R7", pile="R9")
    do(round_, "draw")

    assert legal(round_) == ["R9", "keep"]


def test_the_winner_gets_113():
    """R82: 7+2+skip = 29, 9+wild = 59, +2 and 4 and 1 = 25: the winner gets 113."""
    round_ = position("hands=|R7,R2,RS|G9,W|B+2,B4,B1 discard=R1 pile= winner=0")
    standing = Standing(Variant(ruleset()), 4)

    assert [hand_points(round_, seat) for seat in range(4)] == [0, 29, 59, 25]
    assert standing.count_round(round_) == [113, 0, 0, 0]


def test_462_and_43_make_505_and_end_the_match():
    """R82, R91: with 462 points before, 43 more make 505 and the match is over."""
    round_ = position("hands=|R9,GS,B7,Y7 discard=R1 pile= winner=0")
    standing = Standing(Variant(ruleset()), 2)
    standing.totals[0] = 462
    standing.count_round(round_)

    assert standing.totals == [505, 0]
    assert standing.reached_target()


@pytest.mark.parametrize(("preset", "cards"), [("mattel", 3), ("czech", 5)])
def test_a_missed_uno_that_is_pointed_out(preset: str, cards: int):
    """R51, R52: a missed UNO that is pointed out leaves three cards in `mattel`, five in `czech`."""
    round_ = turn("B2,R5|R1,R2", "B5", ruleset(preset))
    do(round_, "B2", "catch")

    assert len(round_.hand(0)) == cards


@pytest.mark.parametrize("chain", [2, 4])
def test_a_stack_of_draw_twos(chain: int):
    """R40, R42: +2 on +2 makes 4; four of them make 8."""
    hands = ["R+2,R1,R4", "G+2,G1,G4", "B+2,B1,B4", "Y+2,Y1,Y4"][:chain]
    round_ = turn("|".join([*hands, "R5,R6,R8"]), "R9", ruleset(draw_two_answer="stack"))
    do(round_, *["R+2", "G+2", "B+2", "Y+2"][:chain])

    assert news(round_)[-1] == f"paid seat={chain} count={2 * chain}"


def test_a_stack_of_wild_fours():
    """R41, R42: +4 on +4 makes 8."""
    round_ = turn("W+4,R1,R4|W+4,G1,G4|B1,B4", "Y9", ruleset(draw_four_answer="stack"))
    do(round_, "W+4:R", "W+4:Y", "accept")

    assert news(round_)[-1] == "paid seat=2 count=8"


def test_a_chain_of_deflected_draw_twos():
    """R40: however long the chain of deflected +2, the last one draws two."""
    round_ = turn("R+2,R1,R4|G+2,G1,G4|B+2,B1,B4|Y1,Y4", "R9", ruleset(draw_two_answer="deflect"))
    do(round_, "R+2", "G+2", "B+2")

    assert news(round_)[-1] == "paid seat=3 count=2"


def test_a_wild_four_answered_by_a_draw_two():
    """R41: a +4 answered by a +2 of the declared colour becomes that +2: two cards."""
    round_ = turn("W+4,R1,R4|G+2,B+2,G1,G4|B1,B4", "Y9", ruleset(draw_four_answer="deflect"))
    do(round_, "W+4:G")

    assert legal(round_) == ["G+2", "accept", "challenge"]

    do(round_, "G+2")

    assert news(round_)[-1] == "paid seat=2 count=2"


def test_the_standard_deck_is_worth_1240_points():
    """R01, R06: 108 cards worth 1240 points."""
    match = Match(ruleset(), 2, bytes(32))
    cards = match.variant.deck
    everything = position(f"hands={','.join(_texts(cards))}| discard= pile=")

    assert len(cards) == 108
    assert hand_points(everything, 0) == 1240


def _texts(cards: list[int]) -> list[str]:
    """Return cards as texts that parse back."""
    texts = format_cards(cards).split()
    assert parse_cards(" ".join(texts)) == cards
    return texts
