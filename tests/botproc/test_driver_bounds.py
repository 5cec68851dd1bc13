"""How long a job may take at most, whatever its bots do: measured on the clock of scripted bots."""

from collections.abc import Sequence

import pytest

from arena.botproc.driver import LOOK_NS
from arena.match.plan import ClockSettings
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import preset
from arena.service.check import CLOCK, DECISIONS_MIN, MATCHES
from tests.botproc.scripted import Job, Script, ScriptedLink, Sent, answers, sound

SLOWEST_MS = CLOCK.budget_ms - 1


def silent(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer nothing."""
    del link, turns
    return []


def slow(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer one turn after another, each just within its budget."""
    del link
    return [(SLOWEST_MS * count, answers([turn])) for count, turn in enumerate(turns.turns, 1)]


def wasteful(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Take what is left of the smallest bank, then be slow."""
    spare = min((turn.bank_ms for turn in turns.turns), default=0)
    return [(max(0, spare - 1) + after, sent) for after, sent in slow(link, turns)]


def flood(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer the first turn over and over, for three seconds, and the others never."""
    del link
    first = answers(turns.turns[:1])
    return [(10 * count, first) for count in range(1, 300)] if turns.turns else []


def idle_flood(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Play soundly, and answer everything a hundred times more while nothing is asked."""
    return [*sound(link, turns), *[(1.0, answers(turns.turns))] * 100]


@pytest.mark.parametrize("script", [silent, slow, wasteful, flood, idle_flood])
def test_a_job_ends_at_its_limit_whatever_a_bot_does(script: Script) -> None:
    """A check's matches are finished, lost or cut; no answer comes later than its limit and two looks."""
    job = Job(script, sound, matches=MATCHES)
    began_ns = job.host.at_ns
    played = job.play(CLOCK, preset("mattel"))

    assert job.host.at_ns - began_ns <= CLOCK.job_s * 1e9 + 2 * LOOK_NS
    assert played.cut or len(played.finished) == MATCHES


@pytest.mark.parametrize("script", [slow, wasteful])
@pytest.mark.parametrize("tables", [1, 64])
def test_the_slowest_bot_within_its_limits_is_seen_enough_of(script: Script, tables: int) -> None:
    """Whoever never oversteps a limit answers more in a check than the least that it must."""
    played = Job(script, sound, matches=MATCHES, tables=tables).play(CLOCK, preset("mattel"))

    assert not [fault for _, result in played.finished for fault in result.faults]
    assert played.cut
    assert played.answered[0] >= DECISIONS_MIN


def test_two_slow_bots_share_the_limit() -> None:
    """The limit is the job's, not each bot's."""
    clock = ClockSettings(bank_ms=0, job_s=2.0)
    job = Job(slow, slow, matches=MATCHES)
    began_ns = job.host.at_ns

    assert job.play(clock, preset("mattel")).cut
    assert job.host.at_ns - began_ns <= clock.job_s * 1e9 + 2 * LOOK_NS
