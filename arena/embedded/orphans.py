"""What a killed server leaves behind: children that still hold its lock, and so keep its successor out.

Owns finding and ending them. PostgreSQL's children end by themselves when their parent dies, but one that
waits for what another child held waits for ever. Refuses to touch a process of another container, whose
parent may well live there, and one that merely looks at the lock.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def end_holders(lock: Path) -> set[int]:
    """Kill what holds a lock on a file in this container, but ourselves; return the process numbers."""
    killed = set()
    for pid in holders_of(lock):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
    return killed


def holders_of(lock: Path) -> Iterator[int]:
    """Yield which processes of this container, but ourselves, hold a file locked for themselves alone."""
    with suppress(OSError):
        found = lock.stat()
        here = Path("/proc/self/ns/pid").readlink()
        for process in Path("/proc").iterdir():
            if process.name.isdecimal() and int(process.name) != os.getpid():
                # It may end while it is looked at, or be somebody else's.
                with suppress(OSError):
                    if (process / "ns/pid").readlink() == here and _holds(process, found):
                        yield int(process.name)


def _holds(process: Path, lock: os.stat_result) -> bool:
    """Return whether a process has the file open with a lock that lets nobody else in."""
    for descriptor in (process / "fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            opened = descriptor.stat()
            if (opened.st_dev, opened.st_ino) == (lock.st_dev, lock.st_ino):
                # lock:  1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF
                return any(
                    line.startswith("lock:") and line.split()[2:5] == ["FLOCK", "ADVISORY", "WRITE"]
                    for line in (process / "fdinfo" / descriptor.name).read_text().splitlines()
                )
    return False
