"""Decisions per second of two bots behind gRPC, in a job pinned to one core, by the number of tables.

    python bench/tables.py                          # sandboxed, 1, 8, 32 and 128 tables, bare messages beside
    python bench/tables.py --runs 5 --json          # for docs/performance.md
    python bench/tables.py --sandbox none --tables 1 128 --seconds 2

`arena` is the whole thing: engine, referee, clocks, records, codec, gRPC, bots with the SDK. `bare` is
the same messages, taken from matches, built field by field, sent, parsed and answered with the first legal
move over the same kind of stream, with nothing else. `echo` is a raw socket that gives a tenth of them back.
All processes share one core, so one decision costs what all of them together spend on it.
"""

import argparse
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.level import Level
from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.link import Arrival
from arena.botproc.live import LiveBot, Progress
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import SeatOrder, SeatProcess
from arena.botproc.tables import play_tables
from arena.bundle.pack import load_manifest
from arena.match.plan import ClockSettings, TablePlan
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import COMPILED
from arena.rules.keys import derive
from arena.rules.options import Ruleset

ROOT = Path(__file__).resolve().parents[1]
MATTEL = Ruleset()
PATIENCE_MS = 20_000
RECORDED = 2_000
"""Turns that the bare messages repeat."""
MATCHES = 4_000
"""Planned for a measurement; it is over long before they are."""


@contextmanager
def two_seats(sandbox: Sandbox, folder: Path, core: int) -> Iterator[list[SeatProcess]]:
    """Start the bot in `folder` twice, on the core."""
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as run_dir:
        os.chmod(run_dir, 0o755)  # noqa: S103, PTH101 (seats run under other user ids)
        orders = []
        for number in range(2):
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
        TablePlan(number, 0, derive(b"bench", number), (0, 1), (2 * number, 2 * number + 1))
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
    core = max(os.sched_getaffinity(0)) if options.core is None else options.core
    os.sched_setaffinity(0, {core})
    cache = Path(tempfile.gettempdir(), f"arena-bench-cache-{os.geteuid()}")
    cache.mkdir(exist_ok=True)
    sandbox = open_sandbox(SandboxSettings(cache), Level(options.sandbox) if options.sandbox else None)
    kinds = {"arena": partial(in_seats, sandbox, core, ROOT / "bots" / options.bot, measure_arena)}
    if not options.no_bare:
        bare = partial(in_seats, sandbox, core, ROOT / "bench" / "bare", measure_bare)
        kinds = {"echo": measure_echo, "bare": bare, **kinds}
    rows: list[dict[str, Any]] = []
    for tables in options.tables:
        for what, measure in kinds.items():
            rows.append(_row(what, tables, options, measure))
            if not options.json:
                sys.stdout.write(f"{_line(rows[-1], rows)}\n")
                sys.stdout.flush()
    if options.json:
        table = {"sandbox": str(sandbox.level), "bot": options.bot, "compiled": COMPILED, "rows": rows}
        sys.stdout.write(json.dumps(table, indent=1) + "\n")


Measured = dict[str, float]


def in_seats(
    sandbox: Sandbox,
    core: int,
    folder: Path,
    measure: Callable[[Sequence[SeatProcess], int, float], Measured],
    tables: int,
    seconds: float,
) -> Measured:
    """Return a measurement in fresh processes."""
    with two_seats(sandbox, folder, core) as seats:
        return measure(seats, tables, seconds)


def _row(
    what: str, tables: int, options: argparse.Namespace, measure: Callable[[int, float], Measured]
) -> dict[str, Any]:
    """Measure `--runs` times; keep the median by speed and the spread."""
    runs = sorted(
        (measure(tables, options.seconds) for _ in range(options.runs)), key=lambda run: run["per_second"]
    )
    speeds = [run["per_second"] for run in runs]
    return {
        "what": what,
        "tables": tables,
        **runs[len(runs) // 2],
        "slowest": speeds[0],
        "fastest": speeds[-1],
    }


def _line(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
    """Return a row as text, with the ratios that matter."""
    first = next(other for other in rows if other["what"] == row["what"])
    text = f"{row['what']:6} {row['tables']:4} tables {row['per_second']:10,.0f} decisions/s"
    text += f"  {row['per_second'] / first['per_second']:5.1f} x {first['tables']} table"
    if "arena_us" in row:
        text += f"  arena {row['arena_us']:6.1f} us + bots {row['bots_us']:6.1f} us a decision"
    bare = [other for other in rows if other["what"] == "bare" and other["tables"] == row["tables"]]
    if row["what"] == "arena" and bare:
        text += f"  1/{bare[0]['per_second'] / row['per_second']:.2f} of bare"
    if row["slowest"] != row["fastest"]:
        text += f"  ({row['slowest']:,.0f} to {row['fastest']:,.0f})"
    return text


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 32, 128])
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument(
        "--runs", type=int, default=1, help="of each row; the median is shown with the spread"
    )
    parser.add_argument("--bot", default="first-legal", help="folder under bots/")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    parser.add_argument("--core", type=int, help="default the last one")
    parser.add_argument("--no-bare", action="store_true", help="measure the arena alone")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
