"""Keeps the lease of a running job: a thread that renews it and carries the job's progress along.

Owns the one answer that a worker must obey: when the lease is somebody else's, the job ends at once with
nothing kept. A database that cannot be reached is no such answer; the job goes on, and its result is let in
or refused by the fence.
"""

import logging
import threading
from types import TracebackType
from typing import Self

from arena.botproc.live import Progress
from arena.errors import ArenaError, PlatformError
from arena.service import jobs
from arena.service.jobs import Lease
from arena.store.pool import Database

log = logging.getLogger("arena.worker")


PROGRESS_S = 2.0
"""How often a job's progress is told at least, for whoever watches."""


class FencedError(ArenaError):
    """The lease is somebody else's: the job's bots are ended and nothing of it is kept."""


class LeaseKeeper:
    """Renews a lease from its entry to its exit; owns the given database connection meanwhile."""

    def __init__(self, database: Database, lease: Lease, lease_s: float) -> None:
        self._database = database
        self._lease = lease
        self._lease_s = lease_s
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease", daemon=True)
        self._progress = Progress(0, 0, lease.job.matches, 0)
        self._is_writing = False
        self.is_lost = False
        """True once the lease is known to be somebody else's."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def note(self, progress: Progress) -> None:
        """Take the job's progress.

        Raises:
            FencedError: The lease was lost.
        """
        self._progress = progress
        if self.is_lost:
            raise FencedError(f"job {self._lease.job.id}: the lease is somebody else's")

    def write_now(self) -> None:
        """Take it that the job's result is being written: the lease may end by that, and is not lost then."""
        self._is_writing = True

    def _run(self) -> None:
        while not self._done.wait(min(self._lease_s / 3, PROGRESS_S)):
            progress = self._progress
            try:
                kept = jobs.heartbeat(
                    self._database,
                    self._lease,
                    lease_s=self._lease_s,
                    progress=progress.finished,
                    decisions=progress.decisions,
                )
            except PlatformError as error:
                log.warning("heartbeat_failed job=%s error=%s", self._lease.job.id, error)
                continue
            if not kept and self._is_writing:
                return  # whether it was let in is known to whoever writes
            if not kept:
                log.warning("fenced job=%s fence=%s", self._lease.job.id, self._lease.job.fence)
                self.is_lost = True
                return
