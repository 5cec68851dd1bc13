"""What the kernel counts in one seat's control groups: kills for memory, its peak, refused processes.

Owns the names of the files, which differ between the versions and the ages of the kernel, and the account of
refused processes. Where the kernel keeps no such count the answer is that nobody knows. Refuses to bound a
seat: that is `arena.botproc.cgroup`'s.
"""

import contextlib
import os
from pathlib import Path

from arena.botproc.cgroup_hosts import read_text

SPARE_PROCESSES = 8
"""So much above its limit a group holds that does not count, so that the resource limit says no.

It does so before the kernel has copied the process: 5 us of the core for each that is refused, where the
group says it after 130. But only the group counts: where it can, it says no first."""
ROOM = 16
"""So much higher the resource limit is then, so that the group is asked before it says no.

It counts what the group does not: a warden of the same user, and what is dead of the user's former bots."""
MOST_REFUSALS = 256
"""Who has asked in vain more often than this wants no process: it is a bomb."""


class Counts:
    """The counters of one seat."""

    def __init__(self) -> None:
        self._oom: tuple[Path, str] | None = None
        self._peak: Path | None = None
        self._memory: Path | None = None
        self._memory_bytes = 0
        self._crowd: Path | None = None
        self._refusals = self._now = -1

    def count_memory(self, folder: Path, oom: str, peak: str, now: str) -> None:
        """Count memory in a group; older kernels do not keep its peak."""
        self._oom = (folder / oom, "oom_kill")
        self._peak = folder / peak if (folder / peak).exists() else None
        self._memory = folder / now

    def count_processes(self, folder: Path, limit: int) -> str:
        """Count processes in a group that is to bound them; return what it must hold at first."""
        self._crowd = folder
        with contextlib.suppress(FileNotFoundError):
            self._now = os.open(folder / "pids.current", os.O_RDONLY | os.O_CLOEXEC)
        with contextlib.suppress(FileNotFoundError):  # kernels before 4.8
            self._refusals = os.open(folder / "pids.events", os.O_RDONLY | os.O_CLOEXEC)
        return str(limit + (0 if self.refuses_first else SPARE_PROCESSES))

    @property
    def refuses_first(self) -> bool:
        """True where the group, which counts, is to refuse the first process too many."""
        return self._refusals >= 0

    @property
    def knows_memory(self) -> bool:
        """True where a group counts memory."""
        return self._memory is not None

    @property
    def keeps_peak(self) -> bool:
        """True where the most memory is known without looking again and again."""
        return self._peak is not None

    def oom_kills(self) -> int:
        """Return how often the kernel killed for the memory limit."""
        return 0 if self._oom is None else _number_after(self._oom[1], read_text(self._oom[0]))

    def memory_bytes(self) -> int:
        """Return the most memory so far, pages of files too; 0 where nobody knows."""
        found = self._peak or self._memory
        if found is not None and (text := read_text(found).strip()).isdigit():
            self._memory_bytes = max(self._memory_bytes, int(text))
        return self._memory_bytes

    def processes(self) -> int:
        """Return how many processes and threads there are now, the sandbox's own too; 0 without a group."""
        return int(os.pread(self._now, 32, 0)) if self._now >= 0 else 0

    def most_processes(self) -> int:
        """Return the most processes and threads at one time; 0 where the kernel does not keep it (< 6.11)."""
        text = read_text(self._crowd / "pids.peak").strip() if self._crowd else ""
        return int(text) if text.isdigit() else 0

    def refused(self) -> int:
        """Return how many processes and threads the group has refused, 0 where it does not count."""
        if self._refusals < 0:
            return 0
        return _number_after("max", os.pread(self._refusals, 256, 0).decode("ascii", "replace"))

    @property
    def refuses_without_end(self) -> bool:
        """True when it has refused more than any bot asks for that wants a process."""
        return self.refused() > MOST_REFUSALS

    def close(self) -> None:
        """Close what is open."""
        for descriptor in (self._refusals, self._now):
            if descriptor >= 0:
                os.close(descriptor)
        self._refusals = self._now = -1


def _number_after(key: str, text: str) -> int:
    """Return the number in the line that begins with a key; 0 without it."""
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == key:
            return int(value)
    return 0
