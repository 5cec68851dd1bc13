"""The folder that the sockets of a job's seats lie in, for as long as the job is played.

Owns its end: it goes with the block, and one whose process was killed is removed by the next process that
makes one. Refuses to judge by names or ages: a folder in use is locked by whoever uses it.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "arena-seated-"
_UNLOCKED = "arena-seating-"
"""What a folder is called until it is locked, so that nobody takes it for abandoned."""


@contextmanager
def seats_folder() -> Iterator[Path]:
    """Make a folder of this process's own among the temporary ones, and remove abandoned ones."""
    remove_abandoned()
    made = Path(tempfile.mkdtemp(prefix=_UNLOCKED))
    folder = made.with_name(PREFIX + made.name.removeprefix(_UNLOCKED))
    lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made.rename(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned() -> int:
    """Remove the folders of this user that nobody holds any more; return how many there were."""
    removed = 0
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            # Neither a link nor somebody else's folder is followed.
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if os.fstat(lock).st_uid != os.geteuid():
                    continue
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
                removed += 1
            finally:
                os.close(lock)
    return removed
