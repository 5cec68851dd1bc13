"""The call of UNO (R50-R56) and misplays (R53)."""

import pytest

from arena.rules import IllegalMoveError
from arena.rules.position import format_position
from tests.rules.positions import do, legal, news, ruleset, turn


def test_a_called_uno():
    """R50: the flag with the play that leaves one card is the call; nobody is asked to catch."""
    round_ = turn("B1,B2|R1,R2|R3,R4", "B5")
    do(round_, "B1!")

    assert news(round_) == ["played seat=0 card=B1", "uno_called seat=0"]
    assert round_.seat == 1


def test_a_missed_uno_that_nobody_points_out():
    """R51: each other seat is asked in turn order; unnoticed, it counts as called."""
    round_ = turn("B1,B2|R1,R2|R3,R4|R5,R6", "B5")
    do(round_, "B1")
    asked = []
    while legal(round_) == ["catch", "no"]:
        asked.append(round_.seat)
        do(round_, "no")

    assert asked == [1, 2, 3]
    assert (round_.seat, round_.sizes[0]) == (1, 1)
    assert news(round_) == ["played seat=0 card=B1"]


def test_the_order_of_catching_follows_the_direction():
    """R51: turn order starts after the player, the way play goes."""
    round_ = turn("BR,B2|R1,R2|R3,R4|R5,R6", "B5")
    do(round_, "BR")

    assert round_.seat == 3


@pytest.mark.parametrize("penalty", [2, 4])
def test_a_missed_uno_that_is_caught(penalty: int):
    """R52: the penalty is drawn by who missed the call; then the game goes on."""
    round_ = turn("B1,B2|R1,R2|R3,R4", "B5", ruleset(uno_penalty=penalty))
    do(round_, "B1", "no", "catch")

    assert news(round_)[1:] == ["uno_caught seat=2 other=0", f"fined seat=0 count={penalty}"]
    assert round_.seat == 1


def test_the_flag_elsewhere_is_ignored():
    """R53 0: a false UNO flag changes nothing."""
    plain = turn("B1,B2,B3|R1,R2|R3,R4", "B5")
    do(plain, "B1")
    flagged = turn("B1,B2,B3|R1,R2|R3,R4", "B5")
    do(flagged, "B1!")

    assert news(plain) == news(flagged)


def test_an_illegal_move_changes_nothing():
    """R53 0: an illegal move is a fault of the bot and changes nothing."""
    round_ = turn("B1,B2,B3|R1,R2|R3,R4", "B5")
    before = format_position(round_)

    with pytest.raises(IllegalMoveError, match="R1"):
        do(round_, "R1")
    assert format_position(round_) == before


def test_a_misplay_costs_two_cards_and_the_turn():
    """R53 2: any move not in the legal list costs two cards, and the turn passes."""
    round_ = turn("B1,B2,B3|R1,R2|R3,R4", "B5", ruleset(misplay_penalty=2))
    do(round_, "R1")

    assert news(round_) == ["misplayed seat=0", "fined seat=0 count=2"]
    assert round_.seat == 1


def test_a_misplay_elsewhere():
    """R53 2: at a drawn card it counts as keep, at a penalty as accept, at a catch as no."""
    drawn = turn("B1,B2,B3|R1,R2,R3|R3,R4", "B5", ruleset(misplay_penalty=2), pile="B7,R1,R2,R3")
    do(drawn, "draw", "B1")
    penalty = turn("W+4,R2,R3|R1,R2,R3|R3,R4", "B5", ruleset(misplay_penalty=2))
    do(penalty, "W+4:G", "draw")
    catch = turn("B1,B2|R1,R2,R3|R3,R4", "B5", ruleset(misplay_penalty=2))
    do(catch, "B1", "accept")

    assert news(drawn)[1:] == ["misplayed seat=0", "fined seat=0 count=2"]
    assert news(penalty)[1:] == ["misplayed seat=1", "fined seat=1 count=2", "paid seat=1 count=4"]
    assert (penalty.seat, catch.seat) == (2, 2)
    assert legal(catch) == ["catch", "no"]


def test_where_a_misplay_is_a_fault_after_all():
    """R53: where the question has no answer that does nothing, an illegal move is a fault."""
    round_ = turn("Y5,B5,R2|R1,R2,R3", "B5", ruleset(misplay_penalty=2, five="exchange"))
    do(round_, "B5:1")

    with pytest.raises(IllegalMoveError):
        do(round_, "draw")


def test_a_false_uno():
    """R53 2: a call with a play that does not leave exactly one card costs two cards; the play stands."""
    round_ = turn("B1,B2,B3|R1,R2|R3,R4", "B5", ruleset(misplay_penalty=2))
    do(round_, "B1!")

    assert news(round_) == ["played seat=0 card=B1", "false_uno seat=0", "fined seat=0 count=2"]


def test_a_false_catch():
    """R51, R53 2: all are asked after every play that leaves one card; a false catch closes nothing."""
    round_ = turn("B1,B2|R1,R2|R3,R4", "B5", ruleset(misplay_penalty=2))
    do(round_, "B1!", "catch")

    assert news(round_)[2:] == ["false_catch seat=1 other=0", "fined seat=1 count=2"]
    assert (round_.seat, legal(round_)) == (2, ["catch", "no"])


def test_uno_in_the_centre():
    """R54: after a called UNO one of the others draws two; each of them may be the one."""
    losers = set()
    for number in range(40):
        round_ = turn("B1,B2|R1,R2|R3,R4", "B5", ruleset(uno_centre=True), more=f"number={number}")
        do(round_, "B1!")
        losers.add(news(round_)[-1])

    assert losers == {"fined seat=1 count=2", "fined seat=2 count=2"}


def test_a_hand_that_shrinks_by_a_swap_owes_no_call():
    """R55: only the play that leaves one card owes a call."""
    round_ = turn("B7,B2,B3|R1|R3,R4", "B5", ruleset(seven="swap"))
    do(round_, "B7:1")

    assert round_.sizes == [1, 2, 2]
    assert (round_.seat, round_.kind) == (1, 1)


@pytest.mark.parametrize(
    ("hands", "answer", "seat"),
    [
        ("W+4,R2,R3|R1,R2,R3|R3,R4", "accept", 1),
        ("W+4,R2,R3|R1,R2,R3|R3,R4", "challenge", 1),
        ("W+4,B2,R3|R1,R2,R3|R3,R4", "challenge", 0),
    ],
)
def test_ready(hands: str, answer: str, seat: int):
    """R56: whoever drew because of a +4 is asked to say ready, though that is the only answer."""
    round_ = turn(hands, "B5", ruleset(ready=True))
    do(round_, "W+4:G", answer)

    assert (round_.seat, legal(round_)) == (seat, ["ready"])
    assert not round_.is_forced()
    do(round_, "ready")
    assert news(round_)[-1] == f"said_ready seat={seat}"
