"""Promises about containers: the level is found there as elsewhere, and what is missing is named."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import arena
from arena.botproc import attack, policy, probe
from arena.botproc.limits import Limits
from arena.botproc.process import start_seats
from arena.botproc.sandbox import SandboxSettings
from arena.botproc.seat import SeatOrder
from arena.errors import PlatformError
from arena.service import doctor
from arena.service.workers import find_abilities


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


MASK = 'mount --bind /dev/null /proc/kmsg && exec "$@"'
"""What systemd's ProtectKernelLogs does, and a container's engine with more."""


@pytest.mark.needs("root", "setpriv", "mounts", "reachable-python")
def test_where_proc_is_masked_a_seats_own_user_sets_up_no_sandbox_with_one(stage_cache: Path):
    """The kernel refuses it a new /proc: the canary finds that out, and root's shape serves such bots."""
    code = (
        "from pathlib import Path; from arena.botproc.probe import open_sandbox;"
        "from arena.botproc.sandbox import SandboxSettings;"
        f"found = open_sandbox(SandboxSettings(Path({str(stage_cache)!r})));"
        "print(*found.shapes, '/', *found.proc_shapes)"
    )
    # The one that runs the tests may lie in a folder that is closed to the users of seats.
    path = f"{Path(arena.__file__).parent.parent}:{sysconfig.get_path('purelib')}"
    inside = ["unshare", "--mount", "sh", "-c", MASK, "sh", "/usr/bin/python3", "-c", code]
    done = subprocess.run(
        inside, capture_output=True, text=True, check=False, timeout=120, env={"PYTHONPATH": path}
    )

    shapes, _, proc_shapes = done.stdout.partition("/")
    assert shapes.split()[-1:] == ["root"], done.stderr
    assert proc_shapes.split() == ["root"], done.stderr


@pytest.mark.needs("sandbox")
def test_where_no_proc_can_be_mounted_no_bot_is_played_that_needs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The canary tries it; such a machine keeps its level without Java, says why, and blames no bot."""
    make = policy.bwrap_arguments

    def refuse(profile: policy.Profile, given: policy.Descriptors) -> list[str]:
        return ["--proc", "/dev/null/proc"] * profile.has_proc + make(profile, given)

    settings = SandboxSettings(cache_dir=tmp_path / "cache")
    whole = probe.open_sandbox(settings)
    monkeypatch.setattr(policy, "bwrap_arguments", refuse)
    probe.open_sandbox.cache_clear()
    found = probe.open_sandbox(settings)
    told = doctor.examine(settings)
    (java,) = [runtime for runtime in told.runtimes if runtime.name == "java"]
    asks = SeatOrder(tmp_path, attack._CanaryProgram(("true",), needs_proc=True), Limits(), tmp_path / "run")

    assert whole.gives_proc
    assert probe.still_holds(found)
    assert not probe.still_holds(whole)
    assert (found.level, found.shapes, found.gives_proc) == (whole.level, whole.shapes, False)
    assert set(find_abilities(whole).runtimes) - set(find_abilities(found).runtimes) <= {"java"}
    assert "java" not in find_abilities(found).runtimes
    assert java.missing
    assert [warning for warning in told.warnings if "ProtectKernelLogs" in warning]
    with pytest.raises(PlatformError, match="asks for a /proc, which cannot be had here"):
        start_seats(found, [asks])


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
