"""The driver's rules, with scripted bots and a clock that moves when it is waited for."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.botproc import verdict
from arena.botproc.live import Progress
from arena.match.fault import FaultKind
from arena.match.verify import Claim, verify
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.options import Ruleset
from tests.botproc.scripted import (
    CLOCK,
    LOST,
    MS,
    ONE_ROUND,
    Job,
    Script,
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


def test_an_idle_seat_is_frozen_and_thawed_before_it_is_asked() -> None:
    """A bot without a question for a millisecond is frozen; none is asked while frozen (see ScriptedLink)."""
    job = Job(sound, lambda link, turns: [(3, sent) for _, sent in sound(link, turns)], matches=2)
    job.play()
    history = [step for step in job.links[0].process.history if step in ("freeze", "thaw")]

    assert history[:2] == ["freeze", "thaw"]
    assert all(step != after for step, after in pairwise(history))


# ------------------------------------------------------------------------------ misbehaviour at one table


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"index": 1000}, FaultKind.ILLEGAL_MOVE),
        ({"question": 4_000_000_000}, FaultKind.PROTOCOL_ERROR),
    ],
)
def test_a_wrong_answer_concerns_its_table_alone(fields: dict[str, int], kind: FaultKind) -> None:
    """An illegal move or an answer to a question never asked loses that match; the job goes on."""

    def act(turns: Sequence[pb.Turn], at: int) -> Sequence[Sent]:
        return [(1, answers(turns[:at])), (1, answers([turns[at]], **fields)), (1, answers(turns[at + 1 :]))]

    played = Job(at_turn(9, act), sound).play()
    faults = [fault for _, result in played.finished for fault in result.faults]

    assert len(played.finished) == 6
    assert [fault.kind for fault in faults] == [kind]
    assert faults[0].evidence.detail


def test_evidence_never_shows_the_hand_of_another() -> None:
    """An answer to a question never asked, while another seat is asked, tells nothing of its moves."""

    def stray_at(batch: int) -> Script:
        def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
            if turns.turns and len(link.received) == batch:
                return [*sound(link, turns), (1.5, answers(turns.turns, question=4_000_000_000))]
            return sound(link, turns)

        return script

    # Whether the other seat is asked when the answer comes depends on the cards: some of these batches do it.
    shown = {
        fault.evidence.last_question
        for batch in range(1, 12)
        for _, result in Job(stray_at(batch), sound, matches=8).play().finished
        for fault in result.faults
    }

    assert "" in shown


def test_an_illegal_move_costs_cards_where_the_rules_say_so() -> None:
    """With `misplay_penalty = 2` an illegal answer is no fault but a misplay (R53)."""

    def act(turns: Sequence[pb.Turn], at: int) -> Sequence[Sent]:
        return [
            (1, answers(turns[:at])),
            (1, answers([turns[at]], index=1000)),
            (1, answers(turns[at + 1 :])),
        ]

    played = Job(at_turn(9, act), sound).play(ruleset=Ruleset(scoring="single_round", misplay_penalty=2))

    assert len(played.finished) == 6
    assert not [fault for _, result in played.finished for fault in result.faults]


def test_duplicates_are_dropped_and_counted() -> None:
    """Answering everything twice changes no result."""

    def twice(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        return [*sound(link, turns), *sound(link, turns)]

    once, doubled = Job(sound, sound).play(), Job(sound, twice).play()
    dropped = [stats.dropped_answers for _, result in doubled.finished for stats in result.seats]

    assert [r.sha256() for _, r in doubled.finished] == [r.sha256() for _, r in once.finished]
    assert sum(dropped) > 0


def test_long_lines_are_cut_and_counted() -> None:
    """What a bot says beyond 200 characters is cut, counted and no fault."""

    def talker(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        del link
        return [(1, answers(turns.turns, say="x" * 250))] if turns.turns else []

    (_, result), *_ = Job(sound, talker, matches=1).play().finished

    assert sum(stats.dropped_output for stats in result.seats) == 50 * result.seats[1].decisions
    assert not result.faults


# ------------------------------------------------------------------------------ deaths


def _crash(turns: Sequence[pb.Turn], at: int) -> Sequence[Sent]:
    """Answer what is before the turn, then be gone."""
    return [(1, answers(turns[:at])), (2, LOST)] if at else [(2, LOST)]


def test_a_death_leaves_the_matches_in_hand_and_replans_the_others() -> None:
    """Matches whose turn stood in the unanswered batch are lost, finished ones kept, the others replanned."""
    job = Job(at_turn(30, _crash), sound, matches=9, tables=4)
    played = job.play()
    lost = [result for _, result in played.finished if result.faults]
    (death,) = played.deaths

    assert len(played.finished) + len(played.replanned) == 9
    assert played.replanned
    assert death.bot == 0
    assert death.left == len(lost) > 0
    assert all(fault.kind is FaultKind.DISCONNECTED for result in lost for fault in result.faults)
    assert job.links[0].process.history[-1] == "kill"


def test_the_survivor_is_always_told() -> None:
    """After a death the survivor hears of every table how it ended, in a last message without turns."""
    job = Job(at_turn(30, _crash), sound, matches=9, tables=4)
    played = job.play()
    opened, closed = job.news(1)
    endings = [table.ending for table in closed.values()]

    assert set(opened) == set(closed)
    assert endings.count(pb.REPLANNED) == len(opened) - len(played.finished)
    assert job.links[1].finished
    assert not job.links[1].received[-1].turns
    assert job.links[1].process.history[-1:] != ["freeze"]


def test_a_death_without_a_question_leaves_every_open_match() -> None:
    """A bot that dies while nothing was asked leaves all its open matches."""

    def dying_at(batch: int) -> Script:
        def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
            return [*sound(link, turns), (1.5, LOST)] if len(link.received) == batch else sound(link, turns)

        return script

    # Whether the bot is asked again before it dies depends on the cards: some of these batches do it.
    jobs = [Job(dying_at(batch), sound, matches=9, tables=4).play() for batch in range(2, 14)]
    unasked = [played for played in jobs if not played.deaths[0].fault.evidence.last_question]

    assert unasked
    for played in unasked:
        before = sum(1 for _, result in played.finished if not result.faults)
        assert played.deaths[0].left == 4
        assert len(played.finished) == before + 4


def test_with_three_seats_the_others_play_on() -> None:
    """The matches that a dead bot left are played to the end by the others; no other goes on or begins."""
    job = Job(at_turn(20, _crash), sound, sound, matches=9, tables=3)
    played = job.play()
    lost = [result for _, result in played.finished if result.faults]

    assert lost
    assert all(result.ending == "target" or result.rounds for result in lost)
    assert all(max(result.places) == result.places[result.faults[0].seat] for result in lost)
    assert len(job.news(1)[0]) == len(played.finished) + sum(
        table.ending == pb.REPLANNED for table in job.news(1)[1].values()
    )


def test_a_second_death_is_treated_alike() -> None:
    """When another bot dies in the matches that go on, it leaves those that wait for it."""
    # When the second one is asked again depends on the cards: some of these turns come after the first death.
    jobs = [
        Job(at_turn(20, _crash), at_turn(turn, _crash), sound, sound, matches=9, tables=5).play()
        for turn in range(20, 40)
    ]
    twice = [played for played in jobs if [death.bot for death in played.deaths] == [0, 1]]

    assert twice
    assert all(len(played.finished) + len(played.replanned) == 9 for played in twice)
    assert all(len(result.faults) <= 2 for played in twice for _, result in played.finished)


def test_a_match_that_was_left_before_is_not_taken_back() -> None:
    """A bot that timed out at a table and dies later has lost that match; the others play it to its end."""
    seen: list[int] = []

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if not turns.turns:
            return []
        seen.append(turns.turns[0].table)
        if len(seen) == 1:
            return [(1, answers(list(turns.turns)[1:]))]
        return sound(link, turns) if len(seen) < 4 else [(1, LOST)]

    job = Job(script, sound, sound, matches=9, tables=6)
    played = job.play()
    timed_out = [result for _, result in played.finished if result.faults[0].kind is FaultKind.TIMED_OUT]

    assert played.replanned
    assert len(timed_out) == 1
    assert timed_out[0].ending == "target"


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        (b"\xff\xff\xff", "no Answers"),
        (pb.Answers(answers=[pb.Answer(table=4_000_000_000)]).SerializeToString(), "never opened"),
        (pb.Answers(answers=[pb.Answer(say="x" * 20_000)]).SerializeToString(), "bytes for"),
    ],
)
def test_a_broken_protocol_is_a_death(sent: bytes, detail: str) -> None:
    """Undecodable, oversized, for a table never opened: the protocol is broken as a whole."""
    job = Job(at_turn(10, lambda _turns, _at: [(1, sent)]), sound)
    played = job.play()
    (death,) = played.deaths

    assert death.fault.kind is FaultKind.PROTOCOL_ERROR
    assert detail in death.fault.evidence.detail
    assert death.fault.evidence.stderr_tail == "last words\n"
    assert "kill" in job.links[0].process.history


def test_a_bot_that_never_started_leaves_every_match() -> None:
    """The opponent wins every match of the job and is told so."""
    job = Job(None, sound, matches=70)
    played = job.play()
    opened, closed = job.news(1)

    assert len(played.finished) == len(opened) == len(closed) == 70
    assert all(result.faults[0].kind is FaultKind.NEVER_STARTED for _, result in played.finished)
    assert all(plan.order[result.places.index(1)] == 1 for plan, result in played.finished)
    assert played.deaths[0].left == 70


def test_without_one_of_three_the_others_play_every_match() -> None:
    """With three seats a bot that never started is last everywhere, and the others play to the end."""
    played = Job(sound, None, sound).play()

    assert len(played.finished) == 6
    assert all(result.places[plan.order.index(1)] == 3 for plan, result in played.finished)
    assert all(result.decisions > 5 for _, result in played.finished)


def test_nobody_started() -> None:
    """A job in which no bot starts ends at once, with shared places."""
    played = Job(None, None).play()

    assert len(played.finished) == 6
    assert all(result.places == (1, 1) for _, result in played.finished)


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
