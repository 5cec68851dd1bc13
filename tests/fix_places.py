"""Where the database and the queue of a test are: the servers that the arena brings, or the distribution's.

A test is played at the arena's own unless it says `@AT_DATABASES` or `@AT_RABBITMQ`: then it is played
there, too, with the distribution's PostgreSQL. The servers are those of the whole run; each test has a
database of its own and an empty queue. Tests that kill or stop a server ask for `database_server` or
`queue_server`: of the arena's own they get one for themselves.
"""

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.valkey import Valkey
from arena.store.migrate import migrate
from arena.store.pool import Database
from tests.fix_db import OWN, make_database
from tests.fix_dying import wait_until_dead
from tests.fix_servers import PostgreSQL, Server


def _abroad(place: str, *needs: str) -> object:
    marks = [pytest.mark.needs("debian-postgresql", *needs), pytest.mark.xdist_group("foreign")]
    return pytest.param(place, marks=marks)


AT_DATABASES = pytest.mark.parametrize("served_by", [OWN, _abroad("debian")], indirect=True)
"""What is about the database alone."""
AT_RABBITMQ = pytest.mark.parametrize(
    "served_by", [OWN, _abroad("debian_rabbitmq", "debian-rabbitmq")], indirect=True
)
"""What hangs on how the queue keeps what it has handed out: RabbitMQ gives that back by itself, Redis and
Valkey by the clocks of their clients."""


class Restartable(Protocol):
    """A server that a test ends and starts again."""

    @property
    def url(self) -> str:
        """How the arena reaches it."""

    def start(self) -> object:
        """Start it and wait until it serves."""

    def stop(self) -> object:
        """Stop it in good order."""

    def kill(self) -> None:
        """End it as a crash would."""


class OwnServer:
    """One of the arena's own servers, of a test's own."""

    def __init__(self, server: Postgres | Valkey) -> None:
        self._server = server
        self.url = server.url
        self.start: Callable[[], object] = server.start
        self.stop: Callable[[], object] = server.stop

    def kill(self) -> None:
        """End it as a crash would."""
        pid = self._server.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert wait_until_dead({pid}) == set()


class ForeignDatabase:
    """A database of a test's own on the distribution's PostgreSQL."""

    def __init__(self, server: PostgreSQL, url: str) -> None:
        self.url = url
        self.start: Callable[[], object] = server.start
        self.stop: Callable[[], object] = server.stop
        self.kill = server.kill


@pytest.fixture
def queue_server(served_by: str, request: pytest.FixtureRequest) -> Iterator[Restartable]:
    """Give a queue that may be killed and stopped; it runs."""
    if served_by != OWN:
        request.getfixturevalue("broker_url")  # empty before and after
        server = request.getfixturevalue(served_by)
        assert isinstance(server, Server)
        yield server
        return
    yield OwnServer(request.getfixturevalue("own_valkey"))


@pytest.fixture
def database_server(served_by: str, request: pytest.FixtureRequest) -> Iterator[Restartable]:
    """Give a migrated database whose server may be killed and stopped; it runs."""
    with ExitStack() as stack:
        if served_by != OWN:
            server = request.getfixturevalue("debian_postgres")
            assert isinstance(server, PostgreSQL)
            yield ForeignDatabase(server, stack.enter_context(make_database(server)))
            return
        folder = DataFolder(Path(stack.enter_context(tempfile.TemporaryDirectory())) / ".arena")
        folder.make()
        own = Postgres(folder, settings={"fsync": "off"})
        stack.callback(own.stop)
        own.start()
        with Database(own.url) as database:
            migrate(database)
        yield OwnServer(own)
