"""A database for the length of one command, whether or not the platform is up.

Owns the rule for an embedded database that no `arena up` started: the first command that needs it starts it,
the last one that uses it stops it, also when an earlier one was killed. Refuses to make a data folder for a
command that only reads.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.errors import UsageError
from arena.service import platform
from arena.store.pool import Database


@contextmanager
def visit(settings: Settings, *, make: bool = False) -> Iterator[Database]:
    """Open the database; an embedded one that does not run is started, and stopped when nobody uses it.

    Args:
        settings: Where it is.
        make: Whether a data folder may be made.

    Raises:
        UsageError: There is no data folder, or it holds a newer schema.
        PlatformError: The database is unreachable or does not start.
    """
    folder = DataFolder(settings.data_folder)
    if settings.database_url:
        opened = platform.up(settings, with_workers=False, with_broker=False)
        with Database(opened.servers.database_url) as database:
            yield database
        return
    if not make and not folder.path.is_dir():
        raise UsageError(
            f"there is no arena in {settings.data_folder}: `arena bot submit DIR` or `arena up` makes one, "
            "--data-folder names another"
        )
    folder.make()
    with _guest_book(folder) as book:
        try:
            if not Postgres(folder).is_running():
                # Marked first: a visitor that is killed while it starts the database has started it too.
                _mark(folder).touch()
            opened = platform.up(settings, with_workers=False, with_broker=False)
            with Database(opened.servers.database_url) as database:
                yield database
        finally:
            _leave(settings, folder, book)


def keep(settings: Settings) -> None:
    """Let the database run on when the last visitor has left: `arena up` has taken it over."""
    _mark(DataFolder(settings.data_folder)).unlink(missing_ok=True)


def _mark(folder: DataFolder) -> Path:
    """Return the file that says: a visitor started the database."""
    return folder.processes / "visited"


@contextmanager
def _guest_book(folder: DataFolder) -> Iterator[int]:
    """Hold a lock that all visitors share; it ends with the process, however that ends."""
    book = os.open(folder.processes / "visitors.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(book, fcntl.LOCK_SH)
        yield book
    finally:
        os.close(book)


def _leave(settings: Settings, folder: DataFolder, book: int) -> None:
    """Stop the database if a visitor started it, no other visitor is there, and nothing else runs."""
    try:
        # Of two that leave at once the one that fails has given up its share, so the other one succeeds.
        fcntl.flock(book, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    with folder.locked():
        if _mark(folder).exists() and set(platform.running(settings)) <= {"postgres"}:
            Postgres(folder).stop()
            _mark(folder).unlink(missing_ok=True)
