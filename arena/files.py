"""Reading and writing a file that somebody names, and what to do about what the system says of it.

Owns the one way in which files given by people are read: regular ones, of bounded size, never one that hangs
or never ends; and the one in which they are written: whole or not at all. Refuses pipes, devices and what is
too large before a byte of them is read.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.errors import ArenaError, PlatformError, UsageError

TEXT_BYTES = 1 << 20
"""The most that a file of settings, a manifest or a ruleset may hold."""


def read_regular(path: Path, most: int = TEXT_BYTES, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file.

    Args:
        path: The file.
        most: How many bytes it may have.
        follow: Whether it may be a symbolic link to one.

    Raises:
        UsageError: It is no regular file, or larger.
        OSError: It cannot be opened or read.
    """
    # A pipe without a writer would make an ordinary open wait for ever.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags), "rb") as file:
        seen = os.fstat(file.fileno())
        if not stat.S_ISREG(seen.st_mode):
            raise UsageError(f"{path}: is no regular file")
        if seen.st_size > most:
            raise UsageError(f"{path}: has {seen.st_size:,} bytes; {most:,} at most are allowed")
        data = file.read(most + 1)
    if len(data) > most:
        raise UsageError(f"{path}: has more than {most:,} bytes, which is the most that is allowed")
    return data


def why_no_file(path: Path) -> str:
    """Return why a path, which is none, is no regular file."""
    if path.is_dir():
        return "is a folder"
    return "is no regular file" if os.path.lexists(path) else "no such file"


def file_of_package(package: str, pattern: str) -> Path | None:
    """Return the first file of an installed package that fits a pattern, without importing the package."""
    import importlib.util  # noqa: PLC0415 (most commands look for none)

    found = importlib.util.find_spec(package)
    places = (found.submodule_search_locations or []) if found else []
    files = (file for place in places for file in sorted(Path(place).glob(pattern)) if file.is_file())
    return next(files, None)


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Give the path of a new file on the same disk, which takes the place of `path` when all went well.

    Raises:
        UsageError: It cannot be written there, or a device or a pipe is there, whose place no file may take.
        PlatformError: The disk is full, or fails.
    """
    import tempfile  # noqa: PLC0415 (reading, which every command may do, does without)

    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UsageError(f"{path}: is no regular file; name another path")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".arena-") as folder:
            new = Path(folder) / "new"
            yield new
            new.replace(path)
    except OSError as error:
        raise refuse_to_write(path, error) from error


def refuse_to_write(path: Path, error: OSError) -> ArenaError:
    """Return what to say of a file that the system does not let be written: whose fault it is, what to do."""
    return refusal_of(error, f"{path}: cannot be written: {error.strerror or error}; {cure(error)}")


def refusal_of(error: OSError, said: str) -> ArenaError:
    """Return the error of the one whose fault it is: the machine's where a disk fails, else the user's."""
    return PlatformError(said) if error.errno in FAILING else UsageError(said)


WRONG_PATHS: Final = {errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENOENT}
"""What the system says of a path that somebody mistyped."""
REFUSED: Final = {errno.EACCES, errno.EPERM, errno.EROFS}
"""What it says of a place that is somebody else's."""
FULL: Final = {errno.ENOSPC, errno.EDQUOT}
"""What it says of a full disk."""
FAILING: Final = FULL | {errno.EIO}
"""What no other path on that disk would mend."""


def cure(error: OSError) -> str:
    """Say what to do about what the system refused."""
    if error.errno in WRONG_PATHS:
        return "name another path"
    if error.errno in FULL:
        return "make room on that disk and give the command again"
    if error.errno in REFUSED:
        return "make it writable for this user, or name another place"
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return "allow more open files (`ulimit -n`)"
    return "add --debug for the whole story"


def cure_reading(error: OSError) -> str:
    """Say what to do about a file that the system does not let be read."""
    return "make it readable for this user" if error.errno in {errno.EACCES, errno.EPERM} else cure(error)


def tells_full(said: str) -> bool:
    """Say whether another program's words name a full disk; Redis and Valkey have one of their own for it."""
    return os.strerror(errno.ENOSPC) in said or said.startswith("MISCONF") or " MISCONF " in said


def remedy_of(said: str) -> str:
    """Return what to do where another program's words name a full disk, to be put after what failed."""
    return ", the disk is full: make room on that disk and give the command again" if tells_full(said) else ""
