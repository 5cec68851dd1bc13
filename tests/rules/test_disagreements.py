"""Cases in which the engine and the second opinion once disagreed, settled by the sheet, made small."""

import pytest

from arena.rules.events import format_event
from arena.rules.match import Match
from arena.rules.moves import IllegalMoveError, format_move, parse_move
from arena.rules.presets import ruleset_of
from arena.rules.questions import FIRST_COLOUR, TURN
from arena.rules.view import View

KEY = bytes(32)
NOTHING_FITS = {"deck": "custom", "cards": "R1 G2 B3 Y4", "hand_size": 1}
"""Two seats can never play with this deck: no two of its four cards match, and one of them can be drawn."""


def news(match: Match) -> list[str]:
    """Return the public news of the match as text."""
    return [format_event(event) for event in match.events]


def legal(match: Match) -> list[str]:
    """Return the legal moves as text."""
    return [format_move(move) for move in match.legal_moves()]


def after_a_scored_round(seats: int) -> Match:
    """Return a match in its second round, in which every seat has another total."""
    rules = {"scoring": "lowest", "stalemate": "lowest_hand", "max_turns": 1}
    match = Match(ruleset_of(rules), seats, KEY)
    while match.round_number == 1:
        match.apply(match.legal_moves()[-1])
    assert len(set(match.totals)) == seats
    return match


def test_those_who_leave_at_one_moment_share_a_place():
    """D1, R92: those of one moment share the place, whatever their totals: 1 + the number of better seats."""
    match = after_a_scored_round(4)
    match.leave([0, 2])
    match.leave([1])

    assert list(match.places) == [3, 2, 3, 1]


def test_all_who_leave_at_one_moment_share_the_first_place():
    """D1, R92: where all leave at one moment nobody is better, so all share first place."""
    match = after_a_scored_round(2)
    match.leave([0, 1])

    assert list(match.places) == [1, 1]


def test_talk_in_the_last_turn_of_a_round_costs_nothing():
    """D2, R67, R27: cards for talk are drawn before the next turn; after max_turns turns none begins."""
    match = Match(ruleset_of({"advice_penalty": 2, "max_turns": 1, "rounds": 1}), 2, KEY)
    match.apply(parse_move("draw"), say="play red", advice=True)
    if not match.over:
        match.apply(parse_move("keep"))

    assert match.over
    assert not [line for line in news(match) if line.startswith("fined")]


def test_talk_with_the_first_colour_is_paid_before_the_first_turn():
    """D3, R67: cards for talk are drawn directly before the next turn begins, also before the first one."""
    match = Match(
        ruleset_of({"advice_penalty": 2, "first_card": "any", "deck": "custom", "cards": "W*40"}), 2, KEY
    )
    assert match.question == FIRST_COLOUR
    seat = match.seat
    match.apply(parse_move("colour B"), say="play red", advice=True)

    assert (match.seat, match.question) == (seat, TURN)
    assert news(match)[-1] == f"fined seat={seat} count=2"


def test_a_misplay_with_nothing_left_to_draw_is_a_pass():
    """D4, R53, R27: the turn passes with nothing drawn and nothing played, which R27 counts."""
    match = Match(ruleset_of(NOTHING_FITS | {"misplay_penalty": 2, "rounds": 1}), 2, KEY)
    match.apply(parse_move("draw"))
    match.apply(parse_move("jump R1"))
    match.apply(parse_move("draw"))

    assert match.over
    assert [line for line in news(match) if line.startswith("round_over")] == ["round_over count=1"]


def test_an_illegal_move_is_refused_where_misplays_are_free():
    """The same move is refused where R53 puts no price on it, and changes nothing."""
    match = Match(ruleset_of(NOTHING_FITS), 2, KEY)
    before = news(match)

    with pytest.raises(IllegalMoveError):
        match.apply(parse_move("jump R1"))
    assert news(match) == before
    assert legal(match) == ["draw"]


def test_a_shown_hand_stays_until_its_challenger_answers():
    """D6, R34: the hand is shown to the challenger until its next answer, whoever else challenges."""
    rules = {"deck": "custom", "cards": "W+4*60", "hand_size": 3, "first_card": "any"}
    match = Match(ruleset_of(rules), 4, KEY)
    match.apply(parse_move("colour B"))
    match.apply(parse_move("W+4:B"))
    challenger = match.seat
    match.apply(parse_move("challenge"))
    shown = list(View(match, challenger).shown_hand)
    match.apply(parse_move("W+4:B"))
    match.apply(parse_move("challenge"))

    assert len(shown) == 2
    assert list(View(match, challenger).shown_hand) == shown
