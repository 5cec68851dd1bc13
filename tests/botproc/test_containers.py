"""Promises about containers: the level is found there as elsewhere, and what is missing is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from arena.botproc import attack, probe


@pytest.mark.parametrize(
    ("reason", "cure"),
    [
        ("bwrap: Creating new namespace failed: Operation not permitted", "seccomp=unconfined"),
        ("bwrap: cannot open /proc/sys/user/max_user_namespaces: Read-only file system", "systempaths"),
        (attack.UNSEEN, "--cap-add SYS_PTRACE"),
        ("bwrap: max_net_namespaces exceeded", "raise user.max_*_namespaces"),
        ("something new", ""),
    ],
)
def test_what_a_container_lacks_is_named(monkeypatch: pytest.MonkeyPatch, reason: str, cure: str):
    """Each way in which an engine forbids sandboxes has its remedy; what nobody knows has none."""
    monkeypatch.setattr(probe, "_is_set", lambda *_: False)

    assert cure in probe.cure(reason)
    assert bool(cure) == bool(probe.cure(reason))


@pytest.mark.needs("root", "setpriv", "mounts")
def test_the_arena_may_have_a_small_number(stage_cache: Path):
    """In a container the arena is process 2, as the canary is in its own: the level is the same."""
    code = (
        "import os; from pathlib import Path; from arena.botproc.probe import open_sandbox;"
        "from arena.botproc.sandbox import SandboxSettings;"
        f"found = open_sandbox(SandboxSettings(Path({str(stage_cache)!r})));"
        "print(os.getpid(), found.level)"
    )
    inside = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", '"$@"; true', "sh"]
    done = subprocess.run(
        [*inside, sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )

    number, level = done.stdout.split()
    assert int(number) < attack.FIRST_STRANGE_PID, done.stderr
    assert level == "strict"
