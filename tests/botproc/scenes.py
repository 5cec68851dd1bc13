"""What hostile bots do on the stage, one function a scene; each tells what happened as values for JSON."""

# Printing is how one of them tells.
# ruff: noqa: T201, PTH208

import base64
import json
import os
import resource
import select
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from stage import Stage, outcome, reports, to_the_report, until, visits

from arena.botproc import landlock, policy
from arena.botproc.attack import attack
from arena.botproc.cgroup import SeatGroup
from arena.botproc.counts import MOST_REFUSALS
from arena.botproc.landlocked import LandlockSeat
from arena.botproc.process import start_seat, start_seats
from arena.botproc.sandboxed import SandboxSeat
from arena.botproc.seccomp import ALLOW, filter_program
from arena.bundle.cache import BundleCache
from arena.errors import ArenaError
from arena.match.plan import ClockSettings
from arena.service.bots import read_bundle
from arena.service.check import check_bundle


def to_the_end(stage: Stage, attack: str, *arguments: str, **more: object) -> dict[str, object]:
    """Run an attack until the bot exits."""
    with stage.seat(attack, *arguments, **more) as seat:
        until(seat.poll)
        return outcome(seat)


def to_the_end_or_refusal(stage: Stage, attack: str, *arguments: str, **more: object) -> dict[str, object]:
    """Run an attack, or tell why it was not even started."""
    try:
        return to_the_end(stage, attack, *arguments, **more)
    except ArenaError as error:
        return {"refusal": str(error)}


def deaf_to_oom(stage: Stage) -> dict[str, object]:
    """Let twenty children share a bomb where the kernel does not tell about it, as newer ones may not."""
    listen = SeatGroup._listen
    SeatGroup._listen = lambda _self, _folder: -1  # type: ignore[method-assign]
    try:
        return to_the_end(stage, "family_bomb")
    finally:
        SeatGroup._listen = listen  # type: ignore[method-assign]


MANY = 63
"""Processes of a bot that has all that it may have: one may be the sandbox's own."""


def crowd(stage: Stage, attack: str) -> dict[str, object]:
    """Count the processes of a bot that makes as many as it can, once it has hit the wall; then stop them."""
    # What is to end it is the number of processes, not the memory of so many.
    with stage.seat(attack, limits={"memory_bytes": 1 << 30}) as seat:
        until(lambda: reports(seat) or seat.poll())
        most = max(len(seat.living()) for _ in range(50))
        assert seat._group is not None
        counts = seat._group.counts
        if attack == "fork_bomb":
            until(lambda: not counts.refuses_first or counts.refused() > MOST_REFUSALS)
            until(lambda: seat.usage().processes >= MANY)  # without a group somebody looks now and then
        seat.freeze()
        until(seat.is_still)
        before = seat.cpu_ns()
        spend(0.1)
        found = {
            "most": most,
            "during_ns": seat.cpu_ns() - before,
            "is_bomb": seat.is_bomb(),
            "counts": counts.refuses_first,
            "can_freeze": seat._group.can_freeze,
        }
        return outcome(seat) | found


def frozen(stage: Stage) -> dict[str, object]:
    """Freeze two spinning processes, look at their clock, let them go on."""
    with stage.seat("spin") as seat:
        until(lambda: len(seat.tree.processes()) == 2 and seat.cpu_ns())
        seat.freeze()
        seat.freeze()
        # A freeze takes hold when a process next enters the kernel, which on a busy machine may be a while;
        # the clock stands still from then on.
        until(lambda: not used_within(seat, 0.1))
        before = seat.cpu_ns()
        spend(0.1)
        during = seat.cpu_ns() - before
        seat.thaw()
        until(lambda: seat.cpu_ns() > before + 10_000_000)
        seat.freeze()
        return outcome(seat) | {"during_ns": during}


def used_within(seat: SandboxSeat, seconds: float) -> int:
    """Return the processor time that a bot uses in some seconds."""
    before = seat.cpu_ns()
    spend(seconds)
    return seat.cpu_ns() - before


def spend(seconds: float) -> None:
    """Let time pass in which a bot that is not frozen would run."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        os.sched_yield()


def flood(stage: Stage, mebibytes: int) -> dict[str, object]:
    """Let a bot flood its outputs, and tell how much this process has grown."""
    before = resident()
    result = to_the_end(stage, "flood", str(mebibytes))
    return result | {"grown_bytes": resident() - before}


def resident() -> int:
    """Return this process's memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def network(stage: Stage) -> dict[str, object]:
    """Listen on this machine while a bot tries every way out."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = to_the_end(stage, "network", str(listener.getsockname()[1]))
        return result | {"visits": visits(listener)}


def family(stage: Stage, attack: str) -> dict[str, object]:
    """Let twenty children share a memory bomb; look how many live once somebody has noticed, unasked."""
    with stage.seat(attack) as seat:
        assert seat._watch is not None
        watch = seat._watch
        until(lambda: watch.out_of_memory or seat.poll())
        until(lambda: not seat.living())
        return outcome(seat)


def scribble(stage: Stage) -> dict[str, object]:
    """Compare the bundle before and after."""
    before = snapshot(stage.bundle)
    result = to_the_end(stage, "scribble")
    return result | {"is_same": snapshot(stage.bundle) == before}


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return modes and contents."""
    return {
        str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(folder.rglob("*"))
    }


def secrets(stage: Stage, proc: bool) -> dict[str, object]:
    """Plant secrets where an arena has them, and let a bot read all it can."""
    token = "arena-" + "canary-" + os.urandom(8).hex()
    os.environ["ARENA_DB_PASSWORD"] = token
    planted = stage.folder / "secret"
    planted.write_text(token, encoding="ascii")
    planted.chmod(0o644)
    other = stage.folder / "other-bundle"
    other.mkdir(exist_ok=True)
    (other / "bot.py").write_text(f"# {token}", encoding="ascii")
    places = [str(planted), str(other / "bot.py"), "/etc/shadow", "/root", "/home", str(stage.folder)]
    result = to_the_end_or_refusal(stage, "search", *places, needs_proc=proc)
    del os.environ["ARENA_DB_PASSWORD"]
    return result | {"text_has_token": token in json.dumps(result)}


def descriptors(stage: Stage) -> dict[str, object]:
    """Leave descriptors open that a child would inherit."""
    opened = []
    for _ in range(5):
        number = os.open(__file__, os.O_RDONLY)
        os.set_inheritable(number, True)
        opened.append(number)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.set_inheritable(True)
        result = to_the_end(stage, "descriptors")
    for number in opened:
        os.close(number)
    return result


def dead_thread(stage: Stage) -> dict[str, object]:
    """Try to start a bot from a thread."""
    said: list[str] = []

    def start() -> None:
        order = stage.order("wait_forever")
        try:
            start_seat(stage.sandbox, order.bundle_dir, order.program, order.limits, order.run_dir).close()
        except ArenaError as error:
            said.append(str(error))

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    return {"said": said}


def hold(stage: Stage, count: int) -> dict[str, object]:
    """Start bots side by side, tell their processes, and wait to be killed."""
    seats = start_seats(stage.sandbox, [stage.order("serve") for _ in range(count)])
    for seat in seats:
        until(lambda seat=seat: reports(seat))
    inside = [sorted(seat.living()) for seat in seats]
    print(json.dumps({"inside": inside, "uids": [seat.owner_uid for seat in seats]}), flush=True)
    select.select([], [], [])
    return {}


def many(stage: Stage, count: int) -> dict[str, object]:
    """Start and end bots one after another, and tell what has piled up."""

    def held() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    to_the_end(stage, "leave", "0")
    before = held()
    for _ in range(count):
        to_the_end(stage, "leave", "0")
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return {"before": before, "after": held(), "children": children}


def check_game(stage: Stage, name: str) -> dict[str, object]:
    """Play the check game of a reference bot."""
    bundle = read_bundle(Path(os.environ["STAGE_BOTS"]) / name)
    clock = ClockSettings(budget_ms=200, hello_ms=30_000)
    report = check_bundle(stage.sandbox, BundleCache(stage.folder / "bundles"), bundle, clock=clock)
    return {
        "passed": report.passed,
        "report": str(report),
        "stderr": report.stderr,
        "matches": report.matches,
    }


def on_core(stage: Stage) -> dict[str, object]:
    """Put a bot on this process's last core."""
    core = max(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    seat = start_seats(stage.sandbox, [replace(stage.order("core_number"), core=core)])[0]
    try:
        until(seat.poll)
        is_free = os.sched_getaffinity(0) == before
        return outcome(seat) | {"core": core, "is_free": is_free}  # type: ignore[arg-type]
    finally:
        seat.close()


WEAK: dict[str, Callable[[dict[str, Any]], object]] = {
    "nothing": lambda plan: plan,
    "rules": lambda plan: plan["rules"].append(("/", int(landlock.READ))),
    "writing": lambda plan: plan["rules"].append(("/tmp", int(landlock.EVERY_RIGHT))),
    "files": lambda plan: plan.update(files=int(landlock.Right.MAKE_SYM), rules=[]),
    "filter": lambda plan: plan.update(
        filter=base64.b64encode(struct.pack("<HBBI", 6, 0, 0, ALLOW)).decode()
    ),
    "network": lambda plan: plan.update(filter=_filter(bounds_memory=True)),
    "processes": lambda plan: plan.update(resources=[]),
    "environment": lambda plan: plan["environment"].update(ARENA_DB_PASSWORD="x"),
    "folder": lambda plan: plan["environment"].update(ARENA_ADDRESS="unix:/tmp/other.sock"),
}
"""Walls, and how a plan is made without them."""


def _filter(*, bounds_memory: bool) -> str:
    return base64.b64encode(filter_program(bounds_memory=bounds_memory)).decode()


def weak_walls(stage: Stage) -> dict[str, object]:
    """Attack level landlock with one wall less at a time; tell what the canary found."""
    make, become = LandlockSeat._plan, policy.become
    broken = {}
    for wall, weaken in WEAK.items():

        def plan(seat: LandlockSeat, weaken: Callable[[dict[str, Any]], object] = weaken) -> dict[str, Any]:
            made = make(seat)
            weaken(made)
            return made

        LandlockSeat._plan = plan  # type: ignore[method-assign]
        broken[wall] = attack(stage.sandbox)
    LandlockSeat._plan = make  # type: ignore[method-assign]
    policy.become = lambda setpriv, _uid: [str(setpriv), "--no-new-privs"]
    broken["user"] = attack(stage.sandbox)
    policy.become = become
    return {"broken": broken}


def marks(stage: Stage) -> dict[str, object]:
    """Let one bot look at what all share, another leave its mark, and a third look again."""
    (before,) = to_the_end(stage, "look")["reports"]  # type: ignore[misc]
    (left,) = to_the_end(stage, "mark")["reports"]  # type: ignore[misc]
    (after,) = to_the_end(stage, "look")["reports"]  # type: ignore[misc]
    pairs = zip(before["marks"], after["marks"], strict=True)
    return {
        "left": left,
        "seen": len(before["marks"]),
        "changed": [pair for pair in pairs if len(set(pair)) > 1],
    }


SCENES: dict[str, Callable[..., dict[str, object]]] = {
    function.__name__: function
    for function in (
        *(
            to_the_end,
            to_the_end_or_refusal,
            to_the_report,
            deaf_to_oom,
            family,
            crowd,
            marks,
            weak_walls,
            frozen,
            flood,
            network,
            scribble,
            secrets,
        ),
        *(descriptors, dead_thread, hold, many, on_core, check_game),
    )
}
