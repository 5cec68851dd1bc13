"""Real servers: one embedded PostgreSQL and one Valkey a session, a cloned database and a clean queue a test.

The servers are the same ones that `arena up` starts. Only `fsync` is off: no test pulls the plug. Some tests
are played at the distribution's servers, too: see `tests.fix_places`.
"""

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.valkey import Valkey
from arena.store.migrate import migrate
from arena.store.pool import Connection, Database

_numbers = itertools.count()
OWN = "own"
"""The place of a test whose servers are those that the arena brings."""


class DatabaseServer(Protocol):
    """A PostgreSQL with a migrated template database."""

    @property
    def url(self) -> str:
        """How to reach it."""

    def url_of(self, database: str) -> str:
        """Return how to reach another database of it."""


@pytest.fixture
def served_by(request: pytest.FixtureRequest) -> str:
    """Say where the test's servers are: the arena's own, unless the test says more."""
    return str(getattr(request, "param", OWN))


@pytest.fixture(scope="session")
def server_folder() -> Iterator[DataFolder]:
    """Give a data folder for the session, gone at its end."""
    path = Path(tempfile.mkdtemp(prefix="arena-test-"))
    folder = DataFolder(path / ".arena")
    folder.make()
    yield folder
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(server_folder: DataFolder) -> Iterator[Postgres]:
    """Give a running PostgreSQL with a migrated template database."""
    server = Postgres(server_folder, settings={"fsync": "off", "synchronous_commit": "off"})
    server.start()
    try:
        make_template(server)
        yield server
    finally:
        server.stop()


def make_template(server: DatabaseServer) -> None:
    """Make the database that those of tests are copies of."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE template_arena")
    with Database(server.url_of("template_arena")) as database:
        migrate(database)


@pytest.fixture(scope="session")
def valkey_server(server_folder: DataFolder) -> Iterator[Valkey]:
    """Give a running Valkey."""
    server = Valkey(server_folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def empty_url(postgres: Postgres) -> Iterator[str]:
    """Give the URL of a database without any table."""
    with make_database(postgres, "template0") as url:
        yield url


@pytest.fixture
def database_url(served_by: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the URL of a migrated database of the test's own."""
    server = request.getfixturevalue("postgres" if served_by == OWN else "debian_postgres")
    with make_database(server) as url:
        yield url


@contextmanager
def make_database(postgres: DatabaseServer, template: str = "template_arena") -> Iterator[str]:
    """Give the URL of a new database made from a template; it is gone at the end."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
    yield postgres.url_of(name)
    with psycopg.connect(postgres.url, autocommit=True) as connection:  # it may have been started anew
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def clear_queue(server: Valkey) -> None:
    """Empty the queue."""
    from redis import Redis  # noqa: PLC0415 (only tests of the queue pay for this import)

    with Redis(unix_socket_path=str(server.socket_path)) as client:
        client.flushall()


@pytest.fixture
def open_database(database_url: str) -> Iterator[Callable[[], Database]]:
    """Give a function that opens one more connection to the test's database."""
    opened: list[Database] = []

    def open_one() -> Database:
        opened.append(Database(database_url))
        return opened[-1]

    yield open_one
    for database in opened:
        database.close()


@pytest.fixture
def database(open_database: Callable[[], Database]) -> Database:
    """Give the test's database."""
    return open_database()


@pytest.fixture
def broker_url(served_by: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """Give the URL of an empty queue."""
    if served_by in {OWN, "debian"}:
        server = request.getfixturevalue("valkey_server")
        clear_queue(server)
        yield server.url
        clear_queue(server)
    else:
        server = request.getfixturevalue(served_by)
        server.wipe()
        yield server.url
        server.wipe()


def all_rows(connection: Connection) -> dict[str, list[str]]:
    """Return everything that is stored: of every table the text of every row, sorted."""
    tables = connection.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1"
    ).fetchall()
    return {
        str(table): [
            str(row)
            for (row,) in connection.execute(
                SQL("SELECT t::text FROM {} AS t ORDER BY 1").format(Identifier(str(table)))
            )
        ]
        for (table,) in tables
    }
