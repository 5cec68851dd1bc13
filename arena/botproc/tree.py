"""A tree of processes seen through /proc, for machines without a writable control group.

Owns finding all descendants, stopping and continuing them, and adding up their memory and processor time. All
of it is slower and coarser than a control group; everything accepts that processes vanish while it looks.
"""

import contextlib
import os
import re
import signal
import time
from dataclasses import dataclass
from pathlib import Path

_RESIDENT = re.compile(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB", re.MULTILINE)
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Tree:
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

    def signal(self, number: int) -> None:
        """Send a signal to every process of the tree as it stands."""
        for pid in self.processes():
            with contextlib.suppress(OSError):
                os.kill(pid, number)

    def stop(self) -> None:
        """Stop the tree; look again until nothing new has appeared.

        A stopped parent makes no more children, so each look finds fewer new ones.
        """
        stopped: set[int] = set()
        while new := [pid for pid in self.processes() if pid not in stopped]:
            for pid in new:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGSTOP)
                stopped.add(pid)

    def memory_bytes(self) -> int:
        """Return the resident memory that is not a file's; pages that processes share count in each."""
        total = 0
        for pid in self.processes():
            with contextlib.suppress(OSError):
                status = Path(f"/proc/{pid}/status").read_bytes()
                total += sum(int(kib) for kib in _RESIDENT.findall(status)) * 1024
        return total

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


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.scandir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                children += map(int, Path(task.path, "children").read_bytes().split())
    return children
