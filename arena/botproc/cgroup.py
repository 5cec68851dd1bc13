"""Control groups: bounds and brakes for a whole seat, on version 1, version 2 and the usual mixture of both.

Owns where groups can be made (`find_hosts`), one seat's groups (`SeatGroup`) and the sweep of groups that a
dead arena left. Groups are made below the arena's own, so that limits which a container or a unit was given
still hold. What a machine does not offer is None in `Hosts`; what to do without is decided by those who ask.
"""

import contextlib
import itertools
import os
import time
from dataclasses import dataclass
from pathlib import Path

from arena.botproc.limits import Limits

PERIOD_US = 100_000
_NAME = "arena-seat"
_counter = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Hosts:
    """The groups below which seats get theirs; None where nothing can be made."""

    memory: Path | None = None
    pids: Path | None = None
    cpu: Path | None = None
    cpuacct: Path | None = None
    freezer: Path | None = None
    unified: Path | None = None
    """Version 2; freezing, killing and processor time work there without any controller."""
    unified_controllers: frozenset[str] = frozenset()
    """Controllers that version 2 grants to groups made in `unified`."""

    @property
    def bounds_memory(self) -> bool:
        """True when the memory of a whole tree can be bounded."""
        return self.memory is not None or "memory" in self.unified_controllers

    @property
    def can_freeze(self) -> bool:
        """True when a whole tree can be frozen at once."""
        return self.unified is not None or self.freezer is not None

    def describe(self) -> dict[str, str]:
        """Return for each faculty where it comes from, or "none"."""
        found: dict[str, str] = {}
        for name in ("memory", "pids", "cpu"):
            first = getattr(self, name)
            second = self.unified if name in self.unified_controllers else None
            found[name] = f"v1 {first}" if first else f"v2 {second}" if second else "none"
        found["freeze"] = f"v2 {self.unified}" if self.unified else f"v1 {self.freezer}"
        if not self.can_freeze:
            found["freeze"] = "none"
        return found


def find_hosts(mountinfo: str | None = None, own: str | None = None) -> Hosts:
    """Find where this process can make groups; the texts are /proc/self/mountinfo and /proc/self/cgroup."""
    if mountinfo is None:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    if own is None:
        own = Path("/proc/self/cgroup").read_text(encoding="utf-8", errors="surrogateescape")
    paths = _own_paths(mountinfo, own)
    first = {name: _usable(paths.get(name)) for name in ("memory", "pids", "cpu", "cpuacct", "freezer")}
    unified, controllers = _usable_unified(paths.get(""))
    return Hosts(**first, unified=unified, unified_controllers=controllers)


def _own_paths(mountinfo: str, own: str) -> dict[str, Path]:
    """Return the folder of this process's group per controller; "" is version 2."""
    groups = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            groups[controller] = path
    found: dict[str, Path] = {}
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.partition(" ")
        root, mounted = before.split(" ")[3:5]
        if kind == "cgroup2":
            names = [""]
        elif kind == "cgroup":
            names = options.split(" ")[-1].split(",")
        else:
            continue
        for name in names:
            if name in groups and name not in found:
                inside = groups[name] if root == "/" else groups[name].removeprefix(root)
                found[name] = Path(mounted) / inside.lstrip("/")
    return found


def _usable(folder: Path | None) -> Path | None:
    """Return the folder when a group can really be made and removed in it."""
    if folder is None or not folder.is_dir():
        return None
    trial = folder / f"arena-trial-{os.getpid()}-{next(_counter)}"
    try:
        trial.mkdir()
        trial.rmdir()
    except OSError:
        return None
    return folder


def _usable_unified(folder: Path | None) -> tuple[Path | None, frozenset[str]]:
    """Find a version 2 group for seats, and which controllers it grants.

    A group that holds processes grants none to groups below it. Where systemd has delegated a unit to the
    arena it marks the unit's group; the arena then sits one below it (DelegateSubgroup) or moves there now.
    """
    if folder is None:
        return None, frozenset()
    if _is_delegated(folder.parent) and not _read(folder.parent / "cgroup.procs").strip():
        folder = folder.parent
    elif _is_delegated(folder):
        _move_down(folder)
    usable = _usable(folder)
    return usable, _grant_controllers(usable) if usable else frozenset()


def _is_delegated(folder: Path) -> bool:
    """True when systemd has given the group to its unit to divide."""
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(folder, name) == b"1":
                return True
    return False


def _move_down(folder: Path) -> None:
    """Move all processes of a delegated group into one below it, so that it can grant controllers."""
    with contextlib.suppress(OSError):
        below = folder / "arena"
        below.mkdir(exist_ok=True)
        for pid in _read(folder / "cgroup.procs").split():
            (below / "cgroup.procs").write_text(pid, encoding="ascii")


def _grant_controllers(folder: Path) -> frozenset[str]:
    """Ask for the controllers that seats need; an unwilling kernel grants none."""
    wanted = {"memory", "pids", "cpu"} & set(_read(folder / "cgroup.controllers").split())
    for name in wanted:
        with contextlib.suppress(OSError):
            (folder / "cgroup.subtree_control").write_text(f"+{name}", encoding="ascii")
    return frozenset(wanted & set(_read(folder / "cgroup.subtree_control").split()))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def _namespace() -> int:
    """Return a number for the namespace in which this process's ids have a meaning."""
    return Path("/proc/self/ns/pid").stat().st_ino


class SeatGroup:
    """The groups of one seat. Freezing, thawing and reading the clock use descriptors that stay open."""

    def __init__(self, hosts: Hosts, limits: Limits) -> None:
        self._folders: list[Path] = []
        self._descriptors: list[int] = []
        self._freeze = self._usage = -1
        self._usage_is_ns = False
        self._freeze_words = (b"1", b"0")
        self._memory_events: tuple[Path, str] | None = None
        self.oom_event = -1
        """An eventfd that becomes readable at the first out-of-memory event, or -1."""
        self.unified: Path | None = None
        name = f"{_NAME}-{_namespace()}-{os.getpid()}-{next(_counter)}"
        try:
            self._make(hosts, limits, name)
        except OSError:
            self.close()
            raise

    def _make(self, hosts: Hosts, limits: Limits, name: str) -> None:
        quota = max(1000, int(limits.cores * PERIOD_US))
        memory = str(limits.memory_bytes)
        if hosts.unified:
            self.unified = self._add(hosts.unified / name)
            files = {
                "memory": {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1"},
                "pids": {"pids.max": str(limits.processes)},
                "cpu": {"cpu.max": f"{quota} {PERIOD_US}"},
            }
            for controller in hosts.unified_controllers & files.keys():
                self._write(self.unified, files[controller])
            if "memory" in hosts.unified_controllers:
                self._memory_events = (self.unified / "memory.events", "oom_kill")
            self._use_unified()
        if hosts.memory:
            folder = self._add(hosts.memory / name)
            self._write(folder, {"memory.limit_in_bytes": memory, "memory.memsw.limit_in_bytes": memory})
            self._memory_events = (folder / "memory.oom_control", "oom_kill")
            self.oom_event = self._listen(folder)
        if hosts.pids:
            self._write(self._add(hosts.pids / name), {"pids.max": str(limits.processes)})
        if hosts.cpu:
            words = {"cpu.cfs_period_us": str(PERIOD_US), "cpu.cfs_quota_us": str(quota)}
            self._write(self._add(hosts.cpu / name), words)
        if hosts.cpuacct and self._usage < 0:
            self._usage = self._open(self._add(hosts.cpuacct / name) / "cpuacct.usage", os.O_RDONLY)
            self._usage_is_ns = True
        if hosts.freezer and self._freeze < 0:
            self._freeze = self._open(self._add(hosts.freezer / name) / "freezer.state", os.O_WRONLY)
            self._freeze_words = (b"FROZEN", b"THAWED")

    def _use_unified(self) -> None:
        """Freeze by version 2 where it can: twice as quick as version 1, and what is frozen can be killed."""
        assert self.unified is not None
        with contextlib.suppress(OSError):
            self._usage = self._open(self.unified / "cpu.stat", os.O_RDONLY)
        with contextlib.suppress(OSError):
            self._freeze = self._open(self.unified / "cgroup.freeze", os.O_WRONLY)

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
        return self._memory_events is not None

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
        return {int(pid) for folder in self._folders for pid in _read(folder / "cgroup.procs").split()}

    def freeze(self) -> None:
        """Stop every process of the seat."""
        os.write(self._freeze, self._freeze_words[0])

    def thaw(self) -> None:
        """Let every process of the seat go on."""
        os.write(self._freeze, self._freeze_words[1])

    def cpu_ns(self) -> int:
        """Return the processor time of the tree."""
        text = os.pread(self._usage, 256, 0)
        if self._usage_is_ns:
            return int(text)
        return int(text.split(None, 2)[1]) * 1000

    def oom_kills(self) -> int:
        """Return how often the kernel killed for the memory limit."""
        if self._memory_events is None:
            return 0
        path, key = self._memory_events
        for line in _read(path).splitlines():
            name, _, value = line.partition(" ")
            if name == key:
                return int(value)
        return 0

    def kill(self) -> None:
        """Kill every process of the seat at once where version 2 is there to do it."""
        if self.unified is not None:
            with contextlib.suppress(OSError):
                (self.unified / "cgroup.kill").write_text("1", encoding="ascii")

    def close(self) -> None:
        """Close the descriptors and remove the groups, which must be empty of living processes."""
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors.clear()
        self._freeze = self._usage = self.oom_event = -1
        for folder in self._folders:
            _remove(folder)
        self._folders.clear()


def _remove(folder: Path, patience_s: float = 2.0) -> bool:
    """Remove a group; a process that has just died stays in its group until the kernel has let go of it."""
    end = time.monotonic() + patience_s
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() > end:
                return False
            time.sleep(0.001)
        else:
            return True


def sweep(hosts: Hosts) -> int:
    """Kill what dead arenas of this namespace left in their groups; return how many groups there were."""
    swept = 0
    places = {hosts.memory, hosts.pids, hosts.cpu, hosts.cpuacct, hosts.freezer, hosts.unified} - {None}
    for place in places:
        assert place is not None
        for folder in place.glob(f"{_NAME}-{_namespace()}-*"):
            owner = folder.name.split("-")[3]
            if owner.isdigit() and not Path("/proc", owner).exists():
                swept += _sweep_one(folder)
    return swept


def _sweep_one(folder: Path) -> int:
    """Thaw, kill and remove one abandoned group."""
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1", encoding="ascii")
    for pid in _read(folder / "cgroup.procs").split():
        with contextlib.suppress(OSError):
            os.kill(int(pid), 9)
    with contextlib.suppress(OSError):
        if (folder / "freezer.state").exists():
            (folder / "freezer.state").write_text("THAWED", encoding="ascii")
    return int(_remove(folder))
