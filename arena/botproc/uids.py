"""A user id per running seat, leased on the whole machine by locked files.

Owns the pool and its leases. A lease that its holder could not give back (kill -9) is noticed by the next one
to take that id, who ends what may still run under it before anything new does.
"""

import contextlib
import fcntl
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import PlatformError

DEFAULT_FIRST_UID = 200_000
DEFAULT_COUNT = 65_536
DEFAULT_FOLDER = Path("/run/arena/uids")


@dataclass(frozen=True, slots=True)
class UidPool:
    """The ids that seats of this machine may have."""

    first: int = DEFAULT_FIRST_UID
    count: int = DEFAULT_COUNT
    folder: Path = DEFAULT_FOLDER
    """Holds one lock file per id in use; the same for all arenas of a machine."""

    def lease(self, setpriv: Path) -> "UidLease":
        """Take an id that nobody has.

        Raises:
            PlatformError: All are taken, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Starting at a place of one's own spares walking over the others' leases.
            start = os.getpid() * 61 % self.count
            for step in range(self.count):
                uid = self.first + (start + step) % self.count
                descriptor = _try_lock(self.folder / str(uid))
                if descriptor is not None:
                    return _begin(uid, descriptor, setpriv)
        except OSError as error:
            raise PlatformError(f"cannot lease a user id in {self.folder}: {error}") from error
        last = self.first + self.count - 1
        raise PlatformError(f"all user ids from {self.first} to {last} are taken; widen the pool")

    @contextlib.contextmanager
    def unused(self, uid: int) -> Iterator[bool]:
        """Hold an id for a moment, if nobody has it; what it was used for may be cleared away meanwhile."""
        descriptor = _try_lock(self.folder / str(uid)) if self.folder.is_dir() else None
        try:
            yield descriptor is not None
        finally:
            if descriptor is not None:
                os.close(descriptor)


class UidLease:
    """One id in use; `release` gives it back."""

    def __init__(self, uid: int, descriptor: int) -> None:
        self.uid = uid
        self._descriptor = descriptor

    @property
    def descriptor(self) -> int:
        """The locked file: whoever inherits it holds the id as long as it lives."""
        return self._descriptor

    def release(self) -> None:
        """Give the id back; nothing may run under it any more. Twice is as once."""
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = -1


def _try_lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _begin(uid: int, descriptor: int, setpriv: Path) -> UidLease:
    """Mark the id as in use; a mark that is there already says that its holder died."""
    if os.fstat(descriptor).st_size:
        end_everything_of(uid, setpriv)
    os.pwrite(descriptor, b"in use\n", 0)
    return UidLease(uid, descriptor)


def end_everything_of(uid: int, setpriv: Path) -> None:
    """Kill every process of a seat's user, by becoming it: kill(-1) then reaches nobody else's."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        subprocess.run(
            ending_command(uid, setpriv),
            env={},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=10,
        )


def ending_command(uid: int, setpriv: Path) -> list[str]:
    """Return the command that ends all processes of a user at one stroke, so that none can fork away."""
    become = [str(setpriv), "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]
    return [*become, "/bin/sh", "-c", "kill -9 -1"]
