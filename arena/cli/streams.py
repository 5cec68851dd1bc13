"""Streams of results that fail: a full disk, a reader that has seen enough, a terminal that is gone.

Owns which of them is an error, and whose. Refuses to let the interpreter fail once more when it ends.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from arena.errors import PlatformError


@contextmanager
def told(stream: TextIO) -> Iterator[None]:
    """Say of results that cannot be written why: a full disk, a device that is gone.

    Raises:
        BrokenPipeError: The reader has seen enough.
        PlatformError: Anything else, but that the terminal is gone.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if is_gone(stream, error):
            return
        # What could not be written must not be tried again when the interpreter ends.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise PlatformError(
            f"stdout: the results cannot be written: {error.strerror or error}; "
            "send them elsewhere and give the command again"
        ) from error


def is_gone(stream: TextIO, error: OSError) -> bool:
    """Say whether an error tells that the terminal was closed; what is written from then on is lost.

    It is none of the command's: the signal that comes with it ends the command in order, or is not heeded.
    """
    if error.errno != errno.EIO or not stat.S_ISCHR(os.fstat(stream.fileno()).st_mode):
        return False
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return True


class Screen:
    """A stream that goes on taking texts when its terminal is gone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, or let it be lost."""
        try:
            return self._stream.write(text)
        except OSError as error:
            if not is_gone(self._stream, error):
                raise
            return len(text)

    def flush(self) -> None:
        """Hand on what was written."""
        try:
            self._stream.flush()
        except OSError as error:
            if not is_gone(self._stream, error):
                raise

    def __getattr__(self, name: str) -> object:
        """Be the stream in everything else."""
        return getattr(self._stream, name)
