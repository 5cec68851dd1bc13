"""The moments at which commands are interrupted: the same in every run of the suite, others in runs by hand.

ARENA_MOMENTS=50 pytest tests/cli/test_interrupted_files.py       fifty new moments for each command
ARENA_MOMENTS=50 ARENA_SEED=f00dcafe pytest ...                   the very same ones again
"""

import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

MOMENTS = int(os.environ.get("ARENA_MOMENTS", "1"))
"""How often each command is interrupted."""
SEED = os.environ.get("ARENA_SEED", "1" if MOMENTS == 1 else secrets.token_hex(4))
"""What the moments are drawn from; a failure prints it."""
_TERM = 1 << (signal.SIGTERM - 1)


def moments_of(label: str, latest_s: float) -> Iterator[float]:
    """Yield the moments for one command, in seconds after it has begun."""
    sys.stdout.write(f"ARENA_MOMENTS={MOMENTS} ARENA_SEED={SEED}\n")
    drawn = random.Random(f"{SEED} {label}")
    for _ in range(MOMENTS):
        yield drawn.uniform(0, latest_s)


def interrupt(child: "subprocess.Popen[str]", moment_s: float, number: int = signal.SIGINT) -> None:
    """Send a signal, by itself Ctrl-C's, so long after the command has begun to heed it, unless it has ended.

    Before that the interpreter starts, of which no line is ours.
    """
    while child.poll() is None and not _heeds(child.pid):
        time.sleep(0.005)  # nothing tells another process; pytest's timeout ends this
    try:
        child.wait(moment_s)
    except subprocess.TimeoutExpired:
        child.send_signal(number)


def _heeds(pid: int) -> bool:
    """Say whether a process has handlers: Python has one for Ctrl-C, and none of its own for this one."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("SigCgt:"):
            return bool(int(line.split()[1], 16) & _TERM)
    return False
