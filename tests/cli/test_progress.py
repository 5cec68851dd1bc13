"""Promises of the live picture of a tournament."""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rich.console import Console

from arena.cli import progress
from arena.cli.progress import Pace, describe, find_cause, watch
from arena.cli.terminal import Terminal
from arena.errors import UnfinishedError
from arena.service.status import Block, Status
from arena.service.watching import Watched
from arena.store.rows import (
    EntryProgressRow,
    JobId,
    ProgressRow,
    QueueRow,
    RunningJobRow,
    TournamentId,
    TournamentRow,
)

JOB = RunningJobRow(
    JobId(1), TournamentId(1), 0, ["greedy@1", "random@1"], 0, matches=8, progress=3, decisions=9,
    worker="w", running_s=1.0, lease_left_s=20.0,
)  # fmt: skip

OTHER = Block("'league' was interrupted", "run it", "league")
NOBODY = Block("no worker lives", "run `up`")


def moment(
    *,
    state: str = "running",
    done: int = 0,
    running: int = 0,
    queued: int = 0,
    leased: int = 0,
    failed: int = 0,
    paused: bool = False,
) -> Watched:
    """Give a tournament of 1,000 matches at one moment."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    row = TournamentRow(
        id=TournamentId(1), name="cup", arguments="", format="round_robin", ruleset_name="mattel",
        ruleset_text="", ruleset_digest=b"", rules_epoch=1, seats=2, deal_sets=100, budget_ms=20,
        bank_ms=1, hello_ms=1,
        tables_max=1, secret=b"", secret_hash=b"", secret_chosen=False, tournament_key=None, proven=True,
        isolation="strict", unrated=False, open_hands=False, state=state, paused=paused,
        created_at=now, closed_at=now, finished_at=None, memory_mib=512,
        processes=64, cpu_millis=1000,
    )  # fmt: skip
    totals = ProgressRow(
        pairings=5, matches=1000, done=done, cancelled=0, running=running, jobs_queued=queued,
        jobs_leased=leased, jobs_failed=failed, jobs_cancelled=0, decisions=0,
    )  # fmt: skip
    lines = [EntryProgressRow(0, "greedy@1", done, done / 2, 0, suspended=False, deaths=0)]
    return Watched(row, totals, lines, [], ["the sandbox does not start"] if failed else [])


def play(
    moments: Sequence[Watched], monkeypatch: pytest.MonkeyPatch, *, step_s: float
) -> tuple[str, Watched]:
    """Watch moments go by, `step_s` apart, on a pipe; return what was printed and the last one."""
    now = [0.0]

    def sleep(_: float) -> None:
        now[0] += step_s

    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.time, "sleep", sleep)
    passing: Iterator[Watched] = iter(moments)
    err = io.StringIO()
    last = watch(
        Terminal(io.StringIO(), err), lambda: next(passing), find_cause=lambda _: "no worker is running"
    )
    return err.getvalue(), last


def pace_of(*news: tuple[float, int]) -> Pace:
    """Give the pace after these moments and numbers of matches; now is the last moment."""
    now = [0.0]
    pace = Pace(lambda: now[0])
    for now[0], done in news:
        pace.note(done)
    return pace


def test_the_pace_counts_from_the_first_end_that_was_seen() -> None:
    """The long start of the bots is no part of it, nor what was played before the watching began."""
    pace = pace_of((0, 500), (30, 500), (40, 520), (45, 620), (50, 700))

    assert pace.rate == 18
    assert describe(moment(done=600, running=100, leased=1), pace) == (
        "cup: 700 of 1,000 matches (70%), 18 a second, about 17 s left"
    )


def test_no_pace_is_told_too_early() -> None:
    """One or two pieces of news, or a few matches, are no pace."""
    assert pace_of((0, 0), (30, 8)).rate is None
    assert pace_of((0, 0), (30, 8), (31, 100)).rate is None
    assert pace_of((0, 0), (30, 1), (31, 2), (32, 3)).rate is None


def test_the_pace_is_that_of_the_last_minute() -> None:
    """A slow beginning is forgotten, and a standstill is noticed."""
    slow = [(10.0 * n, 10 * n) for n in range(10)]
    fast = [(90 + float(n), 90 + 20 * n) for n in range(1, 90)]
    pace = pace_of(*slow, *fast)

    assert pace.rate == pytest.approx(20, rel=0.05)
    assert pace_of((0, 0), *((n, 40 * int(n)) for n in (1.0, 2.0, 3.0)), (60, 120)).rate < 2


def test_nothing_is_promised_before_something_was_seen() -> None:
    """Without a rate there is no time left."""
    assert describe(moment(queued=3), Pace()) == "cup: 0 of 1,000 matches (0%)"


@pytest.mark.parametrize("width", [40, 80])
def test_the_live_table_as_it_looks(
    width: int, monkeypatch: pytest.MonkeyPatch, golden: Callable[[str, str], None]
) -> None:
    """Bar, table, jobs and what waits: no line is wider than the terminal, and what has no room is named."""
    monkeypatch.setenv("COLUMNS", str(width))
    job = RunningJobRow(
        id=JobId(7), tournament_id=TournamentId(1), pairing=0, rotation=0, worker="machine-0-4711",
        bots=["colour-keeper@12", "greedy@1"], progress=61, matches=128, decisions=123_456,
        running_s=7.0, lease_left_s=20.0,
    )  # fmt: skip
    lines = [
        EntryProgressRow(0, "colour-keeper-with-a-long-name@12", 700, 400.0, 3, suspended=False, deaths=0),
        EntryProgressRow(1, "greedy@1", 700, 300.5, 0, suspended=True, deaths=4),
    ]
    now = replace(moment(done=639, running=61, leased=1), entries=lines, running=[job])
    console = Console(file=io.StringIO(), width=width)

    with console.capture() as shown:
        console.print(progress._picture(now, pace_of((0, 0), (1, 100), (2, 200), (3, 300)), ""))
        console.print(progress._picture(now, Pace(), "waiting: no worker lives; start some with `arena up`"))

    screen = "\n".join(line.rstrip() for line in shown.get().splitlines())
    assert max(map(len, screen.splitlines())) <= width
    golden(f"live_{width}", f"{screen}\n")


def test_a_pipe_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """One at the beginning, one about every ten seconds, one at the end; each says why nothing happens."""
    moments = [moment(done=done, queued=2) for done in range(0, 1000, 100)]
    text, last = play([*moments, moment(state="finished", done=1000)], monkeypatch, step_s=5)

    lines = text.splitlines()
    assert len(lines) == 6
    assert lines[0].endswith("(0%); no worker is running")
    assert lines[-1] == "cup: 1,000 of 1,000 matches (100%), 20 a second"
    assert last.tournament.state == "finished"


@pytest.mark.parametrize(
    ("full", "said"),
    [
        ("", ""),
        (
            "the disk of .arena is full",
            "waiting: the disk of .arena is full; make room, and it goes on by itself",
        ),
    ],
)
def test_a_full_disk_is_told_although_somebody_plays(full: str, said: str) -> None:
    """Workers keep their jobs while what they played cannot be written: nothing else is asked then."""

    def refuse() -> Status:
        raise AssertionError

    job = RunningJobRow(
        JobId(1), TournamentId(1), 0, ["greedy@1", "random@1"], 0, matches=8, progress=3, decisions=9,
        worker="w", running_s=1.0, lease_left_s=20.0,
    )  # fmt: skip

    assert find_cause(refuse, str, lambda: full, replace(moment(), running=[job])) == said


def test_only_failed_jobs_left_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is named, and the command that tries again."""
    with pytest.raises(UnfinishedError, match=r"2 jobs failed \(the sandbox does not start\)") as error:
        play([moment(done=10, leased=1, failed=2), moment(done=20, failed=2)], monkeypatch, step_s=1)

    assert "arena tournament run cup" in str(error.value)


def test_nobody_waits_for_one_that_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is under way is watched to its end; then it is unfinished, and it says what goes on."""
    lost = replace(JOB, lease_left_s=-1.0)
    passing = [
        replace(moment(done=done, paused=True), running=[each]) for done, each in ((0, JOB), (8, lost))
    ]

    with pytest.raises(UnfinishedError, match=r"^cup is interrupted: `arena tournament run cup` goes on$"):
        play(passing, monkeypatch, step_s=1)


@pytest.mark.parametrize(
    ("of", "blocks", "said"),
    [
        (2, [], "waiting: the workers play jobs of other tournaments first"),
        (1, [], ""),
        (0, [OTHER], ""),
        (0, [OTHER, NOBODY], "waiting: no worker lives; run `up`"),
        (0, [Block("a job of 'cup' failed", "run it", "cup")], "waiting: a job of 'cup' failed; run it"),
    ],
)
def test_what_holds_up_others_is_no_cause(of: int, blocks: list[Block], said: str) -> None:
    """Named is what keeps this one waiting: no other's troubles, and no job of its own meanwhile claimed."""
    running = [replace(JOB, tournament_id=TournamentId(of))] if of else []
    found = Status(
        QueueRow(queued=1, leased=1, failed=0, oldest_queued_s=60.0, oldest_lease_s=1.0),
        [],
        [],
        running,
        blocks,
    )

    assert find_cause(lambda: found, str, str, moment(queued=1)) == said


def test_what_is_over_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament that was interrupted and then cancelled has come to its end."""
    _, last = play([moment(paused=True, state="cancelled")], monkeypatch, step_s=1)

    assert last.tournament.state == "cancelled"
