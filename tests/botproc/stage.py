"""A stage for hostile bots: a sandbox of one shape, a folder with the bundle, and what is seen from outside.

What is played on it is in `scenes`, `beside` and `duels`; `play_scenes` is the process that plays it.
"""

import contextlib
import json
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from arena.botproc.level import Level
from arena.botproc.limits import Limits
from arena.botproc.policy import Shape
from arena.botproc.probe import open_sandbox
from arena.botproc.process import SeatOrder, start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.sandboxed import SandboxSeat

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
        if shape == "landlock" and found.level is not Level.LANDLOCK:
            raise SystemExit(f"a container without namespaces has level {found.level}")
        if shape in {"none", "landlock"}:
            self.sandbox: Sandbox = found
            return
        if Shape(shape) not in found.shapes:
            raise SystemExit(f"shape {shape} is not proved here: {dict(found.refused)}")
        self.sandbox = replace(found, shapes=(Shape(shape),))

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
        "usage": asdict(seat.usage()),
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


def to_the_report(stage: Stage, attack: str, *arguments: str, **more: object) -> dict[str, object]:
    """Run an attack until the bot says something or exits, then kill it."""
    with stage.seat(attack, *arguments, **more) as seat:
        until(lambda: seat.poll() or reports(seat))
        return outcome(seat)


def visits(listener: socket.socket) -> int:
    """Count connections that came."""
    listener.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count


def leftovers(stage: Stage) -> list[str]:
    """Return groups of arenas that are dead."""
    hosts = stage.sandbox.cgroups
    places = {hosts.memory, hosts.pids, hosts.cpu, hosts.cpuacct, hosts.freezer, hosts.unified} - {None}
    found = [folder for place in places for folder in Path(str(place)).glob("arena-seat-*")]
    return [str(folder) for folder in found if not Path("/proc", folder.name.split("-")[3]).exists()]
