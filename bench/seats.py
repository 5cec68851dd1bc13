"""What the benches of live bots begin with: a core, a sandbox, bots in it, and matches for them to play.

Owns what they share. What is measured, and how, is each bench's own.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.botproc.level import Level
from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.live import LiveBot, PlayedTables, Progress
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import SeatOrder, SeatProcess
from arena.botproc.tables import play_tables
from arena.bundle.pack import load_manifest
from arena.match.plan import ClockSettings, TablePlan
from arena.rules.keys import derive
from arena.rules.options import Ruleset

ROOT = Path(__file__).resolve().parents[1]
MATTEL = Ruleset()
PATIENCE_MS = 20_000


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


def plans_of(bots: int, matches: int) -> list[TablePlan]:
    """Return so many matches of all the bots, always in the same seats."""
    order = tuple(range(bots))
    return [TablePlan(number, 0, derive(b"bench", number), order, order) for number in range(matches)]


def expect_no_fault(played: PlayedTables) -> None:
    """End the bench if a bot failed: its figures would mean nothing."""
    faults = [str(fault) for _plan, result in played.finished for fault in result.faults]
    if faults:
        raise SystemExit(f"a bot failed in the bench: {faults[0]}")


def play_matches(seats: Sequence[SeatProcess], tables: int, matches: int) -> tuple[PlayedTables, int]:
    """Play matches to their end; return what came of them, and how many decisions were asked."""
    decisions = 0

    def count(progress: Progress) -> None:
        nonlocal decisions
        decisions = progress.decisions

    bots = [LiveBot(f"bot {number}", seat) for number, seat in enumerate(seats)]
    clock = ClockSettings(tables_max=tables, hello_ms=PATIENCE_MS)
    played = play_tables(bots, plans_of(len(seats), matches), clock, MATTEL, on_progress=count)
    expect_no_fault(played)
    return played, decisions
