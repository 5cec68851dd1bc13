"""The sandbox's profile: what a bot sees of the machine, as a bubblewrap command line; pure, tested dry.

Owns every mount and every namespace. Two rules carry more weight than they look. Bubblewrap itself is started
with an empty environment and reads its arguments from a descriptor, so that its first process shows nothing.
And no mount point is ever made below a folder whose contents a bot controls (`/bot`, `/run/seat`): a symbolic
link there would make a folder of the host instead (CVE-2026-87766, unpatched in versions that are shipped).
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena.botproc.limits import Limits
from arena.botproc.runtimes import Mount

BUNDLE_TARGET = "/bot"
SEAT_TARGET = "/run/seat"
SOCKET_NAME = "bot.sock"
ADDRESS = f"unix:{SEAT_TARGET}/{SOCKET_NAME}"
SEAT_BYTES = 64 * 1024
"""Size of the seat's own folder, which is for a socket and lives in memory."""
DEVICES = ("null", "zero", "full", "random", "urandom")
BOT_CONTROLLED = (BUNDLE_TARGET, SEAT_TARGET)


class Shape(StrEnum):
    """Who sets the namespaces up; the promise to the bot is the same."""

    SEAT = "seat"
    """strict-A: root becomes the seat's user first, then bubblewrap runs unprivileged."""
    ROOT = "root"
    """strict-B: root's bubblewrap without a user namespace; the last step inside becomes the seat's user."""
    SELF = "self"
    """userns: an ordinary user's bubblewrap."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that decides a sandbox's command line."""

    shape: Shape
    bwrap: Path
    setpriv: Path
    uid: int
    """The seat's user id; without meaning in `Shape.SELF`."""
    bundle: Path
    mounts: tuple[Mount, ...]
    links: tuple[tuple[str, str], ...]
    environment: tuple[tuple[str, str], ...]
    path: tuple[str, ...]
    command: tuple[str, ...]
    limits: Limits
    resources: tuple[tuple[str, int], ...] = ()
    """Resource limits as prlimit names them."""
    has_proc: bool = False
    has_tmp: bool = False


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The descriptors that bubblewrap is given; it closes all of them before the bot starts."""

    arguments: int
    seccomp: int
    block: int
    """Nothing of the bot runs before a byte arrives here."""
    sync: int
    """The writing end of `block`: held inside, a dead arena never looks like permission to start."""
    info: int
    """Bubblewrap writes the first process's id here."""


def command_line(profile: Profile, descriptors: Descriptors) -> list[str]:
    """Return the whole command that starts the sandbox."""
    bwrap = [str(profile.bwrap), "--args", str(descriptors.arguments), "--"]
    match profile.shape:
        case Shape.SEAT:
            return [*become(profile.setpriv, profile.uid), *bwrap, *_limited(profile), *profile.command]
        case Shape.ROOT:
            return [*bwrap, *become(profile.setpriv, profile.uid), *_limited(profile), *profile.command]
        case Shape.SELF:
            return [*bwrap, *_limited(profile), *profile.command]


def _limited(profile: Profile) -> list[str]:
    """Set the resource limits as the last step inside.

    There they need no privilege and count the seat's own processes only; set outside, the number of processes
    would count all that the worker's user runs.
    """
    return ["/usr/bin/prlimit", *(f"--{name}={value}" for name, value in profile.resources), "--"]


def bwrap_arguments(profile: Profile, descriptors: Descriptors) -> list[str]:
    """Return what bubblewrap reads from its descriptor."""
    return [
        *_namespaces(profile.shape),
        "--new-session",
        "--die-with-parent",
        *_file_system(profile),
        *_environment(profile),
        *("--chdir", BUNDLE_TARGET),
        *("--seccomp", str(descriptors.seccomp)),
        *("--block-fd", str(descriptors.block)),
        *("--sync-fd", str(descriptors.sync)),
        *("--info-fd", str(descriptors.info)),
    ]


def encode_arguments(arguments: list[str]) -> bytes:
    """Return arguments as `--args` takes them."""
    return b"".join(argument.encode() + b"\0" for argument in arguments)


def become(setpriv: Path, uid: int) -> list[str]:
    """Become the seat's user for good: no group, no capability, none to be regained."""
    return [
        str(setpriv),
        *("--reuid", str(uid), "--regid", str(uid), "--clear-groups"),
        *("--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--no-new-privs"),
    ]


def _namespaces(shape: Shape) -> list[str]:
    every = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    named = [*every, "--hostname", "bot"]
    if shape is Shape.ROOT:
        kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
        drops = ["--cap-drop", "ALL"]
        return [*named, *drops, *(word for cap in kept for word in ("--cap-add", cap))]
    return ["--unshare-user", "--disable-userns", *named]


def _file_system(profile: Profile) -> list[str]:
    """Build the root from nothing: a small memory file system that ends read-only."""
    words: list[str] = []
    for parent in _parents(profile.mounts):
        words += ["--perms", "0755", "--dir", parent]
    for mount in profile.mounts:
        words += ["--ro-bind", str(mount.source), mount.target]
    for name, target in profile.links:
        words += ["--symlink", target, name]
    words += ["--perms", "0755", "--dir", "/dev"]
    for device in DEVICES:
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    words += ["--proc", "/proc"] if profile.has_proc else ["--perms", "0555", "--dir", "/proc"]
    if profile.has_tmp:
        words += ["--perms", "1777", "--size", str(profile.limits.tmp_bytes), "--tmpfs", "/tmp"]  # noqa: S108
        words += ["--perms", "1777", "--size", str(profile.limits.tmp_bytes // 4), "--tmpfs", "/dev/shm"]  # noqa: S108
    else:
        words += ["--perms", "0555", "--dir", "/tmp"]  # noqa: S108
    words += ["--ro-bind", str(profile.bundle), BUNDLE_TARGET]
    words += ["--perms", "0755", "--dir", "/run"]
    # Root's bubblewrap makes the folder as root, and the seat's user must write there; nobody else is inside.
    mode = "0777" if profile.shape is Shape.ROOT else "0700"
    words += ["--perms", mode, "--size", str(SEAT_BYTES), "--tmpfs", SEAT_TARGET]
    return [*words, "--remount-ro", "/"]


def _parents(mounts: tuple[Mount, ...]) -> list[str]:
    """List the folders above mount points, made on purpose: bubblewrap would copy the host's closed modes."""
    parents = {folder for mount in mounts for folder in Path(mount.target).parents} - {Path("/")}
    inside = {Path(mount.target) for mount in mounts}
    return sorted(str(folder) for folder in parents if not inside & {folder, *folder.parents})


def _environment(profile: Profile) -> list[str]:
    """Set the few variables a bot is born with; there is nothing to clear."""
    path = ":".join([*profile.path, "/usr/local/bin", "/usr/bin", "/bin"])
    variables = (
        ("PATH", path),
        ("HOME", "/tmp"),  # noqa: S108
        ("LANG", "C.UTF-8"),
        *profile.environment,
        ("ARENA_ADDRESS", ADDRESS),
    )
    return [word for name, value in variables for word in ("--setenv", name, value)]
