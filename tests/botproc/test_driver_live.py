"""The driver with real processes behind real sockets: one misbehaving bot, an exact verdict on each thing."""

import hashlib
import resource
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from arena.botproc.live import LiveBot, PlayedTables
from arena.botproc.tables import play_tables
from arena.errors import PlatformError
from arena.match.plan import ClockSettings, TablePlan
from arena.rules.options import Ruleset
from tests.conformance.arena import Row, rows, switch_of
from tests.fix_live import BareSeat

ONE_ROUND = Ruleset(scoring="single_round")
CLOCK = ClockSettings(budget_ms=20, bank_ms=30_000, hello_ms=60_000, tables_max=4)
SHORT = replace(CLOCK, bank_ms=4000)
"""For bots that are meant to run out of time."""
AT = "12"
"""The turn at which it happens: every table is under way, none is over."""

HARMLESS = [row["switch"] for row in rows("nothing", but=("sound", "one-by-one", "in-full", "burn"))]
"""What a bot may do, but for what the other tests here do."""

Seats = Callable[..., BareSeat]


def _plans(count: int) -> list[TablePlan]:
    return [
        TablePlan(number, 0, hashlib.sha256(b"%d" % number).digest(), (0, 1), (number, number + 1))
        for number in range(count)
    ]


def _play(
    seats: Sequence[BareSeat],
    matches: int = 8,
    clock: ClockSettings = CLOCK,
    ruleset: Ruleset = ONE_ROUND,
    **more: Callable[..., object],
) -> PlayedTables:
    bots = [LiveBot(f"bot {index}", seat) for index, seat in enumerate(seats)]
    return play_tables(bots, _plans(matches), clock, ruleset, **more)  # type: ignore[arg-type]


def _records(played: PlayedTables) -> list[tuple[str, str]]:
    return [(result.sha256(), result.record) for _, result in played.finished]


def test_sound_bots_play_the_same_whatever_the_tables(bare_seat: Seats) -> None:
    """Real bots, 1 and 128 tables, whole messages and pieces, index and move in full: the same records."""
    short = replace(ONE_ROUND, hand_size=1)
    widest = 0

    def note(tables: Sequence[object]) -> None:
        nonlocal widest
        widest = max(widest, len(tables))

    one = _play([bare_seat(), bare_seat()], 128, replace(CLOCK, tables_max=1), short)
    seats = [bare_seat("one-by-one"), bare_seat("in-full")]
    many = _play(seats, 128, replace(CLOCK, tables_max=128), short, on_batch=note)

    assert len(one.finished) == 128
    assert _records(one) == _records(many)
    assert list(many.descriptions) == ["one-by-one", "in-full"]
    assert widest > 64, "one of the two bots has the first turn at more than half of the tables"


@pytest.mark.parametrize("case", rows("match"), ids=switch_of)
def test_what_concerns_one_table_costs_one_match(bare_seat: Seats, case: Row) -> None:
    """The match is lost by rule with evidence, and every other match is played to its end."""
    clock = SHORT if case["verdict"] == "timed_out" else CLOCK
    played = _play([bare_seat(case["switch"], AT), bare_seat()], clock=clock)
    faults = [(result, fault) for _, result in played.finished for fault in result.faults]

    assert len(played.finished) == 8
    assert not played.deaths
    ((result, fault),) = faults
    assert fault.kind == case["verdict"]
    assert fault.seat == 0
    assert result.places == (2, 1)
    assert fault.evidence.detail
    assert fault.evidence.last_question


@pytest.mark.parametrize("case", rows("open", but=("hog-memory",)), ids=switch_of)
def test_what_breaks_the_whole_ends_the_job(bare_seat: Seats, case: Row) -> None:
    """The matches in hand are lost, the others replanned, and the process is gone."""
    seat = bare_seat(case["switch"], AT)
    played = _play([seat, bare_seat()])
    (death,) = played.deaths
    lost = [result for _, result in played.finished if result.faults]

    assert death.fault.kind == case["verdict"]
    assert case["detail"] in death.fault.evidence.detail
    assert death.left == len(lost) > 0
    assert all(result.places == (2, 1) for result in lost)
    assert len(played.finished) + len(played.replanned) == 8
    assert played.replanned
    assert seat.poll() is not None


@pytest.mark.parametrize("case", rows("time"), ids=switch_of)
def test_who_does_not_answer_loses_its_tables_in_time(bare_seat: Seats, case: Row) -> None:
    """A bot that stops, stops reading or answers one table only runs out of time, table by table."""
    played = _play(
        [bare_seat(case["switch"], AT), bare_seat()], matches=4, clock=replace(CLOCK, bank_ms=2000)
    )
    faults = [fault.kind for _, result in played.finished for fault in result.faults]

    assert len(played.finished) == 4
    assert not played.deaths
    assert set(faults) == {case["verdict"]}


def test_who_falls_silent_at_many_tables_loses_them_all_within_one_bank(bare_seat: Seats) -> None:
    """All banks together are longer than the job may last, the limit of a message is not: no job is cut."""
    clock = replace(CLOCK, budget_ms=1, bank_ms=1500, tables_max=64, job_s=60)
    played = _play([bare_seat("stop-reading", "1"), bare_seat()], matches=64, clock=clock)
    faults = [fault for _, result in played.finished for fault in result.faults if fault.seat == 0]

    assert not played.cut
    assert len(played.finished) == 64
    assert {fault.kind for fault in faults} == {"timed_out"}
    assert any("questions asked at once" in fault.evidence.detail for fault in faults)


def test_what_is_allowed_costs_nothing(bare_seat: Seats) -> None:
    """Answering twice, talking, taking time: dropped, cut, no fault, whatever the standard error gets."""
    for one, other in zip(HARMLESS[::2], HARMLESS[1::2], strict=True):
        played = _play([bare_seat(one, "1"), bare_seat(other, "1")], matches=2)

        assert len(played.finished) == 2
        assert not [fault for _, result in played.finished for fault in result.faults]


def test_a_flood_of_answers_costs_no_memory(bare_seat: Seats) -> None:
    """A million answers are not waited for; the arena's memory stays where it was."""
    _play([bare_seat(), bare_seat()], matches=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    played = _play([bare_seat("flood", "1"), bare_seat()], matches=2, clock=SHORT)
    (death,) = played.deaths

    assert death.fault.kind == "protocol_error"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 16 * 1024


def test_both_bots_killed_at_once_lose_both(bare_seat: Seats) -> None:
    """F25. Neither wins by dying second: the matches in hand have one result each, with two faults."""
    seats = [bare_seat(), bare_seat()]

    def kill_both(tables: Sequence[object]) -> None:
        if len(tables) == 4:
            for seat in seats:
                seat.kill()

    played = _play(seats, on_batch=kill_both)
    lost = [result for _, result in played.finished if result.faults]

    assert [death.fault.evidence.exit_signal for death in played.deaths] == [9, 9]
    assert {death.left for death in played.deaths} == {len(lost)}
    assert all(result.places == (1, 1) and len(result.faults) == 2 for result in lost)
    assert len(lost) > 0
    assert len(played.finished) + len(played.replanned) == 8


def test_a_bot_that_never_starts_loses_every_match(bare_seat: Seats) -> None:
    """Its standard error is the evidence, and the opponent wins without a question."""
    played = _play([bare_seat("exit-at-start"), bare_seat()])

    assert len(played.finished) == 8
    assert all(result.places == (2, 1) for _, result in played.finished)
    assert "leaving before there is a socket" in played.deaths[0].fault.evidence.stderr_tail


def test_where_no_bot_starts_the_platform_is_to_blame(bare_seat: Seats) -> None:
    """When the arena's own probe does not start either, nobody loses anything."""
    seats = [bare_seat("exit-at-start"), bare_seat()]

    with pytest.raises(PlatformError, match="no bot starts in this sandbox"):
        _play(seats, probe_starts=lambda: False)


def test_the_spare_time_of_an_idle_bot_is_taken_away(bare_seat: Seats) -> None:
    """A bot that computes while nothing is asked is frozen meanwhile, and still plays its matches."""
    burning = bare_seat("burn", "1")
    played = _play([burning, bare_seat("slow", "1")])

    assert len(played.finished) == 8
    assert burning.freezes > 0
