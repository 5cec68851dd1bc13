"""Scenes in which a hostile bot is at a table: the arena's own driver plays it against a sound one."""

import hashlib
import itertools
import os
import shutil
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stage import reports, until

from arena.botproc.connection import Connection, say_hello
from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.live import LiveBot, PlayedTables
from arena.botproc.process import start_seats
from arena.botproc.tables import make_hello, play_tables
from arena.match.plan import ClockSettings, TablePlan
from arena.rules.match import Match
from arena.rules.options import Ruleset

if TYPE_CHECKING:
    from stage import Stage

CLOCK = ClockSettings(budget_ms=20, bank_ms=20_000, hello_ms=60_000, tables_max=1)
RULES = Ruleset(scoring="single_round")
SETTLED_S = 60.0
"""How long gRPC may take to close what it had open."""


def duel(stage: "Stage", mode: str, bank_ms: int) -> dict[str, Any]:
    """Play one match of a bot that misbehaves at its first turn; tell the verdict and what the arena paid."""
    if not (stage.folder / "misbehave").exists():
        shutil.copytree(Path(os.environ["STAGE_MISBEHAVE"]), stage.folder / "misbehave")
        # What gRPC takes once for a whole process is nobody's fault.
        _play(stage, "sound", 20_000)
    before = _held()
    played, living, _ = _play(stage, mode, bank_ms)
    after = _held()
    end = time.monotonic() + SETTLED_S
    while after[1] > before[1] and time.monotonic() < end:
        time.sleep(0.02)  # gRPC closes a connection in threads of its own
        after = (after[0], _held()[1])
    ((_, result),) = played.finished
    (fault,) = result.faults
    return {
        "kind": str(fault.kind),
        "seat": fault.seat,
        "places": list(result.places),
        "deaths": [str(death.fault.kind) for death in played.deaths],
        "evidence": fault.evidence.detail,
        "limit_ms": fault.evidence.limit_ms,
        "charged_ms": fault.evidence.wall_ms,
        "opponent_us": result.seats[1].wall_us,
        "opponent_asked": result.seats[1].decisions,
        "exit": [fault.evidence.exit_code, fault.evidence.exit_signal],
        "stderr": fault.evidence.stderr_tail[-500:],
        "living": living,
        "grown_bytes": after[0] - before[0],
        "more_descriptors": after[1] - before[1],
    }


def full_house(stage: "Stage") -> dict[str, Any]:
    """Play a bot that asks for processes without end and answers all the same."""
    shutil.copytree(Path(os.environ["STAGE_MISBEHAVE"]), stage.folder / "misbehave", dirs_exist_ok=True)
    played, living, counts = _play(stage, "full-house", 60_000)
    ((_, result),) = played.finished
    return {
        "counts": counts,
        "kinds": [str(fault.kind) for fault in result.faults],
        "evidence": [fault.evidence.detail for fault in result.faults],
        "places": list(result.places),
        "living": living,
    }


def stopped(stage: "Stage") -> dict[str, Any]:
    """Play a bot that stops this very process in the middle of its turn, for longer than the bank holds."""
    shutil.copytree(Path(os.environ["STAGE_MISBEHAVE"]), stage.folder / "misbehave", dirs_exist_ok=True)
    began = time.monotonic()
    played, *_ = _play(stage, "stop-arena", 3500)
    ((_, result),) = played.finished
    return {
        "faults": [str(fault.kind) for fault in result.faults],
        "took_ms": round(1000 * (time.monotonic() - began)),
    }


def _play(stage: "Stage", mode: str, bank_ms: int) -> tuple[PlayedTables, list[int], bool]:
    """Play a match against a sound bot.

    Return it, what lives of the first bot if that has ended, and whether it was counted what it was refused.
    """
    orders = []
    for words in ((mode, "1"), ("sound",)):
        order = stage.order("misbehave", limits={"memory_bytes": 400 << 20})
        program = replace(order.program, run=("python3", "bot.py", *words))
        orders.append(replace(order, bundle_dir=stage.folder / "misbehave", program=program))
    plan = TablePlan(0, 0, _first_is_asked_first(), (0, 1), (1, 2))
    with ExitStack() as stack:
        seats = start_seats(stage.sandbox, orders)
        for seat in seats:
            stack.callback(seat.close)
        bots = [LiveBot(f"bot {number}", seat) for number, seat in enumerate(seats)]
        played = play_tables(bots, [plan], replace(CLOCK, bank_ms=bank_ms), RULES)
        first: Any = seats[0]
        living = sorted(first.living()) if first.poll() is not None else []
        group = getattr(first, "_group", None)  # without a sandbox there is none
        return played, living, group is not None and group.counts.refuses_first


def _first_is_asked_first() -> bytes:
    """Return a key of a deal in which the misbehaving bot has the first turn: nobody else is timed."""
    keys = (hashlib.sha256(b"duel %d" % number).digest() for number in itertools.count())
    return next(key for key in keys if Match(RULES, 2, key).seat == 0)


def _held() -> tuple[int, int]:
    """Return this process's peak of memory and its number of open descriptors."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(peak.split()[1]) * 1024, len(list(Path("/proc/self/fd").iterdir()))


def squat(stage: "Stage", kind: str) -> dict[str, Any]:
    """Dial a bot that has put something else where its socket should be; count who reached the victim."""
    place = stage.folder / "victim.sock"
    place.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as victim, stage.seat("squat", kind, str(place)) as seat:
        victim.bind(str(place))
        place.chmod(0o777)
        victim.listen()
        until(lambda: seat.poll() or reports(seat))
        request = make_hello(DEFAULT_LIMITS, CLOCK, RULES, 1000)
        outcome = say_hello(seat, request, 1000, 1 << 16)
        victim.setblocking(False)
        try:
            victim.accept()[0].close()
            visits = 1
        except BlockingIOError:
            visits = 0
        is_open = isinstance(outcome, Connection)
        if isinstance(outcome, Connection):
            outcome.close()
            return {"kind": "connected", "visits": visits}
        return {"kind": str(outcome.kind), "visits": visits, "is_open": is_open, "stderr": seat.stderr().text}


DUELS: dict[str, Callable[..., dict[str, Any]]] = {
    "duel": duel,
    "full_house": full_house,
    "squat": squat,
    "stopped": stopped,
}
