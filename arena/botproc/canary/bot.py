"""The canary: runs inside a new sandbox, tries to get out, and tells what happened to each attempt.

It is a bundle like any other and knows nothing of how it is shut in. Outcomes are the names of errors, "done"
where an attempt succeeded, or what was seen; `arena.botproc.promises` says which outcomes are good.
"""

import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

FOLDERS = ("/", "/usr/", "/bot/", "/etc/", "/dev/", "/tmp/", "/proc/", "/run/", "/dev/shm/")  # noqa: S108
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
F_SET_RW_HINT = 1036
# x86-64, aarch64
NUMBERS = {
    "keyctl": (250, 219),
    "shmget": (29, 194),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "clone": (56, 220),
    "unshare": (272, 97),
    "mount": (165, 40),
    "chroot": (161, 51),
    "ptrace": (101, 117),
    "open_by_handle_at": (304, 265),
    "capget": (125, 90),
    "unreviewed": (468, 468),
}


def outcome(attempt: Callable[[], object]) -> str:
    """Return the name of the error that an attempt meets, or "done"."""
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error.errno))
    return "done"


def call(name: str, *arguments: int) -> str:
    """Make a system call by number."""
    number = NUMBERS[name][platform.machine() == "aarch64"]
    ctypes.set_errno(0)
    result = LIBC.syscall(number, *[ctypes.c_long(value) for value in arguments])
    if name == "clone" and result == 0:
        os._exit(0)
    return "done" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


def write(path: str) -> str:
    """Try to make a file."""
    return outcome(lambda: os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)))


def capabilities() -> str:
    """Return the three capability sets as hexadecimal."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    LIBC.syscall(NUMBERS["capget"][platform.machine() == "aarch64"], header, data)
    return "".join(f"{word:x}" for word in data).lstrip("0") or "0"


def open_descriptors() -> str:
    """List descriptors beyond the usual three, without /proc."""
    found = []
    for descriptor in range(3, 256):
        if outcome(partial(os.fstat, descriptor)) == "done":
            found.append(str(descriptor))
    return " ".join(found)


def listing(folder: str) -> list[str]:
    """List a folder."""
    return sorted(entry.name for entry in Path(folder).iterdir())


def lock() -> str:
    """Lock a file that all sandboxes share."""
    with Path("/usr/bin/env").open("rb") as shared:
        return outcome(lambda: fcntl.flock(shared, fcntl.LOCK_SH))


def record_lock() -> str:
    """Lock a part of a file that all sandboxes share."""
    with Path("/usr/bin/env").open("rb") as shared:
        return outcome(lambda: fcntl.lockf(shared, fcntl.LOCK_SH | fcntl.LOCK_NB))


def hint() -> str:
    """Leave a hint on a file that all sandboxes share."""
    with Path("/usr/bin/env").open("rb") as shared:
        return outcome(lambda: fcntl.fcntl(shared, F_SET_RW_HINT, (2).to_bytes(8, sys.byteorder)))


def residency() -> str:
    """Ask whether a page of a file that all sandboxes share is in memory."""
    with Path("/usr/bin/env").open("rb") as shared:
        return outcome(lambda: os.preadv(shared.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT))


def limit(kind: int) -> str:
    """Return a limit as soft/hard."""
    return "/".join(map(str, resource.getrlimit(kind)))


def reach(name: str) -> None:
    """Connect to a socket of the machine."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(name)


def names(folder: str) -> str:
    """Return what a folder holds, or the error that looking meets."""
    result = outcome(partial(listing, folder))
    return " ".join(listing(folder)) if result == "done" else result


def report(host: str, port: int, host_pid: int) -> dict[str, str]:
    """Try everything once."""
    found = {
        "environment": " ".join(sorted(os.environ)),
        "descriptors": open_descriptors(),
        "secret": outcome(lambda: os.close(os.open(f"{host}/secret", os.O_RDONLY))),
        "shadow": outcome(lambda: os.close(os.open("/etc/shadow", os.O_RDONLY))),
        "root folder": outcome(lambda: listing("/root")),
        "home folder": outcome(lambda: listing("/home")),
        "proc": names("/proc"),
        "sys": outcome(lambda: listing("/sys")),
        "tcp": outcome(lambda: socket.create_connection(("127.0.0.1", port), 1)),
        "abstract socket": outcome(partial(reach, f"\0arena-probe-{host_pid}-{port}")),
        "named socket": outcome(partial(reach, f"{host}/socket")),
        "host process": outcome(lambda: os.kill(host_pid, 0)),
        "hostname": socket.gethostname(),
        "user": str(os.getuid() == 0 or os.geteuid() == 0),
        "become root": outcome(lambda: os.setuid(0)),
        "capabilities": capabilities(),
        "no new privileges": str(LIBC.prctl(39, 0, 0, 0, 0)),
        "seccomp": str(LIBC.prctl(21, 0, 0, 0, 0)),
        "lock": lock(),
        "record lock": record_lock(),
        "write hint": hint(),
        "residency": residency(),
        "device times": outcome(lambda: os.utime("/dev/null")),
        "core limit": limit(resource.RLIMIT_CORE),
        "descriptor limit": limit(resource.RLIMIT_NOFILE),
        "process limit": limit(resource.RLIMIT_NPROC),
        "file limit": limit(resource.RLIMIT_FSIZE),
        "memlock limit": limit(resource.RLIMIT_MEMLOCK),
    }
    for name, family in {"inet6": 10, "netlink": 16, "packet": 17, "alg": 38, "vsock": 40}.items():
        found[f"socket {name}"] = outcome(partial(socket.socket, family, socket.SOCK_DGRAM))
    for folder in FOLDERS:
        found[f"write {folder}"] = write(folder + "canary")
    for name, arguments in {
        "keyctl": (0, -3, 0),
        "shmget": (0, 4096, 0o1600),
        "io_uring_setup": (1, 0),
        "bpf": (0, 0, 0),
        "userfaultfd": (0,),
        "clone": (CLONE_NEWUSER | 17, 0, 0, 0, 0),
        "unshare": (CLONE_NEWUSER,),
        "mount": (0, 0, 0, 0, 0),
        "chroot": (0,),
        "ptrace": (0, 0, 0, 0),
        "open_by_handle_at": (0, 0, 0),
        "unreviewed": (0, 0, 0),
    }.items():
        found[f"call {name}"] = call(name, *arguments)
    return found


def main() -> None:
    """Listen where a bot would, and tell whoever dials."""
    host, port, host_pid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    found = report(host, port, host_pid)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    listener.listen()
    while True:
        caller, _ = listener.accept()
        with caller:
            caller.sendall(json.dumps(found | {"listens": "done"}).encode())


if __name__ == "__main__":
    assert Path(sys.argv[0]).name == "bot.py"
    main()
