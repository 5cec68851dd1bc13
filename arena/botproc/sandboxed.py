"""One bot in bubblewrap's namespaces: levels strict and userns.

Owns what only namespaces have: the first process that holds all others, the folder that is seen through it,
and the way in which bubblewrap tells how a bot ended. Bubblewrap is started by `arena.botproc.launch`;
everything else is a `arena.botproc.walled.WalledSeat`'s.
"""

import contextlib
import json
import signal
from pathlib import Path

from arena.botproc import policy
from arena.botproc.launch import launch, make_profile
from arena.botproc.seat import Exit
from arena.botproc.tree import Tree
from arena.botproc.walled import WalledSeat


class SandboxSeat(WalledSeat):
    """A bot in its sandbox. Made waiting; nothing of the bot runs before `release`."""

    own_processes = 1

    @property
    def socket_path(self) -> Path:
        """Where the bot must listen: its own memory file system, seen through its first process."""
        return Path(f"/proc/{self._pid}/root{policy.SEAT_TARGET}/{policy.SOCKET_NAME}")

    @property
    def tree(self) -> Tree:
        """The bot's own processes, without the sandbox's first."""
        return Tree(self._pid, spares_root=True)

    def _spawn(self) -> None:
        """Start bubblewrap up to the point where it waits."""
        assert self._group is not None
        profile = make_profile(self._sandbox, self._order, self._runtime, self.owner_uid, self._group)
        started = launch(profile, self._order.core, bounds_memory=self._group.bounds_memory)
        self._outer, self._gate, self._info = started.process, started.gate, started.info
        self._listen(started.stderr, always_looks=False)

    def _find_first(self, text: bytes) -> int:
        """Read the id of the namespace's first process."""
        return int(json.loads(text)["child-pid"])

    def _signal_all(self) -> None:
        """Kill the namespace's first process: the kernel kills all others with it."""
        if self._pidfd >= 0:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _exit_of(self, code: int | None, *, out_of_memory: bool) -> Exit:
        """Read bubblewrap's status: the bot's own, or 128 and its signal; below 0 is bubblewrap's own end."""
        if code is not None and code > 128:
            return Exit(None, code - 128, out_of_memory)
        return super()._exit_of(code, out_of_memory=out_of_memory)
