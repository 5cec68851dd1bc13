"""The profile of a sandbox, as text: nothing is launched here."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from arena.botproc.limits import Limits, resource_limits
from arena.botproc.policy import (
    BOT_CONTROLLED,
    Descriptors,
    Profile,
    Shape,
    bwrap_arguments,
    command_line,
    encode_arguments,
)
from arena.botproc.runtimes import Mount

GIVEN = Descriptors(arguments=10, seccomp=11, block=12, sync=13, info=14)
PROFILE = Profile(
    shape=Shape.SEAT,
    bwrap=Path("/usr/bin/bwrap"),
    setpriv=Path("/usr/bin/setpriv"),
    uid=200_007,
    bundle=Path("/var/cache/bundles/abc"),
    mounts=(Mount(Path("/usr"), "/usr"), Mount(Path("/srv/py"), "/opt/python")),
    links=(("/bin", "usr/bin"), ("/lib64", "usr/lib64")),
    environment=(("PYTHONPATH", "/opt/arena"),),
    path=("/opt/python/bin",),
    command=("python3", "bot.py", "--evil", "--bind"),
    limits=Limits(),
    resources=(("nproc", 64), ("core", 0)),
)
EVERY = [
    replace(PROFILE, shape=shape, has_proc=proc, has_tmp=tmp)
    for shape, proc, tmp in itertools.product(Shape, (False, True), (False, True))
]
MAKES = {"--bind", "--ro-bind", "--dev-bind", "--symlink", "--dir", "--tmpfs", "--proc", "--dev"}
TAKES = {
    **dict.fromkeys(("--bind", "--ro-bind", "--dev-bind", "--symlink", "--setenv", "--chmod"), 2),
    **dict.fromkeys(("--dir", "--tmpfs", "--proc", "--dev", "--perms", "--size", "--remount-ro"), 1),
    **dict.fromkeys(("--hostname", "--chdir", "--cap-add", "--cap-drop"), 1),
    **dict.fromkeys(("--seccomp", "--block-fd", "--sync-fd", "--info-fd"), 1),
}


def steps(profile: Profile) -> list[tuple[str, ...]]:
    """Cut the arguments into options with their values; an option that is not known has none."""
    words = bwrap_arguments(profile, GIVEN)
    found = []
    while words:
        count = 1 + TAKES.get(words[0], 0)
        found.append(tuple(words[:count]))
        assert words[0].startswith("--")
        words = words[count:]
    return found


def targets(profile: Profile) -> list[str]:
    """Return every place inside that a mount, a folder or a link is made at."""
    return [step[-1] for step in steps(profile) if step[0] in MAKES]


@pytest.mark.parametrize("profile", EVERY)
def test_nothing_is_made_below_what_a_bot_controls(profile: Profile):
    """A link in a bundle would turn such a mount point into a folder of the host (CVE-2026-87766)."""
    for target in targets(profile):
        for place in BOT_CONTROLLED:
            assert not target.startswith(place + "/"), target


@pytest.mark.parametrize("profile", EVERY)
def test_nothing_of_the_machine_is_writable(profile: Profile):
    """There is no writable bind at all, and the root ends read-only, after everything else was made."""
    plan = steps(profile)
    names = [step[0] for step in plan]

    assert "--bind" not in names
    assert {step[1] for step in plan if step[0] == "--dev-bind"} == {
        f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")
    }
    last_made = max(place for place, step in enumerate(plan) if step[0] in MAKES)
    assert plan.index(("--remount-ro", "/")) > last_made


@pytest.mark.parametrize("profile", EVERY)
def test_every_namespace_is_new_and_the_sandbox_dies_with_its_parent(profile: Profile):
    """No shape leaves a namespace out; where there is a user namespace, no further one can be made."""
    words = bwrap_arguments(profile, GIVEN)

    for name in ("ipc", "pid", "net", "uts"):
        assert f"--unshare-{name}" in words
    assert {"--die-with-parent", "--new-session"} <= set(words)
    assert ("--disable-userns" in words) == (profile.shape is not Shape.ROOT)
    assert ("--unshare-user" in words) == (profile.shape is not Shape.ROOT)


@pytest.mark.parametrize("profile", EVERY)
def test_proc_and_tmp_are_given_only_when_asked_for(profile: Profile):
    """What a bundle did not ask for stays empty and closed."""
    plan = steps(profile)

    assert (("--proc", "/proc") in plan) == profile.has_proc
    assert (("--tmpfs", "/tmp") in plan) == profile.has_tmp
    assert (("--tmpfs", "/dev/shm") in plan) == profile.has_tmp
    sizes = [plan[place - 1][0] for place, step in enumerate(plan) if step[0] == "--tmpfs"]
    assert set(sizes) == {"--size"}


@pytest.mark.parametrize("profile", EVERY)
def test_the_environment_is_exactly_this(profile: Profile):
    """Five variables and the runtime's own."""
    values = {step[1]: step[2] for step in steps(profile) if step[0] == "--setenv"}

    assert values == {
        "PATH": "/opt/python/bin:/usr/local/bin:/usr/bin:/bin",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONPATH": "/opt/arena",
        "ARENA_ADDRESS": "unix:/run/seat/bot.sock",
    }


def test_root_never_runs_a_bot_as_root():
    """The seat's user is taken before bubblewrap or as the first step inside, with no way back."""
    become = ["--reuid", "200007", "--regid", "200007", "--clear-groups"]
    last = ["--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"]
    seat = command_line(PROFILE, GIVEN)
    root = command_line(replace(PROFILE, shape=Shape.ROOT), GIVEN)

    assert seat[:10] == ["/usr/bin/setpriv", *become, *last]
    assert seat[10] == "/usr/bin/bwrap"
    assert root[:4] == ["/usr/bin/bwrap", "--args", "10", "--"]
    assert root[4:14] == ["/usr/bin/setpriv", *become, *last]
    kept = [step[1] for step in steps(replace(PROFILE, shape=Shape.ROOT)) if step[0] == "--cap-add"]
    assert kept == ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"]
    assert "--cap-add" not in bwrap_arguments(PROFILE, GIVEN)


@pytest.mark.parametrize("shape", list(Shape))
def test_the_bots_own_words_come_last(shape: Shape):
    """A command that looks like options is only ever the bot's, after the last `--`."""
    line = command_line(replace(PROFILE, shape=shape), GIVEN)
    end = len(line) - len(PROFILE.command)

    assert tuple(line[end:]) == PROFILE.command
    assert line[end - 4 : end] == ["/usr/bin/prlimit", "--nproc=64", "--core=0", "--"]
    assert line[line.index("/usr/bin/bwrap") + 3] == "--"


def test_secrets_of_the_command_line_do_not_exist():
    """What the sandbox is made of is read from a descriptor; the process list shows none of it."""
    line = command_line(PROFILE, GIVEN)

    assert not any("/var/cache" in word or "/srv/py" in word for word in line)
    assert encode_arguments(["--dir", "/x"]) == b"--dir\0/x\0"


def test_folders_above_mounts_are_open():
    """Their modes are set on purpose, because those of the host may be closed."""
    plan = steps(PROFILE)
    place = plan.index(("--dir", "/opt"))

    assert plan[place - 1] == ("--perms", "0755")
    assert place < plan.index(("--ro-bind", "/srv/py", "/opt/python"))


def test_limits_by_name():
    """Every limit is set, and address space where nothing else bounds memory."""
    limits = Limits(processes=9, open_files=50)

    bounded = resource_limits(limits, bounds_address_space=False)
    bounds = ("nofile", "fsize", "cpu", "nproc", "core", "memlock", "msgqueue", "rtprio", "sigpending")
    assert bounded.keys() == set(bounds)
    assert (bounded["nproc"], bounded["nofile"], bounded["core"]) == (9, 50, 0)
    assert resource_limits(limits, bounds_address_space=True)["as"] == limits.address_space_bytes
