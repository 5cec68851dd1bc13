"""Where control groups for seats can be made on this machine, in version 1, version 2 and their mixture.

Groups are made below the arena's own, so that limits which a container or a unit was given still hold. What a
machine does not offer is None in `Hosts`; what to do without is decided by those who ask. It also owns the
sweep of groups that a dead arena left.
"""

import contextlib
import os
import time
from dataclasses import dataclass
from pathlib import Path

GROUP_NAME = "arena-seat"
"""Groups of seats are named by this, the arena's pid namespace, its process id and a number."""


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
    trial = folder / f"arena-trial-{os.getpid()}"
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
    if _is_delegated(folder.parent) and not read_text(folder.parent / "cgroup.procs").strip():
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
        for pid in read_text(folder / "cgroup.procs").split():
            (below / "cgroup.procs").write_text(pid, encoding="ascii")


def _grant_controllers(folder: Path) -> frozenset[str]:
    """Ask for the controllers that seats need; an unwilling kernel grants none."""
    wanted = {"memory", "pids", "cpu"} & set(read_text(folder / "cgroup.controllers").split())
    for name in wanted:
        with contextlib.suppress(OSError):
            (folder / "cgroup.subtree_control").write_text(f"+{name}", encoding="ascii")
    return frozenset(wanted & set(read_text(folder / "cgroup.subtree_control").split()))


def read_text(path: Path) -> str:
    """Return a file's text, or an empty one where it cannot be read."""
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""


def own_namespace() -> int:
    """Return a number for the namespace in which this process's ids have a meaning."""
    return Path("/proc/self/ns/pid").stat().st_ino


def remove_group(folder: Path, patience_s: float = 2.0) -> bool:
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
        for folder in place.glob(f"{GROUP_NAME}-{own_namespace()}-*"):
            owner = folder.name.split("-")[3]
            if owner.isdigit() and not Path("/proc", owner).exists():
                swept += _sweep_one(folder)
    return swept


def _sweep_one(folder: Path) -> int:
    """Thaw, kill and remove one abandoned group."""
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1", encoding="ascii")
    for pid in read_text(folder / "cgroup.procs").split():
        with contextlib.suppress(OSError):
            os.kill(int(pid), 9)
    with contextlib.suppress(OSError):
        if (folder / "freezer.state").exists():
            (folder / "freezer.state").write_text("THAWED", encoding="ascii")
    return int(remove_group(folder))
