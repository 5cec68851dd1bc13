"""Promises of what a killed arena leaves in the moment in which a sandbox starts."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.botproc.level import Level
from arena.botproc.orphans import is_of, sweep_orphans
from arena.botproc.probe import sweep_remains
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.uids import UidPool
from arena.config import load_settings
from arena.embedded.process import is_alive
from arena.service import platform
from tests.fix_workers import children

ARENA = """
import os, subprocess, sys
block, gate = os.pipe()
given = os.memfd_create("arguments")
words = "--unshare-pid --ro-bind / / --dev /dev --ro-bind".split() + [sys.argv[2], "/mnt"]
words += ["--block-fd", str(block), "--sync-fd", str(gate)]
os.write(given, b"".join(word.encode() + b"\\0" for word in words))
os.lseek(given, 0, os.SEEK_SET)
program = "/usr/bin/prlimit --nofile=64 /usr/bin/sleep 600".split()
command = [sys.argv[1], "--args", str(given), "--", *program]
child = subprocess.Popen(command, pass_fds=(given, block, gate), stdin=subprocess.DEVNULL)
print(child.pid, flush=True)
sys.stdin.read()
"""
"""Starts a sandbox as the arena does, but for dying with its parent, and never opens the gate."""


@pytest.fixture(params=["the next start", "arena down"])
def end(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], object]:
    """Give what ends the orphans of a data folder."""
    if request.param == "the next start":
        return sweep_orphans
    settings = load_settings({"data_folder": tmp_path / "own"}, environment={})
    return partial(platform.down, settings)


@pytest.mark.needs("root", "bwrap")
def test_a_sandbox_at_its_gate_ends_with_its_arena(end: Callable[[], object], tmp_path: Path) -> None:
    """While the arena lives its sandbox is left alone; once it was killed a sweep ends both processes.

    Another data folder's is none of ours.
    """
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    bundle = tmp_path / "own" / "cache" / "bundles" / "4f2c"
    for folder in (bundle, tmp_path / "other" / "cache" / "bundles" / "4f2c"):
        folder.mkdir(parents=True)
    with subprocess.Popen(
        [sys.executable, "-c", ARENA, bwrap, str(bundle)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as arena:
        assert arena.stdout is not None
        outer = int(arena.stdout.readline())
        # Bubblewrap tells nobody that it has forked, nor when it has mounted what it should.
        while not (inner := children(outer)) or not is_of(outer, tmp_path / "own" / "cache"):
            time.sleep(0.01)
        end()
        started = {outer, *inner}
        others = {pid for pid in started if is_of(pid, tmp_path / "other" / "cache")}
        assert all(map(is_alive, started))
        assert others == set()
        arena.kill()
        arena.wait()
    # The kernel gives them to init, which reaps them, in its own time; a sweep elsewhere may have been first.
    for _ in range(500):
        end()
        if not any(map(is_alive, started)):
            break
        time.sleep(0.02)

    assert not any(map(is_alive, started))


@pytest.mark.needs("root")
@pytest.mark.parametrize("level", [Level.STRICT, Level.LANDLOCK])
def test_folders_of_dead_seats_are_put_away_at_both_levels_of_root(tmp_path: Path, level: Level):
    """What an arena left that was killed at level landlock goes with the next one; what is in use stays."""
    pool = UidPool(folder=tmp_path / "uids")
    pool.folder.mkdir()
    dead, living = (tmp_path / "seats" / str(uid) for uid in (200_001, 200_002))
    for folder in (dead, living):
        folder.mkdir(parents=True)
    with pool.unused(200_002) as is_held:
        sweep_remains(Sandbox(level, SandboxSettings(cache_dir=tmp_path / "cache", uids=pool)))

    assert is_held
    assert [path.name for path in (tmp_path / "seats").iterdir()] == [living.name]
