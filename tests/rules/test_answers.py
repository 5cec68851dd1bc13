"""Answers to a penalty: deflect, stack, identical skip, reverse (R40-R45)."""

import pytest

from tests.rules.positions import bluffs, do, legal, news, ruleset, turn

OTHERS = "|G1,G2,G3|Y1,Y2,Y3"


def test_no_answer():
    """R40, R41 none: a +2 is paid at once; a +4 can only be accepted or challenged."""
    two = turn("B+2,B2,B3|R+2,R2,R3" + OTHERS, "B5")
    do(two, "B+2")
    four = turn("W+4,R2,R3|W+4,B+2,R3" + OTHERS, "B5")
    do(four, "W+4:B")

    assert news(two)[-1] == "paid seat=1 count=2"
    assert legal(four) == ["accept", "challenge"]


def test_any_draw_two_deflects():
    """R40 deflect: any +2 passes it on, whatever its colour; who has none pays."""
    round_ = turn("B+2,B2,B3|R+2,Y+2,R3" + OTHERS, "B5", ruleset(draw_two_answer="deflect"))
    do(round_, "B+2")

    assert legal(round_) == ["R+2", "Y+2", "accept"]
    do(round_, "Y+2")
    assert news(round_)[-1] == "paid seat=2 count=2"
    assert round_.colour == 3


def test_an_answer_is_no_match():
    """R40 stack: R21 does not bind an answering +2."""
    rules = ruleset(draw_two_answer="stack", action_match="colour_only")
    round_ = turn("B+2,B2,B3|R+2,R2,R3" + OTHERS, "B5", rules)
    do(round_, "B+2", "R+2")

    assert news(round_)[-1] == "paid seat=2 count=4"


def test_a_four_that_became_a_two_goes_on_from_there():
    """R41, R42: after a deflected +4 the amount is two, and R40 decides how it goes on."""
    rules = ruleset(draw_four_answer="deflect", draw_two_answer="stack")
    round_ = turn("W+4,R2,R3|G+2,R2,R3|Y+2,Y2,Y3|Y4,Y5,Y6", "B5", rules)
    do(round_, "W+4:G", "G+2", "Y+2")

    assert news(round_)[-1] == "paid seat=3 count=4"


def test_never_two_on_four_or_four_on_two():
    """R42: stacking keeps to its own kind."""
    rules = ruleset(draw_four_answer="stack", draw_two_answer="stack")
    two = turn("B+2,B2,B3|W+4,R2,R3" + OTHERS, "B5", rules)
    do(two, "B+2")
    four = turn("W+4,R2,R3|B+2,R2,R3" + OTHERS, "B5", rules)
    do(four, "W+4:B")

    assert news(two)[-1] == "paid seat=1 count=2"
    assert legal(four) == ["accept", "challenge"]


def test_a_stacked_four_may_be_a_bluff():
    """R42: a stacked +4 obeys R32; the guilty pays the whole stack, a failed challenger two more."""
    rules = ruleset(draw_four_answer="stack")
    round_ = turn("W+4,R2,R3|W+4,G2,G3|Y1,Y2,Y3", "B5", rules)
    do(round_, "W+4:G")

    assert bluffs(round_) == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]
    guilty, honest = round_.copy(), turn("W+4,R2,R3|W+4,B2,B3|Y1,Y2,Y3", "B5", rules)
    do(guilty, "W+4:R", "challenge")
    do(honest, "W+4:G", "W+4:R", "challenge")

    assert news(guilty)[-1] == "paid seat=1 count=8"
    assert guilty.seat == 2
    assert news(honest)[-1] == "paid seat=2 count=10"
    assert honest.seat == 0


def test_without_challenge_a_bluff_does_not_stack():
    """R42, R33 off: a +4 that breaks R32 is no answer."""
    round_ = turn("W+4,R2,R3|W+4,G2,G3" + OTHERS, "B5", ruleset(draw_four_answer="stack", challenge=False))
    do(round_, "W+4:G")

    assert news(round_)[-1] == "paid seat=1 count=4"


def test_of_a_stack_only_the_last_four_returns():
    """R42, R35: with `returned` only the last +4 goes back, and the one before is in force."""
    rules = ruleset(draw_four_answer="stack", challenge_success="returned")
    round_ = turn("W+4,R2,R3|W+4,G2,G3|Y1,Y2,Y3", "B5", rules)
    do(round_, "W+4:G", "W+4:R", "challenge")

    assert news(round_)[-2:] == ["returned seat=1 card=W+4 colour=G", "paid seat=1 count=8"]
    assert (round_.seat, round_.top, round_.colour) == (2, 57, 1)


def test_the_identical_skip():
    """R43: the skipped player answers with the identical skip, and the next seat is to be skipped."""
    round_ = turn("BS,B2,B3|BS,RS,R3" + OTHERS, "B5", ruleset(skip_answer="identical"))
    do(round_, "BS")

    assert legal(round_) == ["BS", "accept"]
    do(round_, "BS")
    assert news(round_)[-1] == "skipped seat=2"
    assert round_.seat == 3


def test_nothing_is_identical_to_a_reverse_between_two():
    """R43: a reverse that skips cannot be answered by an identical one."""
    round_ = turn("BR,B2,B3|BR,R2,R3", "B5", ruleset(skip_answer="identical"))
    do(round_, "BR")

    assert news(round_)[-1] == "skipped seat=1"


@pytest.mark.parametrize(
    ("card", "paid"),
    [("B+2", "paid seat=0 count=2"), ("W+4:B", "paid seat=0 count=4"), ("BL:B", "paid seat=0 count=10")],
)
def test_a_reverse_sends_a_draw_back(card: str, paid: str):
    """R44 draws, R45: a reverse of the active colour sends +2, +4 and +10 back; the direction turns."""
    rules = ruleset(reverse_answer="draws", deck="blanks", blank="plus_ten")
    first = card.split(":", maxsplit=1)[0]
    round_ = turn(f"{first},R2,R3|BR,RR,R5" + OTHERS, "B5", rules)
    do(round_, card)

    assert "BR" in legal(round_)
    assert "RR" not in legal(round_)
    do(round_, "BR")
    assert news(round_)[-1] == paid
    assert (round_.direction, round_.seat) == (-1, 3)


def test_a_four_that_came_back_cannot_be_challenged():
    """R44: the source may answer in turn, but not doubt its own +4."""
    round_ = turn("W+4,BR,R3|BR,RR,R5" + OTHERS, "B5", ruleset(reverse_answer="draws"))
    do(round_, "W+4:B", "BR")

    assert legal(round_) == ["BR", "accept"]
    do(round_, "BR!")
    assert news(round_)[-1] == "paid seat=1 count=4"


@pytest.mark.parametrize(("value", "asked"), [("off", False), ("draws", False), ("all", True)])
def test_what_a_reverse_sends_back(value: str, asked: bool):
    """R44: a skip only with `all`, also the skip of a reverse between two."""
    skip = turn("BS,B2,B3|BR,R2,R3" + OTHERS, "B5", ruleset(reverse_answer=value))
    do(skip, "BS")
    two = turn("BR,B2,B3|BR,R2,R3", "B5", ruleset(reverse_answer=value))
    do(two, "BR")

    assert (legal(skip) == ["BR", "accept"]) == asked
    assert (legal(two) == ["BR", "accept"]) == asked


def test_an_answering_reverse_between_two_skips_nobody():
    """R44: it has no other effect, also with two players."""
    round_ = turn("B+2,B2,B3|BR,R2,R3", "B5", ruleset(reverse_answer="draws"))
    do(round_, "B+2", "BR")

    assert news(round_)[-1] == "paid seat=0 count=2"
    assert round_.seat == 1


def test_h2o_cards_have_no_answer():
    """R45, R04: +1 and wild +2 are paid, and nothing answers them."""
    rules = ruleset(deck="h2o", reverse_answer="all", draw_two_answer="stack", skip_answer="identical")
    one = turn("B+1,B2,B3|B+1,BR,B+2" + OTHERS, "B5", rules)
    do(one, "B+1")
    two = turn("W+2,B2,B3|W+2,BR,B+2" + OTHERS, "B5", rules)
    do(two, "W+2:B")

    assert news(one)[-1] == "paid seat=1 count=1"
    assert news(two)[-1] == "paid seat=1 count=2"
    assert one.seat == two.seat == 2


def test_an_effect_never_goes_back_to_who_is_out():
    """R44, R72: an answer that would send an effect back to a seat out of the round is not legal."""
    rules = ruleset(reverse_answer="draws", to_the_last=True, scoring="lowest")
    round_ = turn("B+2|BR,R2,R3" + OTHERS, "B5", rules)
    do(round_, "B+2")

    assert news(round_)[-1] == "paid seat=1 count=2"


def test_a_wild_four_by_an_empty_hand_is_not_challenged():
    """R38, R72: who went out with a +4 cannot be doubted; it is paid."""
    round_ = turn("W+4|BR,R2,R3" + OTHERS, "B5", ruleset(to_the_last=True, scoring="lowest"))
    do(round_, "W+4:G")

    assert news(round_)[-1] == "paid seat=1 count=4"
