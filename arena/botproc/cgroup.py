"""One seat's control groups: bounds for a whole tree of processes, and a brake on it.

Freezing, thawing and reading the clock use descriptors that stay open, and take some fifty microseconds.
Where groups can be made at all is found by `arena.botproc.cgroup_hosts`.
"""

import contextlib
import itertools
import os
from pathlib import Path

from arena.botproc.cgroup_hosts import GROUP_NAME, Hosts, own_namespace, read_text, remove_group
from arena.botproc.counts import Counts
from arena.botproc.limits import Limits

PERIOD_US = 100_000
_counter = itertools.count(1)


class SeatGroup:
    """The groups of one seat. Freezing, thawing and reading the clock use descriptors that stay open."""

    def __init__(self, hosts: Hosts, limits: Limits, *, beside: int = 0) -> None:
        """Make the groups; `beside` processes of the sandbox's own live in them and count to nobody."""
        self._folders: list[Path] = []
        self._descriptors: list[int] = []
        self._freeze = self._still = self._usage = self._idle = -1
        self._is_idle = False
        self._usage_is_ns = False
        self._freeze_words = (b"1", b"0")
        self._word_of_still = b"frozen 1"
        self.counts = Counts()
        self._ends_on_oom = False
        self.oom_event = -1
        """An eventfd that becomes readable at the first out-of-memory event, or -1."""
        self.unified: Path | None = None
        name = f"{GROUP_NAME}-{own_namespace()}-{os.getpid()}-{next(_counter)}"
        try:
            self._make(hosts, limits, name, limits.processes + beside)
        except OSError:
            self.close()
            raise

    def _make(self, hosts: Hosts, limits: Limits, name: str, processes: int) -> None:
        quota = max(1000, int(limits.cores * PERIOD_US))
        memory = str(limits.memory_bytes)
        if hosts.unified:
            self.unified = self._add(hosts.unified / name)
            files = {
                "memory": {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1"},
                "cpu": {"cpu.max": f"{quota} {PERIOD_US}"},
            }
            for controller in hosts.unified_controllers & files.keys():
                self._write(self.unified, files[controller])
            if "memory" in hosts.unified_controllers:
                self.counts.count_memory(self.unified, "memory.events", "memory.peak", "memory.current")
                self._ends_on_oom = True
            if "pids" in hosts.unified_controllers:
                self._bound_processes(self.unified, processes)
            self._use_unified()
        if hosts.memory:
            folder = self._add(hosts.memory / name)
            self._write(folder, {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory})
            names = ("memory.oom_control", "memory.max_usage_in_bytes", "memory.usage_in_bytes")
            self.counts.count_memory(folder, *names)
            self.oom_event = self._listen(folder)
            self._ends_on_oom = self.oom_event >= 0
        if hosts.pids:
            self._bound_processes(self._add(hosts.pids / name), processes)
        if hosts.cpu:
            words = {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": str(quota)}
            folder = self._add(hosts.cpu / name)
            self._write(folder, words)
            self._open_idle(folder)
        elif self.unified is not None and "cpu" in hosts.unified_controllers:
            self._open_idle(self.unified)
        if hosts.cpuacct and self._usage < 0:
            self._usage = self._open(self._add(hosts.cpuacct / name) / "cpuacct.usage", os.O_RDONLY)
            self._usage_is_ns = True
        if hosts.freezer and self._freeze < 0:
            state = self._add(hosts.freezer / name) / "freezer.state"
            self._freeze, self._still = self._open(state, os.O_WRONLY), self._open(state, os.O_RDONLY)
            self._freeze_words, self._word_of_still = (b"FROZEN", b"THAWED"), b"FROZEN"

    def _bound_processes(self, folder: Path, processes: int) -> None:
        self._write(folder, {"pids.max": self.counts.count_processes(folder, processes)})

    def _use_unified(self) -> None:
        """Freeze by version 2 where it can: twice as quick as version 1, and what is frozen can be killed."""
        assert self.unified is not None
        with contextlib.suppress(OSError):
            self._usage = self._open(self.unified / "cpu.stat", os.O_RDONLY)
        with contextlib.suppress(OSError):
            self._freeze = self._open(self.unified / "cgroup.freeze", os.O_WRONLY)
            self._still = self._open(self.unified / "cgroup.events", os.O_RDONLY)

    def _open_idle(self, folder: Path) -> None:
        """Take hold of what lets everybody else go first; kernels below 5.15 do not have it."""
        with contextlib.suppress(OSError):
            self._idle = self._open(folder / "cpu.idle", os.O_WRONLY)

    def _add(self, folder: Path) -> Path:
        folder.mkdir()
        self._folders.append(folder)
        return folder

    def _open(self, path: Path, flags: int) -> int:
        descriptor = os.open(path, flags | os.O_CLOEXEC)
        self._descriptors.append(descriptor)
        return descriptor

    @staticmethod
    def _write(folder: Path, values: dict[str, str]) -> None:
        for name, value in values.items():
            # Swap accounting can be off in the kernel; every other file must take its value.
            if "sw" in name and not (folder / name).exists():
                continue
            (folder / name).write_text(value, encoding="ascii")

    def _listen(self, folder: Path) -> int:
        """Ask version 1 for a note at the first out-of-memory event; -1 where the kernel no longer can."""
        try:
            event = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
            self._descriptors.append(event)
            control = self._open(folder / "memory.oom_control", os.O_RDONLY)
            (folder / "cgroup.event_control").write_text(f"{event} {control}", encoding="ascii")
        except OSError:
            return -1
        return event

    @property
    def can_freeze(self) -> bool:
        """True when `freeze` stops the tree."""
        return self._freeze >= 0

    @property
    def bounds_memory(self) -> bool:
        """True when the memory of the tree is bounded."""
        return self.counts.knows_memory

    @property
    def ends_on_oom(self) -> bool:
        """True when the first kill for memory ends everything: the kernel does so, or tells us to."""
        return self._ends_on_oom

    @property
    def counts_cpu(self) -> bool:
        """True when `cpu_ns` knows the tree's processor time."""
        return self._usage >= 0

    def add(self, pid: int) -> None:
        """Put a process, and all that it will start, into every group of the seat."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def processes(self) -> set[int]:
        """Return the ids of all processes in the seat's groups."""
        return {int(pid) for folder in self._folders for pid in read_text(folder / "cgroup.procs").split()}

    def freeze(self) -> None:
        """Stop every process of the seat, each when it leaves the kernel."""
        os.write(self._freeze, self._freeze_words[0])

    def is_still(self) -> bool:
        """True when every process of a frozen seat has stopped, or when the kernel does not tell."""
        return self._still < 0 or self._word_of_still in os.pread(self._still, 256, 0)

    def step_back(self) -> None:
        """Let whoever else has work go first on the core, until the seat is thawed."""
        self._set_idle(is_idle=True)

    def thaw(self) -> None:
        """Let every process of the seat go on."""
        self._set_idle(is_idle=False)
        os.write(self._freeze, self._freeze_words[1])

    def _set_idle(self, *, is_idle: bool) -> None:
        if self._idle >= 0 and is_idle != self._is_idle:
            self._is_idle = is_idle
            os.write(self._idle, b"1" if is_idle else b"0")

    def cpu_ns(self) -> int:
        """Return the processor time of the tree."""
        text = os.pread(self._usage, 256, 0)
        if self._usage_is_ns:
            return int(text)
        return int(text.split(None, 2)[1]) * 1000

    def kill(self) -> None:
        """Kill every process of the seat at once where version 2 is there to do it."""
        self._set_idle(is_idle=False)  # who is to die needs its turns, too
        if self.unified is not None:
            with contextlib.suppress(OSError):
                (self.unified / "cgroup.kill").write_text("1", encoding="ascii")

    def close(self) -> None:
        """Close the descriptors and remove the groups, which must be empty of living processes."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()
        self.counts.close()
        self._freeze = self._still = self._usage = self._idle = self.oom_event = -1
        for folder in self._folders:
            remove_group(folder)
        self._folders.clear()
