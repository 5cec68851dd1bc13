"""What a worker counts, for Prometheus: matches, decisions, verdicts, sandbox starts, lost leases, the queue.

Owns the names of the figures and the process that shows them. The main process must stay without threads and
the child that plays may be killed, so both write into mapped files, and a third process adds them up and
answers. Off unless a port is set; then nothing of this is loaded.
"""

import atexit
import contextlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge

log = logging.getLogger("arena.worker")

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where `prometheus_client` finds the files of all processes; read when it is first imported."""


class Meters:
    """Counts nothing."""

    notice = ""
    """Why nobody can read what is counted, and what to do."""
    watches_queue = False
    """Whether anybody wants to know of the queue: asking costs a query."""

    def played(self, matches: int, decisions: int, verdicts: Sequence[str]) -> None:
        """Count what a written job brought: `verdicts` holds the kind of each fault."""

    def started(self, seats: int) -> None:
        """Count sandboxes that were started for a job."""

    def lost_lease(self) -> None:
        """Count a lease that became somebody else's."""

    def failed(self) -> None:
        """Count a job that the platform failed."""

    def saw_queue(self, queued: int, oldest_s: float | None) -> None:
        """Show how many jobs wait, and for how long the oldest."""


class PrometheusMeters(Meters):
    """Counts for Prometheus."""

    watches_queue = True

    def __init__(self, worker: str) -> None:
        from prometheus_client import Counter, Gauge  # noqa: PLC0415 (only who counts loads it)

        def counter(name: str, about: str, *labels: str) -> "Counter":
            return Counter(f"arena_{name}", about, ["worker", *labels])

        def gauge(name: str, about: str) -> "Gauge":
            return Gauge(f"arena_{name}", about, ["worker"], multiprocess_mode="mostrecent").labels(worker)

        self._worker = worker
        self._matches = counter("matches", "Matches that were written").labels(worker)
        self._decisions = counter("decisions", "Decisions in them").labels(worker)
        self._verdicts = counter("verdicts", "Faults of bots in them", "kind")
        self._starts = counter("sandbox_starts", "Sandboxes that were started").labels(worker)
        self._lost = counter("lease_losses", "Leases that became somebody else's").labels(worker)
        self._failed = counter("job_failures", "Jobs that the platform failed").labels(worker)
        self._queued = gauge("queue_jobs", "Jobs that wait for a worker")
        self._oldest = gauge("queue_age_seconds", "How long the oldest of them has waited")

    def played(self, matches: int, decisions: int, verdicts: Sequence[str]) -> None:
        """Count what a written job brought."""
        self._matches.inc(matches)
        self._decisions.inc(decisions)
        for kind in verdicts:
            self._verdicts.labels(self._worker, kind).inc()

    def started(self, seats: int) -> None:
        """Count sandboxes that were started for a job."""
        self._starts.inc(seats)

    def lost_lease(self) -> None:
        """Count a lease that became somebody else's."""
        self._lost.inc()

    def failed(self) -> None:
        """Count a job that the platform failed."""
        self._failed.inc()

    def saw_queue(self, queued: int, oldest_s: float | None) -> None:
        """Show how many jobs wait, and for how long the oldest."""
        self._queued.set(queued)
        self._oldest.set(oldest_s or 0.0)


def open_meters(worker: str, host: str, port: int) -> Meters:
    """Begin to count, and to answer at `http://host:port/metrics`; port 0 counts nothing.

    The process that answers ends with this one. Where it cannot, the `notice` says why.
    """
    if not port:
        return Meters()
    folder = tempfile.mkdtemp(prefix="arena-metrics-")
    os.environ[FOLDER_VARIABLE] = folder
    meters = PrometheusMeters(worker)
    heard, held = os.pipe()  # its end tells the other process that this one is gone, however it went
    told, tell = os.pipe()  # what keeps the other process from answering
    command = [sys.executable, "-m", "arena.worker.metrics", host, str(port), str(heard), str(tell)]
    package = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": path}
    shower = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, pass_fds=[heard, tell])
    os.close(heard)
    os.close(tell)
    with os.fdopen(told, encoding="utf-8") as said:
        meters.notice = said.read()
    if meters.notice:
        log.warning("%s", meters.notice)

    def end(owner: int = os.getpid()) -> None:
        if os.getpid() == owner:  # the child inherits this, and must not
            os.close(held)
            shower.wait()

    atexit.register(end)
    return meters


def show(host: str, port: int, heard: int, tell: int) -> int:
    """Answer with the sum of all processes until the pipe ends; then remove the files.

    What keeps it from answering is written to `tell`, which is closed as soon as it is known.
    """
    from prometheus_client import CollectorRegistry, start_http_server  # noqa: PLC0415 (as above)
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    folder = os.environ[FOLDER_VARIABLE]
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    with os.fdopen(tell, "w", encoding="utf-8") as told:
        try:
            start_http_server(port, host, registry)
        except OSError as error:
            told.write(
                f"no metrics at {host}:{port}: {error.strerror}; "
                "set ARENA_METRICS_PORT to another and start the worker again"
            )
    with contextlib.suppress(KeyboardInterrupt):
        os.read(heard, 1)
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(show(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
