"""Promises of what a killed arena leaves in the moment in which a sandbox starts."""

import shutil
import subprocess
import sys
import time

import pytest

from arena.botproc.orphans import sweep_orphans
from arena.embedded.process import is_alive
from tests.fix_workers import children

ARENA = """
import os, subprocess, sys
block, gate = os.pipe()
given = os.memfd_create("arguments")
words = "--unshare-pid --ro-bind / / --dev /dev".split() + ["--block-fd", str(block), "--sync-fd", str(gate)]
os.write(given, b"".join(word.encode() + b"\\0" for word in words))
os.lseek(given, 0, os.SEEK_SET)
program = "/usr/bin/prlimit --nofile=64 /usr/bin/sleep 600".split()
command = [sys.argv[1], "--args", str(given), "--", *program]
child = subprocess.Popen(command, pass_fds=(given, block, gate), stdin=subprocess.DEVNULL)
print(child.pid, flush=True)
sys.stdin.read()
"""
"""Starts a sandbox as the arena does, but for dying with its parent, and never opens the gate."""


@pytest.mark.needs("root", "bwrap")
def test_a_sandbox_at_its_gate_ends_with_its_arena_at_the_next_start() -> None:
    """While the arena lives its sandbox is left alone; once it was killed a sweep ends both processes."""
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    with subprocess.Popen(
        [sys.executable, "-c", ARENA, bwrap], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as arena:
        assert arena.stdout is not None
        outer = int(arena.stdout.readline())
        while not (inner := children(outer)):
            time.sleep(0.01)  # bubblewrap tells nobody that it has forked
        sweep_orphans()
        started = {outer, *inner}
        assert all(map(is_alive, started))
        arena.kill()
        arena.wait()
    # The kernel gives them to init, which reaps them, in its own time; a sweep elsewhere may have been first.
    for _ in range(500):
        sweep_orphans()
        if not any(map(is_alive, started)):
            break
        time.sleep(0.02)

    assert not any(map(is_alive, started))
