"""How long a job may take at most, whatever its bots do: measured on the clock of scripted bots."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.botproc.driver import LOOK_NS
from arena.match.fault import FaultKind
from arena.match.plan import ClockSettings
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import preset
from arena.service.check import CLOCK, DECISIONS_MIN, MATCHES
from tests.botproc.scripted import ONE_ROUND, Job, Script, ScriptedLink, Sent, answers, sound

SLOWEST_MS = CLOCK.budget_ms - 1
CUT = ClockSettings(job_s=60.0, charges_cut=True)


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


def silent_from(number: int) -> Script:
    """Return a script that plays soundly until it has been asked so often, and then answers nothing."""
    asked = 0

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        nonlocal asked
        asked += len(turns.turns)
        return sound(link, turns) if asked <= number else []

    return script


def trickle(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer one table after another, each just before one bank would be spent on it alone."""
    del link
    return [(9_900 * count, answers([turn])) for count, turn in enumerate(turns.turns, 1)]


def hold_back(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer the first half of the tables at once, the others never."""
    del link
    half = len(turns.turns) // 2
    return [(1, answers(turns.turns[:half]))] if half else []


@pytest.mark.parametrize(
    ("script", "is_cut"),
    [(silent, False), (slow, True), (wasteful, True), (flood, False)],
)
def test_a_job_ends_at_its_limit_whatever_a_bot_does(script: Script, *, is_cut: bool) -> None:
    """Who keeps to its limits is cut, nobody else: no answer comes later than the job's end and two looks."""
    job = Job(script, sound, matches=MATCHES)
    began_ns = job.host.at_ns
    played = job.play(CLOCK, preset("mattel"))

    assert job.host.at_ns - began_ns <= CLOCK.job_s * 1e9 + 2 * LOOK_NS
    assert played.cut == is_cut
    assert is_cut or len(played.finished) == MATCHES


@pytest.mark.parametrize("script", [silent, silent_from(2_000), trickle, hold_back])
def test_who_does_not_answer_loses_at_the_default_clock(script: Script) -> None:
    """At 256 tables no message is open for longer than its budgets and one bank, and no job is cut for it.

    Every match comes to an end, lost by the bot that left a question open, with the limit and the measure.
    """
    clock = ClockSettings()
    job = Job(script, sound, matches=256, tables=clock.tables_max)
    began_ns = job.host.at_ns
    played = job.play(clock, preset("mattel"))
    faults = [(plan, fault) for plan, result in played.finished for fault in result.faults]
    batches = [len(turns.turns) for turns in job.links[0].received if turns.turns]
    limits_ms = [clock.budget_ms * turns + clock.bank_ms for turns in batches]

    assert not played.cut
    assert len(played.finished) == 256
    assert not played.deaths
    assert len(faults) >= 128
    assert max(batches) >= 64
    assert (job.host.at_ns - began_ns) / 1e6 <= sum(limits_ms) + 2 * len(job.links[1].received)
    for plan, fault in faults:
        assert fault.kind is FaultKind.TIMED_OUT
        assert plan.order[fault.seat] == 0
        assert fault.evidence.limit_ms is not None
        assert fault.evidence.wall_ms is not None
        assert fault.evidence.limit_ms <= fault.evidence.wall_ms <= max(limits_ms) + 2 * LOOK_NS / 1e6
        assert fault.evidence.bank_left_ms == 0


def hold_one_back(held: list[int]) -> Script:
    """Return a script that answers all turns of a message at once but the last one; `held` gets its table."""

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        del link
        held.extend(turn.table for turn in turns.turns[-1:])
        return [(1, answers(turns.turns[:-1]))] if turns.turns[:-1] else []

    return script


def test_who_holds_one_question_of_each_message_back_loses_there_alone() -> None:
    """Each time one table is lost, with its own question as proof; all others of the job are played out."""
    held: list[int] = []
    job = Job(hold_one_back(held), sound, matches=256, tables=256)
    played = job.play(replace(CUT, job_s=3_600.0), ONE_ROUND)
    opened, _ = job.news(0)
    lost = [table for table, (_, result) in zip(opened, played.finished, strict=True) if result.faults]
    faults = [(plan.order[fault.seat], fault) for plan, result in played.finished for fault in result.faults]

    assert not played.cut
    assert not played.deaths
    assert sorted(lost) == sorted(held)
    assert 0 < len(lost) < 256
    assert {(bot, fault.kind) for bot, fault in faults} == {(0, FaultKind.TIMED_OUT)}
    assert all(fault.evidence.last_question and fault.evidence.bank_left_ms == 0 for _, fault in faults)


def test_a_job_used_up_by_questions_held_back_is_lost_where_it_is_open() -> None:
    """At the cut all that is open is lost; what ended before stands, what never began is dealt anew."""
    held: list[int] = []
    job = Job(hold_one_back(held), sound, matches=300, tables=256)
    played = job.play(CUT, preset("mattel"))
    opened, _ = job.news(0)
    proofs = {
        table: (plan.order[fault.seat], fault.evidence.detail)
        for table, (plan, result) in zip(opened, played.finished, strict=True)
        for fault in result.faults
    }
    single = {table for table, (_, detail) in proofs.items() if detail.startswith("no answer after")}
    charged = {table for table, (_, detail) in proofs.items() if "more than half" in detail}

    assert played.cut
    assert [death.bot for death in played.deaths] == [0]
    assert {bot for bot, _ in proofs.values()} == {0}
    assert single | charged == proofs.keys()
    assert single == set(held) - charged
    assert len(charged) == played.deaths[0].left > len(single) > 1
    assert len(played.finished) + len(played.replanned) == 300


def stall_where_it_loses(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Play half of the tables at once, and the others as slowly as their banks allow."""
    del link
    quick = [turn for turn in turns.turns if turn.table % 2]
    slow = [turn for turn in turns.turns if not turn.table % 2 and turn.bank_ms > 100]
    rest = [turn for turn in turns.turns if not turn.table % 2 and turn.bank_ms <= 100]
    now = [(1.0, answers(quick + rest))] if quick or rest else []
    return now + ([(CUT.bank_ms * 0.9, answers(slow))] if slow else [])


@pytest.mark.parametrize("bots", [2, 3])
def test_who_uses_a_job_up_loses_what_is_open(bots: int) -> None:
    """Nobody has lost matches dealt anew by emptying banks there until the job is cut."""
    job = Job(stall_where_it_loses, *[sound] * (bots - 1), matches=100, tables=100)
    played = job.play(CUT, preset("mattel"))
    charged = [
        fault
        for plan, result in played.finished
        for fault in result.faults
        if plan.order[fault.seat] == 0 and "more than half" in fault.evidence.detail
    ]
    (death,) = played.deaths

    assert played.cut
    assert (death.bot, death.fault.kind) == (0, FaultKind.TIMED_OUT)
    assert death.left == len(charged) > 0
    assert {fault.evidence.limit_ms for fault in charged} == {30_000}
    assert all((fault.evidence.wall_ms or 0) > 30_000 for fault in charged)
    assert len(played.finished) == 100


@pytest.mark.parametrize(("script", "charges"), [(slow, True), (wasteful, True), (wasteful, False)])
def test_a_job_cut_by_who_keeps_to_its_share_is_charged_to_nobody(script: Script, *, charges: bool) -> None:
    """Budgets are everybody's, two who spend alike are both in their right, and a check charges nobody."""
    clock = replace(CUT, charges_cut=charges)
    played = Job(script, script, matches=100, tables=100).play(clock, preset("mattel"))

    assert played.cut
    assert not played.deaths
    assert not [fault for _, result in played.finished for fault in result.faults]


def test_who_let_turns_run_out_is_asked_when_nobody_else_is_to_be() -> None:
    """Its tables gather while the others are asked, so that a silent bot costs a job few waits."""
    clock = ClockSettings()
    job = Job(silent, sound, matches=clock.tables_max, tables=clock.tables_max)
    played = job.play(clock, preset("mattel"))
    asked = [len(turns.turns) for turns in job.links[0].received if turns.turns]

    assert len(played.finished) == clock.tables_max
    assert len(asked) == 2
    assert sum(asked) == clock.tables_max


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
