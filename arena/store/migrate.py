"""Brings a database to the schema of this version: forward only, under a lock, one transaction a migration.

Owns the numbered files in `migrations/` and the table that remembers which were applied, with their digests.
Refuses a database of a newer schema, and one whose applied migrations are not these.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from arena.errors import UsageError
from arena.store.pool import Connection, Database

LOCK = 0x6172656E61
"""Number of the advisory lock: the word "arena"."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    name: str
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@cache
def migrations() -> tuple[Migration, ...]:
    """Return all migrations in order."""
    found = []
    for file in files(__package__).joinpath("migrations").iterdir():
        if file.name.endswith(".sql"):
            number, _, name = file.name.removesuffix(".sql").partition("_")
            found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.number))


def migrate(database: Database) -> list[str]:
    """Apply what is pending and return its names; any number of processes may call this at once.

    Raises:
        UsageError: The schema is newer than this version, or not one of its past.
        PlatformError: The database is unreachable.
    """
    return database.run(_migrate)


def check_schema(database: Database) -> None:
    """Make sure that the schema is the one of this version.

    Raises:
        UsageError: It is newer, older, or not one of ours; says what to do.
        PlatformError: The database is unreachable.
    """
    pending = database.run(_pending)
    if pending:
        raise UsageError(
            f"the database lacks {len(pending)} step(s) of the schema; `arena migrate` applies them"
        )


def _migrate(connection: Connection) -> list[str]:
    connection.execute("SET LOCAL statement_timeout = '10min'")
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration ("
        " number integer PRIMARY KEY, name text NOT NULL, digest text NOT NULL,"
        " applied_at timestamptz NOT NULL DEFAULT clock_timestamp())"
    )
    pending = _pending(connection)
    for migration in pending:
        connection.execute(migration.text.encode())
        connection.execute(
            "INSERT INTO migration (number, name, digest) VALUES (%s, %s, %s)",
            (migration.number, migration.name, migration.digest),
        )
    return [f"{migration.number:04}_{migration.name}" for migration in pending]


def _pending(connection: Connection) -> list[Migration]:
    """Return what is still to be applied, after comparing what was."""
    known = {migration.number: migration for migration in migrations()}
    applied: set[int] = set()
    exists = connection.execute("SELECT to_regclass('migration') IS NOT NULL").fetchone()
    if exists == (True,):
        for number, digest in connection.execute("SELECT number, digest FROM migration ORDER BY number"):
            if number not in known:
                raise UsageError(
                    f"the database has schema {number} and this version knows {max(known)}: it was made by a "
                    "newer version of the arena; upgrade this one, or use another data folder or database"
                )
            if known[int(str(number))].digest != digest:
                raise UsageError(
                    f"the database's schema {number} is not the one of this version; restore a backup of a "
                    "released version, or use another data folder or database"
                )
            applied.add(int(str(number)))
    return [migration for number, migration in sorted(known.items()) if number not in applied]


def drop_all(connection: Connection) -> None:
    """Remove every table, for whoever fills the database anew; only what is empty may be given here."""
    names = connection.execute("SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public'")
    for (name,) in names.fetchall():
        connection.execute(f"DROP TABLE public.{name} CASCADE".encode())
    connection.execute("DROP EXTENSION IF EXISTS btree_gist")
