"""Whatever a bot sends, the job ends with verdicts and never with an exception (S32)."""

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.botproc import verdict
from arena.match.fault import FaultKind
from arena.protocol.pb import bot_pb2 as pb
from tests.botproc.scripted import Job, Script, ScriptedLink, Sent, answers, sound

ALLOWED = {FaultKind.PROTOCOL_ERROR, FaultKind.ILLEGAL_MOVE, FaultKind.TIMED_OUT}

_numbers = st.one_of(st.integers(0, 3), st.integers(0, 2**32 - 1))
_moves = st.builds(
    pb.Move,
    action=st.integers(0, 12),
    card=st.one_of(st.integers(0, 62), st.integers(-(2**31), 2**31 - 1)),
    colour=st.integers(-1, 6),
    seat_plus_one=_numbers,
)
_lines = st.text(max_size=300).filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text))
_choices = st.fixed_dictionaries({}, optional={"index": _numbers, "uno": st.booleans(), "say": _lines})
"""What an answer may hold beside table and question."""


@st.composite
def _answers(draw: st.DrawFn, turns: Sequence[pb.Turn]) -> bytes:
    """Draw a message: sound, half sound, or nothing of the kind."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=50))
    said = []
    for turn in turns:
        kind = draw(st.integers(0, 9))
        if kind == 0:
            continue
        answer = pb.Answer(table=turn.table, question=turn.question, index=0)
        if kind == 1:
            answer = pb.Answer(table=turn.table, question=turn.question, **draw(_choices))
        elif kind == 2:
            answer.move.CopyFrom(draw(_moves))
        elif kind == 3:
            answer.question = draw(_numbers)
        elif kind == 4 and draw(st.integers(0, 9)) == 0:
            answer.table = draw(_numbers)
        said += [answer] * draw(st.sampled_from([1, 1, 1, 2]))
    return pb.Answers(answers=draw(st.permutations(said))).SerializeToString()


def _erratic(data: st.DataObject) -> Script:
    """Return a bot whose first batches are drawn, and that is sound afterwards."""

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if not turns.turns or len(link.received) > 6:
            return sound(link, turns)
        first = data.draw(_answers(list(turns.turns)))
        rest: list[Sent] = []
        if data.draw(st.booleans()):
            rest = [(data.draw(st.floats(0, 300)), answers(turns.turns))]
        return [(data.draw(st.floats(0, 50)), first), *rest]

    return script


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.integers(2, 4))
def test_whatever_is_sent_ends_in_verdicts(data: st.DataObject, seats: int) -> None:
    """Every match is finished or replanned, every fault is of a kind that a message can be."""
    before = verdict.EXIT_WAIT_S
    verdict.EXIT_WAIT_S = 0
    try:
        job = Job(_erratic(data), *[sound] * (seats - 1), matches=6, tables=3)
        played = job.play()
    finally:
        verdict.EXIT_WAIT_S = before
    faults = [fault for _, result in played.finished for fault in result.faults]

    assert len(played.finished) + len(played.replanned) == 6
    assert {fault.kind for fault in faults} <= ALLOWED
    assert {plan.order[fault.seat] for plan, result in played.finished for fault in result.faults} <= {0}
    assert not played.replanned or played.deaths
    for bot in range(1, seats):
        opened, closed = job.news(bot)
        assert set(opened) == set(closed)
