"""What a sandbox promises, as a table: each attempt of the canary and the outcomes that keep the promise.

Pure. A promise that is missing from a report is broken: a canary that says less is not to be trusted more.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from arena.botproc.counts import ROOM
from arena.botproc.level import Level
from arena.botproc.limits import Limits

_BIRTH = ("ARENA_ADDRESS", "HOME", "LANG", "LC_CTYPE", "LD_LIBRARY_PATH", "PATH", "PWD")
_PYTHON = ("PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE", "PYTHONPATH")
_ENVIRONMENT = "( ?(" + "|".join(_BIRTH + _PYTHON) + "))*"
FOLDERS = ("/", "/usr/", "/bot/", "/etc/", "/dev/", "/tmp/", "/proc/", "/run/", "/dev/shm/")  # noqa: S108
_CLOSED = "EROFS|EACCES|EPERM|ENOENT"

PROMISES: dict[str, str] = {
    "environment": _ENVIRONMENT,
    "descriptors": "",
    "secret": "ENOENT",
    "shadow": "ENOENT",
    "root folder": "ENOENT|EACCES",
    "home folder": "ENOENT",
    "proc": "",
    "sys": "ENOENT",
    "tcp": "EAFNOSUPPORT",
    "abstract socket": "ECONNREFUSED",
    "named socket": "ENOENT",
    "host process": "ESRCH",
    "hostname": "bot",
    "user": "False",
    "become root": "EPERM|EINVAL",
    "capabilities": "0",
    "no new privileges": "1",
    "seccomp": "2",
    "lock": "EPERM",
    "record lock": "EPERM",
    "write hint": "EPERM",
    "residency": "EOPNOTSUPP|ENOTSUP",
    "device times": "EPERM",
    "core limit": "0/0",
    "memlock limit": "0/0",
    "listens": "done",
    **{f"socket {name}": "EAFNOSUPPORT" for name in ("inet6", "netlink", "packet", "alg", "vsock")},
    **{f"write {folder}": _CLOSED for folder in FOLDERS},
    **{
        f"call {name}": "EPERM"
        for name in (
            *("keyctl", "shmget", "io_uring_setup", "bpf", "userfaultfd", "clone", "unshare", "mount"),
            *("chroot", "ptrace", "open_by_handle_at"),
        )
    },
    "call unreviewed": "ENOSYS",
}
"""Name of an attempt: the pattern that its outcome must match as a whole."""


AMONG_THE_MACHINES_OWN: dict[str, str] = {
    "secret": "EACCES",
    "shadow": "EACCES",
    "root folder": "EACCES",
    "home folder": "EACCES|ENOENT",
    "proc": "EACCES",
    "sys": "EACCES|ENOENT",
    "abstract socket": "EPERM",
    "named socket": "EPERM",
    "host process": "EPERM",
    "hostname": ".*",
}
"""What differs at level landlock, where a bot sees that things are there and is refused them."""


def promises_at(level: Level) -> dict[str, str]:
    """Return what a level promises."""
    return PROMISES | (AMONG_THE_MACHINES_OWN if level is Level.LANDLOCK else {})


def _processes(limits: Limits) -> str:
    """Return what the resource limit may be: a little above the limit where a group says no first."""
    own = (0, ROOM, ROOM + 1)
    return "|".join(f"{limits.processes + more}/{limits.processes + more}" for more in own)


PROC_SHOWN: dict[str, str] = {"proc": "1 .*"}
"""What differs where a bot asks for a /proc: it is there, and begins with the sandbox's own first process."""


def broken_promises(
    report: Mapping[str, str],
    limits: Limits,
    level: Level = Level.STRICT,
    more: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """Return a sentence for each promise that a report does not keep; `more` says what differs."""
    promises = {
        **promises_at(level),
        **more,
        "descriptor limit": f"{limits.open_files}/{limits.open_files}",
        "process limit": _processes(limits),
        "file limit": f"{limits.file_bytes}/{limits.file_bytes}",
    }
    broken = []
    for name, pattern in promises.items():
        seen = report.get(name)
        if seen is None:
            broken.append(f"{name}: not reported")
        elif not re.fullmatch(pattern, seen):
            broken.append(f"{name}: {seen[:200] or 'nothing'} where {pattern or 'nothing'} was promised")
    return broken
