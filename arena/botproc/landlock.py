"""The profile of level landlock, as values: what a bot may do with the machine's own files.

Where a container forbids namespaces a bot lives among the machine's files, processes and names, and can only
be told what it must not touch. Owns the rules for files and the list of what has to be true of the machine;
the system calls are made by `arena.botproc.confine`, in the process that becomes the bot. Landlock alone
would not do: connecting to a socket's path, changing the times of a file and seeing that a file was read are
not its business, so `arena.botproc.seccomp` refuses the first two at this level and `read_marks` finds the
last.
"""

import ctypes
import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from pathlib import Path

NEEDED_ABI = 6
"""The first that keeps abstract sockets and signals apart (Linux 6.12)."""
CREATE_RULESET = 444
"""The call's number, the same on every machine that has a filter."""
_VERSION = 1


class Right(IntFlag):
    """What a rule may allow, by the kernel's numbers."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    READ_FILE = 1 << 2
    READ_DIR = 1 << 3
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


EVERY_RIGHT = ~Right(0)
"""All are handled, so all that no rule allows is refused."""
NETWORK = 0b11
"""Binding and connecting by TCP: handled, never allowed; the filter has no such sockets anyway."""
SCOPES = 0b11
"""Abstract sockets and signals end at the bot's own processes."""
READ = Right.READ_FILE | Right.READ_DIR | Right.EXECUTE
READ_ONE = Right.READ_FILE | Right.EXECUTE
DEVICE = Right.READ_FILE | Right.WRITE_FILE
SEAT = Right.MAKE_SOCK | Right.REMOVE_FILE
"""The seat's folder takes a socket and nothing that holds data."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What is allowed at a place, and below it."""

    path: Path
    rights: Right


def find_abi() -> int:
    """Return the version of Landlock that this kernel speaks, 0 where it has none."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    found = call(ctypes.c_long(CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION))
    return max(0, int(found))


def make_rules(readable: Sequence[Path], seat: Path, devices: Sequence[Path]) -> tuple[Rule, ...]:
    """Return everything that a bot is allowed: to read what it runs on, five devices, and its own socket."""
    reads = [Rule(path, READ if path.is_dir() else READ_ONE) for path in readable]
    return (*reads, *(Rule(path, DEVICE) for path in devices), Rule(seat, SEAT))


def read_marks(
    paths: Sequence[Path], *, are_sealed: bool = False, mountinfo: str | None = None
) -> Path | None:
    """Return the first of `paths` whose file system notes when a file was read, or None.

    Such a note outlives the match: a later process of the same bot sees which files the earlier one has read,
    and has thousands of them to write a message with. Read-only mounts and those with `noatime` keep none,
    nor do the lower layers of an overlay, which is what a container's files are.

    Args:
        paths: What a bot can read.
        are_sealed: True for files that were given to `seal`, where the usual `relatime` does.
        mountinfo: As /proc/self/mountinfo.
    """
    if mountinfo is None:
        mountinfo = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    mounts = [_parse_mount(line) for line in mountinfo.splitlines()]
    silent = {"ro", "noatime", "relatime"} if are_sealed else {"ro", "noatime", "overlay"}
    for path in paths:
        above = [mount for mount in mounts if _is_below(os.path.realpath(path), mount[0])]
        # The deepest holds the path; of mounts at the same place the last one lies on top.
        found = max(reversed(above), key=lambda mount: len(mount[0]), default=None)
        if found is None or not found[1] & silent:
            return path
    return None


SEALED_NS = 2_114_380_800 * 1_000_000_000
"""A time of last access, in 2037: under `relatime` reading what was read in the future changes nothing."""


def seal(folder: Path) -> None:
    """Make the files of a folder of ours look read already, so that reading them leaves no mark."""
    for place, folders, names in os.walk(folder):
        for name in (*folders, *names, "."):
            path = os.path.join(place, name)  # noqa: PTH118 (thousands of them)
            status = os.lstat(path)
            if status.st_atime_ns != SEALED_NS:
                os.utime(path, ns=(SEALED_NS, status.st_mtime_ns), follow_symlinks=False)


def _parse_mount(line: str) -> tuple[str, set[str]]:
    """Return where something is mounted, and its kind and options as words."""
    before, _, after = line.partition(" - ")
    place, options = before.split(" ")[4:6]
    kind, _, more = after.partition(" ")
    return _unescape(place), {kind, *options.split(","), *more.rpartition(" ")[2].split(",")}


def _unescape(text: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text


def _is_below(path: str, place: str) -> bool:
    return place in {"/", path} or path.startswith(place + "/")
