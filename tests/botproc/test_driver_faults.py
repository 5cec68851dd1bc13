"""What the driver does about bots that err and die, with scripted bots and a clock that is waited forward."""

from collections.abc import Sequence

import pytest

from arena.botproc import verdict
from arena.botproc.batch import SURPLUS
from arena.botproc.counts import MOST_REFUSALS
from arena.botproc.seat import Exit, Usage
from arena.match.fault import FaultKind
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.options import Ruleset
from tests.botproc.scripted import (
    LOST,
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
    """Two answers more to every question change no result, however many questions there are."""

    def thrice(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        return [sent for turn in turns.turns for sent in 3 * [(1.0, answers([turn]))]] or sound(link, turns)

    once, tripled = Job(sound, sound, matches=60).play(), Job(sound, thrice, matches=60).play()
    dropped = [stats.dropped_answers for _, result in tripled.finished for stats in result.seats]

    assert [r.sha256() for _, r in tripled.finished] == [r.sha256() for _, r in once.finished]
    assert sum(dropped) > SURPLUS


@pytest.mark.parametrize("size", [0, 1, 40])
def test_a_flood_beside_sound_play_breaks_the_protocol(size: int) -> None:
    """Who goes on to answer what is answered, or sends empty messages unasked, loses what is open then."""

    def flood(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        return [*sound(link, turns), *[(1.0, answers(list(turns.turns[:1]) * size))] * 5000]

    job = Job(sound, flood, matches=30, tables=4)
    played = job.play()
    lost = [fault for _, result in played.finished for fault in result.faults]
    (death,) = played.deaths

    assert (death.bot, death.fault.kind) == (1, FaultKind.PROTOCOL_ERROR)
    assert "answers to no open question" in death.fault.evidence.detail
    assert 0 < death.left == len(lost) <= 4
    assert len(played.finished) + len(played.replanned) == 30
    assert len(job.links[1].queue) > 3000


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


def test_who_asks_for_processes_without_end_is_ended_before_others_are_asked() -> None:
    """A fork bomb that plays soundly crashes by the arena's hand, and leaves every open match."""

    def filling_up(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if len(link.received) > 2:
            job.links[0].process.used = Usage(refused=MOST_REFUSALS + 1, process_limit=64)
            asked.append(len(job.links[1].received))
        return sound(link, turns)

    asked: list[int] = []
    job = Job(filling_up, sound, matches=9, tables=4)
    played = job.play()
    (death,) = played.deaths
    lost = [result for _, result in played.finished if result.faults]

    assert (death.bot, death.fault.kind, death.left) == (0, FaultKind.CRASHED, 4)
    assert "asked in vain for 257 processes beyond its limit of 64" in death.fault.evidence.detail
    assert len(lost) == 4
    assert all(result.places[1 - result.faults[0].seat] == 1 for result in lost)
    assert job.links[1].received[asked[0] :] == job.links[1].received[-1:]  # its last message, without turns
    assert not job.links[1].received[-1].turns
    assert len(played.finished) + len(played.replanned) == 9


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


def test_two_deaths_in_one_moment_are_a_loss_for_both() -> None:
    """F25. Who is found dead while another is buried leaves with it: one result a match, shared places."""

    def both_end(turns: Sequence[pb.Turn], at: int) -> Sequence[Sent]:
        for link in job.links:
            link.process.ended = Exit(None, 9)
        return _crash(turns, at)

    job = Job(at_turn(30, both_end), sound, matches=9, tables=4)
    played = job.play()
    lost = [result for _, result in played.finished if result.faults]

    assert [(death.bot, death.left) for death in played.deaths] == [(0, len(lost)), (1, len(lost))]
    assert lost
    assert all({fault.seat for fault in result.faults} == {0, 1} for result in lost)
    assert all(result.places == (1, 1) for result in lost)
    assert len(played.finished) + len(played.replanned) == 9
    assert played.replanned
    assert len({plan.deal_set for plan, _ in played.finished}) == len(played.finished)


def test_with_a_third_seat_two_deaths_in_one_moment_leave_it_the_win() -> None:
    """F25. Whoever lives wins what the two have left, also where one of them had lost before."""
    seen: list[int] = []

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        seen.extend(turn.table for turn in turns.turns)
        if len(seen) == len(turns.turns):
            first, *rest = turns.turns
            return [(1, answers([first], index=1000)), (1, answers(rest))]  # its first table is lost
        if len(seen) < 20:
            return sound(link, turns)
        for other in job.links[:2]:
            other.process.ended = Exit(None, 9)
        return [(1, LOST)]

    job = Job(script, sound, sound, matches=9, tables=4)
    played = job.play()
    twice = [result for plan, result in played.finished if len(result.faults) == 2]

    assert [death.bot for death in played.deaths] == [0, 1]
    assert twice
    for plan, result in played.finished:
        if len(result.faults) == 2:
            assert result.places[plan.order.index(2)] == 1
    assert any(fault.kind is FaultKind.ILLEGAL_MOVE for result in twice for fault in result.faults)


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
