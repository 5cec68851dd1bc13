"""Promises of a worker that is told to end before it serves, at moments that `tests.moments` draws."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.moments import interrupt, moments_of

SERVING_S = 3.0
"""About when a worker serves."""


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_that_has_not_begun_ends_with_one_line(
    ending: signal.Signals, tmp_path: Path, database_url: str, broker_url: str
) -> None:
    """Exit code 3 and one line while it starts, 0 and none when it serves; never a traceback."""
    own = {
        "ARENA_DATABASE_URL": database_url,
        "ARENA_BROKER_URL": broker_url,
        "ARENA_DATA_FOLDER": str(tmp_path),
    }
    for moment_s in moments_of(f"worker {ending}", SERVING_S):
        worker = subprocess.Popen(
            [sys.executable, "-m", "arena.worker"], env=os.environ | own, stderr=subprocess.PIPE, text=True
        )
        interrupt(worker, moment_s, ending)
        _, said = worker.communicate(timeout=60)

        told = "arena worker: interrupted before it took a job; the same command starts it again\n"
        assert (worker.returncode, said) in {(3, told), (0, "")}
