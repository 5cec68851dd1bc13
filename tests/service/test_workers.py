"""Promises of a worker's row."""

from arena.config import Settings
from arena.service import jobs, workers
from arena.service.status import status
from arena.store.pool import Database
from tests.fix_queue import make_tournament, take
from tests.service.test_status import CARD, greet_as


def test_a_worker_that_left_stays_gone(database: Database) -> None:
    """Its child ends its last job after the main process has said goodbye: the worker is no longer listed."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    lease = take(database, worker=CARD.id)
    assert lease is not None
    workers.leave(database, CARD.id)

    jobs.hand_back(database, lease, reason="stopped", pause_s=0)

    assert status(database, silent_s=Settings().silent_s).workers == []
