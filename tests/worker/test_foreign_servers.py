"""Promises with the servers that an organiser installs: the distribution's PostgreSQL, Redis and RabbitMQ."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.migrate import migrate
from arena.store.pool import Database
from tests.fix_cup import begin, check_oracle, fences, is_playing, pid_of
from tests.fix_dying import wait_until_dead
from tests.fix_queue import Row
from tests.fix_servers import Server
from tests.fix_workers import Fleet, children

pytestmark = [pytest.mark.xdist_group("foreign"), pytest.mark.needs("debian-postgresql")]
BROKERS = [
    pytest.param("debian_redis", marks=pytest.mark.needs("debian-redis")),
    pytest.param("debian_rabbitmq", marks=pytest.mark.needs("debian-rabbitmq")),
]


@pytest.fixture(params=BROKERS)
def queue(request: pytest.FixtureRequest) -> Server:
    """Give each broker in turn."""
    server = request.getfixturevalue(request.param)
    assert isinstance(server, Server)
    return server


@pytest.fixture
def abroad(queue: Server, debian_postgres: Server, tmp_path: Path) -> Iterator[Fleet]:
    """Give a fleet whose servers are foreign; its database is new."""
    fleet = Fleet(tmp_path / ".arena", debian_postgres.url, queue.url)
    with Database(debian_postgres.url) as database, database.transaction() as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    migrate(fleet.database)
    yield fleet
    fleet.close()


def test_a_tournament_survives_everything_on_foreign_servers(
    abroad: Fleet, queue: Server, debian_postgres: Server, undisturbed: list[Row]
) -> None:
    """F1, F7, F8, F10. The worker, the broker and the database die in turn, and no row shows it.

    The worker is killed and its bots are gone; the broker is killed while a job is played, which is written
    all the same; every message is lost; the database is restarted under the last jobs.
    """
    begin(abroad)
    (worker,) = abroad.up(1)
    abroad.wait(is_playing)
    below = children(pid_of(worker))
    worker.send(signal.SIGKILL)
    survivors = wait_until_dead(below)

    abroad.up(1)
    abroad.wait(lambda watched: fences(abroad)[0][0] >= 2 and is_playing(watched))
    before = abroad.watch().totals.done
    queue.kill()
    abroad.wait(lambda watched: watched.totals.done > before)
    queue.start()
    queue.wipe()

    abroad.wait(lambda watched: is_playing(watched) or watched.tournament.state == "finished")
    debian_postgres.stop()
    debian_postgres.start()
    abroad.database.close()
    abroad.finish()

    assert survivors == set()
    assert sum(lost for *_, lost in fences(abroad)) >= 1
    check_oracle(abroad, undisturbed)
