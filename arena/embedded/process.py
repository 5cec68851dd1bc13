"""A process that outlives the command which started it, and can be found and stopped by the next one.

Owns the rule by which "running" is known: the process holds an inherited lock on its own lock file, so a
crash, a reboot or a kill -9 frees it without a trace to clean up, and a process number that was given to
somebody else is never mistaken for ours. Refuses to know what the process does.
"""

import fcntl
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.embedded.folder import LOCK_POLL_S, DataFolder, acquire
from arena.embedded.orphans import end_holders
from arena.errors import PlatformError, UsageError

PATIENCE_S = 10.0
"""How long the system may take to end what a killed process left behind: its children hold its lock."""
ORPHANS_S = 2.0
"""How long they have to notice by themselves, before a successor ends them."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How a process is started."""

    command: Sequence[str]
    """Program and arguments."""
    environment: Mapping[str, str]
    """All of its environment."""
    user: int | None = None
    """User and group id to run under, None for our own."""
    folder: Path | None = None
    """Working directory, None for the data folder."""


_children: dict[int, subprocess.Popen[bytes]] = {}
"""What this process started, by number, so that whoever stops it can also reap it; it may outlive us."""


class Service:
    """A named process of a data folder."""

    def __init__(self, folder: DataFolder, name: str) -> None:
        self._folder = folder
        self.name = name
        """Its name in messages, of its log and of its lock file."""
        self.log = folder.logs / f"{name}.log"
        """Where it says what it does."""
        self._lock_path = folder.processes / f"{name}.lock"

    def is_running(self, *, patience_s: float = 0.0) -> bool:
        """Return whether a process holds the lock.

        Args:
            patience_s: How long to wait for what a killed process left behind: its children hold its lock
                until the system has ended them.
        """
        deadline = time.monotonic() + patience_s
        while self._is_locked():
            if self.pid() is not None or time.monotonic() >= deadline:
                return True
            time.sleep(LOCK_POLL_S)  # flock has no timeout of its own
        return False

    def _is_locked(self) -> bool:
        try:
            lock = os.open(self._lock_path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return False
        try:
            # Shared, so that two who look at once do not take each other for the process.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            return False
        finally:
            os.close(lock)

    def pid(self) -> int | None:
        """Return the number of the running process, None when none runs on this machine.

        One that has ended and only waits to be reaped does not run, though its number is still taken.
        """
        with suppress(OSError, ValueError, KeyError, TypeError):
            noted = json.loads(self._lock_path.read_text())
            pid = int(noted["pid"])
            if (child := _children.get(pid)) is not None and child.poll() is not None:
                del _children[pid]
            elif is_alive(pid) and _start_time(pid) == noted["started"]:
                return pid
        return None

    def refuse_elsewhere(self, *, patience_s: float = PATIENCE_S) -> None:
        """Refuse to touch what a process has in hand that cannot be seen from here, as in another container.

        What a killed one left behind here has `ORPHANS_S` to end, and is ended then: it has lost its parent,
        and one that waits for another's lock would never notice.

        Raises:
            UsageError: It holds the lock.
        """
        if not self.is_running(patience_s=min(patience_s, ORPHANS_S)) or self.pid() is not None:
            return
        end_holders(self._lock_path)
        if self.is_running(patience_s=patience_s) and self.pid() is None:
            raise self._elsewhere()

    def _elsewhere(self) -> UsageError:
        return UsageError(
            f"data folder {self._folder.path} is in use: its {self.name} runs already and cannot be reached "
            "from here; stop it where it was started, or choose another folder with --data-folder"
        )

    def start(self, launch: Launch, *, patience_s: float = PATIENCE_S) -> subprocess.Popen[bytes]:
        """Start the process in a session of its own; the caller waits until it is ready.

        Raises:
            UsageError: It runs already.
            PlatformError: The program cannot be executed.
        """
        lock = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if not acquire(lock, patience_s=patience_s):
                raise self._elsewhere()
            child = self._spawn(launch, lock)
            _children[child.pid] = child
            note = {"pid": child.pid, "started": _start_time(child.pid)}
            os.ftruncate(lock, 0)
            os.pwrite(lock, json.dumps(note).encode(), 0)
        finally:
            os.close(lock)
        return child

    def _spawn(self, launch: Launch, lock: int) -> subprocess.Popen[bytes]:
        more: dict[str, Any] = {}
        if launch.user is not None:
            more = {"user": launch.user, "group": launch.user, "extra_groups": []}
        try:
            with self.log.open("ab") as log:
                return subprocess.Popen(
                    list(launch.command),
                    env=dict(launch.environment),
                    cwd=launch.folder or self._folder.path,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # a Ctrl-C at the terminal is for the command, not for us
                    pass_fds=[lock],
                    **more,
                )
        except OSError as error:
            raise PlatformError(f"{self.name}: cannot be started: {error}") from error

    def send(self, number: int) -> None:
        """Send a signal to the process, if it runs."""
        if (pid := self.pid()) is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def stop(self, *, ask: int = signal.SIGTERM, pid: int | None = None, patience_s: float = 20.0) -> bool:
        """Ask the process to end, and after `patience_s` make it; return whether one ran here.

        Args:
            ask: The signal that means "end in good order".
            pid: The process to ask, where it is not the one that was started but its child.
            patience_s: How long it may take.
        """
        started = self.pid()
        target = pid if pid is not None else started
        if target is None:
            return False
        if not _end(target, ask, patience_s):
            _end(target, signal.SIGKILL, patience_s)
        if started is not None and (child := _children.pop(started, None)) is not None:
            child.wait()
        return True

    def log_tail(self, lines: int = 5) -> str:
        """Return the last lines of the log, for a message about a failed start."""
        with suppress(OSError):
            return " | ".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        return ""


def _end(pid: int, number: int, patience_s: float) -> bool:
    """Send a signal and wait for the end; False when the process still lives."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, number)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        return bool(poll.poll(patience_s * 1000))
    finally:
        os.close(handle)


def is_alive(pid: int) -> bool:
    """Return whether a process of that number lives; one that only waits to be reaped does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in {"Z", "X"}


def _start_time(pid: int) -> str | None:
    """Return when the process began, in ticks since boot: with its number it names the process for good."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()[19]
