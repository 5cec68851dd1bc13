"""Promises about the schema and its steps."""

import subprocess
import threading
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest

from arena.embedded.postgres_host import installation
from arena.errors import UsageError
from arena.store import migrate as migrate_module
from arena.store.migrate import check_schema, migrate, migrations
from arena.store.pool import Database

ROOT = Path(__file__).resolve().parents[2]
STORE = Path(migrate_module.__file__).parent
SCHEMA = STORE / "schema.sql"


_loader = SourceFileLoader("schema_page", str(ROOT / "deploy" / "schema-page"))
schema_page = module_from_spec(spec_from_loader("schema_page", _loader))  # type: ignore[arg-type]
_loader.exec_module(schema_page)
dump_schema = schema_page.dump_schema


def test_the_schema_page_equals_the_migrations(database_url: str) -> None:
    """What schema.sql shows a reader is what the migrations make; `deploy/schema-page` writes it anew."""
    assert schema_page.HEAD + dump_schema(database_url) == SCHEMA.read_text()


def test_the_schema_page_can_be_run(empty_url: str, database_url: str) -> None:
    """A database made from schema.sql is the same as one made by the migrations."""
    psql = [
        str(installation() / "bin" / "psql"),
        "--quiet",
        "--set",
        "ON_ERROR_STOP=1",
        "--file",
        str(SCHEMA),
    ]
    subprocess.run([*psql, empty_url], capture_output=True, check=True)

    assert dump_schema(empty_url) == dump_schema(database_url)


def test_migrations_are_numbered_without_gaps_and_say_why() -> None:
    """Files count up from 0001 and open with a comment that gives the reason."""
    numbers = [migration.number for migration in migrations()]

    assert numbers == list(range(1, len(numbers) + 1))
    assert all(migration.text.startswith("-- ") for migration in migrations())
    assert {f"{m.number:04}_{m.name}.sql" for m in migrations()} == {
        file.name for file in (STORE / "migrations").iterdir()
    }


def test_migrating_twice_changes_nothing(empty_url: str) -> None:
    """The first call applies everything, the second nothing."""
    with Database(empty_url) as database:
        first = migrate(database)
        second = migrate(database)

    assert first == [f"{m.number:04}_{m.name}" for m in migrations()]
    assert second == []


def test_many_migrate_at_once_and_one_does_it(empty_url: str) -> None:
    """Started by several processes at the same time, each step is applied once and nobody fails."""
    applied: list[list[str]] = []

    def run() -> None:
        with Database(empty_url) as database:
            applied.append(migrate(database))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(len(names) for names in applied) == [0, 0, 0, len(migrations())]


def test_a_newer_schema_is_refused(database: Database) -> None:
    """A database that a newer version has changed is refused with what to do, and stays as it is."""
    with database.transaction() as connection:
        connection.execute("INSERT INTO migration (number, name, digest) VALUES (9999, 'future', 'x')")

    with pytest.raises(UsageError, match="newer version of the arena; upgrade"):
        migrate(database)
    with pytest.raises(UsageError, match="schema 9999"):
        check_schema(database)


def test_a_changed_migration_is_refused(database: Database) -> None:
    """A database whose step was made from another text is refused."""
    with database.transaction() as connection:
        connection.execute("UPDATE migration SET digest = 'other' WHERE number = 1")

    with pytest.raises(UsageError, match="schema 1 is not the one of this version"):
        migrate(database)


def test_an_unmigrated_database_is_told_apart(empty_url: str) -> None:
    """Using a database before it was migrated names the command that migrates it."""
    with Database(empty_url) as database, pytest.raises(UsageError, match="arena migrate"):
        check_schema(database)
