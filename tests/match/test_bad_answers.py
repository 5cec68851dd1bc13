"""Whatever a bot answers to whatever it is asked is played, a misplay, or a fault with evidence."""

import random
from collections import Counter
from itertools import product

import pytest

from arena.match.fault import FaultKind
from arena.match.referee import Question, Reply, referee
from arena.protocol.inprocess import read_reply
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import Match, QuestionKind, derive
from arena.rules.cards import KINDS
from arena.rules.presets import ruleset_of
from tests.match.test_tally import HEAP

NUMBERS = (0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 14, 61, 62, 63, 64, 2**31 - 1)
"""Actions, cards, colours and seats that exist, and some that don't."""
SHAPES = ("index", "move", "not held", "no colour", "gone", "old", "another table", "two", "none", "neither")

OUTCOMES = ("played", "misplay", "fault")


def bad_answer(shape: str, question: Question, left: int, lot: random.Random) -> pb.Answers:
    """Return an answer of a kind of badness; some of them may by chance be good."""
    answer = pb.Answer(table=1, question=question.number)
    if shape == "index":
        answer.index = lot.choice(NUMBERS)
    elif shape == "neither":
        pass
    else:
        move = answer.move
        move.action = lot.choice(NUMBERS[:12])
        move.card, move.colour, move.seat_plus_one = (lot.choice(NUMBERS) for _ in range(3))
        if shape == "not held":
            missing = [card for card in range(KINDS) if card not in question.view.hand]
            move.action, move.card, move.colour, move.seat_plus_one = 1, lot.choice(missing) + 1, 0, 0
        elif shape == "no colour":
            move.action, move.card, move.colour, move.seat_plus_one = 1, 57, lot.choice((0, 5, 6, 7, 99)), 0
        elif shape == "gone":
            move.action, move.card, move.colour, move.seat_plus_one = 1, lot.choice((8, 6)), 0, left + 1
    if shape == "old":
        answer.question = question.number - 1
    if shape == "another table":
        answer.table = 2
    return pb.Answers(answers=[] if shape == "none" else [answer] * (2 if shape == "two" else 1))


def play_badly(price: int, number: int, seen: Counter[tuple[int, str, str]]) -> None:
    """Play a match in which every fifth answer is bad, and look at what becomes of it.

    What was answered least to a kind of question has its turn, at once when it has had none.
    """
    lot = random.Random(f"{price} {number}")
    rules = ruleset_of(HEAP | {"misplay_penalty": price, "first_card": "any", "max_decisions": 200})
    match = Match(rules, 6, derive(b"bad answers", price, number))
    match.leave([5])
    table = referee(match)
    try:
        question = next(table)
        while True:
            kind, before = question.view.kind, len(match.history)
            shape = min(SHAPES, key=lambda shape: sum(seen[kind, shape, how] for how in OUTCOMES))
            if lot.random() < 0.2 or not any(seen[kind, shape, how] for how in OUTCOMES):
                data = bad_answer(shape, question, 5, lot).SerializeToString()
            else:
                shape = "good"
                index = lot.randrange(len(question.view.legal))
                good = pb.Answer(table=1, question=question.number, index=index, uno=lot.random() < 0.5)
                data = pb.Answers(answers=[good]).SerializeToString()
            legal = question.view.legal
            seat = question.seat
            reply: Reply = read_reply(question, 1, data)
            try:
                question = table.send(reply)
            finally:
                seen[kind, shape, outcome(match, seat, before, legal)] += 1
    except StopIteration as stop:
        for fault in stop.value.faults:
            assert fault.kind in (FaultKind.ILLEGAL_MOVE, FaultKind.PROTOCOL_ERROR)
            assert fault.evidence.last_question
            assert fault.evidence.detail


def outcome(match: Match, seat: int, before: int, legal: tuple[int, ...]) -> str:
    """Say what became of an answer: played, a misplay, or the seat left."""
    item = match.history[before]
    if item & 8:
        assert not match.standing.in_match[seat]
        return "fault"
    if item >> 4 == 0:
        return "misplay"
    assert item >> 4 in legal
    return "played"


@pytest.mark.parametrize("price", [0, 2])
def test_a_bad_answer_is_a_fault_or_a_misplay(price: int) -> None:
    """A card not held, a seat that left, no colour, an old question, nonsense: never an exception (R53)."""
    seen: Counter[tuple[int, str, str]] = Counter()
    for number in range(100):
        play_badly(price, number, seen)

    asked = {kind for kind, shape, _how in seen if shape != "good"}
    assert asked == {int(kind) for kind in QuestionKind if kind}
    for kind, shape in product(asked, ("old", "another table", "two", "none", "neither")):
        assert {how for k, s, how in seen if (k, s) == (kind, shape)} <= {"fault"}
    assert {(kind, shape) for kind, shape, _how in seen} >= set(product(asked, SHAPES))
    misplays = {kind for kind, _shape, how in seen if how == "misplay"}
    priced = {kind.value for kind in QuestionKind if 1 <= kind <= 5}
    assert misplays == (priced if price else set())
    assert {how for _kind, shape, how in seen if shape == "good"} == {"played"}
    assert {how for _kind, shape, how in seen if shape == "not held"} == {"misplay", "fault"} - (
        set() if price else {"misplay"}
    )
