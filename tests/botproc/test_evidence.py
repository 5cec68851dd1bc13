"""Whatever a bot answers that is a fault, the same facts prove it, and they are true."""

from collections.abc import Callable, Sequence

import pytest

from arena.botproc import verdict
from arena.match.fault import Fault, FaultKind
from arena.match.plan import ClockSettings
from arena.match.referee import SHOWN_MOVES
from arena.protocol.codec import read_move
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.moves import format_move
from tests.botproc.scripted import Job, Script, ScriptedLink, Sent, answers, at_turn, sound

BUDGET_MS, BANK_MS = 10, 100
CLOCK = ClockSettings(budget_ms=BUDGET_MS, bank_ms=BANK_MS, job_s=600, tables_max=64)
NEVER = 4_000_000_000
"""A question that nobody asks, a table that nobody opens."""
LATE_MS = 30
"""When a wrong answer to a lone question comes: beyond its budget, within its bank."""


@pytest.fixture(autouse=True)
def _no_wait_for_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripted processes never change by waiting."""
    monkeypatch.setattr(verdict, "EXIT_WAIT_S", 0)


def wrongly(wrong: Callable[[pb.Turn], bytes]) -> Script:
    """Return a script that answers its fifth question, late, with something wrong."""

    def act(turns: Sequence[pb.Turn], at: int) -> Sequence[Sent]:
        return [(LATE_MS, wrong(turns[at]))]

    return at_turn(5, act)


def after_answering(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer soundly, and beside the fifth answer to a question that is never asked."""
    if not turns.turns or len([seen for seen in link.received if seen.turns]) != 5:
        return sound(link, turns)
    stray = answers([turns.turns[0]], question=NEVER)
    return [(LATE_MS, answers(turns.turns)), (LATE_MS, stray)]


WRONG: dict[str, tuple[Script, FaultKind, str]] = {
    "an index": (
        wrongly(lambda turn: answers([turn], index=1000)),
        FaultKind.ILLEGAL_MOVE,
        "index 1000 uno",
    ),
    "a move": (
        wrongly(lambda turn: answers([turn], index=None, move=pb.Move(action=pb.PLAY, card=pb.CARD_WILD))),
        FaultKind.ILLEGAL_MOVE,
        "move W uno",
    ),
    "no choice": (
        wrongly(lambda turn: answers([turn], index=None)),
        FaultKind.PROTOCOL_ERROR,
        "nothing chosen, for question 5",
    ),
    "a question never asked": (
        wrongly(lambda turn: answers([turn], question=NEVER)),
        FaultKind.PROTOCOL_ERROR,
        f"index 0 uno, for question {NEVER}",
    ),
    "beside its answer": (
        after_answering,
        FaultKind.PROTOCOL_ERROR,
        f"index 0 uno, for question {NEVER}",
    ),
    "a table never opened": (
        wrongly(lambda turn: answers([turn], table=NEVER)),
        FaultKind.PROTOCOL_ERROR,
        "index 0 uno, for question 5",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_every_wrong_answer_is_proved_alike(wrong: str) -> None:
    """Limit, times, bank, last question and last answer are those of the question asked last."""
    script, kind, said = WRONG[wrong]
    job = Job(script, sound, matches=1)
    played = job.play(CLOCK)
    (fault,) = [fault for _, result in played.finished for fault in result.faults]
    _prove(job, fault, wall_ms=LATE_MS)

    assert fault.kind is kind
    assert fault.evidence.last_answer == said
    assert fault.evidence.detail


def test_a_stray_answer_while_another_is_asked_is_proved_by_the_own_last_question() -> None:
    """What comes when the bot has no question tells of its last one, and nothing of another's hand."""

    def stray_at(batch: int) -> Script:
        def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
            if turns.turns and len(link.received) == batch:
                late = (LATE_MS + 0.5, answers(turns.turns, question=NEVER))
                return [(LATE_MS, answers(turns.turns)), late]
            return sound(link, turns)

        return script

    seen = 0
    for batch in range(1, 12):
        job = Job(stray_at(batch), sound, matches=1)
        for _, result in job.play(CLOCK).finished:
            for fault in result.faults:
                # Read while the next question is open where the cards have it so.
                asked = [turns for turns in job.links[0].received if turns.turns]
                seen += len(asked) == batch
                _prove(job, fault, wall_ms=LATE_MS if len(asked) == batch else None)

    assert seen


def test_a_bot_never_asked_has_its_bank_and_no_question() -> None:
    """An answer at a table where the bot was not asked yet: nothing is told that was never measured."""

    def early(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if len(link.received) == 1 and not turns.turns:
            return []
        unasked = {table.table for table in turns.opened} - {turn.table for turn in turns.turns}
        stray = [pb.Turn(table=table, question=NEVER) for table in sorted(unasked)[:1]]
        return [*([(0.5, answers(stray))] if stray else []), *sound(link, turns)]

    played = Job(early, sound, matches=6).play(CLOCK)
    faults = [fault for _, result in played.finished for fault in result.faults]
    unasked = [fault.evidence for fault in faults if not fault.evidence.last_question]

    assert unasked
    assert {(proof.limit_ms, proof.wall_ms, proof.bank_left_ms) for proof in unasked} == {
        (None, None, BANK_MS)
    }


def _prove(job: Job, fault: Fault, wall_ms: float | None) -> None:
    """Compare a fault of the first bot's only match with what went over its stream."""
    proof = fault.evidence
    turns = [turn for seen in job.links[0].received for turn in seen.turns]
    number, kind, *moves = proof.last_question.split()
    last = turns[-1]

    assert int(number) == last.question
    assert kind == pb.QuestionKind.Name(last.kind).lower() + ":"
    assert moves[:SHOWN_MOVES] == [format_move(read_move(move)) for move in last.legal[:SHOWN_MOVES]]
    assert proof.cpu_ms is not None
    assert proof.limit_ms == BUDGET_MS + last.bank_ms
    if wall_ms is not None:
        assert proof.wall_ms == pytest.approx(wall_ms, abs=1)
        assert proof.bank_left_ms == pytest.approx(last.bank_ms - (wall_ms - BUDGET_MS), abs=1)
