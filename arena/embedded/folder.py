"""The data folder: what lies where, who may start and stop things in it, where the sockets are.

Owns the layout of `.arena/` and its lock. Refuses a folder that somebody else is starting or stopping things
in, and one that belongs to another user. It starts nothing itself.
"""

import fcntl
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import PlatformError, UsageError
from arena.files import FAILING, cure

SOCKET_PATH_BYTES = 107
"""The longest path of a unix socket on Linux."""
POSTGRES_SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_NAME = POSTGRES_SOCKET
LOCK_POLL_S = 0.02


class DataFolder:
    """A folder such as `.arena/`; made on first use, readable by its owner alone."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.postgres = self.path / "postgres"
        """Data of PostgreSQL."""
        self.valkey = self.path / "valkey"
        """Data of Valkey."""
        self.logs = self.path / "log"
        """What the servers and workers say."""
        self.processes = self.path / "processes"
        """One lock file for each running process; its holder is the process itself."""
        self.cache = self.path / "cache"
        """Bundles that workers unpacked, by digest."""

    def make(self) -> None:
        """Make the folders that are missing.

        Raises:
            UsageError: The folder cannot be made or written, or belongs to somebody else.
            PlatformError: The disk is full, or fails.
        """
        try:
            for folder in (self.path, self.logs, self.processes, self.cache, self.sockets):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            said = f"data folder {self.path}: cannot be made: {error.strerror or error}; "
            if error.errno in FAILING:
                raise PlatformError(said + cure(error)) from error
            raise UsageError(
                f"{said}make its place writable, or choose another folder with --data-folder"
            ) from error
        is_root = os.geteuid() == 0
        # Root's bots are users of their own: they pass through to the cache, and everything else is closed
        # to them.
        for folder, mode in ((self.sockets, 0o700), (self.cache, 0o755), (self.path, 0o711)):
            _check_owner(folder, mode if is_root else 0o700)

    @property
    def sockets(self) -> Path:
        """Where sockets lie: inside the folder, or where its path is too long, in a short one elsewhere."""
        inside = self.path / "run"
        if len(os.fsencode(inside / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_BYTES:
            return inside
        name = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        return Path("/tmp") / f"arena-{os.geteuid()}-{name}"  # noqa: S108 (its owner and mode are checked)

    @contextmanager
    def locked(self, *, patience_s: float = 60.0) -> Iterator[None]:
        """Hold the folder's lock while things are started or stopped in it.

        Raises:
            UsageError: Another command held it for `patience_s`; nothing was changed.
        """
        self.make()
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            if not acquire(lock, patience_s=patience_s):
                holder = self.holder() or "another process"
                raise UsageError(
                    f"data folder {self.path} is in use: {holder} starts or stops "
                    "something in it; wait for it or end it, or choose another folder with --data-folder"
                )
            yield
        except OSError as error:
            # A write that fails names no file; what is written here is the folder's.
            error.filename = error.filename or str(self.path)
            raise
        finally:
            os.close(lock)

    def holder(self, *, besides: int = 0) -> str:
        """Return which process, but this one, holds the folder's lock, for a message; or an empty text."""
        try:
            inode = (self.path / "lock").stat().st_ino
            held = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        except OSError:
            return ""
        for line in held:
            # 1: FLOCK  ADVISORY  WRITE 1234 fe:01:5678 0 EOF
            words = line.split()
            if words[1] == "FLOCK" and words[5].endswith(f":{inode}") and words[4] != str(besides):
                return f"process {words[4]}{_program(words[4])}" if int(words[4]) > 0 else "another process"
        return ""


def _program(pid: str) -> str:
    """Return the name of a process's program in brackets, if it can be seen."""
    try:
        return f" ({Path('/proc', pid, 'comm').read_text(encoding='utf-8', errors='replace').strip()})"
    except OSError:
        return ""


def acquire(lock: int, *, patience_s: float) -> bool:
    """Lock an open file for this process and whoever inherits the descriptor; False when it stays taken."""
    deadline = time.monotonic() + patience_s
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(LOCK_POLL_S)  # flock has no timeout of its own


def _check_owner(folder: Path, mode: int) -> None:
    """Refuse a folder that another user made: its servers would be theirs; give ours its mode."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise UsageError(
            f"{folder} belongs to another user (uid {found.st_uid}); choose another folder with --data-folder"
        )
    if stat.S_IMODE(found.st_mode) != mode:
        try:
            folder.chmod(mode)
        except OSError as error:
            raise PlatformError(f"{folder}: cannot be closed to others: {error.strerror}") from error
