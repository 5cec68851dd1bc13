"""Workers of this data folder that were killed: known at once, by the locks that they held, and buried.

Owns how a row of the database is told to be one of them. Refuses to judge workers that were started
elsewhere: those have a heartbeat.
"""

import socket
from collections.abc import Mapping

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.workers import WorkerProcesses
from arena.store import jobs
from arena.store.pool import Connection, Database

DeadWorkers = Mapping[tuple[str, int], str]
"""Names of workers by the host and the process number that their rows tell."""


def find_dead(settings: Settings) -> DeadWorkers:
    """Return the workers of the data folder whose process is dead."""
    host = socket.gethostname()
    return {
        (host, pid): name for pid, name in WorkerProcesses(DataFolder(settings.data_folder)).dead().items()
    }


def bury(database: Database, dead: DeadWorkers) -> None:
    """Say of workers that were killed that they are gone, before others take their places and their jobs."""

    def work(connection: Connection) -> None:
        for worker in jobs.list_workers(connection):
            if (worker.host, worker.pid) in dead:
                jobs.bury_worker(connection, worker.id)

    if dead:
        database.run(work)
