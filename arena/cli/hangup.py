"""The terminal that a command writes to, watched for its end.

Owns telling the command. When a window closes, the kernel tells the leader of the session only. Where that is
a program that waits for its children, as `make` does, a command would go on unseen. Refuses to end anything:
it sends the signal of a closed terminal, and whoever ignores that, as with `nohup`, is left alone.
"""

import os
import select
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

WATCHED: Final = (1, 2)
"""Standard output and standard error."""
LOOK_MS: Final = 1000
"""How often it is looked at, as not every kind of terminal wakes who waits for its end."""


@contextmanager
def hangup_told() -> Iterator[None]:
    """Send this process SIGHUP when a terminal that it writes to is closed."""
    watched = []
    for stream in WATCHED:
        with suppress(OSError):  # it may be closed
            # One that was closed before the command began is no terminal any more, but still a device.
            if stat.S_ISCHR(os.fstat(stream).st_mode):
                watched.append(os.dup(stream))  # a stream may be sent elsewhere meanwhile
    if not watched:
        yield
        return
    over = os.eventfd(0)
    thread = threading.Thread(target=_watch, args=(watched, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        os.eventfd_write(over, 1)
        thread.join()
        for descriptor in (*watched, over):
            os.close(descriptor)


def _watch(terminals: list[int], over: int) -> None:
    """Wait until one of them is closed or the command is over."""
    waiting = select.poll()
    waiting.register(over, select.POLLIN)
    for terminal in terminals:
        waiting.register(terminal, 0)  # its end is told without being asked for
    while not (told := waiting.poll(LOOK_MS)):
        pass
    if over not in dict(told):
        os.kill(os.getpid(), signal.SIGHUP)
