"""What workers may leave on their machine: processes, control groups, folders and files of seats' users.

Others play on the same machine at the same time. What is theirs is told apart by who holds a user id, and by
which arena a group is named after; what somebody has just killed gets a moment to be gone.
"""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from arena.botproc.cgroup_hosts import GROUP_NAME, Hosts, find_hosts, own_namespace, read_text
from arena.botproc.uids import UidPool

PATIENCE_S = 20.0
"""How long what was killed may take to be gone on a busy machine."""
POOL = UidPool()
SHARED = (Path("/dev/shm"), Path("/tmp"), Path("/var/tmp"), POOL.folder.parent / "seats")
"""Where a bot's user could write, were it not for its walls."""


def find_leftovers(temporary: Path, arenas: Iterable[int]) -> list[str]:
    """Return what is left of dismissed workers, once it had time to be gone.

    Args:
        temporary: Where they put what lasts as long as a job.
        arenas: The processes that they were.
    """
    until = time.monotonic() + PATIENCE_S
    while (found := [*_look(temporary, set(arenas))]) and time.monotonic() < until:
        time.sleep(0.02)  # processes and groups of others tell nobody that they are gone
    return found


def _look(temporary: Path, arenas: set[int]) -> Iterator[str]:
    yield from (f"folder {path}" for path in temporary.glob("arena-*"))
    yield from _own_processes(temporary)
    yield from _groups(find_hosts(), arenas)
    if os.geteuid() == 0:
        yield from _processes_of_nobody()
        yield from _files_of_nobody()


def _own_processes(temporary: Path) -> Iterator[str]:
    """Find processes that the workers have started and that still have their environment."""
    mark = f"TMPDIR={temporary}".encode()
    for folder in _processes():
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                yield f"process {folder.name}: {_command(folder)}"


def _groups(hosts: Hosts, arenas: set[int]) -> Iterator[str]:
    """Find groups of these arenas, and groups of any dead one in which something lives."""
    places = {hosts.memory, hosts.pids, hosts.cpu, hosts.cpuacct, hosts.freezer, hosts.unified} - {None}
    for place in places:
        assert place is not None
        for folder in place.glob(f"{GROUP_NAME}-{own_namespace()}-*"):
            owner = int(folder.name.split("-")[3])
            living = read_text(folder / "cgroup.procs").split()
            if owner in arenas or (living and not Path("/proc", str(owner)).exists()):
                yield f"group {folder} with {living}"


def _processes_of_nobody() -> Iterator[str]:
    """Find processes of seats' users whom no arena holds."""
    for folder in _processes():
        with suppress(OSError):
            uid = folder.stat().st_uid
            if _is_seat(uid) and "\nState:\tZ" not in (folder / "status").read_text():
                with POOL.unused(uid) as nobody_has_it:
                    if nobody_has_it and folder.exists():
                        yield f"process {folder.name} of user {uid}: {_command(folder)}"


def _files_of_nobody() -> Iterator[str]:
    """Find files and sockets of seats' users whom no arena holds, where everybody may write."""
    for place in SHARED:
        with suppress(OSError):
            for entry in os.scandir(place):
                with suppress(OSError):
                    uid = entry.stat(follow_symlinks=False).st_uid
                    # Tests that take a wall away see the canary write there; it is no bot.
                    if _is_seat(uid) and "canary" not in entry.name:
                        with POOL.unused(uid) as nobody_has_it:
                            if nobody_has_it and os.path.lexists(entry.path):
                                yield f"file {entry.path} of user {uid}"


def _is_seat(uid: int) -> bool:
    return POOL.first <= uid < POOL.first + POOL.count


def _processes() -> Iterator[Path]:
    return Path("/proc").glob("[1-9]*")


def _command(folder: Path) -> str:
    return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
