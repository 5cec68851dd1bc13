"""The second opinion keeps the rules of the call: R50-R55, and talk: R67, R68."""

import pytest

from tests.rules.oracle.example import asked, example, hand, tell_all
from tests.rules.oracle.match import FaultError


@pytest.mark.parametrize(("preset", "cards"), [("mattel", 3), ("czech", 5)])
def test_a_missed_call_that_is_pointed_out(preset: str, cards: int):
    """R51, R52, example: a missed UNO that is pointed out leaves three cards in mattel, five in czech."""
    match = example("R2 R3", "R1 G1", "B1", first="R5", preset=preset)
    tell_all(match, "R2")
    assert asked(match) == (1, "CATCH")
    assert match.moves == ["catch", "no"]
    tell_all(match, "no")
    assert asked(match) == (2, "CATCH")
    tell_all(match, "catch")

    assert len(hand(match, 0)) == cards
    assert asked(match) == (1, "TURN")


def test_a_missed_call_that_nobody_notices_counts_as_called():
    """R51: the window closes when the next player starts."""
    match = example("R2 R3", "R1 G1", "B1", first="R5")
    tell_all(match, "R2", "no", "no")

    assert len(hand(match, 0)) == 1
    assert asked(match) == (1, "TURN")


def test_a_call_in_time_asks_nobody():
    """R50, R51: with the flag nobody is asked, while misplays cost nothing."""
    match = example("R2 R3", "R1 G1", "B1", first="R5")
    tell_all(match, "R2!")

    assert asked(match) == (1, "TURN")


def test_a_reverse_turns_the_order_of_the_catchers():
    """R51 and the order of effects: the direction flips before the window, which is asked in turn order."""
    match = example("RR R3", "R1 G1", "B1", first="R5")
    tell_all(match, "RR")

    assert asked(match) == (2, "CATCH")


def test_a_false_call_is_ignored_where_misplays_are_free():
    """R53: with misplay_penalty = 0 a false flag is ignored."""
    match = example("R2 R3 R4", "R1 G1", first="R5")
    tell_all(match, "R2!")

    assert len(hand(match, 0)) == 2


def test_a_false_call_costs_two_and_the_play_stands():
    """R53: a false UNO call costs two cards, the play stands; a flag beside a draw is no call."""
    match = example("R2 R3 R4", "R1 G1", first="R5", misplay_penalty=2)
    tell_all(match, "R2!")
    assert len(hand(match, 0)) == 4
    assert match.table["discard"][-1] == "R2"

    tell_all(match, "draw!")
    assert len(hand(match, 1)) == 3


def test_a_false_catch_costs_two_and_closes_nothing():
    """R51, R53: where misplays cost two, all are asked after every play that leaves one card."""
    match = example("R2 R3", "R1 G1", "B1 B2", first="R5", misplay_penalty=2)
    tell_all(match, "R2!", "catch")
    assert len(hand(match, 1)) == 4
    assert asked(match) == (2, "CATCH")
    tell_all(match, "no")

    assert asked(match) == (1, "TURN")
    assert len(hand(match, 0)) == 1


def test_a_misplay_in_a_turn_costs_two_and_the_turn():
    """R53: any move not in the legal list costs two cards and the turn passes."""
    match = example("G2 R3", "R1 G1", first="R5", misplay_penalty=2)
    match.tell("G2")

    assert len(hand(match, 0)) == 4
    assert asked(match) == (1, "TURN")


def test_a_misplay_elsewhere_counts_as_the_quiet_answer():
    """R53: it counts as accept (the two cards first), no, or keep."""
    match = example("R+2 R3 G5", "R1 G1", first="R5", pile="Y1 Y2 Y3 Y4 Y5 R9", misplay_penalty=2)
    tell_all(match, "R+2")
    match.tell("R1")
    assert hand(match, 1) == ["G1", "R1", "Y1", "Y2", "Y3", "Y4"]
    assert asked(match) == (0, "TURN")

    tell_all(match, "draw")
    match.tell("R3")
    assert asked(match) == (1, "TURN")
    assert len(hand(match, 0)) == 2 + 1 + 2


def test_some_questions_know_no_misplay():
    """R53: first colour, exchange and ready have no quiet answer; there an illegal move is a fault."""
    match = example("R1", "G1", first="W", misplay_penalty=2)

    with pytest.raises(FaultError):
        match.tell("draw")


def test_uno_in_the_centre():
    """R54: after a called UNO one of the others, drawn by lot, draws two."""
    match = example("R2 R3", "R1 G1", "B1 B2", first="R5", uno_centre="on", script={"centre": [2]})
    tell_all(match, "R2!")
    assert len(hand(match, 2)) == 4

    match = example("R2 R3", "R1 G1", "B1 B2", first="R5", uno_centre="on", script={"centre": [2]})
    tell_all(match, "R2")
    assert len(hand(match, 2)) == 2


def test_a_swap_to_one_card_owes_no_call():
    """R55: a hand that shrinks to one by a swap owes no call."""
    match = example("R7 R3 R4", "G1", "B1 B2", first="R5", seven="swap")
    tell_all(match, "R7:1")

    assert hand(match, 0) == ["G1"]
    assert asked(match) == (1, "TURN")


def test_twos_silence_the_table_until_their_player_is_next():
    """R67 twos: who talks draws two directly before the next turn, and the silence ends."""
    match = example("R2 R3 R4", "R5 R6 G1", "R8 B1 B2", first="R9", silence="twos")
    match.tell("R2", say="before the move it came with there was no silence")
    match.tell("R5", say="now there is")
    assert len(hand(match, 1)) == 2 + 2
    match.tell("R8", say="it is over")
    assert len(hand(match, 2)) == 2

    match = example("R2 R3 R4", "R5 R6 G1", "R8 B1 B2", first="R9", silence="twos")
    tell_all(match, "R2", "R5", "R8")
    match.tell("R3", say="my turn has come")
    assert len(hand(match, 0)) == 1


def test_a_lost_turn_ends_the_silence_of_twos():
    """R67 twos: the silence lasts until its player's next turn, also a lost one."""
    match = example("R2 R3 R4", "RS R6 G1", first="R9", silence="twos")
    tell_all(match, "R2", "RS", "accept")
    assert match.table["silence"] == []


def test_wilds_silence_the_table_until_the_colour_changes():
    """R67 wilds: from a named colour until the colour changes."""
    match = example("W R3 R4", "G5 R6 G1", "R5 B1 B2", first="R9", silence="wilds")
    tell_all(match, "W:G", "G5")
    assert match.table["silence"]
    match.tell("R5", say="the silence held at the moment of this move")
    assert match.table["silence"] == []
    assert len(hand(match, 2)) == 4

    match = example("W R3 R4", "G5 R6 G1", "R5 B1 B2", first="R9", silence="wilds")
    tell_all(match, "W:G", "G5", "R5")
    match.tell("R3", say="free")
    assert len(hand(match, 0)) == 1


def test_advice_costs_two_and_both_add_up():
    """R68, R67: advice costs two; advice inside a silence costs both."""
    match = example("R2 R3 R4", "R5 R6 G1", first="R9", advice_penalty=2, silence="twos")
    match.tell("R2", say="play red", advice=True)
    assert len(hand(match, 0)) == 4
    match.tell("R5", say="play blue", advice=True)
    assert len(hand(match, 1)) == 2 + 4


def test_talk_is_forgotten_when_the_round_is_over():
    """R67: cards for talk are drawn before the next turn, none when the round is over."""
    match = example("R2", "R5 R6", first="R9", advice_penalty=2)
    match.tell("R2", say="play red", advice=True)

    assert match.table["totals"] == {0: 11, 1: 0}
    assert [len(cards) for cards in match.table["hands"].values()] == [7, 7]
