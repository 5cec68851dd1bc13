"""Decisions per second of two bots behind gRPC, in a job pinned to one core, by the number of tables.

    python bench/tables.py                          # sandboxed, 1, 8, 32 and 128 tables, five runs
    python bench/tables.py --sandbox none --tables 1 128 --seconds 1

`arena` is the whole thing: engine, referee, clocks, records, codec, gRPC, bots with the SDK. `bare` is
the same messages, taken from matches, built field by field, sent, parsed and answered with the first legal
move over the same kind of stream, with nothing else. `echo` is a raw socket that gives a tenth of them back.
All processes share one core, so one decision costs what all of them together spend on it. Each run measures
everything once, and ratios are taken within a run; those of processor time do not depend on what else runs.
"""

import argparse
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from rows import Row, parser_of, show

from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.level import Level
from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.link import Arrival
from arena.botproc.live import LiveBot, PlayedTables, Progress
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import SeatOrder, SeatProcess
from arena.botproc.tables import play_tables
from arena.bundle.pack import load_manifest
from arena.match.plan import ClockSettings, TablePlan
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import ENGINE
from arena.rules.keys import derive
from arena.rules.options import Ruleset

ROOT = Path(__file__).resolve().parents[1]
MATTEL = Ruleset()
PATIENCE_MS = 20_000
RECORDED = 2_000
"""Turns that the bare messages repeat."""
MATCHES = 4_000
"""Planned for a measurement; it is over long before they are."""


def open_pinned(level: str | None, core: int | None = None) -> tuple[Sandbox, int]:
    """Pin this process to a core, the last one by default; open the sandbox, the best level by default."""
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    cache = Path(tempfile.gettempdir(), f"arena-bench-cache-{os.geteuid()}")
    cache.mkdir(exist_ok=True)
    return open_sandbox(SandboxSettings(cache), Level(level) if level else None), core


@contextmanager
def start_bots(sandbox: Sandbox, folder: Path, core: int, count: int) -> Iterator[list[SeatProcess]]:
    """Start the bot in `folder` so many times, on the core."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as run_dir:
        os.chmod(run_dir, 0o755)  # noqa: S103, PTH101 (seats run under other user ids)
        orders = []
        for number in range(count):
            seat_dir = Path(run_dir, f"seat{number}")
            seat_dir.mkdir()
            orders.append(SeatOrder(folder, load_manifest(folder), DEFAULT_LIMITS, seat_dir, core))
        seats = start_seats(sandbox, orders)
        try:
            yield seats
        finally:
            for seat in seats:
                seat.close()


def measure_arena(seats: Sequence[SeatProcess], tables: int, seconds: float) -> dict[str, float]:
    """Play matches for `seconds`; return decisions per second, and who spent what on each."""
    plans = [
        TablePlan(number, 0, derive(b"bench", number), tuple(range(len(seats))), tuple(range(len(seats))))
        for number in range(MATCHES)
    ]
    marks: list[tuple[float, int, float, list[int]]] = []

    def mark(progress: Progress) -> None:
        cpu = [seat.cpu_ns() for seat in seats]
        marks.append((time.perf_counter(), progress.decisions, time.process_time(), cpu))

    def stop() -> bool:
        return len(marks) > 1 and marks[-1][0] - marks[0][0] > seconds

    clock = ClockSettings(tables_max=tables, hello_ms=PATIENCE_MS, stop_s=0.0)
    bots = [LiveBot(f"bot {number}", seat) for number, seat in enumerate(seats)]
    played = play_tables(bots, plans, clock, MATTEL, on_progress=mark, should_stop=stop)
    faults = [str(fault) for _, result in played.finished for fault in result.faults]
    if faults:
        raise SystemExit(f"a bot failed in the bench: {faults[0]}")
    begin, end = marks[0], marks[-2]
    decisions = end[1] - begin[1]
    bots_ns = sum(end[3]) - sum(begin[3])
    return {
        "per_second": decisions / (end[0] - begin[0]),
        "arena_us": (end[2] - begin[2]) / decisions * 1e6,
        "bots_us": bots_ns / 1e3 / decisions,
    }


def play_matches(seats: Sequence[SeatProcess], tables: int, matches: int) -> tuple[PlayedTables, int]:
    """Play matches to their end; return what came of them, and how many decisions were asked."""
    decisions = 0

    def count(progress: Progress) -> None:
        nonlocal decisions
        decisions = progress.decisions

    order = tuple(range(len(seats)))
    plans = [TablePlan(number, 0, derive(b"bench", number), order, order) for number in range(matches)]
    bots = [LiveBot(f"bot {number}", seat) for number, seat in enumerate(seats)]
    clock = ClockSettings(tables_max=tables, hello_ms=PATIENCE_MS)
    played = play_tables(bots, plans, clock, MATTEL, on_progress=count)
    faults = [str(fault) for _plan, result in played.finished for fault in result.faults]
    if faults:
        raise SystemExit(f"a bot failed in the bench: {faults[0]}")
    return played, decisions


def record_turns() -> list[dict[str, Any]]:
    """Return the turns of a match as the fields that build them again."""
    turns: list[dict[str, Any]] = []

    def bot(batch: pb.Turns) -> pb.Answers:
        for turn in batch.turns:
            fields = {descriptor.name: value for descriptor, value in turn.ListFields()}
            turns.append(
                {name: list(value) if hasattr(value, "extend") else value for name, value in fields.items()}
            )
        said = [
            pb.Answer(table=turn.table, question=turn.question, index=0, uno=True) for turn in batch.turns
        ]
        return pb.Answers(answers=said)

    number = 0
    while len(turns) < RECORDED:
        play_messages(MATTEL, derive(b"bench", number), [bot, bot])
        number += 1
    return turns


def measure_bare(seats: Sequence[SeatProcess], tables: int, seconds: float) -> dict[str, float]:
    """Exchange bare messages for `seconds`, with one bot after the other."""
    turns = record_turns()
    links = []
    for seat in seats:
        link = say_hello(seat, pb.HelloRequest(), PATIENCE_MS, message_limit(tables))
        if not isinstance(link, Connection):
            raise SystemExit(f"the bare bot did not start: {link.detail}")
        links.append(link)
    decisions = place = 0
    began = time.perf_counter()
    cpu = time.process_time()
    used = sum(seat.cpu_ns() for seat in seats)
    while time.perf_counter() - began < seconds:
        link = links[decisions // tables % 2]
        message = pb.Turns()
        for _ in range(tables):
            message.turns.add(**turns[place])
            place = (place + 1) % len(turns)
        link.send(message.SerializeToString())
        answered = 0
        while answered < tables:
            got = link.receive(PATIENCE_MS / 1000)
            if not isinstance(got, Arrival):
                raise SystemExit(f"the bare bot failed: {got}")
            for answer in pb.Answers.FromString(got.data).answers:
                answered += (
                    answer.table >= 0 and answer.question > 0 and answer.WhichOneof("choice") == "index"
                )
        decisions += tables
    took = time.perf_counter() - began
    cpu = time.process_time() - cpu
    used = sum(seat.cpu_ns() for seat in seats) - used
    for link in links:
        link.finish(1.0)
        link.close()
    return {
        "per_second": decisions / took,
        "arena_us": cpu / decisions * 1e6,
        "bots_us": used / 1e3 / decisions,
    }


def measure_echo(tables: int, seconds: float) -> dict[str, float]:
    """Send as many bytes over a socket to a forked process that gives a tenth of them back."""
    turns = record_turns()[:tables]
    message = pb.Turns()
    for turn in turns:
        message.turns.add(**turn)
    data = message.SerializeToString()
    reply = b"x" * (len(data) // 10 or 1)
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        while theirs.recv(len(data), socket.MSG_WAITALL):
            theirs.sendall(reply)
        os._exit(0)
    theirs.close()
    decisions = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        ours.sendall(data)
        ours.recv(len(reply), socket.MSG_WAITALL)
        decisions += tables
    took = time.perf_counter() - began
    ours.close()
    os.waitpid(child, 0)
    return {"per_second": decisions / took}


def main() -> None:
    """Measure and print."""
    options = _options()
    sandbox, core = open_pinned(options.sandbox, options.core)
    kinds: dict[str, Callable[[int, float], Measured]] = {
        "arena": partial(in_seats, sandbox, core, ROOT / "bots" / options.bot, measure_arena, options.seats),
        "bare": partial(in_seats, sandbox, core, ROOT / "bench" / "bare", measure_bare, 2),
        "echo": measure_echo,
    }
    if options.only_arena:
        kinds = {"arena": kinds["arena"]}
    runs = [
        {
            (kind, tables): measure(tables, options.seconds)
            for tables in options.tables
            for kind, measure in kinds.items()
        }
        for _ in range(options.runs)
    ]
    if not options.json:
        sys.stdout.write(f"level {sandbox.level}, {ENGINE}, bot {options.bot}\n{_details(runs)}\n")
    show(_rows(runs, options), as_json=options.json)


Measured = dict[str, float]
Run = dict[tuple[str, int], Measured]
"""What one run measured, by kind and number of tables."""


def in_seats(
    sandbox: Sandbox,
    core: int,
    folder: Path,
    measure: Callable[[Sequence[SeatProcess], int, float], Measured],
    bots: int,
    tables: int,
    seconds: float,
) -> Measured:
    """Return a measurement in fresh processes."""
    with start_bots(sandbox, folder, core, bots) as seats:
        return measure(seats, tables, seconds)


def _details(runs: Sequence[Run]) -> str:
    """Return the medians of everything that was measured."""
    lines = [f"{'':10} {'decisions/s':>12} {'arena us':>9} {'bots us':>9}   (processor time a decision)"]
    for kind, tables in sorted(runs[0]):
        figures = [run[kind, tables] for run in runs]
        names = figures[0].keys()
        median = {name: statistics.median(figure[name] for figure in figures) for name in names}
        cpu = f"{median['arena_us']:9.1f} {median['bots_us']:9.1f}" if "arena_us" in median else ""
        lines.append(f"{kind:6} {tables:3} {median['per_second']:12,.0f} {cpu}")
    return "\n".join(lines)


def _rows(runs: Sequence[Run], options: argparse.Namespace) -> list[Row]:
    """Return the rows of the goals: against one table, against the bare messages, against the echo."""
    repeat = f"python bench/tables.py --runs {options.runs}"
    speeds = {
        tables: statistics.median(run["arena", tables]["per_second"] for run in runs)
        for tables in options.tables
    }
    best, one = max(speeds, key=lambda tables: speeds[tables]), min(speeds)

    def row(what: str, against: str, ratios: Sequence[float], **goal: Any) -> Row:
        return Row(f"arena, {best} tables, {what}", against, "x", ratios, repeat, **goal)

    def speed(run: Run, kind: str, tables: int) -> float:
        return run[kind, tables]["per_second"]

    def cpu_us(run: Run, kind: str, tables: int) -> float:
        return run[kind, tables]["arena_us"] + run[kind, tables]["bots_us"]

    alone = f"{one} table" if one == 1 else f"{one} tables"
    rows = [
        Row(f"arena, {best} tables", "", "decisions/s", [speed(run, "arena", best) for run in runs], repeat),
        row(
            "decisions/s",
            alone,
            [speed(r, "arena", best) / speed(r, "arena", one) for r in runs],
            goal=6,
            aim=10,
        ),
        row("processor time", alone, [cpu_us(r, "arena", one) / cpu_us(r, "arena", best) for r in runs]),
    ]
    if not options.only_arena:
        within: dict[str, Any] = {"goal": 2, "aim": 1.3, "is_limit": True}
        wall = [speed(r, "bare", best) / speed(r, "arena", best) for r in runs]
        cpu = [cpu_us(r, "arena", best) / cpu_us(r, "bare", best) for r in runs]
        echo = [speed(r, "echo", best) / speed(r, "arena", best) for r in runs]
        rows += [
            row("wall time", "bare messages", wall, **within),
            row("processor time", "bare messages", cpu, **within),
            row("wall time", "a raw echo", echo),
        ]
    return rows


def _options() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement")
    parser.add_argument("--seats", type=int, default=2, help="of each table, one bot a seat")
    parser.add_argument("--bot", default="first-legal", help="folder under bots/")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    parser.add_argument("--core", type=int, help="default the last one")
    parser.add_argument("--only-arena", action="store_true", help="neither bare messages nor the echo")
    return parser.parse_args()


if __name__ == "__main__":
    main()
