"""Starting bots: the one door, whatever the level of isolation.

Refuses to be called from any thread but the main one: the kernel ties "die with the parent" to the thread
that started the child, and would kill a bot when that thread ends.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.botproc.landlocked import LandlockSeat
from arena.botproc.level import Level
from arena.botproc.limits import Limits
from arena.botproc.plain import PlainSeat
from arena.botproc.runtimes import find_runtime
from arena.botproc.sandbox import Sandbox
from arena.botproc.sandboxed import SandboxSeat
from arena.botproc.seat import Program, SeatOrder, SeatProcess
from arena.errors import PlatformError

if TYPE_CHECKING:
    from arena.botproc.walled import WalledSeat


def start_seat(
    sandbox: Sandbox,
    bundle_dir: Path,
    program: Program,
    limits: Limits,
    run_dir: Path,
    core: int | None = None,
) -> SeatProcess:
    """Start one bot; see `start_seats`."""
    return start_seats(sandbox, [SeatOrder(bundle_dir, program, limits, run_dir, core)])[0]


def start_seats(sandbox: Sandbox, orders: Sequence[SeatOrder]) -> list[SeatProcess]:
    """Start bots side by side; all run when it returns, or none does.

    Raises:
        PlatformError: The machine could not do it; the same order can be tried again.
        UsageError: A bot asks for a runtime that nobody knows.
    """
    if threading.current_thread() is not threading.main_thread():
        raise PlatformError("bots must be started from the main thread, whose end is their end")
    started: list[WalledSeat | PlainSeat] = []
    try:
        for order in orders:
            runtime = find_runtime(order.program.runtime, sandbox.settings.cache_dir)
            if sandbox.level is Level.NONE:
                started.append(PlainSeat(order, runtime))
            elif sandbox.level is Level.LANDLOCK:
                started.append(LandlockSeat(sandbox, order, runtime))
            else:
                started.append(SandboxSeat(sandbox, order, runtime))
        for seat in started:
            seat.release()
    except BaseException as error:
        for seat in started:
            seat.close()
        if isinstance(error, OSError):
            raise PlatformError(f"cannot start a bot: {error}") from error
        raise
    return list(started)
