"""Ends what a killed arena left while it started a sandbox: bubblewraps that wait at their gate for ever.

The writing end of the gate is held inside, so that a dead arena never looks like permission to start
(`policy.py`). If the arena is killed in the milliseconds before bubblewrap has asked to die with it, nobody
opens that gate any more. No bot runs there, but namespaces and mounts are held. Owns how such a bubblewrap is
known. Refuses to touch one that has a living arena above it; under an init of one's own (a subreaper other
than process 1) nothing is known to be an orphan, and nothing is ended.
"""

import os
import select
import signal
from contextlib import suppress
from pathlib import Path

_PASSES = 3
"""An outer bubblewrap that ends makes an orphan of the inner one."""


def sweep_orphans(proc: Path = Path("/proc")) -> int:
    """Kill bubblewraps of ours whose arena is dead, as far as this user may; return how many."""
    if os.getpid() == 1:
        return 0  # the children of this very process look like orphans
    swept = 0
    for _ in range(_PASSES):
        found = [int(folder.name) for folder in proc.glob("[1-9]*") if _is_orphan(folder)]
        for pid in found:
            swept += _end(pid, proc)
        if not found:
            break
    return swept


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


def _end(pid: int, proc: Path) -> bool:
    """Kill it, whoever has that number now excepted."""
    with suppress(OSError):
        handle = os.pidfd_open(pid)
        try:
            if _is_orphan(proc / str(pid)):
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
