"""The second opinion plays the special rules as the sheet tells them: R60-R66, R69-R72."""

from tests.rules.oracle.example import asked, example, hand, tell_all


def test_the_identical_card_jumps_in():
    """R60: holders of the identical card are asked in turn order; first yes wins; play goes on there."""
    match = example(
        "R5 R3 R4",
        "R6 G1 G2",
        "R5 B1 B2",
        "R5 R8 R9",
        first="R7",
        jump_in="on",
        deck="custom",
        custom={
            "R5": 3,
            "R3": 1,
            "R4": 1,
            "R6": 1,
            "G1": 1,
            "G2": 1,
            "B1": 1,
            "B2": 1,
            "R8": 1,
            "R9": 1,
            "R7": 1,
            "Y1": 9,
        },
        hand_size=1,
    )
    tell_all(match, "R5")
    assert asked(match) == (2, "JUMP_IN")
    assert match.moves == ["jump R5", "no"]
    tell_all(match, "jump R5")
    assert asked(match) == (3, "JUMP_IN")
    tell_all(match, "no")

    assert asked(match) == (3, "TURN")


def test_a_jump_in_owes_a_call():
    """R50, R60: a jump-in that leaves one card owes the call like any other play."""
    match = example("R5 R3 R4", "R5 G1", "B1 B2", first="R7", jump_in="on")
    tell_all(match, "R5", "jump R5")

    assert asked(match) == (2, "CATCH")


def test_the_own_double_is_asked_last():
    """R61: the player who just played may jump in on the own card, but is asked last."""
    match = example("R5 R5 R4", "R3 G1", "B1 B2", first="R7", jump_in="on")
    tell_all(match, "R5")
    assert asked(match) == (0, "JUMP_IN")
    tell_all(match, "jump R5!")

    assert hand(match, 0) == ["R4"]
    assert asked(match) == (1, "TURN")


def test_a_wild_jumps_on_a_wild_and_r39_does_not_bind_it():
    """R60, R69: a plain wild on a plain wild, also with a card of the colour in hand; no +4, no blank."""
    match = example(
        "W W+4 BL R4",
        "W G1 BL",
        first="R7",
        jump_in="on",
        wild_restriction="no_colour",
        deck="blanks",
        blank="wild",
    )
    assert match.moves[0] == "R4"
    match = example(
        "W W+4 BL G4",
        "W G1 W+4",
        "BL B1 B2",
        first="R7",
        jump_in="on",
        wild_restriction="no_colour",
        deck="blanks",
        blank="wild",
    )
    tell_all(match, "W:G")
    assert asked(match) == (1, "JUMP_IN")
    assert match.moves == ["jump W:R", "jump W:G", "jump W:B", "jump W:Y", "no"]
    tell_all(match, "no", "G1", "BL:R")

    assert asked(match) == (0, "TURN")


def test_nobody_jumps_on_what_is_pending_or_first():
    """R60: never on a skip, a draw card, a two-player reverse, a +4, or the first card of the round."""
    first = example(
        "R5 R3",
        "R5 G1",
        first="R5",
        jump_in="on",
        deck="custom",
        custom={"R5": 3, "R3": 1, "G1": 1, "Y1": 9},
        hand_size=1,
    )
    assert asked(first) == (0, "TURN")
    for card, first_card in [("RS", "R7"), ("R+2", "R7"), ("RR", "R7")]:
        match = example(f"{card} R3 R4", f"{card} G1", first=first_card, jump_in="on")
        tell_all(match, card)
        assert asked(match) == (1, "PENALTY")
        assert match.moves == ["accept"]
        tell_all(match, "accept")
        assert asked(match) == (0, "TURN")


def test_reverses_add_up():
    """R62: two reverses in a row cancel, also through a jump-in."""
    match = example("RR R3 R4", "G1 G2", "RR B2 B3", first="R7", jump_in="on")
    tell_all(match, "RR", "jump RR")

    assert match.table["direction"] == 1
    assert asked(match) == (0, "TURN")


def test_a_seven_swaps_hands():
    """R63: the player swaps hands with another seat, named with the play."""
    match = example("R7 R3 R4", "G1", "B1 B2", first="R5", seven="swap")
    assert match.moves == ["R3", "R4", "R7:1", "R7:2", "draw"]
    tell_all(match, "R7:2")

    assert (hand(match, 0), hand(match, 2)) == (["B1", "B2"], ["R3", "R4"])


def test_a_zero_moves_all_hands_in_the_direction_of_play():
    """R64: every hand moves one seat in the direction of play."""
    match = example("R0 R3 R4", "G1", "B1 B2", first="R5", zero="rotate")
    tell_all(match, "R0")
    assert [hand(match, seat) for seat in range(3)] == [["B1", "B2"], ["R3", "R4"], ["G1"]]

    match = example("B1 B2", "G1", "R0 R3 R4", first="RR", zero="rotate")
    tell_all(match, "R0")
    assert [hand(match, seat) for seat in range(3)] == [["G1"], ["R3", "R4"], ["B1", "B2"]]


def test_a_five_exchanges_one_card_each():
    """R65: the player may name a seat; each of the two chooses one card and they change owners."""
    match = example("R5 R3 R4", "G1 G2", "B1 B2", first="R7", five="exchange")
    assert match.moves == ["R3", "R4", "R5", "R5:1", "R5:2", "draw"]
    tell_all(match, "R5:2")
    assert asked(match) == (0, "EXCHANGE")
    assert match.moves == ["give R3", "give R4"]
    tell_all(match, "give R4")
    assert asked(match) == (2, "EXCHANGE")
    tell_all(match, "give B1")

    assert (hand(match, 0), hand(match, 2)) == (["B1", "R3"], ["B2", "R4"])
    assert asked(match) == (1, "TURN")


def test_a_card_that_empties_the_hand_moves_no_hands():
    """R66: a last 7, 0 or 5 has no effect on hands, whatever follows; nothing is named with it."""
    for card in ("R7", "R0", "R5"):
        match = example(
            card, "G1", "B1 B2", first="R9", seven="swap", zero="rotate", five="exchange", seven_rounds="on"
        )
        assert match.moves[0] == card
        assert f"{card}:1" not in match.moves
        tell_all(match, card)
        assert [hand(match, 1), hand(match, 2)] == [["G1"], ["B1", "B2"]]


def test_shuffle_hands_deals_from_the_next_player_on():
    """R70: playable at any time, names a colour; hands are dealt one by one from the next player."""
    match = example("SH R3 R4", "G1", "B1 B2", first="B9", deck="gdj85", script={"hands": ["R3 R4 G1 B1 B2"]})
    assert match.moves == ["SH:R", "SH:G", "SH:B", "SH:Y", "draw"]
    tell_all(match, "SH:G")

    assert [hand(match, seat) for seat in range(3)] == [["G1"], ["B1", "R3"], ["B2", "R4"]]
    assert match.table["colour"] == "G"


def test_blanks():
    """R69: as +10 a blank is playable at any time; as a wild it obeys R39 too."""
    assert "BL:R" in example("BL B1", "R1", first="B5", deck="blanks", blank="plus_ten").moves
    bound = example("BL B1", "R1", first="B5", deck="blanks", blank="wild", wild_restriction="no_colour")
    assert bound.moves == ["B1", "draw"]
    free = example("BL B1", "R1", first="B5", deck="blanks", blank="wild")
    tell_all(free, "BL:R!")
    assert asked(free) == (1, "TURN")


def test_an_emptied_hand_is_refilled_with_one_less_each_time():
    """R71: hand_size - 1 cards, then one less, and so on. A refill to one owes no call."""
    match = example("R1", "R2 R9", first="R5", pile="R3 R4", hand_size=3, seven_rounds="on")
    tell_all(match, "R1")
    assert hand(match, 0) == ["R3", "R4"]
    tell_all(match, "draw", "keep", "R3!", "draw", "keep")
    assert match.table["round"] == 1
    tell_all(match, "R4")
    assert len(hand(match, 0)) == 1
    assert asked(match) == (1, "TURN")


def test_a_refill_comes_before_the_penalty():
    """R71: the refill comes before colour and penalties of the play that emptied the hand."""
    match = example("R+2", "R2 R9", first="R5", pile="Y3 Y4 Y5 Y6", hand_size=3, seven_rounds="on")
    tell_all(match, "R+2", "accept")

    assert hand(match, 0) == ["Y3", "Y4"]
    assert hand(match, 1) == ["R2", "R9", "Y5", "Y6"]


def test_a_last_plus_four_with_a_refill_cannot_be_doubted():
    """R38, R71: the +4 was the last card, legal with an empty hand, whatever the refill brings."""
    match = example("W+4", "R2 R9", first="R5", pile="R3 R4", hand_size=3, seven_rounds="on")
    tell_all(match, "W+4:G")

    assert match.moves == ["accept"]


def test_the_round_goes_on_to_the_last():
    """R72: who empties the hand leaves the round, its last card keeps its effect; places by exit order."""
    match = example("RS", "R2 R3", "R4", first="R5", to_the_last="on", scoring="single_round")
    tell_all(match, "RS")
    assert asked(match) == (1, "PENALTY")
    tell_all(match, "accept", "R4")

    assert match.over
    assert match.places == [1, 3, 2]


def test_only_the_last_exit_is_paid_in_advance():
    """R72, R81: an exit in between leaves an answer to the victim; the last exit makes it draw first."""
    match = example(
        "R+2", "B+2 R3", "R4 Y1", first="R5", to_the_last="on", scoring="lowest", draw_two_answer="stack"
    )
    tell_all(match, "R+2")
    assert match.moves == ["B+2", "accept"]
    tell_all(match, "B+2!", "accept")
    assert asked(match) == (1, "TURN")


def test_a_reverse_that_goes_out_counts_who_is_left():
    """R28, R72: with two left after the exit a reverse skips the next seat."""
    match = example("RR", "R2 R3", "R4 Y1", first="R5", to_the_last="on", scoring="lowest")
    tell_all(match, "RR")

    assert asked(match) == (2, "PENALTY")
    tell_all(match, "accept")
    assert asked(match) == (1, "TURN")


def test_nothing_is_sent_back_to_a_seat_that_is_out():
    """R40-R45, R72: an answer that would send an effect back to a seat out of the round is not legal."""
    match = example(
        "R+2", "RR R3", "R4 Y1", first="R5", to_the_last="on", scoring="lowest", reverse_answer="all"
    )
    tell_all(match, "R+2")

    assert match.moves == ["accept"]


def test_nobody_jumps_on_a_draw_card_whose_victim_left():
    """R60, R92: never on a draw card, also when its victim leaves before it pays."""
    match = example("R+2 R3", "G1 G2", "R+2 B1 B2", "B3 B4", first="R7", jump_in="on")
    tell_all(match, "R+2")
    assert asked(match) == (1, "CATCH")
    tell_all(match, "no")
    match.leave(1)
    tell_all(match, "no", "no")

    assert asked(match) == (2, "TURN")
    assert len(hand(match, 2)) == 3


def test_a_zero_under_seven_rounds_moves_the_hands_but_not_the_counters():
    """R64, R71: the size of the next refill belongs to the seat, not to the hand that moves on."""
    match = example("R0 R1", "G1", first="R5", pile="Y1 Y2", zero="rotate", seven_rounds="on", hand_size=3)
    tell_all(match, "R0!")
    assert [hand(match, 0), hand(match, 1)] == [["G1"], ["R1"]]
    tell_all(match, "R1")

    assert hand(match, 1) == ["Y1", "Y2"]
