"""Promises of workers on many machines: a network that breaks and heals, and a host that vanishes."""

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.service.watching import Watched
from arena.store.migrate import migrate
from arena.store.pool import Database
from tests.fix_cup import begin, check_oracle, fences, pid_of
from tests.fix_dying import wait_until_dead
from tests.fix_hosts import NETWORK, Host, Machine
from tests.fix_queue import Row
from tests.fix_servers import PostgreSQL, Redis
from tests.fix_workers import Fleet, children

pytestmark = pytest.mark.needs("root", "network-namespaces", "debian-postgresql", "debian-redis")


@pytest.fixture
def servers(server_host: Host, machines: list[Machine]) -> Iterator[tuple[PostgreSQL, Redis]]:
    """Give PostgreSQL and Redis on a host of their own; the test itself stands there, too."""
    del machines  # their cables end here
    with ExitStack() as stack:
        stack.enter_context(server_host.entered())
        made = (stack.enter_context(PostgreSQL.made(NETWORK)), stack.enter_context(Redis.made(NETWORK)))
        with Database(made[0].url) as database:
            migrate(database)
        yield made


@pytest.fixture
def fleets(
    servers: tuple[PostgreSQL, Redis], machines: list[Machine], tmp_path: Path
) -> Iterator[list[Fleet]]:
    """Give a fleet on each machine, with one worker, that reaches the servers over its cable."""
    with ExitStack() as stack:
        made = []
        for machine in machines:
            urls = [server.url.replace("127.0.0.1", machine.server_address) for server in servers]
            fleet = Fleet(tmp_path / machine.name / ".arena", *urls)
            stack.callback(fleet.close)
            stack.callback(machine.plug_cable)
            with machine.entered():
                fleet.up(1)
            made.append(fleet)
        yield made


def test_a_network_that_breaks_and_a_host_that_vanishes_change_nothing(
    servers: tuple[PostgreSQL, Redis],
    machines: list[Machine],
    fleets: list[Fleet],
    undisturbed: list[Row],
    tmp_path: Path,
) -> None:
    """Whoever has the job is cut off until another one plays it; then that one's host is gone for ever.

    The first machine's network heals in the middle of the tournament, and it plays on; nothing of what it
    played alone is kept.
    """
    observer = Fleet(tmp_path / "observer" / ".arena", servers[0].url, servers[1].url)
    workers = {pid_of(worker): number for number, fleet in enumerate(fleets) for worker in fleet.running()}

    def wait_for_player(besides: int | None = None) -> int:
        """Return which machine is in the middle of the first job, when it is another one than `besides`."""
        found: list[int] = []

        def look(watched: Watched) -> bool:
            for job in watched.running:
                number = workers[int(job.worker.rpartition("-")[2])]
                if job.id == 1 and job.decisions and number != besides:
                    found.append(number)
            return bool(found)

        observer.wait(look)
        return found[0]

    try:
        begin(observer)
        cut = wait_for_player()
        machines[cut].pull_cable()
        gone = wait_for_player(cut)
        machines[gone].pull_cable()
        machines[cut].plug_cable()
        for worker in fleets[gone].running():
            dead = {pid_of(worker), *children(pid_of(worker))}
            os.kill(pid_of(worker), signal.SIGKILL)
            assert wait_until_dead(dead) == set()

        observer.finish()

        assert cut != gone
        assert fences(observer)[0][0] >= 3
        for fleet in fleets:
            fleet.dismiss()
        check_oracle(observer, undisturbed)
    finally:
        observer.close()
