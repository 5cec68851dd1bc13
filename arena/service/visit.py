"""A database, or the whole platform, for the length of one command, whether or not it is up.

Owns the rule for what no `arena up` started: the first command that needs it starts it, the last one that
uses it stops it; when that one is killed its guard does. Refuses to make a data folder for a command that
only reads.
"""

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.errors import UsageError
from arena.service import platform
from arena.service.guard import guarded
from arena.store import tournaments
from arena.store.migrate import migrate
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
    with _guest_book(folder, "visitors.lock") as book:
        try:
            if not Postgres(folder).is_running():
                # Marked first: a visitor that is killed while it starts the database has started it too.
                _mark(folder).touch()
            with guarded(settings) if _mark(folder).exists() else nullcontext():
                opened = platform.up(settings, with_workers=False, with_broker=False)
                with Database(opened.servers.database_url) as database:
                    yield database
        finally:
            _leave(settings, folder, book)


def upgrade(settings: Settings) -> list[str]:
    """Bring the database to this version's schema and return what was applied, by name.

    An embedded database is brought there by whoever opens it; nothing is left to apply then.

    Raises:
        UsageError: There is no data folder, or the schema is newer than this version.
        PlatformError: The database is unreachable.
    """
    if settings.database_url:
        with Database(settings.database_url, patience_s=PATIENCE_S) as database:
            return migrate(database)
    with visit(settings):
        return []


PATIENCE_S = 30.0
"""How long a database that starts at the same time as we do may take to appear."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who plays what a command asks for."""

    is_temporary: bool
    """Whether the workers were started for such commands, and stop with the last of them."""
    interrupted: Sequence[str] = ()
    """Tournaments that a killed command had left under way: they rest until they are run again."""
    notices: Sequence[str] = ()
    """What workers that were started say beside that they play."""


@contextmanager
def crew(settings: Settings) -> Iterator[Crew]:
    """Start what is missing to play; what was started is stopped by the last command that plays.

    The first command that plays interrupts what a killed one has left: its own play must not wait for it.

    Raises:
        UsageError: The data folder cannot be used.
        PlatformError: Something does not start.
    """
    folder = DataFolder(settings.data_folder)
    folder.make()
    with _guest_book(folder, "players.lock") as book, guarded(settings):
        try:
            is_first = _is_last(book)
            fcntl.flock(book, fcntl.LOCK_SH)
            with folder.locked():
                # Noted first: a command that is killed while it starts something has started it too.
                _note(folder, [*_noted(folder), *platform.absent(settings, folder)])
                is_temporary = any(name.startswith("worker") for name in _noted(folder))
                interrupted = _interrupt(settings, folder) if is_first and is_temporary else ()
                notices = platform.start(settings, folder).notices
            yield Crew(is_temporary, interrupted, notices)
        finally:
            _dismiss(settings, folder, book)


def put_away(settings: Settings) -> None:
    """Stop what killed commands had started and nobody uses any more."""
    folder = DataFolder(settings.data_folder)
    if not folder.path.is_dir():
        return
    with _guest_book(folder, "players.lock") as book:
        _dismiss(settings, folder, book)
    with _guest_book(folder, "visitors.lock") as book:
        _leave(settings, folder, book)


def _interrupt(settings: Settings, folder: DataFolder) -> Sequence[str]:
    """Let nobody play what is under way, unless the database is not our own and others may play it."""
    if settings.database_url or not Postgres(folder).is_running():
        return ()
    with platform.open_database(settings) as database:
        return database.run(tournaments.interrupt_all)


def _dismiss(settings: Settings, folder: DataFolder, book: int) -> None:
    """Stop what was started for commands that play, if no other one plays."""
    if _is_last(book):
        with folder.locked():
            platform.stop(settings, folder, _noted(folder))
            _note(folder, [])


def keep(settings: Settings) -> None:
    """Let everything run on when the last visitor has left: `arena up` has taken it over."""
    folder = DataFolder(settings.data_folder)
    _mark(folder).unlink(missing_ok=True)
    _note(folder, [])


def _note(folder: DataFolder, names: list[str]) -> None:
    """Write down what was started for commands that play."""
    (folder.processes / "playing").write_text("\n".join(names), encoding="utf-8")


def _noted(folder: DataFolder) -> list[str]:
    """Return what was started for commands that play."""
    try:
        return (folder.processes / "playing").read_text(encoding="utf-8").split()
    except FileNotFoundError:
        return []


def _mark(folder: DataFolder) -> Path:
    """Return the file that says: a visitor started the database."""
    return folder.processes / "visited"


@contextmanager
def _guest_book(folder: DataFolder, name: str) -> Iterator[int]:
    """Hold a lock that all visitors share; it ends with the process, however that ends."""
    book = os.open(folder.processes / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(book, fcntl.LOCK_SH)
        yield book
    finally:
        os.close(book)


def _is_last(book: int) -> bool:
    """Leave; say whether nobody else is there, of whom the book is then kept."""
    try:
        # Of two that leave at once the one that fails has given up its share, so the other one succeeds.
        fcntl.flock(book, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _leave(settings: Settings, folder: DataFolder, book: int) -> None:
    """Stop the database if a visitor started it, no other visitor is there, and nothing else runs."""
    if not _is_last(book):
        return
    with folder.locked():
        if _mark(folder).exists() and set(platform.running(settings)) <= {"postgres"}:
            Postgres(folder).stop()
            _mark(folder).unlink(missing_ok=True)
