"""The second opinion counts as the sheet tells it: R80-R92."""

import pytest

from tests.rules.oracle.example import asked, example, hand, tell_all
from tests.rules.oracle.match import OracleMatch
from tests.rules.oracle.scores import points_of
from tests.rules.oracle.sheet import options
from tests.rules.oracle.supply import Lottery


def counted(match: OracleMatch, seat: int, cards: str) -> int:
    """Return what the cards are worth in the hand of a seat."""
    match.table["hands"][seat] = cards.split()
    return points_of(match.table, seat)


def test_what_hands_are_worth():
    """R06, example: 7+2+skip = 29, 9+wild = 59, +2 and 4 and 1 = 25."""
    match = example("R1", "R1", first="R5")

    assert counted(match, 0, "R7 G2 BS") == 29
    assert counted(match, 0, "R9 W") == 59
    assert counted(match, 0, "R+2 G4 B1") == 25
    assert counted(match, 0, "W+4 W+2 SH BL R+1 RR") == 50 + 50 + 40 + 40 + 20 + 20


def test_the_winner_takes_all_other_hands():
    """R82, example: the winner gets 113; with 462 before, 43 more make 505 and end the match."""
    match = example("R8", "R7 G2 BS", "R9 W", "R+2 G4 B1", first="R5")
    tell_all(match, "R8")
    assert match.table["totals"] == {0: 113, 1: 0, 2: 0, 3: 0}

    match = example("R8", "R9 R9 R5 RS", first="R5")
    match.table["totals"] = {0: 462, 1: 499}
    tell_all(match, "R8")
    assert match.over
    assert match.table["totals"][0] == 505
    assert match.places == [1, 2]


@pytest.mark.parametrize(("cards", "worth"), [("R0", 50), ("R0 G0", 0), ("R0 G1", 1)])
def test_a_lone_zero(cards: str, worth: int):
    """R88: a hand that is exactly one 0 is worth fifty."""
    assert counted(example("R1", "R1", first="R5", lone_zero=50), 0, cards) == worth


def scored(totals: list[int], hands: list[str], **rules: object) -> OracleMatch:
    """Return a match after seat 0 has gone out with a red 8 over the other hands."""
    match = example("R8", *hands, first="R5", **rules)
    match.table["totals"] = dict(enumerate(totals))
    tell_all(match, "R8")
    return match


def test_own_points():
    """R83: who reaches the target loses; all others share the win; all who reach it share the last place."""
    one = scored([100, 195, 0], ["R5", "R9"], scoring="own_points")
    two = scored([100, 195, 191], ["R5", "R9"], scoring="own_points")
    every = scored([200, 195, 191], ["R5", "R9"], scoring="own_points")

    assert one.table["totals"] == {0: 100, 1: 200, 2: 9}
    assert one.places == [1, 3, 1]
    assert two.places == [1, 2, 2]
    assert every.places == [1, 1, 1]


def test_lowest():
    """R84: when anyone reaches the target the lowest total wins; places by total."""
    match = scored([100, 495, 91], ["R5", "R9"], scoring="lowest")

    assert match.over
    assert match.places == [1, 3, 1]


def test_elimination():
    """R85: who reaches the target drops out until one is left; those of one round are placed by total."""
    match = scored([100, 495, 498, 0], ["R5", "R9", "R1"], scoring="elimination")
    assert not match.over
    assert match.table["match"] == [0, 3]
    assert match.table["ring"] == [0, 3]
    match.leave(0)

    assert match.places == [2, 3, 4, 1]


def test_lazy():
    """R86: the first out wins, the hands worth most lose; most wins, then fewer losses."""
    match = scored([0, 0, 0], ["R5 G4", "R9"], scoring="lazy", rounds=1)

    assert match.table["wins"] == {0: 1, 1: 0, 2: 0}
    assert match.table["losses"] == {0: 0, 1: 1, 2: 1}
    assert match.over
    assert match.places == [1, 2, 2]


def test_lazy_lasts_five_rounds():
    """R91: the default cap of lazy is five rounds."""
    match = OracleMatch(options(scoring="lazy", max_turns=2), 2, Lottery(1))
    while not match.over:
        match.tell(match.moves[-1])

    assert match.table["round"] == 5
    assert match.places == [1, 1]


def test_one_round_decides():
    """R87: one round decides; the others share second place; a void round: all share first."""
    match = scored([0, 0, 0], ["R5", "R9"], scoring="single_round")
    void = example("G1", "R9", first="R5", scoring="single_round", max_turns=1)
    tell_all(void, "draw", "keep")

    assert match.places == [1, 2, 2]
    assert void.places == [1, 1]


def test_h2o_finish():
    """R89: finishing with a +1 takes 20 off the own total, with a wild +2 forty."""
    rules = {"deck": "h2o", "h2o_finish": "on", "scoring": "lowest"}
    one = example("R+1", "R9", first="R5", **rules)
    tell_all(one, "R+1")
    two = example("W+2", "R9", first="R5", pile="Y1 Y2", **rules)
    tell_all(two, "W+2:R")

    assert one.table["totals"][0] == -20
    assert two.table["totals"] == {0: -40, 1: 9 + 3}


def test_limits_name_the_leader():
    """R91: rounds and max_decisions end the match for the leader; the round under way is void."""
    most = scored([0, 30, 0], ["R5", "R9"], rounds=1)
    least = scored([7, 1, 0], ["R5", "R9"], rounds=1, scoring="lowest")
    cut = example("G1", "R9", first="R5", max_decisions=2)
    tell_all(cut, "draw", "keep")

    assert (most.ending, most.places) == ("rounds", [2, 1, 3])
    assert (least.ending, least.places) == ("rounds", [2, 1, 3])
    assert (cut.ending, cut.places) == ("decisions", [1, 1])


def test_the_fewest_points_win_a_standstill():
    """R27, R91: lowest_hand: the winner gets the other hands, else each records its own; ties void."""
    taken = example("G2", "R9", first="R5", pile="Y1", max_turns=1, stalemate="lowest_hand")
    tell_all(taken, "draw", "keep")
    own = example("G2", "R9", first="R5", pile="Y1", max_turns=1, stalemate="lowest_hand", scoring="lowest")
    tell_all(own, "draw", "keep")
    tie = example("G8", "R9", first="R5", pile="Y1", max_turns=1, stalemate="lowest_hand", scoring="lowest")
    tell_all(tie, "draw", "keep")

    assert taken.table["totals"] == {0: 9, 1: 0}
    assert own.table["totals"] == {0: 3, 1: 9}
    assert tie.table["totals"] == {0: 0, 1: 0}


def test_the_last_seat_wins():
    """R92: one seat left in the match ends it and wins; the first to leave is last."""
    match = example("R1", "R9", "G9", first="R5")
    match.leave(1)
    assert match.table["tail"] == ["R9"]
    match.leave(0)

    assert match.over
    assert match.places == [2, 3, 1]


def test_those_who_leave_at_one_moment_share_a_place():
    """R92: those of one moment share the place, one more than the number of better seats."""
    match = example("R1", "R9", "G9", "B9", first="R5")
    match.leave(1, 2)
    match.leave(0)

    assert match.places == [2, 3, 3, 1]


def test_who_leaves_on_turn_is_followed_by_the_next_seat():
    """R92: on turn, the next seat plays; a seat that leaves before its turn is passed over."""
    match = example("R1", "R9 R2", "G9", first="R5")
    match.leave(0)
    assert asked(match) == (1, "TURN")

    match = example("R1 R3 R4", "R9 R2", "G9", "B9", first="R5")
    match.leave(1)
    assert asked(match) == (0, "TURN")
    tell_all(match, "R1")
    assert asked(match) == (2, "TURN")


def test_what_a_leaver_owed_dies():
    """R92: a penalty of the victim that leaves dies, and the next seat plays."""
    match = example("R+2 R3 R4", "R9 R2", "G9", first="R5")
    tell_all(match, "R+2")
    match.leave(1)

    assert asked(match) == (2, "TURN")
    assert len(hand(match, 2)) == 1


def test_a_plus_four_of_a_leaver_is_owed_but_not_challengeable():
    """R92: a +4 that the leaver played is owed but cannot be challenged."""
    match = example("W+4 R3 R4", "R9 R2", "G9", first="R5")
    tell_all(match, "W+4:G")
    assert "challenge" in match.moves
    match.leave(0)

    assert asked(match) == (1, "PENALTY")
    assert match.moves == ["accept"]


def test_a_first_colour_that_a_leaver_owed_is_named_by_the_next_seat():
    """R92: the next seat names the colour, and begins."""
    match = example("R1", "R9", "G9", first="W")
    match.leave(0)
    assert asked(match) == (1, "FIRST_COLOUR")
    tell_all(match, "colour G")

    assert asked(match) == (1, "TURN")


def test_questions_to_a_leaver_are_dropped():
    """R92: catch, exchange and jump-in go on without the seat that left."""
    catch = example("R1 R2", "R9 R2", "G9", first="R5")
    tell_all(catch, "R1")
    catch.leave(1)
    assert asked(catch) == (2, "CATCH")
    missed = example("R1 R2", "R9 R2", "G9", first="R5")
    tell_all(missed, "R1")
    missed.leave(0)
    assert asked(missed) == (1, "TURN")
    five = example("R5 R2 R3", "R9 R2", "G9", first="R7", five="exchange")
    tell_all(five, "R5:2", "give R2")
    five.leave(2)
    assert hand(five, 0) == ["R2", "R3"]
    assert asked(five) == (1, "TURN")


def test_a_seat_that_is_out_leaves_likewise():
    """R92, R72: a seat already out of the round leaves the match and takes the lowest place still free."""
    match = example("R1", "R9 R2", "G9 R3", first="R5", to_the_last="on", scoring="lowest")
    tell_all(match, "R1")
    match.leave(0)

    assert asked(match) == (1, "TURN")
    assert match.table["match"] == [1, 2]
