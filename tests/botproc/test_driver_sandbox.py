"""The driver with sandboxed bots: what only a sandbox can tell reaches the verdict."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.botproc.limits import DEFAULT_LIMITS, MIB
from arena.botproc.live import LiveBot, PlayedTables
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seats
from arena.botproc.sandbox import SandboxSettings
from arena.botproc.seat import SeatOrder
from arena.botproc.tables import play_tables
from arena.bundle.pack import load_manifest
from arena.match.fault import FaultKind
from arena.match.plan import ClockSettings, TablePlan
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from tests.fix_live import MISBEHAVE

pytestmark = pytest.mark.needs("root", "setpriv", "memory-cgroup")

CLOCK = ClockSettings(budget_ms=20, bank_ms=30_000, hello_ms=60_000, tables_max=4)
LIMITS = replace(DEFAULT_LIMITS, memory_bytes=96 * MIB)
FOLDER = MISBEHAVE.parent


def _play(stage_cache: Path, tmp_path: Path, *modes: str, matches: int = 4) -> PlayedTables:
    """Play a job of sandboxed bots, one for each mode."""
    sandbox = open_sandbox(SandboxSettings(stage_cache))
    sound = load_manifest(FOLDER)
    orders = []
    for number, mode in enumerate(modes):
        run_dir = tmp_path / f"seat{number}"
        run_dir.mkdir()
        program = replace(sound, run=(*sound.run, *mode.split()))
        orders.append(SeatOrder(FOLDER, program, LIMITS, run_dir))
    order = tuple(range(len(modes)))
    plans = [TablePlan(n, 0, derive(b"test", n), order, order) for n in range(matches)]
    seats = start_seats(sandbox, orders)
    try:
        bots = [LiveBot(mode, seat, LIMITS) for mode, seat in zip(modes, seats, strict=True)]
        return play_tables(bots, plans, CLOCK, Ruleset(scoring="single_round"))
    finally:
        for seat in seats:
            seat.close()


def test_sandboxed_bots_play(stage_cache: Path, tmp_path: Path) -> None:
    """Three bots in their sandboxes play every match; flooding the standard error costs nothing."""
    played = _play(stage_cache, tmp_path, "sound", "flood-stderr", "one-by-one")

    assert len(played.finished) == 4
    assert not played.deaths
    assert not [fault for _, result in played.finished for fault in result.faults]


def test_a_bot_that_passes_its_memory_limit_is_told_so(stage_cache: Path, tmp_path: Path) -> None:
    """The kernel's word comes first: out of memory, not a crash or a lost connection."""
    played = _play(stage_cache, tmp_path, "hog-memory 9", "sound")
    (death,) = played.deaths

    assert death.fault.kind is FaultKind.OUT_OF_MEMORY
    assert "MiB were granted" in death.fault.evidence.detail
    assert all(result.places == (2, 1) for _, result in played.finished if result.faults)


def test_a_crash_in_the_sandbox_keeps_its_exit_and_last_words(stage_cache: Path, tmp_path: Path) -> None:
    """Exit status and standard error of the bot itself are the evidence, not those of the sandbox."""
    (death,) = _play(stage_cache, tmp_path, "crash 9", "sound").deaths

    assert death.fault.kind is FaultKind.CRASHED
    assert death.fault.evidence.exit_code == 7
    assert "misbehave: crashing" in death.fault.evidence.stderr_tail
