"""The system-call filter of a sandbox, written as classic BPF by hand: no library, the same bytes every time.

Owns which calls are refused and how they are encoded for x86-64 and aarch64. The shape is a deny-list below
the highest call number that was reviewed (`LAST_REVIEWED`) and "not implemented" above it, so a call that a
future kernel adds is closed until somebody has looked at it. Namespaces do the rest (`arena.botproc.policy`);
here is what they do not cover: sockets of other families, keyrings, file locks on shared inodes, io_uring,
watching a shared file, leaving a mark on one, and the 32-bit ways in.
"""

import errno
import hashlib
import platform
import struct
from dataclasses import dataclass, replace
from functools import cache

from arena.errors import PlatformError

ARCHITECTURES: dict[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH numbers of the machines that have a table."""
X32_BIT = 0x40000000
LAST_REVIEWED = 450
"""`set_mempolicy_home_node`, the newest call of Linux 5.17; all later calls are "not implemented"."""

ALLOW = 0x7FFF0000
KILL = 0x80000000
ERRNO = 0x00050000

# name: (x86-64, aarch64); None where the machine has no such call
CALLS: dict[str, tuple[int | None, int | None]] = {
    # touching other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # keyrings cross namespaces
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # wide kernel surfaces that no bot needs; io_uring could also make sockets
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "memfd_secret": (447, 447),
    # its requests are counted for the whole machine: one bot could leave none to a database
    "io_setup": (206, 0),
    # mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # the machine itself
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "get_kernel_syms": (177, None),
    "query_module": (178, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "acct": (163, 89),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "personality": (135, 92),
    "vhangup": (153, 58),
    "uselib": (134, None),
    "ustat": (136, None),
    "sysfs": (139, None),
    "_sysctl": (156, None),
    "lookup_dcookie": (212, 18),
    "nfsservctl": (180, 42),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    # files by handle, and watching what others do with a shared file
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "flock": (73, 32),
    # times of a file that all may write, such as /dev/null, are a note that outlives the match
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    # which pages of a file that all sandboxes share are in memory outlives the match
    "mincore": (27, 232),
    # memory and core placement
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    "get_mempolicy": (239, 236),
    "set_mempolicy_home_node": (450, 450),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "sched_setaffinity": (203, 122),
    # how long one may keep the core before another's turn (Linux 6.12)
    "sched_setattr": (314, 274),
    # System V and POSIX queues
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
}
"""Calls that are refused whatever their arguments: EPERM."""

UNBOUNDED_CALLS: dict[str, tuple[int, int]] = {"memfd_create": (319, 279)}
"""Refused too where no group bounds memory: pages of such a file are nobody's, and no watch sees them."""

SHARED_NETWORK_CALLS: dict[str, tuple[int, int]] = {"connect": (42, 203)}
"""Refused too where the bot has no network of its own: a bot is dialled, it dials nobody."""

IGNORED_CALLS: dict[str, tuple[int, int]] = {"fadvise64": (221, 223), "readahead": (187, 213)}
"""Hints that are taken and not followed: they would fetch pages of a shared file, or drop them."""

# judged by an argument or refused with another number than EPERM
JUDGED: dict[str, tuple[int, int]] = {
    "clone3": (435, 435),
    "clone": (56, 220),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ioctl": (16, 29),
    "fcntl": (72, 25),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "pwritev2": (328, 287),
    "madvise": (28, 233),
}

CLONE_NEW_ANY = 0x7E020000
"""Every CLONE_NEW… flag that `clone` takes."""
AF_UNIX = 1
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
PR_SCHED_CORE = 62
"""Ask that nobody else runs on the core's other thread meanwhile."""
FCNTL_SHARED = (5, 6, 7, 36, 37, 38, 1024, 1026, 1035, 1036, 1037, 1038)
"""GETLK, SETLK, SETLKW, their OFD forms, SETLEASE, NOTIFY, and hints on a file's use, which the kernel keeps
with the file: how one sandbox sees another through a file."""
ANY_FLAG = 0xFFFFFFFF
"""RWF_NOWAIT among them: whether a page of a file is in memory."""
MADVISE_FILE = (1, 2, 3, 20, 21, 22, 23)
"""RANDOM, SEQUENTIAL, WILLNEED, COLD, PAGEOUT, POPULATE_READ and POPULATE_WRITE: what moves a shared file's
pages, and how exactly. What memory allocators ask for is not among them."""
IGNORED = 0
"""No error: the call has no effect."""


@dataclass(frozen=True, slots=True)
class ArgumentRule:
    """One call judged by one argument; only its low 32 bits count, because the kernel reads no more of it."""

    call: str
    argument: int
    values: tuple[int, ...]
    """Compared for equality, or a single mask when `is_mask`."""
    error: int
    refuses_match: bool = True
    """True refuses what matches, False refuses all else."""
    is_mask: bool = False
    is_final: bool = True
    """False leaves what it does not refuse to a later rule for the same call."""


ARGUMENT_RULES = (
    ArgumentRule("clone", 0, (CLONE_NEW_ANY,), errno.EPERM, is_mask=True),
    ArgumentRule("socket", 0, (AF_UNIX,), errno.EAFNOSUPPORT, refuses_match=False),
    ArgumentRule("socketpair", 0, (AF_UNIX,), errno.EAFNOSUPPORT, refuses_match=False),
    ArgumentRule("ioctl", 1, (TIOCSTI, TIOCLINUX), errno.EPERM),
    ArgumentRule("fcntl", 1, FCNTL_SHARED, errno.EPERM),
    ArgumentRule("prctl", 0, (PR_SCHED_CORE,), errno.EPERM),
    ArgumentRule("preadv2", 5, (ANY_FLAG,), errno.EOPNOTSUPP, is_mask=True),
    ArgumentRule("pwritev2", 5, (ANY_FLAG,), errno.EOPNOTSUPP, is_mask=True),
    ArgumentRule("madvise", 2, MADVISE_FILE, IGNORED),
)

JUDGED_TWICE = ("socket", "socketpair")
_STREAM = (1, 1 | 0x800, 1 | 0x80000, 1 | 0x80800)
"""SOCK_STREAM, with and without SOCK_NONBLOCK and SOCK_CLOEXEC."""
SHARED_NETWORK_RULES = (
    *(replace(rule, is_final=rule.call not in JUDGED_TWICE) for rule in ARGUMENT_RULES),
    *(ArgumentRule(call, 1, _STREAM, errno.EPERM, refuses_match=False) for call in JUDGED_TWICE),
)
"""Where `connect` is refused, so are sockets that could send to an address without it."""

_LOAD, _AND, _JEQ, _JGT, _JGE, _JSET, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16


def _step(code: int, k: int, jt: int = 0, jf: int = 0) -> bytes:
    return struct.pack("<HBBI", code, jt, jf, k)


def _refuse(error: int) -> bytes:
    return _step(_RETURN, ERRNO | error)


def _argument_steps(rule: ArgumentRule, number: int) -> list[bytes]:
    """Judge one call; falls through to the step after when the number is another's, else returns.

    A rule that is not final falls through as well, with the number in place again; it must be one that
    refuses what does not match, whose good end comes last.
    """
    compare = _JSET if rule.is_mask else _JEQ
    count = len(rule.values)
    # The last two steps are "no match" and "match"; every comparison that holds jumps to the second.
    tests = [_step(compare, value, count - place, 0) for place, value in enumerate(rule.values)]
    refuse = _refuse(rule.error)
    allow = _step(_RETURN, ALLOW) if rule.is_final else _step(_LOAD, _NUMBER)
    ends = [allow, refuse] if rule.refuses_match else [refuse, allow]
    body = [_step(_LOAD, _ARGUMENTS + 8 * rule.argument), *tests, *ends]
    return [_step(_JEQ, number, 0, len(body)), *body]


@cache
def filter_program(
    machine: str | None = None, *, bounds_memory: bool = True, owns_network: bool = True
) -> bytes:
    """Return the filter for `machine` (default: this one) as the kernel and bubblewrap take it.

    Args:
        machine: As `uname -m` says it.
        bounds_memory: True where a control group bounds the seat's memory.
        owns_network: True where the bot has a network namespace of its own.

    Raises:
        PlatformError: There is no table for that machine.
    """
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        raise PlatformError(
            f"no system-call filter for {machine}; there is one for {', '.join(ARCHITECTURES)}"
        )
    column = list(ARCHITECTURES).index(machine)
    steps = [
        _step(_LOAD, _ARCH),
        _step(_JEQ, ARCHITECTURES[machine], 1, 0),
        _step(_RETURN, KILL),
        _step(_LOAD, _NUMBER),
        _step(_JGE, X32_BIT, 0, 1),
        _step(_RETURN, KILL),
        _step(_JGT, LAST_REVIEWED, 0, 1),
        _refuse(errno.ENOSYS),
    ]
    refused = CALLS | ({} if bounds_memory else UNBOUNDED_CALLS)
    refused |= {} if owns_network else SHARED_NETWORK_CALLS
    for numbers in refused.values():
        number = numbers[column]
        if number is not None:
            steps += [_step(_JEQ, number, 0, 1), _refuse(errno.EPERM)]
    for numbers in IGNORED_CALLS.values():
        steps += [_step(_JEQ, numbers[column], 0, 1), _refuse(IGNORED)]
    # glibc falls back from clone3 to clone, whose flags a filter can see.
    steps += [_step(_JEQ, JUDGED["clone3"][column], 0, 1), _refuse(errno.ENOSYS)]
    for rule in ARGUMENT_RULES if owns_network else SHARED_NETWORK_RULES:
        steps += _argument_steps(rule, JUDGED[rule.call][column])
    steps.append(_step(_RETURN, ALLOW))
    return b"".join(steps)


def filter_hash(*, bounds_memory: bool = True, owns_network: bool = True) -> str:
    """Return the SHA-256 of this machine's filter, recorded with every match."""
    program = filter_program(bounds_memory=bounds_memory, owns_network=owns_network)
    return hashlib.sha256(program).hexdigest()
