"""The whole arena as one file, and back: every table, with jobs under way, bundles and secrets.

Owns when a database may be replaced: when nothing is in it. Refuses a file of a newer schema before anything
is touched; an older one is brought up to date after it was read.
"""

import os
from pathlib import Path

from arena.embedded import archive
from arena.errors import PlatformError, UsageError
from arena.files import refusal_of, why_no_file, written_whole
from arena.store import exchange
from arena.store.migrate import drop_all, migrate, migrations
from arena.store.pool import Database


def backup(database: Database, path: Path, *, is_replacing: bool = False) -> int:
    """Write the arena into a file as it is at one moment, whoever plays meanwhile; return its size.

    Raises:
        UsageError: Something is there already, or the folder cannot be written.
        PlatformError: The database cannot be read, or the disk is full.
    """
    if os.path.lexists(path) and not (is_replacing and path.is_file()):
        raise UsageError(f"{path} is there already: choose another name, or --force writes over a file")
    with written_whole(path) as new:
        archive.dump(database.url, new)
        archive.seal(new)
    return path.stat().st_size


def restore(database: Database, path: Path) -> list[str]:
    """Fill an empty arena from a file; return the names of the steps of the schema that were then applied.

    Raises:
        UsageError: The arena is not empty, or the file is none of ours, or newer, or its digest does not fit.
        PlatformError: The file is damaged and has no digest; the arena is empty as before.
    """
    if not path.is_file():
        raise UsageError(f"{path}: {why_no_file(path)}; `arena backup FILE` writes one")
    if database.run(exchange.has_facts):
        raise UsageError("this arena has bots or tournaments: restore into an empty one (--data-folder)")
    _check(path)
    try:
        database.run(drop_all)
        archive.load(database.url, path)
    except PlatformError:
        migrate(database)
        raise
    return migrate(database)


def _check(path: Path) -> None:
    """Look at which schema a file has.

    Raises:
        UsageError: It is damaged, no backup, or of a schema that this version does not know.
    """
    try:
        is_damaged = archive.is_damaged(path)
    except OSError as error:
        raise refusal_of(error, f"{path}: cannot be read: {error.strerror or error}") from error
    if is_damaged:
        raise UsageError(f"{path}: is damaged (its digest does not fit); take another copy")
    applied = {row[0]: row[2] for row in archive.read_table(path, "migration") if len(row) > 2}
    known = {str(migration.number): migration.digest for migration in migrations()}
    if not applied:
        raise UsageError(f"{path}: this is no backup of an arena: it has no schema of ours")
    for number, digest in applied.items():
        if known.get(number) != digest:
            raise UsageError(
                f"{path} has a schema {number} that this version does not know (it knows {len(known)}): "
                "restore it with the version that wrote it, or a newer one"
            )
