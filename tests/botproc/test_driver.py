"""The driver's rules, with scripted bots and a clock that moves when it is waited for."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.botproc import verdict
from arena.botproc.live import Progress
from arena.botproc.table import LiveTable
from arena.match.fault import FaultKind
from arena.match.verify import Claim, verify
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.record import record_of
from tests.botproc.scripted import (
    CLOCK,
    LOST,
    MS,
    ONE_ROUND,
    Job,
    ScriptedLink,
    Sent,
    answers,
    at_turn,
    sound,
)


@pytest.fixture(autouse=True)
def _no_wait_for_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripted processes never change by waiting."""
    monkeypatch.setattr(verdict, "EXIT_WAIT_S", 0)


# ------------------------------------------------------------------------------ sound play


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_number_of_tables_changes_no_record(seats: int) -> None:
    """The same keys and deterministic bots give the same results for 1, 3 and 64 tables."""
    played = [Job(*[sound] * seats, matches=9, tables=tables).play() for tables in (1, 3, 64)]
    results = [[result.sha256() for _, result in job.finished] for job in played]

    assert len(results[0]) == 9
    assert results[0] == results[1] == results[2]


def test_every_result_replays() -> None:
    """Each result is what its record leads to, from the plan's key."""
    for plan, result in Job(sound, sound).play().finished:
        claim = Claim(
            result.record,
            result.places,
            result.totals,
            result.rounds,
            result.decisions,
            result.ending,
            set_key=plan.set_key,
        )

        assert verify(claim, ONE_ROUND) == []


def test_a_match_is_followed_while_it_is_played_and_nobody_pays_for_it() -> None:
    """After each answer the record so far can be read, however long that takes; no clock runs meanwhile."""
    job = Job(sound, sound, matches=1)
    told: list[str] = []

    def watch(tables: Sequence[LiveTable]) -> None:
        told.extend(str(record_of(table.match)) for table in tables)
        job.host.at_ns += 100 * MS

    played = job.play(on_batch=watch)

    ((_, result),) = played.finished
    assert len(told) > 5
    assert all(after.startswith(before) for before, after in pairwise([*told, result.record]))
    assert len(set(told)) == len(told)
    assert result.faults == ()
    assert sum(seat.wall_us for seat in result.seats) < 100_000


def test_tables_are_opened_and_closed_once() -> None:
    """Each bot hears of each table once before its first turn there, and once of its end and result."""
    job = Job(sound, sound, matches=5, tables=2)
    played = job.play()
    for bot, link in enumerate(job.links):
        opened, closed = job.news(bot)
        known: set[int] = set()
        for turns in link.received:
            known |= {table.table for table in turns.opened}
            assert {turn.table for turn in turns.turns} <= known

        assert len(opened) == len(set(opened)) == 5
        assert set(closed) == set(opened)
        told = sorted(tuple(table.places) for table in closed.values())
        assert told == sorted(result.places for _, result in played.finished)


def test_open_tables_stay_within_what_the_bot_plays() -> None:
    """Never more tables are open than the least of the bots plays at once."""
    job = Job(sound, sound, matches=9, tables=9)
    job.links[1].tables = 2
    job.play()
    open_tables: set[int] = set()
    for turns in job.links[0].received:
        open_tables -= {table.table for table in turns.closed}
        open_tables |= {table.table for table in turns.opened}

        assert len(open_tables) <= 2


def test_one_bot_thinks_at_a_time() -> None:
    """A batch is written only when no question of another bot is open."""
    thinking: list[ScriptedLink] = []

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if turns.turns:
            busy = [other for other in job.links if any(item[1] != LOST for item in other.queue)]
            assert busy in ([], [link])
            thinking.append(link)
        return sound(link, turns)

    job = Job(script, script, script)
    job.play()

    assert {id(link) for link in thinking} == {id(link) for link in job.links}


def test_question_numbers_are_counted_per_seat() -> None:
    """A bot's own questions at a table are numbered 1, 2, 3: a gap would tell that others were asked."""
    job = Job(sound, sound, sound)
    job.play()
    for link in job.links:
        numbers: dict[int, list[int]] = {}
        for turns in link.received:
            for turn in turns.turns:
                numbers.setdefault(turn.table, []).append(turn.question)

        assert all(asked == list(range(1, len(asked) + 1)) for asked in numbers.values())


def test_partial_answers_are_taken_as_they_come() -> None:
    """A batch answered one by one and backwards is as good as one message."""

    def one_by_one(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        del link
        return [(delay, answers([turn])) for delay, turn in enumerate(reversed(turns.turns))]

    whole, pieces = Job(sound, sound).play(), Job(sound, one_by_one).play()

    assert [r.sha256() for _, r in pieces.finished] == [r.sha256() for _, r in whole.finished]


# ------------------------------------------------------------------------------ time


def test_a_table_times_out_alone() -> None:
    """One unanswered question costs its own match; the opponent wins it by rule, the other matches go on."""
    job = Job(at_turn(8, lambda turns, at: [(1, answers(turns[:at] + turns[at + 1 :]))]), sound)
    played = job.play()
    faulty = [(plan, result) for plan, result in played.finished if result.faults]

    assert len(played.finished) == 6
    assert not played.replanned
    ((plan, result),) = faulty
    (fault,) = result.faults
    assert fault.kind is FaultKind.TIMED_OUT
    assert plan.order[fault.seat] == 0
    assert result.places[fault.seat] == 2
    assert result.ending == "last_seat"
    turns = len(job.links[0].received[-1].turns) or 1
    assert turns >= 1
    assert fault.evidence.limit_ms is not None
    assert fault.evidence.wall_ms is not None
    assert fault.evidence.wall_ms >= fault.evidence.limit_ms
    assert fault.evidence.bank_left_ms == 0
    assert fault.evidence.last_question.split()[1].endswith(":")


def test_the_bot_is_told_why_it_left() -> None:
    """The table's end carries the bot's own verdict, and the survivor hears none."""
    job = Job(at_turn(1, lambda turns, at: [(1, answers(turns[:at] + turns[at + 1 :]))]), sound)
    job.play()
    guilty = [table.verdict for table in job.news(0)[1].values() if table.verdict]
    innocent = [table.verdict for table in job.news(1)[1].values() if table.verdict]

    assert guilty == [pb.TIMED_OUT]
    assert innocent == []


def test_a_late_answer_is_dropped_and_counted() -> None:
    """An answer after the timeout changes nothing and is no fault of its own."""
    job = Job(
        at_turn(
            4, lambda turns, at: [(1, answers(turns[:at] + turns[at + 1 :])), (200, answers([turns[at]]))]
        ),
        sound,
        matches=40,
        tables=4,
    )
    played = job.play()
    dropped = sum(stats.dropped_answers for _, result in played.finished for stats in result.seats)
    faults = [fault.kind for _, result in played.finished for fault in result.faults]

    assert dropped == 1
    assert faults == [FaultKind.TIMED_OUT]


def test_the_arrival_decides_and_not_the_reading() -> None:
    """An answer that arrived in time counts, however late the arena looks at it."""
    job = Job(at_turn(1, lambda turns, _: [(100, answers(turns))]), sound, matches=1)

    assert not job.play(replace(CLOCK, budget_ms=10, bank_ms=91)).finished[0][1].faults
    job = Job(at_turn(1, lambda turns, _: [(102, answers(turns))]), sound, matches=1)
    assert job.play(replace(CLOCK, budget_ms=10, bank_ms=91)).finished[0][1].faults


def test_the_bank_is_told_and_drawn_evenly() -> None:
    """What a batch takes beyond its budgets is drawn from its tables alike; the next turns tell the rest."""
    job = Job(at_turn(1, lambda turns, _: [(100, answers(turns))]), sound, matches=4)
    job.play(replace(CLOCK, budget_ms=5, bank_ms=1000))
    first = job.links[0].received[0].turns
    after = {turn.table: turn.bank_ms for turns in job.links[0].received[1:2] for turn in turns.turns}
    share = (100 - 5 * len(first)) / len(first)

    assert {turn.bank_ms for turn in first} == {1000}
    asked_before = {turn.table for turn in first} & set(after)
    assert {after[table] for table in asked_before} == {int(1000 - share)}


def test_what_the_host_took_is_not_charged() -> None:
    """Time that the machine did not give is taken off before anybody times out."""
    job = Job(at_turn(1, lambda turns, _: [(500, answers(turns))]), sound, matches=1)
    job.host.taken = 450 * MS

    assert not job.play().finished[0][1].faults


@pytest.mark.parametrize("used_ms", [0, 90, 400])
def test_what_the_arena_slept_through_is_not_charged(used_ms: int) -> None:
    """An arena that was stopped charges nothing of it but what the bot has computed meanwhile."""
    job = Job(at_turn(1, lambda turns, _: [(1, answers(turns))]), sound, matches=1)
    job.links[0].stall_ms = 10_000
    bot = job.links[0].process
    bot.cpu_ns = lambda: used_ms * MS if job.host.at_ns > 10_000 * MS else 0  # type: ignore[method-assign]

    result = job.play(replace(CLOCK, budget_ms=10, bank_ms=100)).finished[0][1]

    assert [fault.kind for fault in result.faults] == ([FaultKind.TIMED_OUT] if used_ms > 110 else [])


def test_thinking_off_turn_is_charged() -> None:
    """Processor time used while no question was open counts against the next batch."""

    def thief(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        del turns
        thieves[0].process.cpu += 60 * MS
        return sound(link, turns_of[-1])

    def honest(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        turns_of.append(turns)
        return thief(link, turns)

    turns_of: list[pb.Turns] = []
    thieves: list[ScriptedLink] = []
    job = Job(sound, honest, matches=1)
    thieves.append(job.links[0])
    played = job.play(replace(CLOCK, budget_ms=10, bank_ms=100))
    (fault,) = played.finished[0][1].faults

    assert fault.kind is FaultKind.TIMED_OUT
    assert played.finished[0][0].order[fault.seat] == 0


# ------------------------------------------------------------------------------ the end of a job


def test_a_stop_plays_the_open_matches_a_while() -> None:
    """Asked to stop, the driver begins no further match, plays the open ones, and plans the rest again."""
    job = Job(sound, sound, matches=50, tables=2)
    asked: list[int] = []

    def should_stop() -> bool:
        asked.append(job.host.at_ns)
        return True

    played = job.play(should_stop=should_stop)

    assert len(asked) == 1
    assert played.stopped
    assert 0 < len(played.finished) < 50
    assert len(played.finished) + len(played.replanned) == 50
    assert pb.REPLANNED not in {table.ending for table in job.news(0)[1].values()}


def test_a_stop_does_not_wait_for_a_slow_bot() -> None:
    """After `stop_s` the open matches are planned again, also in the middle of a batch."""
    job = Job(at_turn(1, lambda _turns, _at: []), sound, matches=3)
    played = job.play(replace(CLOCK, bank_ms=600_000, stop_s=2), should_stop=lambda: True)

    assert len(played.replanned) == 3
    assert job.host.at_ns < 4_000 * MS
    assert {table.ending for table in job.news(0)[1].values()} == {pb.REPLANNED}


def test_a_job_is_cut_at_its_limit() -> None:
    """What is finished at the limit is kept, the open matches are planned again."""
    job = Job(sound, at_turn(60, lambda _turns, _at: []), matches=30, tables=4)
    played = job.play(replace(CLOCK, bank_ms=900_000, job_s=30))

    assert played.cut
    assert len(played.finished) > 0
    assert len(played.finished) + len(played.replanned) == 30
    assert not played.deaths


def test_progress_is_reported() -> None:
    """The last report counts every match; the figures never fall."""
    job = Job(sound, sound, matches=20, tables=2)
    job.play()

    assert job.progress[-1] == Progress(20, 0, 20, job.progress[-1].decisions)
    finished = [report.finished for report in job.progress]
    assert finished == sorted(finished)
