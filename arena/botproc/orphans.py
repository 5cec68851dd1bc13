"""Ends what a killed arena left while it started a sandbox: bubblewraps that wait at their gate for ever.

The writing end of the gate is held inside, so that a dead arena never looks like permission to start
(`policy.py`). If the arena is killed in the milliseconds before bubblewrap has asked to die with it, nobody
opens that gate any more. No bot runs there, but namespaces and mounts are held. Owns how such a bubblewrap is
known, and whose it is: the folders that it has mounted say so. Refuses to touch one that has a living arena
above it; under an init of one's own (a subreaper other than process 1) nothing is known to be an orphan, and
nothing is ended.
"""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path

from arena.botproc.tree import Tree

_PROC = Path("/proc")
_UNKNOWN = (-1, -1)
"""What cannot be looked at."""
_PASSES = 3
"""An outer bubblewrap that ends makes an orphan of the inner one."""


def sweep_orphans(cache: Path | None = None) -> int:
    """Kill bubblewraps of ours whose arena is dead, as far as this user may; return how many.

    Args:
        cache: Only what has something of this data folder's cache mounted is ended; None ends all.
    """
    if os.getpid() == 1:
        return 0  # the children of this very process look like orphans
    swept = 0
    for _ in range(_PASSES):
        orphans = [int(folder.name) for folder in _PROC.glob("[1-9]*") if _is_orphan(folder)]
        found = [pid for pid in orphans if cache is None or is_of(pid, cache)]
        for pid in found:
            swept += _end(pid)
        if not found:
            break
    return swept


def is_of(pid: int, cache: Path) -> bool:
    """Return whether a bubblewrap, or the one that it waits for, has a folder of this cache mounted."""
    folders = [folder for place in (cache, cache / "bundles") if place.is_dir() for folder in place.iterdir()]
    ours = {_identity(folder) for folder in folders} - {_UNKNOWN}
    return any(ours & _mounted(process) for process in Tree(pid, spares_root=False).processes())


def _mounted(pid: int) -> set[tuple[int, int]]:
    """Return which folders a process has mounted, where its mounts are its own and this user may look."""
    here = _PROC / str(pid)
    with suppress(OSError):
        if (here / "ns/mnt").readlink() != Path("/proc/self/ns/mnt").readlink():
            # 139 70 254:0 /srv/.arena/cache/bundles/4f2c /bot ro,nosuid,nodev - ext4 /dev/vda rw
            targets = [line.split()[4] for line in (here / "mountinfo").read_text().splitlines()]
            return {_identity(Path(f"{here}/root{target}")) for target in targets}
    return set()


def _identity(folder: Path) -> tuple[int, int]:
    """Return what tells a folder from all others, by whatever path it is reached."""
    with suppress(OSError):
        seen = folder.stat()
        return seen.st_dev, seen.st_ino
    return _UNKNOWN


def _is_orphan(folder: Path) -> bool:
    """Whether this is a bubblewrap started as ours are, for which only the machine's init waits."""
    with suppress(OSError, ValueError, IndexError):
        words = (folder / "cmdline").read_bytes().split(b"\0")
        if words[1] != b"--args" or not words[0].endswith(b"bwrap"):
            return False
        # Name, state and parent; the name may hold spaces.
        _, _, rest = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
        state, parent = rest.split()[:2]
        return state != "Z" and parent == "1" and any(word.endswith(b"prlimit") for word in words)
    return False


def _end(pid: int) -> bool:
    """Kill it, whoever has that number now excepted."""
    with suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            if _is_orphan(_PROC / str(pid)):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                _wait(handle)
                return True
        finally:
            os.close(handle)
    return False


def _wait(handle: int) -> None:
    """Wait for the end, so that the next pass sees what it made an orphan of."""
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    poll.poll(1000)
