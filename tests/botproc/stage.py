"""A stage for one hostile bot: `stage.py SHAPE SCENE JSON`, a process of its own that tells all as JSON.

It runs as whoever starts it, so the same scenes are played as root and as an ordinary user. It plays the
arena's part with the project's own code; what happened is judged by the tests that start it.
"""

# Printing is how it tells.
# ruff: noqa: T201, PTH208

import contextlib
import json
import os
import resource
import select
import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from arena.botproc.cgroup import SeatGroup
from arena.botproc.level import Level
from arena.botproc.limits import Limits
from arena.botproc.policy import Shape
from arena.botproc.probe import open_sandbox
from arena.botproc.process import SeatOrder, start_seat, start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.sandboxed import SandboxSeat
from arena.bundle.cache import BundleCache
from arena.errors import ArenaError
from arena.match.plan import ClockSettings
from arena.service.bots import read_bundle
from arena.service.check import check_bundle

PATIENCE_S = 60.0


@dataclass(frozen=True)
class Attack:
    """The hostile bot with one attack, as a program."""

    run: tuple[str, ...]
    name: str = "hostile"
    runtime: str = "python"
    needs_proc: bool = False
    needs_tmp: bool = False


class Stage:
    """One sandbox of one shape, and a folder with the bundle."""

    def __init__(self, shape: str, hostile: Path, folder: Path) -> None:
        self.folder = folder
        self.bundle = folder / "bundle"
        shutil.copytree(hostile, self.bundle)
        settings = SandboxSettings(cache_dir=Path(os.environ["STAGE_CACHE"]))
        found = open_sandbox(settings, Level.NONE if shape == "none" else None)
        if shape != "none" and Shape(shape) not in found.shapes:
            raise SystemExit(f"shape {shape} is not proved here: {dict(found.refused)}")
        self.sandbox: Sandbox = found if shape == "none" else replace(found, shapes=(Shape(shape),))

    def order(
        self, attack: str, *arguments: str, limits: dict[str, int] | None = None, **needs: bool
    ) -> SeatOrder:
        """Order a hostile bot."""
        python = str(needs.pop("python", "python3"))
        program = Attack((python, "bot.py", attack, *map(str, arguments)), **needs)
        run_dir = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        return SeatOrder(self.bundle, program, Limits(**(limits or {})), run_dir)

    @contextlib.contextmanager
    def seat(self, attack: str, *arguments: str, **more: object) -> Iterator[SandboxSeat]:
        """Run a hostile bot."""
        seat = start_seats(self.sandbox, [self.order(attack, *arguments, **more)])[0]  # type: ignore[arg-type]
        try:
            yield seat  # type: ignore[misc]
        finally:
            seat.close()


def reports(seat: SandboxSeat) -> list[dict[str, object]]:
    """Return the lines of JSON that the bot has written so far."""
    found = []
    for line in seat.stderr().text.splitlines():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return found


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition; the test fails when it never comes."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the scene did not go on")
        time.sleep(0.005)


def outcome(seat: SandboxSeat) -> dict[str, object]:
    """Kill the bot and tell everything about it."""
    killed = seat.kill()
    capture = seat.stderr()
    return {
        "exit": str(killed),
        "code": killed.code,
        "signal": killed.signal,
        "out_of_memory": killed.out_of_memory,
        "reports": reports(seat),
        "stderr": capture.text[-2000:],
        "total_bytes": capture.total_bytes,
        "kept": len(capture.text),
        "truncated": capture.truncated,
        "living": sorted(seat.living()) if hasattr(seat, "living") else [],
        "of_user": processes_of(seat.owner_uid) if seat.owner_uid != os.getuid() else [],
    }


def processes_of(uid: int) -> list[int]:
    """Return all processes of a user."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # What is dead and waits for the machine's first process to notice is not counted.
            is_dead = "\nState:\tZ" in (folder / "status").read_text()
            if folder.stat().st_uid == uid and not is_dead:
                found.append(int(folder.name))
    return found


def leftovers(stage: Stage) -> list[str]:
    """Return groups of arenas that are dead."""
    hosts = stage.sandbox.cgroups
    places = {hosts.memory, hosts.pids, hosts.cpu, hosts.cpuacct, hosts.freezer, hosts.unified} - {None}
    found = [folder for place in places for folder in Path(str(place)).glob("arena-seat-*")]
    return [str(folder) for folder in found if not Path("/proc", folder.name.split("-")[3]).exists()]


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


def to_the_report(stage: Stage, attack: str, *arguments: str, **more: object) -> dict[str, object]:
    """Run an attack until the bot says something or exits, then kill it."""
    with stage.seat(attack, *arguments, **more) as seat:
        until(lambda: seat.poll() or reports(seat))
        return outcome(seat)


def deaf_to_oom(stage: Stage) -> dict[str, object]:
    """Let twenty children share a bomb where the kernel does not tell about it, as newer ones may not."""
    SeatGroup._listen = lambda _self, _folder: -1  # type: ignore[method-assign]
    return to_the_end(stage, "family_bomb")


def fork_bomb(stage: Stage) -> dict[str, object]:
    """Count the processes of a fork bomb once it has hit the wall."""
    with stage.seat("fork_bomb") as seat:
        until(lambda: reports(seat))
        most = max(len(seat.living()) for _ in range(50))
        return outcome(seat) | {"most": most}


def frozen(stage: Stage) -> dict[str, object]:
    """Freeze two spinning processes, look at their clock, let them go on."""
    with stage.seat("spin") as seat:
        until(lambda: len(seat.tree.processes()) == 2 and seat.cpu_ns())
        seat.freeze()
        seat.freeze()
        # A freeze takes hold when a process next enters the kernel; the clock stands still from then on.
        spend(0.02)
        before = seat.cpu_ns()
        spend(0.1)
        during = seat.cpu_ns() - before
        seat.thaw()
        until(lambda: seat.cpu_ns() > before + 10_000_000)
        seat.freeze()
        return outcome(seat) | {"during_ns": during}


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


def visits(listener: socket.socket) -> int:
    """Count connections that came."""
    listener.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count


def neighbours(stage: Stage) -> dict[str, object]:
    """Let one bot look for another's socket and the host's."""
    path = stage.folder / "host.sock"
    name = f"arena-test-{os.getpid()}"
    with (
        socket.socket(socket.AF_UNIX) as plain,
        socket.socket(socket.AF_UNIX) as abstract,
        stage.seat("serve") as victim,
    ):
        plain.bind(str(path))
        path.chmod(0o777)
        plain.listen()
        abstract.bind("\0" + name)
        abstract.listen()
        until(lambda: reports(victim))
        places = [str(path), str(victim.socket_path), "/run/seat/../seat/bot.sock"]
        result = to_the_end(stage, "neighbours", name, *places)
        return result | {"visits": visits(plain) + visits(abstract), "victim": reports(victim)}


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
    other.mkdir()
    (other / "bot.py").write_text(f"# {token}", encoding="ascii")
    places = [str(planted), str(other / "bot.py"), "/etc/shadow", "/root", "/home", str(stage.folder)]
    result = to_the_end(stage, "search", *places, needs_proc=proc)
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
        return to_the_end(stage, "descriptors")


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


SCENES: dict[str, Callable[..., dict[str, object]]] = {
    function.__name__: function
    for function in (
        *(
            to_the_end,
            to_the_end_or_refusal,
            to_the_report,
            deaf_to_oom,
            fork_bomb,
            frozen,
            flood,
            network,
            neighbours,
            scribble,
            secrets,
        ),
        *(descriptors, dead_thread, hold, many, on_core, check_game),
    )
}


def main() -> None:
    """Play one scene."""
    shape, scene, arguments = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    folder = Path(tempfile.mkdtemp(prefix="arena-stage-"))
    folder.chmod(0o755)
    try:
        stage = Stage(shape, Path(os.environ["STAGE_HOSTILE"]), folder)
        result = SCENES[scene](stage, *arguments.pop("args", []), **arguments)
        result["leftovers"] = leftovers(stage)
        result["level"] = str(stage.sandbox.level)
        result["bounds_memory"] = stage.sandbox.cgroups.bounds_memory
        print(json.dumps(result))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
