"""The attack on a sandbox: a canary is started in it, tries to get out, and is looked at from outside.

Owns what is tried and how the outcome is read; what has to come of each attempt is said by
`arena.botproc.promises`. Which sandboxes are attacked, and what follows, is decided in `arena.botproc.probe`.
"""

import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.process import start_seats
from arena.botproc.promises import PROC_SHOWN, broken_promises
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import SeatOrder
from arena.botproc.walled import WalledSeat
from arena.errors import ArenaError, PlatformError

CANARY = Path(__file__).resolve().parent / "canary"
PATIENCE_S = 20.0
REFUSED_S = 3.0
"""So long the socket's place may be closed to the arena while the sandbox is set up."""
UNSEEN = "the arena may not look into the sandbox, which takes the capabilities SYS_PTRACE and DAC_OVERRIDE"
FIRST_STRANGE_PID = 16
"""A sandbox numbers its processes from 1, and the canary starts none that stays."""


@dataclass(frozen=True, slots=True)
class _CanaryProgram:
    """The canary as a program to start."""

    run: tuple[str, ...]
    name: str = "canary"
    runtime: str = "python"
    needs_proc: bool = False
    needs_tmp: bool = False


def attack(sandbox: Sandbox, *, has_proc: bool = False) -> list[str]:
    """Start the canary in a sandbox and return a sentence for each promise that was broken.

    With a /proc, as the Java virtual machine needs one, it must start just so: where something is mounted
    over a part of the machine's own, the kernel refuses ordinary users a new one.
    """
    with tempfile.TemporaryDirectory(prefix="arena-probe-") as folder:
        secret = Path(folder) / "secret"
        secret.write_text(os.urandom(16).hex(), encoding="ascii")
        secret.chmod(0o644)
        Path(folder).chmod(0o755)
        # Users of seats may not reach the arena's own sources.
        bundle = Path(folder) / "bundle"
        shutil.copytree(CANARY, bundle, ignore=shutil.ignore_patterns("__pycache__"))
        with (
            socket.create_server(("127.0.0.1", 0)) as listener,
            socket.socket(socket.AF_UNIX) as abstract,
            socket.socket(socket.AF_UNIX) as named,
            _stranger() as stranger,
        ):
            port = listener.getsockname()[1]
            abstract.bind(f"\0arena-probe-{stranger}-{port}")
            abstract.listen()
            named.bind(f"{folder}/socket")
            named.listen()
            Path(folder, "socket").chmod(0o777)
            run = ("python3", "bot.py", folder, str(port), str(stranger))
            program = _CanaryProgram(run, needs_proc=has_proc)
            try:
                broken = _attack_once(
                    sandbox, SeatOrder(bundle, program, DEFAULT_LIMITS, Path(folder) / "run")
                )
            except (ArenaError, OSError, ValueError) as error:
                return [str(error)]
            reached = {"tcp": listener, "abstract socket": abstract, "named socket": named}
            return broken + [
                f"{name}: the canary reached a listener of this machine"
                for name, server in reached.items()
                if _was_visited(server)
            ]


@contextmanager
def _stranger() -> Iterator[int]:
    """Give a process of this machine whose number no process of a sandbox can have, too.

    In a container the arena itself may be number 2; in a sandbox the canary is.
    """
    with ExitStack() as stack:
        pid = os.getpid()
        while pid < FIRST_STRANGE_PID:
            sleeper = subprocess.Popen(["sleep", str(10 * PATIENCE_S)], env={}, stdin=subprocess.DEVNULL)
            stack.callback(sleeper.wait)
            stack.callback(sleeper.kill)
            pid = sleeper.pid
        yield pid


def _was_visited(server: socket.socket) -> bool:
    server.setblocking(False)
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _attack_once(sandbox: Sandbox, order: SeatOrder) -> list[str]:
    seat = start_seats(sandbox, [order])[0]
    assert isinstance(seat, WalledSeat)
    with closing(seat):
        report = _dial(seat)
        if report is None:
            end = seat.poll()
            words = seat.stderr().text.strip().replace("\n", "; ")
            return [f"the canary did not answer ({end or 'alive'}): {words[:500] or 'no message'}"]
        shown = PROC_SHOWN if order.program.needs_proc else {}
        broken = broken_promises(report, DEFAULT_LIMITS, sandbox.level, shown) + inspect(seat)
        seat.kill()
        if seat.poll() is None or seat.living():
            broken.append("kill: something of the canary lives on")
        return broken


def inspect(seat: WalledSeat) -> list[str]:
    """Look at a running seat from outside and return a sentence for each wall that does not stand."""
    inside = seat.tree.processes()
    if not inside:
        return ["tree: no process of the seat can be seen"]
    broken = []
    if seat.grouped() and not set(inside) <= seat.grouped():
        broken.append("groups: a process of the seat is outside its control group")
    if seat.owner_uid == 0:
        broken.append("user: the seat runs as root")
    for pid in inside:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        status = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
        if set(status["Uid"].split()) != {str(seat.owner_uid)}:
            broken.append(f"user: a process of the seat runs as {status['Uid']}, not {seat.owner_uid}")
        if int(status["CapEff"], 16) or int(status["CapPrm"], 16):
            broken.append("capabilities: a process of the seat has some")
        if status["Seccomp"] != "2" or status["NoNewPrivs"] != "1":
            broken.append("filter: a process of the seat has none")
    return broken


def _dial(seat: WalledSeat) -> dict[str, str] | None:
    """Ask the canary for its report as the arena asks a bot; None when it never listens.

    Raises:
        PlatformError: The arena may not see what the canary makes.
    """
    began = time.monotonic()
    end, is_refused = began + PATIENCE_S, False
    while time.monotonic() < end and seat.poll() is None:
        try:
            place = os.open(seat.socket_path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except PermissionError as error:
            if is_refused and time.monotonic() > began + REFUSED_S:
                raise PlatformError(f"{UNSEEN}: {error.strerror}") from error
            is_refused = True
            time.sleep(0.002)
            continue
        except OSError:
            is_refused = False
            time.sleep(0.002)
            continue
        try:
            status = os.fstat(place)
            if not stat.S_ISSOCK(status.st_mode) or status.st_uid != seat.owner_uid:
                return {"listens": f"not a socket of the seat's user {seat.owner_uid}"}
            with socket.socket(socket.AF_UNIX) as caller:
                caller.settimeout(PATIENCE_S)
                caller.connect(f"/proc/self/fd/{place}")
                return _read_report(caller)
        except ConnectionRefusedError:
            time.sleep(0.002)
        finally:
            os.close(place)
    return None


def _read_report(caller: socket.socket) -> dict[str, str]:
    text = b""
    while data := caller.recv(65536):
        text += data
    found = json.loads(text)
    return {str(name): str(value) for name, value in found.items()}
