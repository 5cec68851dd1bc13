"""Promises about one message: whatever happens to its job ends in a row or in nothing."""

import logging
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.botproc.live import Progress
from arena.config import Settings, load_settings
from arena.errors import PlatformError
from arena.service import watching
from arena.service.jobs import Lease, Outcome
from arena.service.play import SandboxLostError
from arena.store.pool import Database, StoreFullError
from arena.store.rows import JobId
from arena.worker import tasks
from arena.worker.metrics import Meters
from arena.worker.tasks import Desk, serve
from tests.fix_places import AT_DATABASES
from tests.fix_queue import ABLE, OpenDatabase, greet_worker, make_outcome, make_tournament, read_rows

Hook = Callable[[Lease], None]


class Player:
    """Plays a job by making its results up, after doing what the test wants."""

    def __init__(self, before: Hook = lambda _: None) -> None:
        self.before = before
        self.played = 0

    def __call__(
        self, lease: Lease, *, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
    ) -> Outcome:
        """Make up an outcome; nothing of it when told to stop."""
        self.played += 1
        self.before(lease)
        on_progress(Progress(1, 1, lease.job.matches, 10))
        return make_outcome(lease, left=lease.job.sets if should_stop() else ())


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Give settings with short leases."""
    folder = tmp_path_factory.mktemp("desk")
    return load_settings({"data_folder": folder, "lease_s": 0.6}, environment={})


@pytest.fixture
def desk(open_database: OpenDatabase, settings: Settings) -> Desk:
    """Give a worker's desk with a tournament waiting."""
    database = open_database()
    make_tournament(database, "a", "b")
    greet_worker(database, "w1")
    return Desk("w1", settings, database, open_database(), ABLE, Player())


def job_state(database: Database) -> tuple[str, int, int, str]:
    """Return state, attempts, failures and reason of the first job."""
    with database.transaction() as connection:
        row = connection.execute("SELECT state, attempts, infra, reason FROM job ORDER BY id").fetchone()
    assert row is not None
    return str(row[0]), int(str(row[1])), int(str(row[2])), str(row[3])


def failing(error: Exception) -> Player:
    """Return a player that fails."""

    def fail(_: Lease) -> None:
        raise error

    return Player(fail)


def test_a_message_plays_its_job(desk: Desk) -> None:
    """A message of a ready job ends with its rows, and with the tournament when it was the last."""
    assert serve(desk, JobId(1)) == "finished"
    assert serve(desk, JobId(2)) == "finished"

    assert len(read_rows(desk.database)) == 8
    assert watching.get(desk.database, "cup").state == "finished"


def test_a_message_of_a_taken_job_plays_the_oldest_ready_one(desk: Desk) -> None:
    """A message is a hint: when its job is done, another one is played, and without any nothing happens."""
    assert [serve(desk, JobId(1)) for _ in range(3)] == ["finished", "finished", "nothing"]
    assert serve(desk, JobId(10**12)) == "nothing"


@AT_DATABASES
def test_a_message_delivered_three_times_at_once_plays_once(desk: Desk, open_database: OpenDatabase) -> None:
    """F6. One of three claims and plays, the others do nothing meanwhile, and there is one result."""
    together = threading.Barrier(3)
    idle = threading.Semaphore(0)
    said: list[str] = []

    def wait_for_the_others(_: Lease) -> None:
        assert idle.acquire(timeout=60)
        assert idle.acquire(timeout=60)

    def run(number: int) -> None:
        mine = replace(desk, name=f"w{number}", database=open_database(), renewals=open_database())
        together.wait()
        said.append(serve(mine, JobId(1)))
        idle.release()

    desk.player = player = Player(wait_for_the_others)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (said, player.played) == (["nothing", "nothing", "finished"], 1)
    rows = read_rows(desk.database)
    assert len({(row.pairing, row.deal_set, row.rotation) for row in rows}) == len(rows) == 4
    with desk.database.transaction() as connection:
        jobs = connection.execute("SELECT fence, attempts, state FROM job ORDER BY fence").fetchall()
    assert jobs == [(0, 0, "queued"), (1, 1, "done")]


def test_the_platforms_failure_gives_the_job_back(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """An expected failure is one line without a traceback; the job waits with its reason."""
    desk.player = failing(PlatformError("no sandbox starts"))

    with caplog.at_level(logging.INFO, "arena.worker"):
        assert serve(desk, JobId(1)) == "failed"

    assert job_state(desk.database) == ("queued", 1, 1, "infra: no sandbox starts")
    assert [record.exc_info for record in caplog.records if "job_failed" in record.message] == [None]
    assert read_rows(desk.database) == []


def test_an_error_of_the_program_gives_the_job_back_with_its_traceback(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody expected is logged whole, and the job is tried again like any other failure."""
    desk.player = failing(ZeroDivisionError("oops"))

    assert serve(desk, JobId(1)) == "failed"

    assert job_state(desk.database)[:3] == ("queued", 1, 1)
    assert any(record.exc_info for record in caplog.records)


def test_a_lost_lease_ends_the_job_at_once_with_nothing_kept(desk: Desk) -> None:
    """The keeper of the lease notices that somebody else has it, and the next progress ends the job."""
    refused = threading.Event()

    def lose(lease: Lease) -> None:
        with desk.database.transaction() as connection:
            connection.execute(
                "UPDATE job SET fence = fence + 1, owner = 'w2' WHERE id = %s", (lease.job.id,)
            )
        assert refused.wait(20)

    desk.player = Player(lose)
    keeper = tasks.LeaseKeeper

    class Watched(keeper):  # type: ignore[valid-type, misc]
        """Tells when the lease was found lost."""

        def _run(self) -> None:
            super()._run()
            refused.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "LeaseKeeper", Watched)
        assert serve(desk, JobId(1)) == "fenced"

    assert read_rows(desk.database) == []


def test_a_job_longer_than_its_lease_keeps_it(desk: Desk) -> None:
    """While a job is played its lease is renewed with its progress, however long it takes."""

    def ends(lease: Lease) -> object:
        with desk.database.transaction() as connection:
            values = {"id": lease.job.id}
            return connection.execute("SELECT lease_until FROM job WHERE id = %(id)s", values).fetchone()

    def wait(lease: Lease) -> None:
        first = ends(lease)
        while ends(lease) == first:
            pass

    desk.player = Player(wait)

    assert serve(desk, JobId(1)) == "finished"


class Counting(Meters):
    """Counts the jobs that the platform failed."""

    failures = 0

    def failed(self) -> None:
        """Count one."""
        self.failures += 1


def test_a_job_that_is_lost_with_its_child_is_counted_by_the_next_one(
    desk: Desk, open_database: OpenDatabase
) -> None:
    """A child that is killed counts nothing any more; the one in its place does, once."""
    desk.meters = meters = Counting()
    lost = replace(desk, database=open_database(), renewals=open_database())
    lost.player = Player(lambda _: os.kill(os.getpid(), signal.SIGKILL))
    child = os.fork()
    if child == 0:
        serve(lost, JobId(1))
        os._exit(0)
    _, status = os.waitpid(child, 0)

    tasks.count_lost_job(desk)
    tasks.count_lost_job(desk)

    assert os.WTERMSIG(status) == signal.SIGKILL
    assert meters.failures == 1
    assert serve(desk, JobId(2)) == "nothing"
    tasks.count_lost_job(desk)
    assert meters.failures == 1


def test_a_worker_that_stops_gives_back_and_takes_nothing_more(desk: Desk) -> None:
    """Told to stop in the middle, a worker hands the job back as never taken, and takes no other."""
    desk.player = Player(lambda _: desk.stop.set())

    assert serve(desk, JobId(1)) == "finished"
    assert serve(desk, JobId(1)) == "stopping"

    assert job_state(desk.database)[:3] == ("queued", 0, 0)
    assert read_rows(desk.database) == []


def test_a_full_disk_pauses_the_worker_and_fails_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """F16, F17. With a full disk no job is taken; one under way goes back without counting as a failure."""
    desk.player = failing(StoreFullError("database: its disk is full"))
    assert serve(desk, JobId(1)) == "failed"
    assert job_state(desk.database)[:3] == ("queued", 0, 0)

    monkeypatch.setattr(tasks, "why_full", lambda _: "full")
    desk.player = player = Player()

    assert serve(desk, JobId(1)) == "paused"
    assert player.played == 0


def test_a_sandbox_that_breaks_pauses_the_worker_until_it_holds_again(desk: Desk) -> None:
    """The job goes back without counting as a failure, and nothing is played without the walls."""
    holds = False
    desk.still_holds = lambda: holds
    desk.player = failing(SandboxLostError("the sandbox did not start: no namespace"))
    assert serve(desk, JobId(1)) == "failed"
    state = job_state(desk.database)
    assert state[:3] == ("queued", 0, 0)
    assert state[3].startswith("its sandbox does not hold any more: the sandbox did not start")
    assert desk.is_open.is_set()

    desk.player = player = Player()
    assert serve(desk, JobId(2)) == "paused"
    assert player.played == 0

    holds = True
    assert serve(desk, JobId(2)) == "finished"
    assert not desk.is_open.is_set()


def test_an_unreachable_database_is_no_error_of_the_message(desk: Desk) -> None:
    """Without the database the message is dropped, because the row brings another one."""
    away = replace(desk, database=Database("postgresql:///x?host=/nowhere"))

    assert serve(away, JobId(1)) == "unclaimed"
