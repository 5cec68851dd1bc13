"""A second process that outlives a killed command and puts away what the command had started.

Owns the pipe between the two: it ends with the command, however that ends, kill -9 included. Refuses to
decide what is put away: that is the guest book's rule in `arena.service.visit`, which spares what others use.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.undisturbed import undisturbed
from arena.embedded.workers import PACKAGE_FOLDER
from arena.service.platform import Servers, worker_environment


@contextmanager
def guarded(settings: Settings) -> Iterator[None]:
    """Put away what the block started, also when this process is killed in it; the block itself cleans up."""
    folder = DataFolder(settings.data_folder)
    heard, held = os.pipe()
    environment = worker_environment(settings, Servers(settings.database_url, settings.broker_url))
    environment["PYTHONPATH"] = os.pathsep.join(
        [PACKAGE_FOLDER, *filter(None, [environment.get("PYTHONPATH")])]
    )
    try:
        with undisturbed(), (folder.logs / "guard.log").open("ab") as log:
            guard = subprocess.Popen(
                [sys.executable, "-m", "arena.service.leftovers", str(heard)],
                env=environment,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # whoever kills the command's group means the command
                pass_fds=[heard],
            )
        try:
            yield
        finally:
            guard.kill()
            guard.wait()
    finally:
        os.close(heard)
        os.close(held)
