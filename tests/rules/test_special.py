"""Special rules: jump-in, hands that move, silence and talk, blanks, refills, to the last (R60-R72)."""

import pytest

from arena.rules import parse_move
from tests.rules.positions import do, hand, legal, news, ruleset, turn

OTHERS = "|G1,G2,G3|Y1,Y2,Y3"


def test_jump_in():
    """R60: the holder of the identical card plays it out of turn, and play goes on from there."""
    round_ = turn("B7,B2,B3|R1,R2,R3|B7,G2,G3|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, "B7")

    assert (round_.seat, legal(round_)) == (2, ["jump B7", "no"])
    do(round_, "jump B7")
    assert news(round_)[-1] == "jumped_in seat=2 card=B7"
    assert round_.seat == 3


def test_nobody_jumps_in_without_the_card():
    """R60: only holders of the identical card are asked; the number in another colour will not do."""
    round_ = turn("B7,B2,B3|R7,R2,R3|G7,G2,G3|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, "B7")

    assert (round_.seat, round_.kind) == (1, 1)


def test_who_was_asked_to_jump_in_is_no_news():
    """R93: a declined jump-in is known to nobody else."""
    holder = turn("B7,B2,B3|B7,R2,R3" + OTHERS, "B5", ruleset(jump_in=True))
    do(holder, "B7", "no")
    nobody = turn("B7,B2,B3|B8,R2,R3" + OTHERS, "B5", ruleset(jump_in=True))
    do(nobody, "B7")

    assert news(holder) == news(nobody)
    assert (holder.seat, holder.kind) == (nobody.seat, nobody.kind)


@pytest.mark.parametrize("card", ["BS", "B+2", "W+4:B"])
def test_no_jump_in_on_what_is_pending(card: str):
    """R60: never on a skip or a draw card, never a +4."""
    kind = card.split(":", maxsplit=1)[0]
    round_ = turn(f"{kind},R2,R3|R1,R2,R3|{kind},G2,G3|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, card)

    assert not legal(round_)[0].startswith("jump")


def test_a_wild_on_a_wild():
    """R60, R39: a plain wild on a plain wild, R39 does not bind it; a blank that is a wild is not one."""
    rules = ruleset(jump_in=True, wild_restriction="no_colour", deck="blanks", blank="wild")
    wild = turn("W,R2,R3|W,G1,B2|BL,G2,G3|Y1,Y2,Y3", "B5", rules)
    do(wild, "W:B")
    blank = turn("BL,R2,R3|BL,G1,B2|W,G2,G3|Y1,Y2,Y3", "B5", rules)
    do(blank, "BL:B")

    assert legal(wild) == ["jump W:R", "jump W:G", "jump W:B", "jump W:Y", "no"]
    assert (blank.seat, blank.kind) == (1, 1)


def test_the_own_double_comes_last():
    """R61: the player who just played may jump in on the own card, but is asked last."""
    round_ = turn("B7,B7,B3|R1,R2,R3|B7,G2,G3|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, "B7", "no")

    assert (round_.seat, legal(round_)) == (0, ["jump B7", "no"])
    do(round_, "jump B7!")
    assert news(round_)[-2:] == ["jumped_in seat=0 card=B7", "uno_called seat=0"]


def test_jumping_in_empties_the_hand():
    """R60, R80: the full effect of a jump-in is that of any play."""
    round_ = turn("B7,B2,B3|R1,R2,R3|B7|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, "B7", "jump B7")

    assert news(round_)[-1] == "round_over seat=2"


def test_reverses_add_up():
    """R62: two in a row cancel, three turn the direction, also by jumping in."""
    round_ = turn("BR,B2,B3|R1,R2,R3|BR,BR,G3|Y1,Y2,Y3", "B5", ruleset(jump_in=True))
    do(round_, "BR")
    assert round_.direction == -1
    do(round_, "jump BR")
    assert round_.direction == 1
    do(round_, "jump BR!")
    assert round_.direction == -1


def test_seven_swaps():
    """R63: the player swaps hands with another seat in the round, named with the play."""
    round_ = turn("B7,B2,B3|R1,R2" + OTHERS, "B5", ruleset(seven="swap"))

    assert legal(round_) == ["B2", "B3", "B7:1", "B7:2", "B7:3", "draw"]
    do(round_, "B7:1")
    assert (hand(round_, 0), hand(round_, 1)) == ("R1 R2", "B2 B3")
    assert news(round_)[-1] == "swapped seat=0 other=1"


@pytest.mark.parametrize(
    ("direction", "hands"), [(1, ["R3", "B2 B3", "R1 R2"]), (-1, ["R1 R2", "R3", "B2 B3"])]
)
def test_zero_rotates(direction: int, hands: list[str]):
    """R64: every hand moves one seat in the direction of play."""
    round_ = turn("B0,B2,B3|R1,R2|R3", "B5", ruleset(zero="rotate"), more=f"direction={direction}")
    do(round_, "B0")

    assert [hand(round_, seat) for seat in range(3)] == hands


def test_five_exchanges():
    """R65: the player may name a seat; each chooses a card, hidden, and they change owners."""
    round_ = turn("B5,B2,B3|R1,R2,R3" + OTHERS, "B9", ruleset(five="exchange"))

    assert legal(round_) == ["B2", "B3", "B5", "B5:1", "B5:2", "B5:3", "draw"]
    do(round_, "B5:1")
    assert (round_.seat, legal(round_)) == (0, ["give B2", "give B3"])
    do(round_, "give B3")
    assert (round_.seat, legal(round_)) == (1, ["give R1", "give R2", "give R3"])
    do(round_, "give R1")
    assert (hand(round_, 0), hand(round_, 1)) == ("R1 B2", "R2 R3 B3")
    assert news(round_)[-1] == "exchanged seat=0 other=1"


def test_a_five_without_a_seat():
    """R65: naming a seat is optional."""
    round_ = turn("B5,B2,B3|R1,R2,R3" + OTHERS, "B9", ruleset(five="exchange"))
    do(round_, "B5")

    assert (round_.seat, round_.kind) == (1, 1)


@pytest.mark.parametrize("card", ["B7", "B0", "B5", "SH"])
def test_a_card_that_empties_the_hand(card: str):
    """R66: it has no effect on hands, whatever follows, and a 7 or 5 names nobody."""
    rules = ruleset(seven="swap", zero="rotate", five="exchange", deck="gdj85", seven_rounds=True)
    round_ = turn(f"{card}|R1,R2,R3" + OTHERS, "B9", rules)
    play = "SH:B" if card == "SH" else card

    assert play in legal(round_)
    do(round_, play)
    assert hand(round_, 1) == "R1 R2 R3"
    assert round_.sizes[0] == 6


def say(round_: object, move: str, advice: bool = False) -> None:
    """Do a move with a line."""
    round_.apply(parse_move(move), say="hello", advice=advice)


def test_silence_of_twos():
    """R67 twos: from a 2 until its player's next turn who talks draws two, and the silence ends."""
    round_ = turn("B2,B3,B4|R1,R2,R3" + OTHERS, "B5", ruleset(silence="twos"), pile="R5,R6,R7,R8,R9")
    do(round_, "B2")
    say(round_, "draw")
    say(round_, "draw")

    assert news(round_)[1:] == [
        "said seat=1",
        "drew seat=1 count=1",
        "fined seat=1 count=2",
        "said seat=2 count=1",
        "drew seat=2 count=1",
    ]


def test_silence_of_twos_ends_with_the_next_turn():
    """R67 twos: at its player's next turn the silence is over; a lost turn ends it as well."""
    round_ = turn("B2,B3,B4|BS,R2,R3", "B5", ruleset(silence="twos"))
    do(round_, "B2", "BS")
    say(round_, "draw")

    assert "fined" not in " ".join(news(round_))


def test_silence_of_wilds():
    """R67 wilds: from a named colour until the colour changes."""
    round_ = turn("W,B3,B4|G4,R2,R3|G1,R4,G3", "B5", ruleset(silence="wilds"), pile="R5,R6,R7,R8,R9")
    do(round_, "W:G")
    say(round_, "G4")
    changed = turn("W,B3,B4|G4,R2,R3|R4,G2,G3", "B5", ruleset(silence="wilds"))
    do(changed, "W:G", "G4", "R4")
    say(changed, "draw")

    assert news(round_)[-1] == "fined seat=1 count=2"
    assert "fined" not in " ".join(news(changed))


def test_a_line_is_judged_before_its_move():
    """R67: the silence in force before the move counts: who talks with the 2 itself pays nothing."""
    round_ = turn("B2,B3,B4|R1,R2,R3" + OTHERS, "B5", ruleset(silence="twos"))
    say(round_, "B2")

    assert news(round_) == ["said seat=0", "played seat=0 card=B2"]


def test_no_cards_for_talk_when_the_round_is_over():
    """R67: the cards are drawn before the next turn; none when the round is over."""
    round_ = turn("B3|R1,R2,R3" + OTHERS, "B5", ruleset(advice_penalty=2))
    say(round_, "B3", advice=True)

    assert news(round_)[-1] == "round_over seat=0"
    assert "fined" not in " ".join(news(round_))


def test_advice():
    """R68, R67: advice costs two cards; inside a silence it costs both."""
    alone = turn("B3,B4,B6|R1,R2,R3" + OTHERS, "B5", ruleset("family"))
    say(alone, "B3", advice=True)
    both = turn("B2,B3,B4|B7,R2,R3" + OTHERS, "B5", ruleset("family", silence="twos"))
    do(both, "B2")
    say(both, "B7", advice=True)

    assert news(alone) == ["said seat=0 other=1", "played seat=0 card=B3", "fined seat=0 count=2"]
    assert news(both)[-2:] == ["fined seat=1 count=2", "fined seat=1 count=2"]


def test_a_plain_line_costs_nothing():
    """R68: a bot may say a line with every answer."""
    round_ = turn("B3,B4,B6|R1,R2,R3" + OTHERS, "B5", ruleset("family"))
    say(round_, "B3")

    assert news(round_) == ["said seat=0", "played seat=0 card=B3"]


def test_a_blank_that_is_plus_ten():
    """R69 plus_ten: playable at any time, names a colour, the next player draws ten and is skipped."""
    round_ = turn("BL,B3,B4|R1,R2,R3" + OTHERS, "B5", ruleset(deck="blanks", blank="plus_ten"))
    do(round_, "BL:Y")

    assert news(round_)[-1] == "paid seat=1 count=10"
    assert (round_.seat, round_.colour) == (2, 3)


def test_shuffle_hands():
    """R70: playable at any time, names a colour; all hands are dealt anew, beginning with the next player."""
    round_ = turn("SH,B3,B4|R1|G1,G2,G3,G4", "B5", ruleset(deck="gdj85"))
    do(round_, "SH:Y")

    assert round_.sizes == [2, 3, 2]
    assert news(round_)[-1] == "hands_shuffled seat=0 count=7"
    assert sorted(hand(round_, 0).split() + hand(round_, 1).split() + hand(round_, 2).split()) == sorted(
        ["B3", "B4", "R1", "G1", "G2", "G3", "G4"]
    )


def test_seven_rounds():
    """R71: an emptied hand is refilled with one card less each time; who empties the last one wins."""
    rules = ruleset(seven_rounds=True, hand_size=3)
    pile = "B1,B2,B3,B4,B6,B7,B8,B9,R1,R2,R3,R4"
    round_ = turn("B9|R5,R6|Y5,Y6", "B5", rules, pile=pile)
    do(round_, "B9")

    assert news(round_)[-1] == "refilled seat=0 count=2"
    assert round_.sizes[0] == 2
    again = turn("B9|R5,R6|Y5,Y6", "B5", rules, pile=pile, more="refills=1,0,0")
    do(again, "B9")
    assert news(again)[-1] == "refilled seat=0 count=1"
    last = turn("B9|R5,R6|Y5,Y6", "B5", rules, pile=pile, more="refills=2,0,0")
    do(last, "B9")
    assert news(last)[-1] == "round_over seat=0"


def test_a_refill_comes_before_the_penalty_of_the_play():
    """R71, R50: before colour and penalties; a refill to one card owes no call."""
    rules = ruleset(seven_rounds=True, hand_size=2)
    round_ = turn("B+2|R5,R6,R7|Y5,Y6,Y7", "B5", rules)
    do(round_, "B+2")

    assert news(round_) == ["played seat=0 card=B+2", "refilled seat=0 count=1", "paid seat=1 count=2"]


def test_nothing_left_to_refill_with():
    """R71: nothing left to refill with counts as emptied for good."""
    round_ = turn("B9|R5,R6|Y5,Y6", "B5", ruleset(seven_rounds=True), pile="")
    round_.discard = round_.discard[:0] + round_.discard
    do(round_, "B9")

    assert news(round_)[-1] in ("round_over seat=0", "refilled seat=0 count=1")


def test_to_the_last():
    """R72: who empties the hand leaves the round, its last card keeps its effect; one seat left ends it."""
    rules = ruleset(to_the_last=True, scoring="lowest")
    round_ = turn("B+2|B1,R6,R7|Y5", "B5", rules, pile="Y1,Y2,Y3,Y4,Y6")
    do(round_, "B+2")

    assert news(round_) == ["played seat=0 card=B+2", "went_out seat=0 count=1", "paid seat=1 count=2"]
    assert (round_.seat, round_.left) == (2, 2)


def test_the_last_exit_pays_nothing_else():
    """R72, R81: the last draw card is paid at the last exit only."""
    rules = ruleset(to_the_last=True, scoring="lowest")
    round_ = turn("B+2|B1,R6,R7", "B5", rules)
    do(round_, "B+2")

    assert news(round_)[1:] == ["went_out seat=0 count=1", "paid seat=1 count=2", "round_over seat=0"]


def test_a_reverse_after_an_exit():
    """R28, R72: how many seats are in the round is counted after an exit by the same play."""
    rules = ruleset(to_the_last=True, scoring="lowest")
    round_ = turn("BR|R1,R6,R7|Y5,Y6,Y7", "B5", rules)
    do(round_, "BR")

    assert news(round_)[-1] == "skipped seat=2"
    assert round_.seat == 1
