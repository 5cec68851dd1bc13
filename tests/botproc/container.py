"""A container's filter around this process, as Docker puts one: no namespace, no mount."""

import errno
import os

from arena.botproc import confine, seccomp

FORBIDDEN = ("unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount", "fsopen")


def forbid_namespaces() -> None:
    """Refuse this process, and all that it starts, what a container's root may not do."""
    column = list(seccomp.ARCHITECTURES).index(os.uname().machine)
    steps = [seccomp._step(0x20, 0)]
    for name in FORBIDDEN:
        number = seccomp.CALLS[name][column]
        steps += [seccomp._step(0x15, number or 0, 0, 1), seccomp._refuse(errno.EPERM)]
    steps += [seccomp._step(0x15, seccomp.JUDGED["clone3"][column], 0, 1), seccomp._refuse(errno.ENOSYS)]
    (clone,) = (rule for rule in seccomp.ARGUMENT_RULES if rule.call == "clone")
    steps += [*seccomp._argument_steps(clone, seccomp.JUDGED["clone"][column])]
    steps.append(seccomp._step(0x06, seccomp.ALLOW))
    confine.check(confine.LIBC.prctl(confine.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "privileges")
    confine.restrict_calls(b"".join(steps))
