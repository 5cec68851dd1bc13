"""Wild and wild +4: colours, bluffs, challenges (R30-R39)."""

import pytest

from arena.rules import View
from arena.rules.match import Match
from tests.rules.positions import bluffs, do, hand, legal, news, ruleset, turn

BLUFF = "W+4,B2,B4|R1,R2,R3|G1,G2,G3"
"""Seat 0 holds the active colour blue: its +4 is a bluff."""
HONEST = "W+4,R5,R6|R1,R2,R3|G1,G2,G3"


def test_any_colour_may_be_named():
    """R30: any of four, the current one too, also with the last card."""
    assert legal(turn("W|R1,R2", "B5")) == ["W:R", "W:G", "W:B", "W:Y", "draw"]


@pytest.mark.parametrize(
    ("direction", "ring"),
    [(1, {"R": "B", "B": "G", "G": "Y", "Y": "R"}), (-1, {"B": "R", "G": "B", "Y": "G", "R": "Y"})],
)
def test_the_circle_of_colours(direction: int, ring: dict[str, str]):
    """R31: one step on the ring red, blue, green, yellow in the direction of play; nothing is named."""
    for colour, following in ring.items():
        round_ = turn(
            "W,W,W|R1,R2", f"{colour}5", ruleset(wild_colour="circle"), more=f"direction={direction}"
        )

        assert legal(round_) == ["W", "draw"]
        do(round_, "W")
        assert news(round_) == [f"played seat=0 card=W colour={following}"]


@pytest.mark.parametrize(
    ("rule", "top", "cards", "bluff"),
    [
        ("no_colour", "B5", "W+4,R5,W", False),
        ("no_colour", "B5", "W+4,B7,W", True),
        ("no_colour_or_match", "B5", "W+4,R5,W", True),
        ("no_colour_or_match", "BS", "W+4,RS,W", True),
        ("no_colour_or_match", "B5", "W+4,R6,W", False),
        ("no_colour_or_match", "W:B", "W+4,W,R1", False),
        ("always", "B5", "W+4,B7,W", False),
    ],
)
def test_when_a_wild_four_is_a_bluff(rule: str, top: str, cards: str, bluff: bool):
    """R32, R33: the rule decides what a bluff is; with `challenge` it is legal, without it is not."""
    bluffing = turn(f"{cards}|R1,R2", top, ruleset(wild_draw_four=rule))
    honest = turn(f"{cards}|R1,R2", top, ruleset(wild_draw_four=rule, challenge=False))

    assert bool(bluffs(bluffing)) == bluff
    assert "W+4:R" in legal(bluffing)
    assert ("W+4:R" in legal(honest)) != bluff
    assert bluffs(honest) == []


def test_who_accepts_draws_four_and_a_bluff_stands():
    """R37: the next seat draws four and loses the turn; nobody learns whether it was a bluff."""
    bluff = turn(BLUFF, "B5")
    do(bluff, "W+4:Y", "accept")

    assert news(bluff) == ["played seat=0 card=W+4 colour=Y", "paid seat=1 count=4"]
    assert bluff.seat == 2


def test_a_challenged_bluff_stays():
    """R35 stays: the offender draws four, card and colour stay, the challenger takes a normal turn."""
    round_ = turn(BLUFF, "B5")
    do(round_, "W+4:Y", "challenge")

    assert news(round_)[1:] == ["challenged seat=1 count=1 other=0", "paid seat=0 count=4"]
    assert (round_.seat, round_.colour, round_.sizes) == (1, 3, [6, 3, 3])


def test_a_challenged_bluff_returns():
    """R35 returned: the +4 goes back, its player draws four, and what lay before is in force again."""
    round_ = turn(BLUFF, "B5", ruleset(challenge_success="returned"))
    do(round_, "W+4:Y", "challenge")

    assert news(round_)[1:] == [
        "challenged seat=1 count=1 other=0",
        "returned seat=0 card=W+4 colour=B",
        "paid seat=0 count=4",
    ]
    assert "W+4" in hand(round_, 0)
    assert (round_.seat, round_.colour, round_.rank, round_.sizes) == (1, 2, 5, [7, 3, 3])


def test_a_failed_challenge():
    """R36: who doubts an honest +4 draws six and loses the turn."""
    round_ = turn(HONEST, "B5")
    do(round_, "W+4:Y", "challenge")

    assert news(round_)[1:] == ["challenged seat=1 other=0", "paid seat=1 count=6"]
    assert round_.seat == 2


def test_judged_as_at_the_moment_of_the_play():
    """R34: cards that the offender draws before the challenge (a missed UNO) change nothing."""
    round_ = turn("W+4,R5|R1,R2,R3|G1,G2,G3", "B5", pile="B1,B2,B3,B4,B5,B6,B7,B8")
    do(round_, "W+4:Y", "catch", "challenge")

    assert news(round_)[-2:] == ["challenged seat=1 other=0", "paid seat=1 count=6"]


def test_the_hand_is_shown_to_the_challenger_only():
    """R34: the judged hand is seen by the challenger and nobody else, until its next answer."""
    match = Match(ruleset(), 3, bytes(32))
    round_ = turn("W+4,B2,B4|R1,R2,Y3|G1,G2,G3", "B5")
    round_.log = match.log
    match.round = round_
    do(round_, "W+4:Y", "challenge")

    assert [View(match, seat).shown_hand for seat in range(3)] == [[], [30, 32], []]
    assert not round_.is_forced()
    do(round_, "draw")
    assert [View(match, seat).shown_hand for seat in range(3)] == [[], [], []]


def test_a_shown_hand_waits_for_a_question_that_is_asked():
    """R34: a move without a choice is made for the challenger, who still sees the hand afterwards."""
    match = Match(ruleset(), 3, bytes(32))
    round_ = turn("W+4,B2,B3,B4|R1,R2,R3|G1,G2", "B5", pile="R4,R5,R6,R7,R8,R9")
    round_.log = match.log
    match.round = round_
    do(round_, "W+4:Y", "challenge")
    assert round_.is_forced()
    do(round_, "draw")

    assert len(View(match, 1).shown_hand) == 3


def test_a_last_card_wild_four():
    """R38: the last card is judged by an empty hand: always legal, and nobody is offered a challenge."""
    round_ = turn("W+4|R1,R2,R3|G1,G2,G3", "B5")

    assert bluffs(round_) == []
    do(round_, "W+4:Y")
    assert news(round_) == [
        "played seat=0 card=W+4 colour=Y",
        "went_out seat=0 count=1",
        "paid seat=1 count=4",
        "round_over seat=0",
    ]


def test_restricted_wilds():
    """R39, R69: a plain wild, and a blank that is one, needs a hand without the active colour."""
    rules = ruleset(wild_restriction="no_colour", deck="blanks", blank="wild")

    assert legal(turn("W,BL,B1|R1,R2", "B5", rules)) == ["B1", "draw"]
    assert legal(turn("W,BL|R1,R2", "B5", rules))[:8] == [
        *("W:R", "W:G", "W:B", "W:Y"),
        *("BL:R", "BL:G", "BL:B", "BL:Y"),
    ]
