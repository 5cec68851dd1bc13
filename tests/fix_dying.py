"""How tests wait for processes that are none of their children to die."""

import os
import select
import time
from collections.abc import Iterable

from arena.embedded.process import is_alive

DYING_S = 60.0
"""How long a process may take to die before a test calls it a survivor; a machine may be busy."""


def wait_until_dead(pids: Iterable[int]) -> set[int]:
    """Return those of the processes that do not die."""
    waited = set(pids)
    deadline = time.monotonic() + DYING_S
    for pid in waited:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        os.close(handle)
    return {pid for pid in waited if is_alive(pid)}
