"""The tournament that every fault is tried on: deterministic bots, a secret that is given, rows to compare.

A test plays it, hurts something in the middle, and compares the rows with those of a run that nobody
disturbed.
"""

import fcntl
import os
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.embedded.folder import DataFolder
from arena.embedded.process import Service
from arena.service.watching import Watched
from tests.fix_db import Postgres, Valkey, clear_queue, make_database
from tests.fix_leftovers import find_leftovers
from tests.fix_queue import Row, read_rows
from tests.fix_workers import ROOT, Fleet

BOTS = (ROOT / "bots" / "greedy", ROOT / "tests" / "bots" / "plodder")
NAMES = ("greedy", "plodder")
DEAL_SETS = 12
GROWTH_BYTES = 32 << 20
"""By less than this a worker's memory grows in a tournament."""
RULES = 'base = "mattel"\nrounds = 3\n'


@pytest.fixture(scope="session")
def undisturbed(
    postgres: Postgres, valkey_server: Valkey, tmp_path_factory: pytest.TempPathFactory
) -> list[Row]:
    """Give the rows of the tournament played by one worker that nobody disturbed.

    It is played once in a run: of the processes that share the tests, the first leaves its rows to all.
    """
    own = tmp_path_factory.getbasetemp()
    rows = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "undisturbed"
    with rows.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not rows.exists():
            rows.write_bytes(pickle.dumps(_play(postgres, valkey_server, own / "fleet")))
        return list(pickle.loads(rows.read_bytes()))


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[Valkey]:
    """Give a queue server of the test's own, to be killed."""
    folder = DataFolder(tmp_path / ".arena")
    folder.make()
    server = Valkey(folder)
    server.start()
    yield server
    server.stop()


def _play(postgres: Postgres, valkey_server: Valkey, folder: Path) -> list[Row]:
    """Play the tournament."""
    clear_queue(valkey_server)
    with make_database(postgres) as url:
        fleet = Fleet(folder / ".arena", url, valkey_server.url)
        try:
            begin(fleet)
            fleet.up(1)
            fleet.finish()
            return read_rows(fleet.database)
        finally:
            fleet.close()


def begin(fleet: Fleet, workers: int = 1) -> None:
    """Store the bots and start the tournament."""
    fleet.submit(*BOTS)
    fleet.start(*NAMES, rules=RULES, workers=workers, deal_sets=DEAL_SETS)


def check_oracle(fleet: Fleet, undisturbed: list[Row]) -> None:
    """See that nothing of what happened shows.

    The rows are those of the undisturbed run, each match once, so the standing, which is a function of them,
    is that run's; the workers that are still there have not grown; and after they have gone nothing is left
    of them and of any seat: no process, group, folder, file or socket.
    """
    rows = read_rows(fleet.database)
    assert rows == undisturbed
    assert len({(row.pairing, row.deal_set, row.rotation) for row in rows}) == len(rows)
    assert {pid: grown for pid, grown in fleet.growth().items() if grown >= GROWTH_BYTES} == {}
    fleet.dismiss()
    assert find_leftovers(fleet.temporary, fleet.arenas) == []


def pid_of(service: Service) -> int:
    """Return the number of a running worker."""
    pid = service.pid()
    assert pid is not None
    return pid


def is_playing(watched: Watched) -> bool:
    """Return whether some job is in the middle of its matches."""
    return any(0 < job.progress < job.matches or job.decisions > 0 for job in watched.running)


def fences(fleet: Fleet) -> list[tuple[int, int, int, int]]:
    """Return fence, attempts, infra and lost of all jobs."""
    with fleet.database.transaction() as connection:
        rows = connection.execute("SELECT fence, attempts, infra, lost FROM job ORDER BY id").fetchall()
    return [tuple(int(str(number)) for number in row) for row in rows]  # type: ignore[misc]
