"""The machine as the driver sees it: what time it is, and what was taken from a bot's time.

Taken are the steal of the core and the throttling of the arena's own control group, as the kernel counts
them; where it does not, nothing was taken. A bot's throttling by its own limit is not the host's doing.
"""

import os
import time
from pathlib import Path

SAMPLE_NS = 100_000_000
"""How old a reading may be at the beginning of a batch."""
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class Host:
    """The time that the host has taken, as far as the kernel tells."""

    def __init__(self) -> None:
        """Find the counters of this process's core and control group."""
        cores = os.sched_getaffinity(0)
        self._line = f"cpu{min(cores)} " if len(cores) == 1 else "cpu "
        self._cores = 1 if len(cores) == 1 else os.cpu_count() or 1
        self._stat = _find_cpu_stat()
        self._marked_at = 0
        self._marked = 0

    def now_ns(self) -> int:
        """Return the monotonic clock, the only one that the driver reads."""
        return time.monotonic_ns()

    def pause(self, seconds: float) -> None:
        """Leave the core to others for a moment."""
        time.sleep(seconds)

    def mark(self, now_ns: int) -> None:
        """Remember the counters, unless they were read a moment ago."""
        if now_ns - self._marked_at > SAMPLE_NS:
            self._marked_at = now_ns
            self._marked = self._read()

    def taken_ns(self) -> int:
        """Return what was taken since the mark; of several cores their mean."""
        return max(0, self._read() - self._marked)

    def _read(self) -> int:
        steal = 0
        with Path("/proc/stat").open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith(self._line):
                    fields = line.split()
                    steal = int(fields[8]) * _TICK_NS // self._cores if len(fields) > 8 else 0
                    break
        return steal + (_throttled_ns(self._stat) if self._stat else 0)


def _find_cpu_stat() -> Path | None:
    """Return the file that counts this process's throttling, in either version of control groups."""
    for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "" or "cpu" in controllers.split(","):
            roots = (
                ("/sys/fs/cgroup",)
                if not controllers
                else ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct")
            )
            for root in roots:
                found = Path(root + path, "cpu.stat")
                if found.exists():
                    return found
    return None


def _throttled_ns(stat: Path) -> int:
    for line in stat.read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "throttled_usec":
            return int(value) * 1000
        if name == "throttled_time":
            return int(value)
    return 0
