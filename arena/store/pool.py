"""Connections to PostgreSQL and the transactions on them.

Owns opening, reopening with back-off, and the choice of what is tried again: a deadlock, a failed
serialization, two claims at the same moment. Every other failure of the server becomes a `PlatformError`
here, once. Refuses to be shared by threads.
"""

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Self, TypeAlias, TypeVar

import psycopg
from psycopg import errors

from arena.addresses import IN_PASSWORDS
from arena.errors import PlatformError, UsageError
from arena.files import tells_full

Connection: TypeAlias = psycopg.Connection[tuple[object, ...]]
T = TypeVar("T")

CONNECT_TIMEOUT_S = 5
SILENCE_S = 15
"""How long a network may swallow what is sent before the connection counts as lost."""
CONNECTIONS_A_WORKER = 3
"""The keeper's, the one that claims and writes, and the one that renews the lease."""
ATTEMPTS = 5
BACKOFF_S = 0.05
LONGEST_BACKOFF_S = 5.0
_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
RETRIED = (errors.DeadlockDetected, errors.SerializationFailure, errors.ExclusionViolation)
# What goes wrong is an exception; psycopg's warnings beside it would reach the terminal of a person.
logging.getLogger("psycopg").addHandler(logging.NullHandler())


class UnreachableError(PlatformError):
    """The database does not answer, or the connection was lost; what was under way may or may not be done."""


class BusyError(PlatformError):
    """Others changed the same rows again and again; nothing was done."""


class StoreFullError(PlatformError):
    """The database's disk is full; nothing was done."""


class Database:
    """One connection, opened when first needed and again after it was lost."""

    def __init__(
        self, url: str, *, application: str = "arena", patience_s: float = 0.0, idle_s: float = 60.0
    ) -> None:
        """Remember where the database is.

        Args:
            url: Where it is, for libpq.
            application: What the server shows as the name of the connection.
            patience_s: How long opening is tried again before it counts as unreachable.
            idle_s: How long a transaction may stand still before the server ends it: a process that was
                stopped, or whose host vanished, must not hold its locks for ever.
        """
        self.url = url
        self._application = application
        self._patience_s = patience_s
        self._idle_ms = round(idle_s * 1000)
        self._connection: Connection | None = None

    def run(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in one transaction; do it again, a few times, when others were in its way.

        Raises:
            PlatformError: The server is unreachable, full, or too busy.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self.transaction() as connection:
                    return work(connection)
            except RETRIED as error:
                if attempt == ATTEMPTS:
                    raise BusyError(f"database: gave up after {ATTEMPTS} attempts: {_said(error)}") from error
                time.sleep(random.uniform(0, BACKOFF_S * 2**attempt))  # noqa: S311 (jitter, no secret)
        raise AssertionError("unreachable")

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction; it is committed at the end of the block and undone by an exception.

        Raises:
            PlatformError: The server is unreachable or full.
        """
        connection = self._open()
        try:
            with connection.transaction():
                yield connection
        except errors.DiskFull as error:
            raise StoreFullError(
                f"database: its disk is full: {_said(error)}; make room and give the command again"
            ) from error
        except RETRIED:
            raise
        except psycopg.Error as error:
            # Some ends of a connection are told by errors that are named after their reason.
            if not connection.closed and not isinstance(error, _LOST):
                raise
            self.close()
            raise UnreachableError(
                f"database: the connection was lost: {_said(error)}; nothing that was stored is lost: "
                "look at the server (`arena status`, postgres.log) and give the command again"
            ) from error

    def close(self) -> None:
        """Close the connection, if one is open."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def _open(self) -> Connection:
        if self._connection is not None and not self._connection.closed:
            return self._connection
        for pause in back_off(self._patience_s):
            try:
                self._connection = psycopg.connect(
                    self.url,
                    application_name=self._application,
                    connect_timeout=CONNECT_TIMEOUT_S,
                    # Of a server whose host vanished nothing is heard: then the connection counts as lost.
                    tcp_user_timeout=SILENCE_S * 1000,
                    keepalives_idle=SILENCE_S // 3,
                    keepalives_interval=SILENCE_S // 5,
                    keepalives_count=3,
                    autocommit=True,
                    options="-c TimeZone=UTC -c lock_timeout=30s"
                    f" -c idle_in_transaction_session_timeout={self._idle_ms}",
                )
            except psycopg.ProgrammingError:
                # What libpq says of an address that it cannot read may repeat its password.
                raise UsageError(
                    f"database_url cannot be read as an address; mend ARENA_DATABASE_URL: {IN_PASSWORDS}"
                ) from None
            except psycopg.Error as error:
                if pause is None:
                    said = _said(error)
                    raise UnreachableError(f"database: cannot be reached: {said}; {_cure(said)}") from error
                time.sleep(pause)
            else:
                return self._connection
        raise AssertionError("unreachable")


def back_off(patience_s: float) -> Iterator[float | None]:
    """Yield pauses that double, with jitter, until `patience_s` is used up; then None for the last try."""
    deadline = time.monotonic() + patience_s
    pause = BACKOFF_S
    while time.monotonic() < deadline:
        yield random.uniform(pause / 2, pause)  # noqa: S311 (jitter, no secret)
        pause = min(pause * 2, LONGEST_BACKOFF_S)
    yield None


def _cure(said: str) -> str:
    """Return what to do about a server that lets nobody in."""
    if "too many clients" in said or "connection slots" in said:
        return f"raise its max_connections: a worker has {CONNECTIONS_A_WORKER}, a command one"
    if tells_full(said):
        return "make room on its disk and give the command again"
    return "start it, or mend ARENA_DATABASE_URL"


def _said(error: Exception) -> str:
    """Return what the server said, in one line."""
    return " ".join(str(error).split()) or type(error).__name__
