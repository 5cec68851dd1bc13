"""A bot's processes seen through /proc, for machines without a writable control group.

Owns finding them by descent or by user, stopping and continuing them, and adding up their memory and time.
All of it is slower and coarser than a control group; everything accepts that processes vanish while it looks.
"""

import contextlib
import os
import re
import signal
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

_THREADS = re.compile(rb"^Threads:\s*(\d+)", re.MULTILINE)
_RESIDENT = re.compile(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB", re.MULTILINE)
_STATUS = re.compile(rb"^State:\t(\w).*?^Uid:\t(\d+)\t", re.MULTILINE | re.DOTALL)
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class ProcessSet(ABC):
    """Some processes; who they are is looked up each time."""

    __slots__ = ()

    @abstractmethod
    def processes(self) -> list[int]:
        """Return the ids of those that live."""

    def signal(self, number: int) -> None:
        """Send a signal to every process as they stand."""
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, number)

    def stop(self) -> None:
        """Stop all of them; look again until nothing new has appeared.

        A stopped parent makes no more children, so each look finds fewer new ones.
        """
        stopped: set[int] = set()
        while new := [pid for pid in self.processes() if pid not in stopped]:
            for pid in new:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
                stopped.add(pid)

    def measure(self) -> tuple[int, int]:
        """Return the resident memory that is not a file's, and the number of processes and threads.

        Pages that processes share count in each.
        """
        memory = threads = 0
        for pid in self.processes():
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_bytes()
                memory += sum(int(kib) for kib in _RESIDENT.findall(status)) * 1024
                threads += sum(int(count) for count in _THREADS.findall(status))
        return memory, threads

    def cpu_ns(self) -> int:
        """Return the processor time: exact for the living, to a clock tick for those already reaped."""
        total = 0
        for pid in self.processes():
            with contextlib.suppress(OSError, IndexError, ValueError):
                # The clock that clock_getcpuclockid would name.
                total += time.clock_gettime_ns(~pid << 3 | 2)
                fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
                total += (int(fields[13]) + int(fields[14])) * _TICK_NS
        return total


@dataclass(frozen=True, slots=True)
class Tree(ProcessSet):
    """A process and all below it."""

    root: int
    spares_root: bool
    """True where the root is the sandbox's own first process and must go on."""

    def processes(self) -> list[int]:
        """Return the ids of the tree, parents before children."""
        found = [self.root]
        for pid in found:
            found += _children(pid)
        return found[self.spares_root :]


@dataclass(frozen=True, slots=True)
class UserProcesses(ProcessSet):
    """All processes of one user, who has no others: what has left its parents is found too."""

    uid: int

    def processes(self) -> list[int]:
        """Return the ids of the user's processes; the dead that nobody has reaped do not count."""
        found = []
        for entry in os.scandir("/proc"):
            if entry.name.isdecimal():
                with contextlib.suppress(OSError):
                    # A process can give its folder to root (it need only be no longer dumpable), but not its
                    # user.
                    if entry.stat().st_uid in {self.uid, 0} and _is_living(entry.path, self.uid):
                        found.append(int(entry.name))
        return found


def _is_living(folder: str, uid: int) -> bool:
    """True for a process of the user that is not dead and only waits to be reaped."""
    status = _STATUS.search(Path(folder, "status").read_bytes())
    return status is not None and int(status[2]) == uid and status[1] not in b"ZX"


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.scandir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                children += map(int, Path(task.path, "children").read_bytes().split())
    return children
