"""Promises when a worker or a command is pointed at what cannot be used: one line, the exit code."""

import logging
import os
import sys
from collections.abc import Callable, Iterator

import pytest

from arena.cli import main as arena
from arena.store.migrate import migrate
from arena.store.pool import Database
from arena.worker.__main__ import main as worker
from tests.fix_servers import Server

pytestmark = [
    pytest.mark.xdist_group("foreign"),
    pytest.mark.needs("debian-postgresql", "debian-rabbitmq"),
]


@pytest.fixture
def good(debian_postgres: Server, debian_rabbitmq: Server) -> dict[str, str]:
    """Give settings with which everything works."""
    with Database(debian_postgres.url) as database:
        with database.transaction() as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        migrate(database)
    return {"ARENA_DATABASE_URL": debian_postgres.url, "ARENA_BROKER_URL": debian_rabbitmq.url}


def another_password(url: str) -> str:
    """Return an address with a wrong password."""
    before, _, host = url.rpartition("@")
    return f"{before.rpartition(':')[0]}:wr0ng@{host}"


def forget_schema(url: str) -> None:
    """Let the database be as new."""
    with Database(url) as database, database.transaction() as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def age_schema(url: str) -> None:
    """Let the database be of a version to come."""
    with Database(url) as database, database.transaction() as connection:
        connection.execute("INSERT INTO migration (number, name, digest) VALUES (9999, 'future', 'x')")


DATABASE, BROKER = "ARENA_DATABASE_URL", "ARENA_BROKER_URL"
Change = Callable[[str], str | None]
CASES: dict[str, tuple[str, Change, int, str]] = {
    "a database of another kind": (
        DATABASE,
        lambda _: "mysql://h/x",
        2,
        "database_url must begin with one of",
    ),
    "a database that is not there": (
        DATABASE,
        lambda _: "postgresql://127.0.0.1:1/x",
        4,
        "database: cannot be reached",
    ),
    "a database whose address cannot be read": (
        DATABASE,
        lambda _: "postgresql://arena:wr0ng@[::1/x",
        2,
        "database_url cannot be read",
    ),
    "a database with another password": (DATABASE, another_password, 4, "password authentication failed"),
    "a database without tables": (DATABASE, forget_schema, 2, "arena migrate"),
    "a database of a newer version": (DATABASE, age_schema, 2, "newer version of the arena"),
    "a queue of another kind": (BROKER, lambda _: "ftp://h", 2, "broker_url must begin with one of"),
    "a queue with another password": (BROKER, another_password, 4, "ACCESS_REFUSED"),
}
"""What is wrong: of which setting, how it comes about, and the exit code and words that tell it."""


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Give a place for settings, without any that are set already; the log is as it was afterwards."""
    for name in [name for name in os.environ if name.startswith("ARENA_")]:
        monkeypatch.delenv(name)
    level = logging.getLogger("arena").level
    yield monkeypatch
    logging.getLogger("arena").setLevel(level)


@pytest.mark.parametrize("case", CASES)
def test_a_worker_says_in_one_line_what_it_cannot_use(
    case: str,
    good: dict[str, str],
    environment: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2 for what somebody must change, 4 for what may pass; never a traceback, never a password."""
    setting, change, code, words = CASES[case]
    for name, value in good.items():
        environment.setenv(name, value)
    if (changed := change(good[setting])) is not None:
        environment.setenv(setting, changed)
    environment.setattr(sys, "argv", ["arena.worker", "--wait-db", "0"])

    ended = worker()
    said = capsys.readouterr().err

    assert (ended, said.count("\n")) == (code, 1), said
    assert said.startswith("arena worker: ")
    assert words in said
    assert "wr0ng" not in said


def test_status_names_a_queue_that_refuses(
    good: dict[str, str], environment: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong password is named as what blocks, with what to mend; the right one blocks nothing."""
    for name, value in good.items():
        environment.setenv(name, value)
    shown = []
    for url in (another_password(good[BROKER]), good[BROKER]):
        environment.setenv(BROKER, url)
        with pytest.raises(SystemExit) as ended:
            arena(["status"])
        assert ended.value.code == 0
        shown.append(capsys.readouterr().out)

    assert "blocked: broker: cannot be reached: (0, 0): (403) ACCESS_REFUSED" in shown[0]
    assert "mend ARENA_BROKER_URL" in shown[0]
    assert "nothing blocks" in shown[1]
