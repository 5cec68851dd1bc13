"""Promises of a process that outlives the command that started it: whether it runs is known, whoever died."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from arena.embedded.folder import DataFolder
from arena.embedded.orphans import holders_of
from arena.embedded.process import Launch, Service, is_alive
from arena.embedded.workers import WorkerProcesses
from tests.fix_dying import wait_until_dead
from tests.fix_workers import children

PARENT_AND_CHILD = Launch(("/bin/sh", "-c", "sleep 1000 & wait"), dict(os.environ))


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """Give a process of a data folder that nobody has started."""
    folder = DataFolder(tmp_path / "private" / ".arena")
    folder.path.parent.mkdir(mode=0o700)
    folder.make()
    return Service(folder, "pair")


def test_all_workers_that_were_stopped_are_named(tmp_path: Path) -> None:
    """Also those that have ended before it is their turn to be waited for."""
    folder = DataFolder(tmp_path / "private" / ".arena")
    folder.path.parent.mkdir(mode=0o700)
    folder.make()
    workers = WorkerProcesses(folder)
    services = [workers.service(number) for number in range(3)]
    for service in services[1:]:
        service.start(Launch(("sleep", "1000"), dict(os.environ)))

    stopped = workers.stop(services, patience_s=60)

    assert stopped == ["worker-1", "worker-2"]
    assert not any(service.is_running(patience_s=60) for service in services)


def test_what_waits_to_be_reaped_does_not_run(service: Service) -> None:
    """Killed, with a child that holds its lock, it is not running: its successor waits for the child."""
    process = service.start(PARENT_AND_CHILD)
    while not (below := children(process.pid)):
        assert is_alive(process.pid)
    assert service.pid() == process.pid

    os.kill(process.pid, signal.SIGKILL)
    wait_until_dead({process.pid})
    named, held = service.pid(), service.is_running()
    for child in below:
        os.kill(child, signal.SIGKILL)

    assert (named, held) == (None, True)
    assert not service.is_running(patience_s=60)


def test_what_a_killed_process_left_behind_is_ended(service: Service) -> None:
    """A child that never notices keeps no successor out; who only looks at the lock is let be."""
    process = service.start(PARENT_AND_CHILD)
    while not (below := children(process.pid)):
        assert is_alive(process.pid)
    lock = service._lock_path
    held = set(holders_of(lock))
    with lock.open() as looked:
        looking = subprocess.Popen(["sleep", "1000"], stdin=looked)
    os.kill(process.pid, signal.SIGKILL)
    wait_until_dead({process.pid})
    assert service.is_running()

    service.refuse_elsewhere()

    assert held == {process.pid, *below}
    assert wait_until_dead(below) == set()
    assert looking.poll() is None
    looking.kill()
    looking.wait()
