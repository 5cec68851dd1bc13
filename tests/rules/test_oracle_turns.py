"""The second opinion plays turns as the sheet tells them: R20-R39, and the sheet's own examples."""

import pytest

from tests.rules.oracle.example import asked, example, hand, tell_all
from tests.rules.oracle.match import FaultError, OracleMatch
from tests.rules.oracle.sheet import options
from tests.rules.oracle.supply import Script


def test_a_blue_five_takes_blue_or_five():
    """R20, example: on a blue 5, blue 2 yes, red 5 yes, green 8 no; drawing is allowed."""
    match = example("B2 R5 G8", "R1", first="B5")

    assert match.moves == ["R5", "B2", "draw"]


def test_wilds_are_always_playable_and_named_in_all_colours():
    """R20, R30: a wild is legal on anything and is listed once for each colour, the current one too."""
    match = example("W G8", "R1", first="B5")

    assert match.moves == ["W:R", "W:G", "W:B", "W:Y", "draw"]


def test_copies_of_a_card_are_one_move():
    """The list has one entry per kind of card, not per copy."""
    assert example("B2 B2", "R1", first="B5").moves == ["B2", "draw"]


def test_colour_only_binds_actions_and_not_numbers():
    """R21: skip, reverse and +2 only on the active colour; a number still matches by number."""
    match = example("RS R5", "R1", first="BS", action_match="colour_only", script={"dealer": 0})
    numbers = example("R5", "R1", first="B5", action_match="colour_only")

    assert match.moves == ["draw"]
    assert numbers.moves == ["R5", "draw"]


def test_plus_one_matches_by_symbol_under_colour_only():
    """R04, R21: a +1 matches by colour or symbol; R21 names only skip, reverse and +2."""
    match = example("B+1 R9", "R+1 G4", first="B5", pile="G8 G9", deck="h2o", action_match="colour_only")
    tell_all(match, "B+1!", "accept", "draw", "keep")

    assert match.seat == 1
    assert "R+1" in match.moves


def test_only_the_drawn_card_may_be_played():
    """R24, R25, example: with red 2 and blue 7 on a red 7, a drawn red 9 may be played or kept."""
    match = example("R2 B7", "R1", first="R7", pile="R9")
    tell_all(match, "draw")

    assert asked(match) == (0, "DRAWN")
    assert match.moves == ["R9", "keep"]


def test_a_drawn_card_that_does_not_fit_is_kept():
    """R24: a drawn card that is not playable can only be kept, also where a playable one is forced."""
    match = example("R2", "R1", first="R7", pile="B9", drawn_card="forced")
    tell_all(match, "draw")

    assert match.moves == ["keep"]


def test_a_forced_drawn_card_keeps_its_choices():
    """R24: where the drawn card is forced it must be played, with the colours it can name."""
    match = example("R2", "R1", first="R7", pile="W", drawn_card="forced")
    tell_all(match, "draw")

    assert match.moves == ["W:R", "W:G", "W:B", "W:Y"]


def test_a_drawn_bluff_is_never_forced():
    """R24, R25, R33: a drawn +4 that would be a bluff may be laid, and need not be."""
    match = example("R2", "R1", first="R7", pile="W+4", drawn_card="forced")
    tell_all(match, "draw")

    assert match.moves == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y", "keep"]
    assert match.bluffs == match.moves[:-1]


def test_drawing_until_playable_passes_over_a_bluff():
    """R22: drawing stops at the first playable card; a +4 that breaks R32 is none."""
    match = example("R2", "R1", first="R7", pile="G1 W+4 B7 R3", draw="until_playable")
    tell_all(match, "draw")

    assert hand(match, 0) == ["B7", "G1", "R2", "W+4"]
    assert match.moves == ["B7", "keep"]


def test_only_the_stuck_draw():
    """R23: with only_when_stuck a seat with a playable card must play; a bluff is not playable."""
    free = example("R2", "R1", first="R7", voluntary_draw="only_when_stuck")
    stuck = example("B2 W+4", "R1", first="R7", voluntary_draw="only_when_stuck")
    bluffing = example("B2 W+4", "R1", first="B7", voluntary_draw="only_when_stuck")

    assert free.moves == ["R2"]
    assert stuck.moves == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]
    assert bluffing.moves == ["B2", "W+4:R", "W+4:G", "W+4:B", "W+4:Y"]


def test_a_seat_with_nothing_but_a_bluff_may_draw():
    """R23: stuck means no playable card, so the holder of nothing but a bluff may draw or bluff."""
    other = example(
        "RS W+4",
        "R1",
        first="BS",
        voluntary_draw="only_when_stuck",
        action_match="colour_only",
        wild_draw_four="no_colour_or_match",
        script={"dealer": 0},
    )

    assert other.moves == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y", "draw"]
    assert other.bluffs == other.moves[:-1]


def test_an_empty_pile_is_made_of_the_discards():
    """R26: all but the top discard are shuffled into a new pile, also in the middle of a draw of several."""
    cards = {"R0": 1, "R1": 1, "R2": 1, "R3": 1, "R+2": 1, "B1": 1, "G1": 1}
    match = example("R2 R+2 G1", "R3 B1", first="R0", pile="R1", deck="custom", custom=cards, hand_size=1)
    tell_all(match, "R2", "R3!", "R+2!", "accept")

    assert hand(match, 1) == ["B1", "R0", "R1"]
    assert sorted(match.table["pile"]) == ["R2", "R3"]
    assert match.table["discard"] == ["R+2"]


def test_nothing_left_draws_what_there_is_and_passes():
    """R26, R27: nothing left to draw is a pass, and when each seat in turn passes the round is void."""
    cards = {"R0": 1, "B1": 1, "G2": 1, "Y3": 1, "R4": 1}
    match = example("B1 G2", "Y3", first="R0", pile="R4", deck="custom", custom=cards, hand_size=1)
    tell_all(match, "draw", "R4")
    assert hand(match, 1) == ["Y3"]
    tell_all(match, "draw", "keep", "draw")
    assert match.table["round"] == 1

    tell_all(match, "draw")
    assert match.table["round"] == 2
    assert match.table["totals"] == {0: 0, 1: 0}


def test_a_round_ends_after_its_turns():
    """R27: after max_turns turns the round ends; fewest points in hand win it under lowest_hand."""
    match = example("B1 G2", "Y3", first="R0", pile="Y4 Y5", max_turns=2, stalemate="lowest_hand")
    tell_all(match, "draw", "keep", "draw", "keep")

    assert match.table["round"] == 2
    assert match.table["totals"] == {0: 8, 1: 0}


@pytest.mark.parametrize(("value", "seat"), [("skip", 0), ("pass", 1)])
def test_a_reverse_between_two(value: str, seat: int):
    """R28: with two seats a reverse skips the other, or only flips; the direction flips in both."""
    match = example("RR R2", "B1", first="R7", reverse_two_players=value)
    tell_all(match, "RR!")
    if value == "skip":
        assert asked(match) == (1, "PENALTY")
        assert match.moves == ["accept"]
        tell_all(match, "accept")

    assert match.table["direction"] == -1
    assert asked(match) == (seat, "TURN")


def test_skip_and_plus_two_cost_the_turn():
    """R29: the next seat loses the turn; a +2 makes it draw two first."""
    match = example("RS R2 R5", "B1", "R+2 R9 R8", first="R7")
    tell_all(match, "RS", "accept")
    assert asked(match) == (2, "TURN")
    tell_all(match, "R+2", "accept")

    assert len(hand(match, 0)) == 4
    assert asked(match) == (1, "TURN")


def test_the_colour_goes_round():
    """R31: a wild names one step on the ring, clockwise red to blue, back from yellow to green."""
    there = example("W G2", "G3", "G1", first="R7", wild_colour="circle")
    back = example("G3", "G1", "W G2", first="YR", wild_colour="circle")
    assert there.moves == ["W", "draw"]
    assert asked(back) == (2, "TURN")
    tell_all(there, "W!")
    tell_all(back, "W!")

    assert there.table["colour"] == "B"
    assert back.table["colour"] == "G"


def test_a_plus_four_needs_a_hand_without_the_colour():
    """R32, example: blue 5 on top, hand red 5 and +4 and no blue: playable; with a blue 2 it is a bluff."""
    good = example("R5 W+4", "R1", first="B5")
    bad = example("R5 W+4 B2", "R1", first="B5")

    assert "W+4:R" in good.moves
    assert good.bluffs == []
    assert bad.bluffs == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]


def test_a_plus_four_under_czech_rules_needs_more():
    """R32 no_colour_or_match: nor a card of the top card's number or symbol."""
    match = example("R5 W+4", "R1", first="B5", preset="czech")
    always = example("R5 B2 W+4", "R1", first="B5", wild_draw_four="always", challenge="off")

    assert match.moves == ["R5", "draw"]
    assert "W+4:R" in always.moves


def test_a_colourless_top_card_matches_nothing_for_r32():
    """R32: a colourless card has neither number nor symbol, so two wilds are no match."""
    match = example("W R2", "W W+4 G4", first="R7", wild_draw_four="no_colour_or_match")
    tell_all(match, "W:B!")

    assert "W+4:R" in match.moves
    assert match.bluffs == []


def test_wild_restriction_needs_a_hand_without_the_colour():
    """R39: a plain wild only without a card of the active colour."""
    assert example("W B2", "R1", first="B5", wild_restriction="no_colour").moves == ["B2", "draw"]
    assert "W:R" in example("W G2", "R1", first="B5", wild_restriction="no_colour").moves


def test_an_illegal_move_changes_nothing():
    """R53: with misplay_penalty = 0 a move outside the list is a fault and changes nothing."""
    match = example("B2 R5 G8", "R1", first="B5")

    with pytest.raises(FaultError):
        match.tell("G8")
    assert hand(match, 0) == ["B2", "G8", "R5"]
    assert asked(match) == (0, "TURN")


def test_what_leaves_nothing_to_decide_is_no_decision():
    """Words, R91: where only keep or only accept is possible nobody decides, and nothing is counted."""
    supply = Script(["G2 B+2", "G4"], "B5", "Y1 Y2 Y3 Y4 Y5", dealer=1)
    match = OracleMatch(options(hand_size=2), 2, supply)
    tell_all(match, "draw")
    assert asked(match) == (1, "TURN")
    assert match.table["decisions"] == 1

    tell_all(match, "draw", "B+2")
    assert asked(match) == (0, "TURN")
    assert match.table["decisions"] == 3
