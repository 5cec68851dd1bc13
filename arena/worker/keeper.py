"""What a worker's main process does every few seconds beside waiting for messages.

Owns the heartbeat (so that people see the worker and lost messages are noticed), the reconciler, and the
sending of messages. It runs between Celery's own events, in the one thread of that process: a thread beside
it could hold a lock at the moment when the child is forked.
"""

import logging
import time
from collections.abc import Callable, Sequence

from celery import Celery, bootsteps

from arena import broker
from arena.config import Settings
from arena.errors import PlatformError
from arena.service import messages, workers
from arena.service.disk import why_full
from arena.service.reconcile import reconcile
from arena.store.jobs import WorkerCard
from arena.store.pool import Database
from arena.store.rows import JobId
from arena.worker.deaf import refuse_to_be_deaf
from arena.worker.metrics import Meters
from arena.worker.tasks import SANDBOX_LOST

log = logging.getLogger("arena.worker")

RESEND_PERIODS = 6
"""A message counts as lost after this many periods of the reconciler."""
LONGEST_PAUSE_S = 30.0


class Keeper:
    """The periodic work."""

    def __init__(
        self,
        card: WorkerCard,
        settings: Settings,
        database: Database,
        app: Celery,
        meters: Meters | None = None,
        is_open: Callable[[], bool] = lambda: False,
    ) -> None:
        self._card = card
        self._settings = settings
        self._database = database
        self._app = app
        self._meters = meters or Meters()
        self._is_open = is_open
        self._pause_s = 0.0
        self._rest_until = 0.0
        self._has_left = False

    def tick(self) -> None:
        """Do all of it once; a server that cannot be reached is tried again later, less and less often."""
        if self._has_left or time.monotonic() < self._rest_until:
            return
        try:
            self._work()
        except PlatformError as error:
            self._pause_s = min(max(self._settings.reconcile_s, 2 * self._pause_s), LONGEST_PAUSE_S)
            self._rest_until = time.monotonic() + self._pause_s
            log.warning("keeper_failed error=%s next_in_s=%.1f", error, self._pause_s)
        else:
            self._pause_s = 0.0

    def _work(self) -> None:
        settings = self._settings
        paused = why_full(settings.data_folder) or (SANDBOX_LOST if self._is_open() else "")
        workers.greet(self._database, self._card, paused)
        found = reconcile(
            self._database,
            resend_s=RESEND_PERIODS * settings.reconcile_s,
            fresh_s=4 * settings.reconcile_s + 5,
            job_seconds=settings.job_target_s,
        )
        if found.taken_back or found.resent:
            log.info("reconciled taken_back=%s resent=%s", found.taken_back, found.resent)
        if self._meters.watches_queue:
            queue = workers.look_at_queue(self._database)
            self._meters.saw_queue(queue.queued, queue.oldest_queued_s)
        messages.flush(self._database, self._send)

    def _send(self, job_ids: Sequence[JobId]) -> None:
        broker.send(self._app, job_ids)

    def leave(self) -> None:
        """Say that the worker is gone; Celery's timer may still tick, and is not heard."""
        self._has_left = True
        try:
            workers.leave(self._database, self._card.id)
        except PlatformError as error:
            log.warning("leave_failed error=%s", error)
        self._database.close()


def make_step(keeper: Keeper, period_s: float) -> type[bootsteps.StartStopStep]:
    """Return the step that puts a keeper into Celery's loop."""

    class KeeperStep(bootsteps.StartStopStep):
        """Runs the keeper from start to stop of the worker."""

        requires = ("celery.worker.components:Timer",)

        def start(self, parent: object) -> None:
            def tick() -> None:
                keeper.tick()
                # While the pool is stopped a thread of its own still ticks, and nobody need hear any more.
                if parent.blueprint.state == bootsteps.RUN:  # type: ignore[attr-defined]
                    refuse_to_be_deaf(parent.consumer)  # type: ignore[attr-defined]

            keeper.tick()
            repeat: Callable[[float, Callable[[], None]], object] = parent.timer.call_repeatedly  # type: ignore[attr-defined]
            repeat(period_s, tick)

        def stop(self, parent: object) -> None:
            del parent
            keeper.leave()

    return KeeperStep
