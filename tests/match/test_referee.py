"""The referee: who is asked, what an illegal answer means, who leaves, what the result says."""

import random

import pytest

from arena.match.drive import play_match
from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.referee import Answer, Question, referee
from arena.match.result import MatchResult
from arena.match.verify import Claim, verify
from arena.rules.match import Match
from arena.rules.moves import parse_move
from arena.rules.options import Ruleset
from arena.rules.view import View

KEY = bytes(32)
MATTEL = Ruleset()
ONE_ROUND = Ruleset(scoring="single_round")


def _first(view: View) -> int:
    return view.legal[0]


def _claim(result: MatchResult) -> Claim:
    return Claim(
        result.record,
        result.places,
        result.totals,
        result.rounds,
        result.decisions,
        result.ending,
        left=tuple(fault.seat for fault in result.faults),
    )


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_a_match_is_played_to_its_end_and_replays(seats: int) -> None:
    """Places, totals and ending come from the rules, and the record leads to the same result."""
    result = play_match(MATTEL, KEY, [_first] * seats)

    assert result.ending == "target"
    assert min(result.places) == 1
    assert verify(_claim(result), MATTEL) == []


def test_the_same_deals_and_choices_give_the_same_digest() -> None:
    """A match is a function of ruleset, key and choices."""

    def play(seed: int) -> str:
        dice = random.Random(seed)
        return play_match(ONE_ROUND, KEY, [lambda view: dice.choice(view.legal)] * 3).sha256()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_forced_decisions_are_not_asked() -> None:
    """A seat with one legal move is not asked, but for the UNO flag; the decisions add up."""
    asked: list[View] = []

    def choose(view: View) -> int:
        assert len(view.legal) > 1 or len(view.hand) == 2
        asked.append(view)
        return view.legal[0]

    result = play_match(MATTEL, KEY, [choose, choose])

    assert sum(stats.decisions for stats in result.seats) == len(asked)
    assert result.decisions == len(asked) + sum(stats.unasked for stats in result.seats)


@pytest.mark.parametrize("answer", [Answer(1000), Answer(-1, 0), Answer(-1, parse_move("jump Y9:3"))])
def test_an_illegal_answer_is_a_fault_with_evidence(answer: Answer) -> None:
    """The seat leaves, the other wins, and the fault says what was asked and what was answered."""
    result = play_match(MATTEL, KEY, [lambda _: answer, _first])
    (fault,) = result.faults

    assert fault.kind is FaultKind.ILLEGAL_MOVE
    assert result.places == (2, 1)
    assert result.ending == "last_seat"
    assert fault.evidence.last_question.startswith("1 turn: ")
    assert fault.evidence.last_answer in fault.evidence.detail
    assert str(fault).startswith("seat 0 made an illegal move: ")


def test_with_three_seats_the_others_go_on() -> None:
    """Who is at fault takes the last place, the others play the match to its end."""
    result = play_match(MATTEL, KEY, [_first, lambda _: Answer(1000), _first])

    assert result.places[1] == 3
    assert result.ending == "target"
    assert verify(_claim(result), MATTEL) == []


def test_seats_that_fail_in_one_moment_share_the_place() -> None:
    """Two seats that leave together share the lowest place (R92)."""
    table = referee(Match(MATTEL, 3, KEY))
    next(table)
    with pytest.raises(StopIteration) as stop:
        table.send([Fault(FaultKind.CRASHED, 0), Fault(FaultKind.CRASHED, 2)])
    result = stop.value.value

    assert result.places == (2, 1, 2)


def test_a_seat_not_on_turn_may_leave() -> None:
    """A death between questions is told to the referee at any question; the seat asked is asked anew."""
    table = referee(Match(MATTEL, 3, KEY))
    first = next(table)
    other = (first.seat + 1) % 3
    again = table.send([Fault(FaultKind.CRASHED, other)])

    assert isinstance(again, Question)
    assert again.seat == first.seat
    assert again.number == first.number + 1


def test_absent_seats_leave_before_the_first_question() -> None:
    """A bot that never started is gone before anybody plays a card."""
    absent = [Fault(FaultKind.NEVER_STARTED, 1, Evidence(detail="no socket"))]
    with pytest.raises(StopIteration) as stop:
        next(referee(Match(MATTEL, 2, KEY), absent))
    result = stop.value.value

    assert result.decisions == 0
    assert result.faults == tuple(absent)
    assert result.places == (1, 2)


def test_a_seat_fails_once() -> None:
    """A second fault of a seat that has left changes nothing."""
    table = referee(Match(MATTEL, 3, KEY))
    next(table)
    table.send([Fault(FaultKind.CRASHED, 0)])
    question = table.send([Fault(FaultKind.TIMED_OUT, 0)])

    assert question.view.seat != 0
    table.close()


def test_what_is_said_is_cut_at_two_hundred_characters() -> None:
    """A longer line is cut and counted; it is no fault."""
    result = play_match(
        ONE_ROUND, KEY, [lambda view: Answer(0, say="x" * 201, uno=len(view.hand) == 2), _first]
    )

    assert result.seats[0].dropped_output == result.seats[0].decisions
    assert "x" * 200 in result.record
    assert "x" * 201 not in result.record
    assert verify(_claim(result), ONE_ROUND) == []


def test_a_changed_record_does_not_verify() -> None:
    """Every stored fact that differs from the replay is named."""
    result = play_match(ONE_ROUND, KEY, [_first, _first])
    claim = _claim(result)
    wrong = Claim(claim.record, (1, 1), (9, 9), 7, 1, "rounds", left=(1,), set_key=b"k" * 32)
    named = " ".join(verify(wrong, ONE_ROUND))

    for fact in ("places", "totals", "rounds", "decisions", "ending", "seats that left", "another key"):
        assert fact in named
    assert "does not replay" in verify(Claim(claim.record[:-8], *_claim_tail(claim)), MATTEL)[0]
    assert verify(Claim(claim.record.rpartition(",")[0], *_claim_tail(claim)), ONE_ROUND)


def _claim_tail(claim: Claim) -> tuple[tuple[int, ...], tuple[int, ...], int, int, str]:
    return claim.places, claim.totals, claim.rounds, claim.decisions, claim.ending
