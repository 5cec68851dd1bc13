"""Reading a file that somebody names: a regular file, of bounded size, never one that hangs or never ends.

Owns the one way in which files given by people are read. Refuses pipes, devices and what is too large before
a byte of them is read.
"""

import os
import stat
from pathlib import Path

from arena.errors import UsageError

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
