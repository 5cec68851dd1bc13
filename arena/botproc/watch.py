"""The ear beside a running seat: its standard error, and the first sign of too much memory.

Owns one thread per seat. It keeps the first part of what a bot writes and counts the rest without looking at
it; it asks for the seat's end, it does not judge. A bot that closes its standard error is watched all the
same, until whoever waits for the thread says that the seat has ended.
"""

import contextlib
import os
import select
import threading
from collections.abc import Callable

from arena.botproc.seat import StderrCapture

CHECK_MS = 25
"""How often a seat without a memory cgroup is measured: 264 MiB seen at a limit of 256, 50 ms saw 305."""
_CHUNK = 1 << 16


class SeatWatch:
    """Reads one seat's standard error and listens for memory events until the last writer is gone."""

    def __init__(
        self,
        stderr: int,
        keep_bytes: int,
        *,
        oom_event: int,
        is_over: Callable[[], bool] | None,
        end: Callable[[], None],
    ) -> None:
        """Start to listen.

        Args:
            stderr: The reading end of the pipe; closed here.
            keep_bytes: How much is kept.
            oom_event: An eventfd of the memory group, or -1.
            is_over: Measures the seat every `CHECK_MS` where no group bounds it, else None.
            end: Called once, in the watching thread, when memory has run out.
        """
        self._stderr = stderr
        self._keep = keep_bytes
        self._oom_event = oom_event
        self._is_over = is_over
        self._end = end
        self._kept = bytearray()
        self._total = 0
        self._ended = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self.is_paused = False
        """True while the seat is frozen and need not be measured."""
        self.out_of_memory = False
        self._thread = threading.Thread(target=self._run, name="seat-watch", daemon=True)
        self._thread.start()

    def capture(self) -> StderrCapture:
        """Return what was written so far."""
        kept, total = bytes(self._kept), self._total
        return StderrCapture(printable(kept), total, total > len(kept))

    def join(self, timeout_s: float) -> None:
        """Wait until the last writer is gone and everything is read; the seat has ended. Twice is as once."""
        if self._ended < 0:
            return
        os.eventfd_write(self._ended, 1)
        self._thread.join(timeout_s)
        if not self._thread.is_alive():
            os.close(self._ended)
            self._ended = -1

    def _run(self) -> None:
        poller = select.poll()
        reasons = {self._stderr, self._ended} if self._oom_event >= 0 or self._is_over else {self._stderr}
        for descriptor in reasons:
            poller.register(descriptor, select.POLLIN)
        if self._oom_event >= 0:
            poller.register(self._oom_event, select.POLLIN)
        sink = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
        try:
            while reasons:
                ready = dict(poller.poll(CHECK_MS if self._is_over else None))
                if self._oom_event in ready:
                    poller.unregister(self._oom_event)
                    self._oom()
                if self._stderr in ready and not self._read(sink):
                    poller.unregister(self._stderr)
                    reasons.discard(self._stderr)
                if self._ended in ready:
                    poller.unregister(self._ended)
                    reasons.discard(self._ended)
                if self._is_over and not self.is_paused and not self.out_of_memory and self._is_over():
                    self._oom()
        finally:
            os.close(sink)
            os.close(self._stderr)

    def _oom(self) -> None:
        self.out_of_memory = True
        self._end()

    def _read(self, sink: int) -> bool:
        """Keep or drop what is there; False at the end."""
        room = self._keep - len(self._kept)
        if room > 0:
            data = os.read(self._stderr, min(room, _CHUNK))
            self._kept += data
            count = len(data)
        else:
            # Dropped inside the kernel: a flood costs its writer more than its reader.
            with contextlib.suppress(BlockingIOError):
                count = os.splice(self._stderr, sink, 1 << 20)
        self._total += count
        return count > 0


def printable(data: bytes) -> str:
    """Return bytes as text that is safe on a terminal: undecodable and control bytes escaped."""
    text = data.decode("utf-8", "backslashreplace")
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )
