"""Promises when what a worker stands on fails: its child hangs, clocks jump, disks fill, servers restart."""

import logging
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from arena.botproc.live import Progress
from arena.bundle.cache import BundleCache
from arena.config import load_settings
from arena.service import jobs, watching
from arena.service.disk import why_full
from arena.service.jobs import Lease, Outcome
from arena.service.platform import find_servers, worker_environment
from arena.service.status import status
from arena.service.workers import greet
from arena.store.jobs import WorkerCard
from arena.store.pool import Database
from arena.store.rows import JobId
from arena.worker.tasks import Desk, serve
from tests.fix_cup import begin, check_oracle, fences, pid_of
from tests.fix_db import OWN, Valkey
from tests.fix_places import AT_DATABASES, AT_RABBITMQ, Restartable
from tests.fix_queue import ABLE, Row, make_outcome, make_tournament, read_rows
from tests.fix_workers import QUICK, ROOT, Fleet

HANGING = """
import sys, threading
from arena import broker
from arena.service.play import Arena
from arena.worker.__main__ import main

broker.KILL_AFTER_S = 1
Arena.play = lambda *_, **__: threading.Event().wait()
sys.exit(main())
"""
"""A worker whose jobs never end, and that kills them after two seconds."""


@AT_RABBITMQ
def test_a_job_that_always_hangs_is_failed_and_visible(
    fleet: Fleet, served_by: str, request: pytest.FixtureRequest
) -> None:
    """F3. Celery's hard limit kills the child three times; then the job is failed, and watching says so."""
    fleet.submit(ROOT / "bots" / "greedy", ROOT / "tests" / "bots" / "plodder")
    fleet.start("greedy", "plodder", rules=QUICK, deal_sets=1)
    with fleet.database.transaction() as connection:
        connection.execute("UPDATE job SET state = 'cancelled' WHERE rotation = 1")
    environment = worker_environment(fleet.settings, find_servers(fleet.settings)) | {
        "PYTHONPATH": str(ROOT),
        "ARENA_JOB_S": "1",
        "ARENA_LEASE_S": "1",
    }
    with subprocess.Popen([sys.executable, "-c", HANGING], env=environment) as worker:
        fleet.wait(lambda watched: watched.totals.jobs_failed == 1)
        worker.terminate()
        worker.wait(60)
    watching = [sys.executable, "-m", "arena.cli", "tournament", "watch", "cup"]
    watched = subprocess.run(watching, env=environment, capture_output=True, text=True, check=False)

    _, attempts, infra, lost = fences(fleet)[0]
    assert infra == 3
    assert attempts == infra + lost  # on a busy machine its worker may seem to be gone
    assert fleet.watch().failures == ["infra: its worker did not renew the lease"]
    assert read_rows(fleet.database) == []
    assert (watched.returncode, "did not renew the lease" in watched.stderr) == (3, True), watched.stderr
    if (
        served_by == OWN
    ):  # RabbitMQ gives back what was held when its worker has gone: nothing is to be seen there
        server: Valkey = request.getfixturevalue("valkey_server")
        with Redis(unix_socket_path=str(server.socket_path)) as client:
            assert client.hlen("unacked") == 0


@pytest.fixture(scope="module")
def clock_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the library that lets a process's wall clock jump."""
    library = tmp_path_factory.mktemp("clock") / "jumping_clock.so"
    source = Path(__file__).with_name("jumping_clock.c")
    command = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True)
    return library


@pytest.mark.needs("cc")
def test_clocks_that_jump_change_nothing(
    fleet: Fleet, undisturbed: list[Row], clock_library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F18. One worker's clock jumps two hours ahead, the other's back: no lease ends, nobody is late."""
    monkeypatch.setenv("LD_PRELOAD", str(clock_library))
    jumps = [fleet.temporary.parent / f"{fleet.temporary.name}-jump-{number}" for number in range(2)]
    for number, jump in enumerate(jumps):
        jump.write_bytes(struct.pack("q", 0))
        monkeypatch.setenv("JUMP_FILE", str(jump))
        workers = fleet.up(number + 1, lease_s=30.0)
    monkeypatch.undo()
    maps = [Path(f"/proc/{pid_of(worker)}/maps").read_text() for worker in workers]
    begin(fleet, workers=2)  # not before: the first worker may have played all while the second one starts
    # With leases that long no heartbeat tells of progress while so short a job lasts.
    fleet.wait(lambda watched: watched.running)
    hours = (2, -2)
    for jump, change in zip(jumps, hours, strict=True):
        with jump.open("r+b") as file:
            file.write(struct.pack("q", change * 3600))

    fleet.finish()

    assert {(fence, infra, lost) for fence, _, infra, lost in fences(fleet)} == {(1, 0, 0)}
    check_oracle(fleet, undisturbed)
    assert all(str(clock_library) in text for text in maps)
    assert abs(read_clock(clock_library, jumps[0]) - time.time() - 7200) < 3600
    for jump in jumps:
        jump.unlink()


def read_clock(library: Path, jump: Path) -> float:
    """Return the time of day that a process with a moved clock reads."""
    environment = {"LD_PRELOAD": str(library), "JUMP_FILE": str(jump)}
    done = subprocess.run(
        [sys.executable, "-c", "import time; print(time.time())"], env=environment, stdout=-1, check=True
    )
    return float(done.stdout)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """Give a folder on a file system of 24 MiB, which every user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="arena-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


def fill(folder: Path) -> Path:
    """Use up all room of a file system; return the file to remove."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return ballast


class Player:
    """Plays a job by making its results up, after doing what the test wants."""

    def __init__(self, before: Callable[[], object]) -> None:
        self.before = before

    def __call__(
        self, lease: Lease, *, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
    ) -> Outcome:
        """Make up an outcome."""
        del on_progress, should_stop
        self.before()
        return make_outcome(lease)


@AT_DATABASES
@pytest.mark.needs("root")
def test_a_full_disk_of_a_worker_is_waited_for(
    database: Database, small_disk: Path, database_url: str
) -> None:
    """F16. The job goes back as never taken, no other is taken, status says why; with room it goes on."""
    make_tournament(database, "a", "b")
    cache = BundleCache(small_disk / "bundles")
    ballast: list[Path] = []

    def extract() -> None:
        ballast.append(fill(small_disk))
        cache.extracted("00" * 32, lambda: b"no room even to begin")

    settings = load_settings({"data_folder": small_disk}, environment={})
    with Database(database_url) as renewals:
        desk = Desk("w1", settings, database, renewals, ABLE, Player(extract))
        card = WorkerCard("w1", "host", 1, 0, "0", 1, 1, ["python"], "strict")
        handed_back = serve(desk, JobId(1))
        paused = serve(desk, JobId(1))
        greet(database, card, why_full(small_disk))
        blocked = [block.what for block in status(database, silent_s=settings.silent_s).blocks]
        first = jobs_of(database)
        ballast[0].unlink()
        desk.player = Player(lambda: None)
        with database.transaction() as connection:
            connection.execute("UPDATE job SET not_before = '-infinity'")

        assert (handed_back, paused) == ("failed", "paused")
        assert first == [("queued", 0, 0)] * 2
        assert blocked == [
            f"worker w1 has paused: the disk of {small_disk} is full: less than 4 MiB are free"
        ]
        assert [serve(desk, JobId(1)), serve(desk, JobId(2))] == ["finished", "finished"]
    assert len(read_rows(database)) == 8


def jobs_of(database: Database) -> list[tuple[object, ...]]:
    """Return state, attempts and failures of all jobs."""
    with database.transaction() as connection:
        return connection.execute("SELECT state, attempts, infra FROM job ORDER BY id").fetchall()


@AT_DATABASES
@pytest.mark.needs("root")
def test_a_full_disk_of_the_database_loses_no_result(
    served_by: str,
    small_disk: Path,
    database_server: Restartable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """F17. A result that the database has no room for is kept and written when there is room."""
    tables = small_disk / "tables"
    tables.mkdir(mode=0o700)
    with Database(database_server.url, patience_s=5) as database:
        with psycopg.connect(database.url, autocommit=True) as maker:
            make_tablespace(maker, tables, served_by)
        move_tables(database, "small")
        make_tournament(database, "a", "b")
        ballast: list[Path] = []
        waited: list[float] = []

        def make_room(pause: float) -> None:
            waited.append(pause)
            if ballast:
                ballast.pop().unlink()

        monkeypatch.setattr(jobs.time, "sleep", make_room)  # type: ignore[attr-defined]
        settings = load_settings({"data_folder": tmp_path}, environment={})
        player = Player(lambda: ballast.append(fill(small_disk)))
        with Database(database.url) as renewals:
            said = serve(Desk("w1", settings, database, renewals, ABLE, player), JobId(1))

        assert (said, len(waited), len(read_rows(database))) == ("finished", 1, 4)
        assert jobs_of(database)[0] == ("done", 1, 0)
        move_tables(database, "pg_default")
        with psycopg.connect(database.url, autocommit=True) as maker:
            maker.execute("DROP TABLESPACE small")


def move_tables(database: Database, where: str) -> None:
    """Keep what a result fills in a tablespace."""
    with database.transaction() as connection:
        for table in ("match", "match_record", "play"):
            connection.execute(f"ALTER TABLE {table} SET TABLESPACE {where}".encode())


def make_tablespace(maker: psycopg.Connection[tuple[object, ...]], folder: Path, served_by: str) -> None:
    """Make a tablespace in a folder that is made the server's own; the arena's server is root's here."""
    if served_by != OWN:
        shutil.chown(folder, "postgres", "postgres")
    maker.execute(f"CREATE TABLESPACE small LOCATION '{folder}'".encode())


@AT_DATABASES
def test_a_restart_in_the_middle_of_a_result_writes_it_once(
    database_server: Restartable, caplog: pytest.LogCaptureFixture
) -> None:
    """F10. PostgreSQL is restarted while a result is written: it is there once, and no error is logged."""
    url = database_server.url
    with Database(url, patience_s=5) as database, Database(url, patience_s=20) as worker:
        make_tournament(database, "a", "b")
        lease = jobs.claim(worker, "w1", ABLE, lease_s=30)
        assert lease is not None
        written: list[bool] = []
        result = make_outcome(lease)
        writing = threading.Thread(target=lambda: written.append(jobs.finish(worker, lease, result)))
        with suppress(psycopg.OperationalError), psycopg.connect(url) as holder:
            holder.execute("SELECT 1 FROM pairing FOR UPDATE")
            with caplog.at_level(logging.INFO):
                writing.start()
                while not waits_for_a_lock(database):
                    pass
                database_server.stop()
                database_server.start()
                writing.join(60)
        database.close()

        assert written == [True]
        assert len(read_rows(database)) == 4
        assert watching.progress(database, "cup").totals.done == 4
        assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def waits_for_a_lock(database: Database) -> bool:
    """Return whether a transaction of the server stands before somebody's lock."""
    with database.transaction() as connection:
        waiting = connection.execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return waiting.fetchone() is not None
