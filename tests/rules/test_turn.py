"""A turn: matching, drawing, the reshuffle, the stalemate (R20-R29)."""

import pytest

from arena.rules.cards import format_card
from tests.rules.positions import bluffs, do, hand, legal, news, ruleset, turn


def test_matching_by_colour_number_and_symbol():
    """R20: the active colour, the number or the symbol; wilds always."""
    round_ = turn("G1,GS,B2,BS,Y2,W|R1,R2", "R2")

    assert legal(round_) == ["B2", "Y2", "W:R", "W:G", "W:B", "W:Y", "draw"]
    assert legal(turn("G1,GS,B2,BS|R1,R2", "RS")) == ["GS", "BS", "draw"]


def test_a_wild_on_top_has_no_number():
    """R20: on a wild only its colour and wilds match."""
    assert legal(turn("G1,R1,W|R1,R2", "W:G")) == ["G1", "W:R", "W:G", "W:B", "W:Y", "draw"]


@pytest.mark.parametrize("card", ["S", "R", "+2"])
def test_actions_by_colour_only(card: str):
    """R21 colour_only: skip, reverse and +2 need the active colour; numbers still match by number."""
    strict = ruleset(action_match="colour_only")

    assert legal(turn(f"G{card},R{card}|R1,R2", f"R{card}", strict)) == [f"R{card}", "draw"]
    assert legal(turn(f"G{card},R1|R1,R2", f"R{card}")) == ["R1", f"G{card}", "draw"]
    assert legal(turn("G3|R1,R2", "R3", strict)) == ["G3", "draw"]


def test_draw_one():
    """R22 one: a card that cannot be played ends the turn."""
    round_ = turn("G1,G2|R1,R2", "B5", pile="Y3,B1")
    do(round_, "draw")

    assert hand(round_, 0) == "G1 G2 Y3"
    assert round_.seat == 1


def test_draw_until_playable():
    """R22 until_playable: drawing stops at the first playable card."""
    round_ = turn("G1,G2|R1,R2", "B5", ruleset(draw="until_playable"), pile="Y3,Y4,B1,Y6")
    do(round_, "draw")

    assert hand(round_, 0) == "G1 G2 B1 Y3 Y4"
    assert legal(round_) == ["B1", "keep"]
    assert news(round_) == ["drew seat=0 count=3"]


def test_drawing_until_playable_does_not_stop_at_a_bluff():
    """R22: a +4 that would be a bluff is no playable card."""
    round_ = turn("B1,G2|R1,R2", "B5", ruleset(draw="until_playable"), pile="W+4,Y4,B7")
    do(round_, "draw")

    assert legal(round_) == ["B7", "keep"]


def test_voluntary_draw():
    """R23: allowed, or only when nothing can be played; a bluff is not playable."""
    stuck_only = ruleset(voluntary_draw="only_when_stuck")

    assert legal(turn("B1,G2|R1,R2", "B5", stuck_only)) == ["B1"]
    assert legal(turn("Y1,G2|R1,R2", "B5", stuck_only)) == ["draw"]
    round_ = turn("B+2,W+4|R1,R2", "B5", ruleset(voluntary_draw="only_when_stuck"))
    assert legal(round_)[0] == "B+2"
    assert "draw" not in legal(round_)


def test_who_can_only_bluff_may_draw():
    """R23: stuck means no playable card, and a bluff is none."""
    rules = ruleset(
        voluntary_draw="only_when_stuck", action_match="colour_only", wild_draw_four="no_colour_or_match"
    )
    round_ = turn("GS,W+4|R1,R2", "BS", rules)

    assert legal(round_) == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y", "draw"]
    assert bluffs(round_) == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]


def test_a_forced_drawn_card():
    """R24 forced: a playable drawn card is played, with the choices that it has."""
    round_ = turn("G1,G2|R1,R2", "B5", ruleset(drawn_card="forced"), pile="W,B1")
    do(round_, "draw")

    assert legal(round_) == ["W:R", "W:G", "W:B", "W:Y"]


def test_a_drawn_bluff_is_not_forced():
    """R24, R25: a drawn +4 that can only be a bluff may be played or kept, also where playing is forced."""
    round_ = turn("B1,G2|R1,R2", "B5", ruleset(drawn_card="forced"), pile="W+4,B1")
    do(round_, "draw")

    assert bluffs(round_) == ["W+4:R", "W+4:G", "W+4:B", "W+4:Y"]
    assert legal(round_)[-1] == "keep"


def test_only_the_drawn_card_may_be_played():
    """R25: other cards must wait, also another copy's neighbours."""
    round_ = turn("B1,B2|R1,R2", "B5", pile="B3")
    do(round_, "draw")

    assert legal(round_) == ["B3", "keep"]


def test_keeping_is_no_news():
    """R93: that a seat might have played its drawn card is nobody's business."""
    kept = turn("B1,B2|R1,R2", "B5", pile="B3")
    do(kept, "draw", "keep")
    unplayable = turn("B1,B2|R1,R2", "B5", pile="Y3")
    do(unplayable, "draw")

    assert news(kept) == news(unplayable)
    assert kept.seat == unplayable.seat == 1


def test_reshuffle_in_the_middle_of_a_draw():
    """R26: the top card stays, the rest becomes the new pile, and the draw goes on."""
    round_ = turn("B+2,B2,B3|R1,R2", "B5", pile="Y3")
    round_.discard = [round_.discard[0], *round_.discard]
    do(round_, "B+2")

    assert news(round_) == ["played seat=0 card=B+2", "reshuffled count=2", "paid seat=1 count=2"]
    assert [format_card(card) for card in round_.discard] == ["B+2"]
    assert round_.pile.size == 1


def test_a_wild_four_that_may_be_returned_keeps_the_card_below():
    """R26, R35: while the +4 may go back, the card under it stays too."""
    rules = ruleset(challenge_success="returned", misplay_penalty=2)
    round_ = turn("W+4,B2,B4|R1,R2", "B5", rules, pile="")
    round_.discard = [1, 2, *round_.discard]
    do(round_, "W+4:R!")

    assert [format_card(card) for card in round_.discard] == ["B5", "W+4"]


def test_nothing_left_to_draw():
    """R26: nothing left: draw what there is, then pass."""
    round_ = turn("G1,G2|R1,R2|R3,R4", "B5", pile="")
    do(round_, "draw")

    assert news(round_) == ["drew seat=0"]
    assert round_.seat == 1


def test_everybody_passes():
    """R27: when each seat in turn passed with nothing drawn and nothing played, the round is void."""
    round_ = turn("G1,G2|R1,R2|R3,R4", "B5", pile="")
    do(round_, "draw", "draw", "draw")

    assert news(round_)[-1] == "round_over count=1"


def test_turns_run_out():
    """R27: after max_turns turns the round ends; answers and lost turns are none."""
    round_ = turn("B1,B2,B6|B3,B4,B7|R3,R4", "B5", ruleset(max_turns=3), pile="Y1")
    do(round_, "B1", "B3", "draw")

    assert news(round_)[-1] == "round_over count=1"


@pytest.mark.parametrize(("hands", "winner"), [("G1,G2|R1|R3,R4", " seat=1"), ("G1|R1|R3,R4", "")])
def test_the_lowest_hand_wins_a_stalemate(hands: str, winner: str):
    """R27 lowest_hand: the fewest points win the round; ties are void."""
    round_ = turn(hands, "B5", ruleset(stalemate="lowest_hand"), pile="")
    round_.top = -1
    do(round_, "draw", "draw", "draw")

    assert news(round_)[-1] == f"round_over{winner} count=1"


@pytest.mark.parametrize(("value", "seat"), [("skip", 0), ("pass", 1)])
def test_reverse_between_two(value: str, seat: int):
    """R28: between two a reverse is a skip, or the turn passes; the direction turns in both."""
    round_ = turn("BR,B2,B3|R1,R2", "B5", ruleset(reverse_two_players=value))
    do(round_, "BR")

    assert round_.seat == seat
    assert round_.direction == -1


def test_reverse_between_three():
    """R28: between three the direction turns and nobody is skipped."""
    round_ = turn("BR,B2,B3|R1,R2|R3,R4", "B5")
    do(round_, "BR")

    assert round_.seat == 2


def test_skip_and_draw_two():
    """R29: the next seat loses its turn, after drawing two for a +2."""
    skip = turn("BS,B2,B3|R1,R2|R3,R4", "B5")
    do(skip, "BS")
    two = turn("B+2,B2,B3|R1,R2|R3,R4", "B5")
    do(two, "B+2")

    assert news(skip) == ["played seat=0 card=BS", "skipped seat=1"]
    assert news(two) == ["played seat=0 card=B+2", "paid seat=1 count=2"]
    assert skip.seat == two.seat == 2
