"""The last steps before a bot at level landlock: a program of its own, run by a bare interpreter.

`confine.py PLAN READY GATE` reads its plan (JSON) from one descriptor, shuts itself in, says so on the
second, waits for a byte on the third, and becomes the bot. It has already become the seat's user, without any
privilege, and imports nothing of the arena, because that user may not be able to read it. Whatever fails ends
it with one line on standard error: nothing of the bot runs half shut in.
"""

import base64
import ctypes
import json
import os
import resource
import signal
import struct
import sys
from typing import Any

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SECCOMP_MODE_FILTER = 2
LIBC = ctypes.CDLL(None, use_errno=True)


def check(result: int, what: str) -> int:
    """Return a call's result, or end this process."""
    if result < 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def read_all(descriptor: int) -> bytes:
    """Read a descriptor to its end."""
    text = b""
    while data := os.read(descriptor, 65536):
        text += data
    os.close(descriptor)
    return text


def restrict_files(plan: dict[str, Any]) -> None:
    """Give up everything that no rule allows."""
    handled = struct.pack("QQQ", plan["files"], plan["network"], plan["scopes"])
    ruleset = check(LIBC.syscall(CREATE_RULESET, handled, ctypes.c_size_t(len(handled)), 0), "landlock")
    for path, rights in plan["rules"]:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", rights, place)
        check(LIBC.syscall(ADD_RULE, ruleset, PATH_BENEATH, rule, 0), f"landlock {path}")
        os.close(place)
    check(LIBC.syscall(RESTRICT_SELF, ruleset, 0), "landlock")
    os.close(ruleset)


def restrict_calls(program: bytes) -> None:
    """Put the filter in force."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))

    given = Program(len(program) // 8, program)
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(given), 0, 0), "seccomp")


def main() -> None:
    """Shut in, wait, become the bot."""
    plan_fd, ready, gate = map(int, sys.argv[1:4])
    plan = json.loads(read_all(plan_fd))
    check(LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "parent")
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "privileges")
    for name, value in plan["resources"]:
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (value, value))
    os.umask(0o077)
    os.chdir(plan["folder"])
    restrict_files(plan)
    os.write(ready, b"{}")
    os.close(ready)
    if os.read(gate, 1) != b"x":
        sys.exit("the arena has gone away")
    os.close(gate)
    restrict_calls(base64.b64decode(plan["filter"]))
    command = plan["command"]
    try:
        os.execvpe(command[0], command, plan["environment"])  # noqa: S606 (a shell is what it must not have)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")


if __name__ == "__main__":
    main()
