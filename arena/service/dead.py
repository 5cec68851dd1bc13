"""Workers of this data folder that were killed: known at once, by the locks that they held.

Owns how a row of the database is told to be one of them. Refuses to judge workers that were started
elsewhere: those have a heartbeat.
"""

import socket
from collections.abc import Mapping

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.workers import WorkerProcesses

DeadWorkers = Mapping[tuple[str, int], str]
"""Names of workers by the host and the process number that their rows tell."""


def find_dead(settings: Settings) -> DeadWorkers:
    """Return the workers of the data folder whose process is dead."""
    host = socket.gethostname()
    return {
        (host, pid): name for pid, name in WorkerProcesses(DataFolder(settings.data_folder)).dead().items()
    }
