"""One bot behind walls, and everything that is done to it from outside until it is gone.

Owns what all levels of isolation have in common: groups and limits are in place before the bot's first
instruction, because it waits for a byte; the brake, the clock, the ear at its standard error, and the order
in which it is ended. How the walls are built, and what reaches all of its processes, is said by
`arena.botproc.sandboxed` and `arena.botproc.landlocked`.
"""

import contextlib
import os
import select
import signal
import subprocess
from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arena.botproc.cgroup import SeatGroup
from arena.botproc.level import Level
from arena.botproc.runtimes import Runtime
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import Exit, SeatOrder, StderrCapture, Usage, known_memory
from arena.botproc.tree import ProcessSet
from arena.botproc.watch import SeatWatch
from arena.errors import PlatformError

if TYPE_CHECKING:
    from arena.botproc.uids import UidLease

KILL_PATIENCE_S = 10.0
MOST_SEAT_FILES = 64
"""Files in the seat's own folder above which a seat is ended that no group bounds."""


class WalledSeat(ABC):
    """A bot behind walls. Made waiting; nothing of the bot runs before `release`."""

    own_processes = 0
    """Processes of the walls themselves that live in the seat's groups."""

    def __init__(self, sandbox: Sandbox, order: SeatOrder, runtime: Runtime) -> None:
        self._sandbox = sandbox
        self._order = order
        self._runtime = runtime
        self._limits = order.limits
        self._lease: UidLease | None = None
        self._group: SeatGroup | None = None
        self._outer: subprocess.Popen[bytes] | None = None
        self._watch: SeatWatch | None = None
        self._gate = self._info = self._pidfd = -1
        self._pid = 0
        self._cpu_ns = 0
        self._looked = (0, 0)
        self._usage = Usage(memory_limit=self._limits.memory_bytes, process_limit=self._limits.processes)
        self._exit: Exit | None = None
        self._is_frozen = False
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    @property
    @abstractmethod
    def socket_path(self) -> Path:
        """Where the bot must listen, as the arena sees it."""

    @property
    @abstractmethod
    def tree(self) -> ProcessSet:
        """The bot's own processes, for machines without groups."""

    @property
    def owner_uid(self) -> int:
        """The user id that the socket must belong to."""
        return self._lease.uid if self._lease else os.getuid()

    def _prepare(self) -> None:
        sandbox, program = self._sandbox, self._order.program
        sandbox.refuse(program)
        if sandbox.level is not Level.USERNS:
            assert sandbox.setpriv is not None
            self._lease = sandbox.settings.uids.lease(sandbox.setpriv)
        self._group = SeatGroup(sandbox.cgroups, self._limits, beside=self.own_processes)
        self._spawn()

    @abstractmethod
    def _spawn(self) -> None:
        """Start the process that becomes the bot, up to the point where it waits."""

    def _listen(self, stderr: int, *, always_looks: bool) -> None:
        """Begin to read the standard error, and to look at the seat where nobody else tells."""
        assert self._group is not None
        looks = always_looks or not self._group.ends_on_oom or not self._group.counts.keeps_peak
        self._watch = SeatWatch(
            stderr,
            self._limits.stderr_bytes,
            oom_event=self._group.oom_event,
            is_over=self._is_over if looks else None,
            end=self._end_from_watch,
        )

    def release(self) -> None:
        """Put groups and limits around the waiting process and let it go.

        Raises:
            PlatformError: The walls could not be built.
        """
        assert self._group is not None
        text = read_to_brace(self._info)
        os.close(self._info)
        self._info = -1
        if not text:
            raise PlatformError(f"the sandbox did not start: {self._last_words()}")
        try:
            # The process is our own child, or its child, and waits, so its id cannot have been reused.
            self._pid = self._find_first(text)
            self._pidfd = os.pidfd_open(self._pid)
            self._group.add(self._pid)
        except ProcessLookupError:
            raise PlatformError(f"the sandbox did not start: {self._last_words()}") from None
        with contextlib.suppress(OSError):
            Path(f"/proc/{self._pid}/oom_score_adj").write_text("1000", encoding="ascii")
        os.write(self._gate, b"x")
        os.close(self._gate)
        self._gate = -1

    @abstractmethod
    def _find_first(self, text: bytes) -> int:
        """Return the id of the waiting process from what was told about it."""

    def _last_words(self) -> str:
        if self._watch is None:
            return "no message"
        self._watch.join(2.0)
        return self._watch.capture().text.strip().replace("\n", "; ") or "no message"

    def freeze(self) -> None:
        """Stop the whole tree until `thaw`; twice is as once."""
        if self._is_frozen or self._exit is not None:
            return
        self._is_frozen = True
        if self._watch:
            self._watch.is_paused = True
        if self._group and self._group.can_freeze:
            self._group.freeze()
        elif not self._is_gone():
            self.tree.stop()

    def is_still(self) -> bool:
        """True when no process of a frozen tree runs any more; without groups nobody can tell."""
        return self._group is None or self._group.is_still()

    def crowd(self) -> int:
        """Return how many processes and threads it has, 0 without a group that counts them."""
        return 0 if self._group is None else self._group.counts.processes()

    def is_bomb(self) -> bool:
        """True when it asks without end for more processes than it may have, where a group counts that."""
        return self._group is not None and self._group.counts.refuses_without_end

    def step_back(self) -> None:
        """Let everybody else go first on the core until `thaw`, where the kernel can do that."""
        if self._group:
            self._group.step_back()

    def thaw(self) -> None:
        """Let a frozen tree go on; twice is as once."""
        if not self._is_frozen:
            return
        self._is_frozen = False
        if self._watch:
            self._watch.is_paused = False
        if self._group and self._group.can_freeze:
            self._group.thaw()
        elif not self._is_gone():
            self.tree.signal(signal.SIGCONT)

    def cpu_ns(self) -> int:
        """Return the processor time of the whole tree so far."""
        if self._exit is None:
            if self._group and self._group.counts_cpu:
                self._cpu_ns = self._group.cpu_ns()
            elif not self._is_gone():
                self._cpu_ns = max(self._cpu_ns, self.tree.cpu_ns())
        return self._cpu_ns

    def poll(self) -> Exit | None:
        """Return how the first process ended, None while it lives."""
        if self._exit is None and self._outer is not None and self._outer.poll() is not None:
            self._finish()
        return self._exit

    def kill(self) -> Exit:
        """Kill and reap the whole tree; returns when nothing of it lives."""
        if self._exit is None:
            self._finish()
        assert self._exit is not None
        return self._exit

    def stderr(self) -> StderrCapture:
        """Return what was written to the standard error so far."""
        if self._watch is None:
            return StderrCapture()
        if self._exit is not None:
            self._watch.join(2.0)
        return self._watch.capture()

    def usage(self) -> Usage:
        """Return what the tree has used at most so far."""
        if self._exit is None and self._group is not None:
            counts = self._group.counts
            memory, source = known_memory(counts.memory_bytes(), self._looked[0])
            self._usage = replace(
                self._usage,
                memory_bytes=memory,
                memory_source=source,
                refused=counts.refused(),
                processes=max(counts.most_processes() - self.own_processes, self._looked[1]),
            )
        return self._usage

    def close(self) -> None:
        """Kill what lives; give back groups and the user id. Twice is as once."""
        self.kill()
        if self._watch is not None:
            self._watch.join(2.0)
        for descriptor in (self._gate, self._info, self._pidfd):
            if descriptor >= 0:
                os.close(descriptor)
        self._gate = self._info = self._pidfd = -1
        if self._group is not None:
            self._group.close()
            self._group = None
        if self._lease is not None:
            self._lease.release()
            self._lease = None

    def grouped(self) -> set[int]:
        """Return the ids of all processes in the seat's control groups."""
        return self._group.processes() if self._group else set()

    def living(self) -> set[int]:
        """Return the ids of the seat's processes that still live, as far as groups or the tree can tell."""
        return self.grouped() | (set() if self._is_gone() else set(self.tree.processes()))

    def _is_gone(self) -> bool:
        """True when the first process is dead, whose id another may then have."""
        return self._pidfd < 0 or wait_readable(self._pidfd, 0)

    def _end_from_watch(self) -> None:
        """End the tree from the watching thread; the main thread finds it dead."""
        if self._group is not None:
            self._group.kill()
        self._signal_all()

    @abstractmethod
    def _signal_all(self) -> None:
        """Kill all of the seat's processes, as far as one can without waiting."""

    def _is_over(self) -> bool:
        """Look at a seat whose memory no group bounds, or whose group does not tell when it has run out."""
        if self._pid == 0 or self._is_gone():
            return False
        if self._group is not None and self._group.bounds_memory:
            self._group.counts.memory_bytes()
            return self._group.counts.oom_kills() > 0
        memory, threads = self.tree.measure()
        self._looked = max(self._looked[0], memory), max(self._looked[1], threads)
        if memory > self._limits.memory_bytes:
            return True
        return has_more_files(self.socket_path.parent, MOST_SEAT_FILES)

    def _finish(self) -> None:
        """End whatever lives, wait for it, and note how it ended."""
        self.cpu_ns()
        code: int | None = None
        if self._pidfd >= 0:
            self._signal_all()
            if self._group is not None:
                self._group.kill()
                if self._is_frozen and self._group.can_freeze:
                    # Version 1 delivers the signal only to what is thawed; the bot runs no step in between.
                    self._group.thaw()
            wait_readable(self._pidfd, KILL_PATIENCE_S)
        if self._outer is not None:
            try:
                code = self._outer.wait(KILL_PATIENCE_S if self._pidfd >= 0 else 0)
            except subprocess.TimeoutExpired:
                self._outer.kill()
                code = self._outer.wait()
        self._is_frozen = False
        oom = self._group is not None and self._group.counts.oom_kills() > 0
        oom = oom or (self._watch is not None and self._watch.out_of_memory)
        self.usage()
        found = self._exit_of(code, out_of_memory=oom)
        self._exit = replace(found, memory_bytes=self._limits.memory_bytes) if oom else found

    def _exit_of(self, code: int | None, *, out_of_memory: bool) -> Exit:
        """Read the status of our own child; None when it was never started."""
        if code is None or code < 0:
            return Exit(None, -code if code else signal.SIGKILL, out_of_memory)
        return Exit(code, None, out_of_memory)


def read_to_brace(descriptor: int) -> bytes:
    """Read one small JSON object; empty when the writer ended without one."""
    text = b""
    while b"}" not in text:
        if not wait_readable(descriptor, KILL_PATIENCE_S):
            return b""
        data = os.read(descriptor, 4096)
        if not data:
            return b""
        text += data
    return text


def wait_readable(descriptor: int, timeout_s: float) -> bool:
    """Wait until a descriptor has something to say; False when it has not in time."""
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(timeout_s * 1000))


def has_more_files(folder: Path, most: int) -> bool:
    """True when `folder` holds more than `most` entries, or any folder at all."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for count, entry in enumerate(entries, 1):
            if count > most or entry.is_dir(follow_symlinks=False):
                return True
    return False
