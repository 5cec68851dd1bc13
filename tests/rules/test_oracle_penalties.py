"""The second opinion judges +4s and answers to penalties as the sheet tells them: R33-R45, R81."""

import pytest

from tests.rules.oracle.example import asked, example, hand, tell_all

BLUFF = {"first": "B5", "pile": "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y0 G1 G2 G3"}


def test_a_bluff_may_be_doubted_and_stays():
    """R35 stays: the offender draws four, card and colour stay, the challenger takes its turn."""
    match = example("W+4 B2 G7", "R1 G1", **BLUFF)
    tell_all(match, "W+4:R", "challenge")

    assert len(hand(match, 0)) == 6
    assert asked(match) == (1, "TURN")
    assert match.table["colour"] == "R"
    assert match.table["discard"][-1] == "W+4"


def test_a_bluff_may_be_returned():
    """R35 returned: the +4 goes back, the offender draws four, the former card is in force again."""
    match = example("W+4 B2 G7", "R1 G1", challenge_success="returned", **BLUFF)
    tell_all(match, "W+4:R", "challenge")

    assert len(hand(match, 0)) == 7
    assert "W+4" in hand(match, 0)
    assert match.table["discard"] == ["B5"]
    assert match.table["colour"] == "B"
    assert asked(match) == (1, "TURN")


def test_a_wrong_doubt_costs_six_and_the_turn():
    """R36: a challenge that fails costs 4 + 2 cards and the turn."""
    match = example("W+4 R2 G7", "R1 G1", "G9", **BLUFF)
    tell_all(match, "W+4:R", "challenge")

    assert len(hand(match, 1)) == 8
    assert asked(match) == (2, "TURN")


def test_without_a_doubt_a_bluff_stands():
    """R37: the next seat draws four and loses the turn, even if the +4 was a bluff."""
    match = example("W+4 B2 G7", "R1 G1", "G9", **BLUFF)
    tell_all(match, "W+4:R", "accept")

    assert len(hand(match, 1)) == 6
    assert len(hand(match, 0)) == 2
    assert asked(match) == (2, "TURN")


def test_what_is_judged_is_the_moment_of_the_play():
    """R34: the hand without the +4 counts as it was, not what a missed UNO adds to it."""
    match = example("W+4 G7", "R1 G1", **BLUFF)
    tell_all(match, "W+4:Y", "catch", "challenge")

    assert hand(match, 0) == ["G7", "Y1", "Y2"]
    assert len(hand(match, 1)) == 8


def test_a_challenge_is_offered_even_where_it_can_only_fail():
    """R32 always, R33: any +4 may be challenged, even if the challenge can only fail."""
    match = example("W+4 B2 G7", "R1 G1", wild_draw_four="always", **BLUFF)
    tell_all(match, "W+4:R")
    assert match.moves == ["accept", "challenge"]
    tell_all(match, "challenge")

    assert len(hand(match, 1)) == 8


def test_a_last_plus_four_cannot_be_doubted():
    """R38, R81: with an empty hand a +4 is legal; whoever would pay draws first, then the round ends."""
    match = example("W+4", "R1 G1", **BLUFF)
    tell_all(match, "W+4:R")

    assert match.table["round"] == 2
    assert match.table["totals"][0] == 1 + 1 + 1 + 2 + 3 + 4


def test_a_chain_of_deflections_never_sums():
    """R40 deflect, example: any +2 passes it on, the last in the chain draws two."""
    match = example("R+2 R9 G9", "G+2 R1 G1", "B+2 R8 G8", first="R5", draw_two_answer="deflect")
    tell_all(match, "R+2")
    assert match.moves == ["G+2", "accept"]
    tell_all(match, "G+2", "B+2", "accept")

    assert len(hand(match, 0)) == 4
    assert asked(match) == (1, "TURN")


def test_stacked_plus_twos_sum():
    """R40 stack, example: +2, +2 -> 4; four of them -> 8."""
    four = ["R+2 R9 G9", "G+2 R1 G1", "B+2 R8 G8", "Y+2 R7 G7"]
    match = example(*four, first="R5", draw_two_answer="stack")
    tell_all(match, "R+2", "G+2", "accept")
    assert len(hand(match, 2)) == 7

    match = example(*four, first="R5", draw_two_answer="stack")
    tell_all(match, "R+2", "G+2", "B+2", "Y+2", "accept")
    assert len(hand(match, 0)) == 10


def test_an_answer_is_no_match():
    """R40: an answering +2 need not fit the colour, also where R21 is colour_only."""
    match = example("R+2 R9 G9", "G+2 R1 G1", first="R5", draw_two_answer="stack", action_match="colour_only")
    tell_all(match, "R+2")

    assert match.moves == ["G+2", "accept"]


def test_no_answer_where_none_is_allowed():
    """R40, R41 none: a victim with a fitting card can only accept (or doubt a +4)."""
    match = example("R+2 W+4 R9", "G+2 W+4 RR", first="R5")
    tell_all(match, "R+2")

    assert match.moves == ["accept"]


def test_a_plus_four_is_deflected_by_two_of_the_declared_colour():
    """R41 deflect, example: only a +2 of the declared colour; the penalty becomes that +2."""
    match = example("W+4 R9 G9", "G+2 B+2 R1", "R+2 R8 G8", first="Y5", preset="classic")
    tell_all(match, "W+4:G")
    assert match.moves == ["G+2", "accept", "challenge"]
    tell_all(match, "G+2")
    assert match.moves == ["R+2", "accept"]
    tell_all(match, "accept")

    assert len(hand(match, 2)) == 5


def test_stacked_plus_fours_sum_and_may_be_doubted():
    """R41 stack, R42: +4, +4 -> 8; guilty pays the whole stack, a failed challenger the stack and two."""
    match = example("W+4 R9 G9", "W+4 B9 R1", "R+2 R8 G8", first="Y5", draw_four_answer="stack")
    tell_all(match, "W+4:G")
    assert match.moves[:4] == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]
    assert match.bluffs == []
    tell_all(match, "W+4:B")
    assert "R+2" not in match.moves
    tell_all(match, "challenge")
    assert len(hand(match, 2)) == 13

    match = example("W+4 R9 G9", "W+4 G2 R1", "R+2 R8 G8", first="Y5", draw_four_answer="stack")
    tell_all(match, "W+4:G")
    assert match.bluffs == match.moves[:4]
    tell_all(match, "W+4:B", "challenge")
    assert len(hand(match, 1)) == 10
    assert asked(match) == (2, "TURN")


def test_only_the_last_plus_four_of_a_stack_goes_back():
    """R42 returned: the guilty pays the whole stack and takes back the last +4 alone."""
    match = example(
        "W+4 R9 G9",
        "W+4 G2 R1",
        "R+2 R8 G8",
        first="Y5",
        draw_four_answer="stack",
        challenge_success="returned",
    )
    tell_all(match, "W+4:G", "W+4:B", "challenge")

    assert len(hand(match, 1)) == 11
    assert match.table["discard"] == ["Y5", "W+4"]
    assert match.table["colour"] == "G"


def test_a_stacked_bluff_needs_challenges():
    """R42, R33: where challenge is off a stacked +4 that breaks R32 is not legal."""
    match = example("W+4 R9 G9", "W+4 G2 R1", first="Y5", draw_four_answer="stack", challenge="off")
    tell_all(match, "W+4:G")

    assert match.moves == ["accept"]


def test_the_identical_skip_passes_it_on():
    """R43: the skipped player answers with the identical skip and the next seat is to be skipped."""
    match = example("RS R9 G9", "RS GS R1", "R8 G8", first="R5", skip_answer="identical")
    tell_all(match, "RS")
    assert match.moves == ["RS", "accept"]
    tell_all(match, "RS", "accept")

    assert asked(match) == (0, "TURN")


def test_nothing_is_identical_to_a_reverse_between_two():
    """R43: a two-player reverse cannot be answered with a skip or a reverse."""
    match = example("RR R9 G9", "RR RS R1", first="R5", skip_answer="identical")
    tell_all(match, "RR")

    assert match.moves == ["accept"]


def test_a_reverse_sends_a_draw_back():
    """R44 draws: a reverse of the active colour sends the effect back and flips the direction."""
    match = example("R+2 R9 G9", "RR GR R1", "R8 G8", first="R5", reverse_answer="draws")
    tell_all(match, "R+2")
    assert match.moves == ["RR", "accept"]
    tell_all(match, "RR")
    assert asked(match) == (0, "PENALTY")
    tell_all(match, "accept")

    assert len(hand(match, 0)) == 4
    assert match.table["direction"] == -1
    assert asked(match) == (2, "TURN")


def test_a_plus_four_that_came_back_cannot_be_doubted():
    """R44: after a reverse the source may answer in turn, but no longer challenge."""
    match = example("W+4 R9 GR Y3", "GR R1 Y2 B2", first="Y5", reverse_answer="draws")
    tell_all(match, "W+4:G")
    assert match.moves == ["GR", "accept", "challenge"]
    tell_all(match, "GR")
    assert asked(match) == (0, "PENALTY")
    assert match.moves == ["GR", "accept"]
    tell_all(match, "GR")

    assert asked(match) == (1, "PENALTY")
    assert match.moves == ["accept"]


def test_draws_does_not_answer_a_skip():
    """R44: `draws` answers +2, +4 and +10; `all` also a skip and the skip of a two-player reverse."""
    skips = ["RS R9 G9", "RR R1 R2"]
    draws = example(*skips, first="R5", reverse_answer="draws")
    tell_all(draws, "RS")
    both = example(*skips, first="R5", reverse_answer="all")
    tell_all(both, "RS")
    reverse = example("RR R9 G9", "RR R1 R2", first="R5", reverse_answer="all")
    tell_all(reverse, "RR")

    assert draws.moves == ["accept"]
    assert both.moves == ["RR", "accept"]
    assert reverse.moves == ["RR", "accept"]
    tell_all(reverse, "RR", "accept")
    assert asked(reverse) == (1, "TURN")


@pytest.mark.parametrize(("card", "cards"), [("R+1", 1), ("W+2:R", 2)])
def test_h2o_draws_are_paid_without_an_answer(card: str, cards: int):
    """R04, R45: +1 and wild +2 make the next player draw and lose the turn; no option answers them."""
    match = example(
        "R+1 W+2 R9",
        "RR R+2 R+1 W+2",
        "G1",
        first="R5",
        deck="h2o",
        reverse_answer="all",
        draw_two_answer="stack",
        draw_four_answer="stack",
        skip_answer="identical",
    )
    tell_all(match, card)
    assert match.moves == ["accept"]
    tell_all(match, "accept")

    assert len(hand(match, 1)) == 4 + cards
    assert asked(match) == (2, "TURN")


def test_plus_ten_is_paid_or_reversed():
    """R45, R69: a blank as +10 makes the next player draw ten; only a reverse answers it."""
    match = example(
        "BL R9 R8",
        "GR W+4 G+2",
        first="R5",
        deck="blanks",
        blank="plus_ten",
        reverse_answer="draws",
        draw_two_answer="stack",
        draw_four_answer="stack",
    )
    tell_all(match, "BL:G")
    assert match.moves == ["GR", "accept"]
    tell_all(match, "GR", "accept")

    assert len(hand(match, 0)) == 12


def test_a_last_answer_is_paid_before_the_end():
    """R81: an answer that empties the hand is paid in whole before the end; no card answers it."""
    match = example("R+2 R9 G9", "G+2", "B+2 R1", first="R5", pile="Y1 Y2 Y3 Y4", draw_two_answer="stack")
    tell_all(match, "R+2", "G+2")

    assert match.table["round"] == 2
    assert match.table["totals"][1] == 9 + 9 + 20 + 1 + (1 + 2 + 3 + 4)


def test_a_last_reverse_makes_the_source_pay():
    """R81, R44: a +2 sent back with the last card is drawn by its source before the points are counted."""
    match = example("R+2 R9 G9", "RR", first="R5", pile="Y1 Y2", reverse_answer="draws")
    tell_all(match, "R+2", "RR")

    assert match.table["totals"][1] == 18 + 3


def test_who_drew_for_a_plus_four_says_ready():
    """R56: who drew because of a +4, the guilty too, says ready before the game goes on."""
    match = example("W+4 B2 G7", "R1 G1", ready="on", **BLUFF)
    tell_all(match, "W+4:R", "challenge")
    assert asked(match) == (0, "READY")
    tell_all(match, "ready")
    assert asked(match) == (1, "TURN")

    match = example("W+4 R+2 B+2", "R1 G1", ready="on", **BLUFF)
    tell_all(match, "B+2", "accept", "W+4:R!", "accept")
    assert asked(match) == (1, "READY")
    assert match.moves == ["ready"]
