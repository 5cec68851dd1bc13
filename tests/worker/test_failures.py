"""Promises when workers die: bots end with them, no match is lost or counted twice, the rows are the same.

Every test plays the same tournament between the same deterministic bots and the same secret, hurts the
workers in its own way, and compares the rows with those of a run that nobody disturbed.
"""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis

from arena.botproc.orphans import is_of
from arena.embedded.process import is_alive
from arena.errors import PlatformError
from arena.service.dead import find_dead
from arena.service.platform import find_servers, worker_environment
from arena.store.jobs import list_workers
from tests.fix_cup import DEAL_SETS, begin, check_oracle, fences, is_playing, pid_of
from tests.fix_db import Valkey, clear_queue
from tests.fix_dying import wait_until_dead
from tests.fix_places import AT_DATABASES, AT_RABBITMQ, Restartable
from tests.fix_queue import Row, count_rows
from tests.fix_workers import ROOT, Fleet, child_of, children

PATIENT_LEASE_S = 60.0
"""A lease that is never lost, however busy the machine is."""


def test_two_workers_give_the_same_rows_as_one(fleet: Fleet, undisturbed: list[Row]) -> None:
    """Two workers in their own sandboxes give the rows that one gives."""
    begin(fleet, workers=2)
    fleet.up(2)

    fleet.finish()

    check_oracle(fleet, undisturbed)
    assert len(undisturbed) == DEAL_SETS * 2


def test_a_killed_worker_loses_nothing(fleet: Fleet, undisturbed: list[Row]) -> None:
    """F1. After kill -9 in the middle its bots are gone, and another worker plays the job once."""
    begin(fleet)
    (worker,) = fleet.up(1)
    fleet.wait(is_playing)
    killed = pid_of(worker)
    below = children(killed)

    os.kill(killed, signal.SIGKILL)
    survivors = wait_until_dead(below)
    dead = find_dead(fleet.settings)
    fleet.up(2)
    named = [row.pid for row in fleet.database.run(list_workers)]
    fleet.finish()

    assert len(named) == 2
    assert killed not in named
    assert dead == {(socket.gethostname(), killed): "worker-0"}
    assert len(below) >= 3
    assert survivors == set()
    check_oracle(fleet, undisturbed)
    assert any(fence >= 2 and lost >= 1 and infra == 0 for fence, _, infra, lost in fences(fleet))


def test_a_bot_that_dies_with_its_worker_is_not_to_blame(fleet: Fleet, undisturbed: list[Row]) -> None:
    """F25. Whoever died, the job is played again with fresh bots, and nothing of the first is kept."""
    begin(fleet)
    (worker,) = fleet.up(1)
    fleet.wait(is_playing)
    below = children(pid_of(worker))
    child = child_of(worker)
    os.kill(child, signal.SIGSTOP)  # so that it cannot see its bots die
    for bot in below - {child}:
        with suppress(ProcessLookupError):  # whoever was inside dies with the first of its sandbox
            os.kill(bot, signal.SIGKILL)
    killed = pid_of(worker)
    os.kill(killed, signal.SIGKILL)

    assert wait_until_dead({killed, *below}) == set()  # what still lives is not started again, nor put away
    fleet.up(1)
    fleet.finish()

    assert fences(fleet)[0][0] >= 2
    assert count_rows(fleet.database, "play WHERE fence = 1 AND job_id = 1") == 0
    assert count_rows(fleet.database, "fault") == count_rows(fleet.database, "death") == 0
    check_oracle(fleet, undisturbed)


@AT_RABBITMQ
def test_a_killed_child_loses_nothing(fleet: Fleet, undisturbed: list[Row]) -> None:
    """F2. When the child that plays is killed its bots are gone and the worker goes on."""
    begin(fleet)
    (worker,) = fleet.up(1)
    fleet.wait(is_playing)
    below = children(pid_of(worker))
    child = child_of(worker)

    os.kill(child, signal.SIGKILL)
    survivors = wait_until_dead(below)
    fleet.finish()

    assert survivors == set()
    assert worker.is_running()
    check_oracle(fleet, undisturbed)
    # The worker tells of its child's death, or on a busy machine the lease runs out before it can.
    assert any(fence >= 2 and infra + lost >= 1 for fence, _, infra, lost in fences(fleet))


KILLED = """
import os, pathlib, signal, sys
from arena.botproc import sandboxed, walled
main, folder = os.getpid(), pathlib.Path(sys.argv.pop(1))

def dying(moment, function):
    def called(*given, **more):
        done = function(*given, **more)
        if os.getpid() != main and not (folder / moment).exists():
            (folder / moment).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return done
    return called

sandboxed.launch = dying("bubblewrap is born", sandboxed.launch)
walled.read_to_brace = dying("it waits at its gate", walled.read_to_brace)
from arena.worker.__main__ import main as work
sys.exit(work())
"""
"""A worker whose child is killed at moments of its first starts of a sandbox."""


@pytest.mark.needs("root", "bwrap")
def test_a_child_killed_while_it_starts_a_sandbox_loses_nothing(
    fleet: Fleet, undisturbed: list[Row], tmp_path: Path
) -> None:
    """F26. As bubblewrap is born, and at its gate: nothing of it lives on, and the rows are the same."""
    begin(fleet)
    environment = worker_environment(fleet.settings, find_servers(fleet.settings)) | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], env=environment) as worker:
        fleet.finish()
        worker.terminate()

    assert {path.name for path in tmp_path.iterdir()} == {"bubblewrap is born", "it waits at its gate"}
    check_oracle(fleet, undisturbed)
    cache = fleet.settings.data_folder / "cache"
    assert [pid for pid in children(1) if is_of(pid, cache) and is_alive(pid)] == []


@AT_RABBITMQ
def test_a_worker_told_to_stop_gives_back_within_seconds(fleet: Fleet, undisturbed: list[Row]) -> None:
    """F4. SIGTERM in the middle: what is finished is written, the rest given back, exit code 0."""
    begin(fleet)
    environment = worker_environment(fleet.settings, find_servers(fleet.settings))
    environment |= {"PYTHONPATH": str(ROOT), "ARENA_LEASE_S": str(PATIENT_LEASE_S)}
    with subprocess.Popen([sys.executable, "-m", "arena.worker"], env=environment) as worker:
        fleet.wait(is_playing)
        below = children(worker.pid)

        worker.send_signal(signal.SIGTERM)
        code = worker.wait(60)
    survivors = wait_until_dead(below)
    watched = fleet.watch()
    fleet.up(1, lease_s=PATIENT_LEASE_S)
    fleet.finish()

    assert (code, survivors) == (0, set())
    assert watched.totals.jobs_leased == 0
    check_oracle(fleet, undisturbed)
    assert all(lost == infra == 0 for _, _, infra, lost in fences(fleet))


def test_a_worker_that_slept_is_fenced(fleet: Fleet, undisturbed: list[Row]) -> None:
    """F5. A worker stopped for longer than its lease finds its job taken and writes nothing of it."""
    begin(fleet)
    (first,) = fleet.up(1)
    fleet.wait(is_playing)
    asleep = {pid_of(first), *children(pid_of(first))}
    for pid in asleep:
        os.kill(pid, signal.SIGSTOP)
    fleet.up(2)
    fleet.wait(lambda _: any(fence >= 2 for fence, *_ in fences(fleet)))

    for pid in asleep:
        os.kill(pid, signal.SIGCONT)
    fleet.finish()
    fleet.wait(lambda _: "fenced" in fleet.logs())  # the rest may be played before it has looked

    check_oracle(fleet, undisturbed)


def test_a_wiped_broker_loses_nothing(fleet: Fleet, undisturbed: list[Row], valkey_server: Valkey) -> None:
    """F8. With every message gone the rows still bring every job to a worker."""
    begin(fleet)
    clear_queue(valkey_server)

    fleet.up(1)
    fleet.finish()

    check_oracle(fleet, undisturbed)


def test_a_killed_broker_is_waited_for(
    fleet: Fleet, undisturbed: list[Row], queue_server: Restartable, database_url: str
) -> None:
    """F7. kill -9 of the broker in the middle: the job under way is written, and all goes on later."""
    other = Fleet(fleet.settings.data_folder, database_url, queue_server.url)
    try:
        begin(other)
        other.up(1)
        other.wait(is_playing)
        queue_server.kill()
        before = other.watch().totals.done
        other.wait(lambda watched: watched.totals.done > before)

        queue_server.start()
        other.finish()

        check_oracle(other, undisturbed)
    finally:
        other.close()


def test_a_queue_that_takes_nothing_is_waited_for(
    fleet: Fleet, undisturbed: list[Row], queue_server: Restartable, database_url: str, own_valkey: Valkey
) -> None:
    """Valkey refuses to write, as on a full disk: no worker ends, and all goes on when it takes again."""
    other = Fleet(fleet.settings.data_folder, database_url, queue_server.url)
    try:
        begin(other)
        workers = other.up(1)
        other.wait(is_playing)
        with Redis(unix_socket_path=str(own_valkey.socket_path)) as client:
            client.config_set("min-replicas-to-write", 1)
            other.wait(lambda watched: not watched.running)
            other.wait(lambda _: "NOREPLICAS" in other.logs())
            client.config_set("min-replicas-to-write", 0)
        other.finish()

        assert all(worker.pid() is not None for worker in workers), other.logs()
        check_oracle(other, undisturbed)
    finally:
        other.close()


@AT_RABBITMQ
def test_a_broker_that_is_down_at_the_start_is_no_loss(
    fleet: Fleet, undisturbed: list[Row], queue_server: Restartable, database_url: str
) -> None:
    """F9. With the broker down a tournament is created all the same, and played when the broker is there."""
    other = Fleet(fleet.settings.data_folder, database_url, queue_server.url)
    queue_server.stop()
    try:
        with pytest.raises(PlatformError, match="broker: cannot be reached"):
            begin(other)
        created = other.watch()
        queue_server.start()
        other.up(1)
        other.finish()

        assert created.tournament.state == "running"
        check_oracle(other, undisturbed)
    finally:
        other.close()


@AT_DATABASES
def test_a_killed_database_loses_nothing(
    fleet: Fleet, undisturbed: list[Row], database_server: Restartable
) -> None:
    """F11. kill -9 of PostgreSQL in the middle, three times: the workers come back by themselves."""
    other = Fleet(fleet.settings.data_folder, database_server.url, fleet.settings.broker_url)
    try:
        begin(other)
        other.up(1)
        for _ in range(3):
            other.wait(lambda watched: is_playing(watched) or watched.tournament.state == "finished")
            database_server.kill()
            database_server.start()
            other.database.close()
        other.finish()

        check_oracle(other, undisturbed)
        assert "Traceback" not in other.logs()
    finally:
        other.close()


def test_a_worker_without_its_database_says_so_in_one_line(tmp_path: Path) -> None:
    """F13. A worker whose database is away ends with code 4 and one line."""
    environment = {
        **os.environ,
        "ARENA_DATABASE_URL": "postgresql:///x?host=/nowhere",
        "ARENA_BROKER_URL": "redis+socket:///nowhere",
        "ARENA_DATA_FOLDER": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "arena.worker", "--wait-db", "0"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)

    assert done.returncode == 4
    assert done.stderr.startswith("arena worker: database: cannot be reached")
    assert done.stderr.count("\n") == 1


def test_ctrl_c_ends_a_worker_in_good_order(fleet: Fleet) -> None:
    """SIGINT at a worker in the foreground: its job goes back, its bots are gone, the exit code is 0."""
    begin(fleet)
    servers = find_servers(fleet.settings)
    environment = worker_environment(fleet.settings, servers) | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "arena.worker"]
    with subprocess.Popen(command, env=environment) as worker:
        fleet.wait(is_playing)
        below = children(worker.pid)

        worker.send_signal(signal.SIGINT)
        code = worker.wait(60)

    assert code == 0
    assert wait_until_dead(below) == set()
    assert fleet.watch().totals.jobs_leased == 0


def test_the_main_process_never_loads_grpc() -> None:
    """What is forked has not loaded gRPC, which does not survive a fork."""
    code = "import sys, arena.worker.main; sys.exit('grpc' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
