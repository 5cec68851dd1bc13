"""One strategy in every language: what the language of a bot costs.

    python bench/bots.py                               # all that can be built here, three runs
    python bench/bots.py --bots colour-keeper-go --seconds 5

Each bot is built, packed and started in its own sandbox as in a tournament. *Start* is from the order to
start it to its first answer; *memory* is what its processes hold after that (their share of what they
share). For the speed two processes of the same bot play each other in a job pinned to one core, with
everything that the arena does itself. The slower side of a match is the one that takes more processor time
for a decision: the bot that answers it, or the arena that asks, plays and records it. Ratios are to the
bot in Python, within a run.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import geteuid, sched_getaffinity, sched_setaffinity
from pathlib import Path

from rows import Row, as_given, parser_of, show
from seats import MATTEL, PATIENCE_MS, ROOT
from streams import measure_arena

from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.level import Level
from arena.botproc.link import Arrival
from arena.botproc.probe import open_sandbox
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import SeatProcess
from arena.bundle.cache import BundleCache
from arena.bundle.pack import pack_folder
from arena.errors import ArenaError
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.service.build import build_bot
from arena.service.seats import Entrant, enter_bundle, running

PYTHON = "colour-keeper"
MANY = 128
MIB = 1024
"""KiB in a MiB."""
QUICK = ("go", "rust", "cpp")
"""Languages whose bot must not be the slower side."""


@dataclass(frozen=True)
class Measured:
    """One bot in one run."""

    start_ms: float
    memory_mib: float
    alone: float
    """Decisions per second at one table."""
    many: float
    """Decisions per second at MANY tables."""
    arena_us: float
    """Processor time of a decision at MANY tables: the arena's."""
    bot_us: float
    """The same: the bot's."""


COLUMNS: dict[str, Callable[[Measured], float]] = {
    "start ms": lambda figure: figure.start_ms,
    "MiB": lambda figure: figure.memory_mib,
    "1 table, /s": lambda figure: figure.alone,
    f"{MANY} tables, /s": lambda figure: figure.many,
    "bot us": lambda figure: figure.bot_us,
    "arena us": lambda figure: figure.arena_us,
}


def first_batch() -> pb.Turns:
    """Return the first message of a match that asks something."""
    batches: list[pb.Turns] = []

    def bot(batch: pb.Turns) -> pb.Answers:
        batches.append(batch)
        answers = [pb.Answer(table=turn.table, question=turn.question, index=0) for turn in batch.turns]
        return pb.Answers(answers=answers)

    play_messages(MATTEL, derive(b"bench", 0), [bot, bot])
    first = next(place for place, batch in enumerate(batches) if batch.turns)
    opened = [table for batch in batches[: first + 1] for table in batch.opened]
    return pb.Turns(opened=opened, turns=batches[first].turns)


def ask_once(seat: SeatProcess, batch: pb.Turns) -> Connection:
    """Say hello, ask one question and wait for its answer; return the open connection."""
    hello = pb.HelloRequest(
        protocol_min=1, protocol_max=1, tables_max=MANY, ruleset=ruleset_message(MATTEL), nonce=b"bench"
    )
    link = say_hello(seat, hello, PATIENCE_MS, message_limit(MANY))
    if not isinstance(link, Connection):
        raise SystemExit(f"a bot did not start: {link.detail}\n{seat.stderr().text}")
    link.send(batch.SerializeToString())
    got = link.receive(PATIENCE_MS / 1000)
    if not isinstance(got, Arrival):
        raise SystemExit(f"a bot did not answer: {got}\n{seat.stderr().text}")
    return link


def held_mib() -> float:
    """Return the memory of all processes below this one; pages that several share are counted in parts."""
    parents: dict[int, int] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # ended meanwhile
            continue
    ours = {int(Path("/proc/self").readlink().name)}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    total = 0
    for pid in ours - {int(Path("/proc/self").readlink().name)}:
        text = Path("/proc", str(pid), "smaps_rollup").read_text()
        total += next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return total / MIB


def measure(sandbox: Sandbox, core: int, entrant: Entrant, batch: pb.Turns, seconds: float) -> Measured:
    """Measure a bot, each figure in fresh processes."""
    began = time.perf_counter()
    with running(sandbox, [entrant], core) as bots:
        link = ask_once(bots[0].process, batch)
        start_ms = (time.perf_counter() - began) * 1000
        memory = held_mib()
        link.finish(1.0)
        link.close()
    speeds = {}
    for tables in (1, MANY):
        with running(sandbox, [entrant, entrant], core) as bots:
            speeds[tables] = measure_arena([bot.process for bot in bots], tables, seconds)
    many = speeds[MANY]
    return Measured(
        start_ms,
        memory,
        speeds[1]["per_second"],
        many["per_second"],
        many["arena_us"],
        many["bots_us"],
    )


def enter(names: Sequence[str], cache: BundleCache) -> dict[str, Entrant]:
    """Build and pack the bots; those that cannot be built here are named and left out."""
    entrants = {}
    for name in names:
        folder = ROOT / "bots" / name
        try:
            build_bot(folder)
            bundle = pack_folder(folder)
            entrants[name] = enter_bundle(cache, name, bundle.digest, lambda data=bundle.data: data)
        except ArenaError as error:
            sys.stderr.write(f"skipped {name}: {str(error).splitlines()[0]}\n")
    return entrants


Run = dict[str, Measured]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__, runs=3)
    known = sorted(path.parent.name for path in (ROOT / "bots").glob(f"{PYTHON}*/bot.toml"))
    parser.add_argument("--bots", nargs="+", default=known, choices=known, metavar="BOT")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement of speed")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    options = parser.parse_args()
    work = Path(tempfile.gettempdir(), f"arena-bench-cache-{geteuid()}")
    work.mkdir(exist_ok=True)
    entrants = enter(list(dict.fromkeys([PYTHON, *options.bots])), BundleCache(work / "bundles"))
    core = max(sched_getaffinity(0))
    sched_setaffinity(0, {core})
    sandbox = open_sandbox(SandboxSettings(work), Level(options.sandbox) if options.sandbox else None)
    batch = first_batch()
    runs = [
        {name: measure(sandbox, core, entrant, batch, options.seconds) for name, entrant in entrants.items()}
        for _ in range(options.runs)
    ]
    if not options.json:
        sys.stdout.write(f"level {sandbox.level}\n{_table(runs)}\n")
    show(_rows(runs, as_given()), as_json=options.json)


def _table(runs: Sequence[Run]) -> str:
    """Return the medians, and in brackets how often the bot in Python has as much."""
    lines = [f"{'':20}" + "".join(f"{column:>20}" for column in COLUMNS)]
    for name in runs[0]:
        cells = []
        for value in COLUMNS.values():
            figure = statistics.median(value(run[name]) for run in runs)
            ratio = statistics.median(value(run[name]) / value(run[PYTHON]) for run in runs)
            cells.append(f"{figure:,.{0 if figure >= 100 else 1}f} ({ratio:.2f}x)".rjust(20))
        lines.append(f"{name:20}" + "".join(cells))
    return "\n".join(lines)


def _rows(runs: Sequence[Run], repeat: str) -> list[Row]:
    """Return a row for each ratio to Python, and the bot's share beside the arena's."""
    rows = []
    for name in runs[0]:
        if name != PYTHON:
            rows += [
                Row(f"{name}, {column}", "Python", "x", ratios, repeat)
                for column, value in COLUMNS.items()
                for ratios in [[value(run[name]) / value(run[PYTHON]) for run in runs]]
            ]
        sides = [run[name].bot_us / run[name].arena_us for run in runs]
        limit = 1.0 if name.removeprefix(f"{PYTHON}-") in QUICK else None
        what = f"{name}, processor time at {MANY} tables"
        rows.append(Row(what, "the arena's own", "x", sides, repeat, goal=limit, is_limit=True))
    return rows


if __name__ == "__main__":
    main()
