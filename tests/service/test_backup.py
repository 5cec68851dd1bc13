"""Promises of a backup: everything is in it, it is restored whole or not at all, and never over anything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.embedded import archive
from arena.errors import PlatformError, UsageError
from arena.service import watching
from arena.service.backup import backup, restore
from arena.store.migrate import check_schema, migrate
from arena.store.pool import Connection, Database
from tests.fix_db import make_database
from tests.fix_queue import drain, make_tournament, read_rows, take


@pytest.fixture
def empty(postgres: object) -> Iterator[Database]:
    """Give a second, empty arena."""
    with make_database(postgres) as url, Database(url) as other:  # type: ignore[arg-type]
        yield other


def contents(database: Database) -> dict[str, list[object]]:
    """Return every row of every table."""

    def read(connection: Connection) -> dict[str, list[object]]:
        names = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
        ).fetchall()
        return {
            str(name): sorted(
                connection.execute(f"SELECT row_to_json(t)::text FROM {name} AS t".encode()).fetchall(),
                key=str,
            )
            for (name,) in names
        }

    return database.run(read)


def test_a_tournament_under_way_goes_on_from_its_backup(
    database: Database, empty: Database, tmp_path: Path
) -> None:
    """Every row of every table is there, and what was still to be played is played to the end in the copy."""
    make_tournament(database, "a", "b", "c")
    take(database)
    file = tmp_path / "arena.backup"
    backup(database, file)

    assert restore(empty, file) == []
    assert contents(empty) == contents(database)
    assert file.stat().st_mode & 0o777 == 0o600
    for arena in (database, empty):
        arena.run(lambda connection: connection.execute("UPDATE job SET lease_until = now() - interval '1h'"
                                                        " WHERE state = 'leased'"))  # fmt: skip
        drain(arena)
    assert watching.progress(empty, "cup").tournament.state == "finished"
    assert len(read_rows(empty)) == len(read_rows(database)) == 24


def test_an_older_backup_is_brought_up_to_date(postgres: object, empty: Database, tmp_path: Path) -> None:
    """A file of the first schema is restored and migrated."""
    file = tmp_path / "old.backup"
    with make_database(postgres, "template0") as url, Database(url) as old:  # type: ignore[arg-type]
        from arena.store import migrate as module  # noqa: PLC0415 (its list is cut for a moment)

        first = module.migrations()[:1]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "migrations", lambda: first)
            migrate(old)
        archive.dump(url, file)

    assert restore(empty, file) == [f"{each.number:04}_{each.name}" for each in module.migrations()[1:]]
    check_schema(empty)


def test_what_cannot_be_restored_changes_nothing(database: Database, empty: Database, tmp_path: Path) -> None:
    """A text, a missing file, a newer schema, a damaged file, an arena in use: one sentence, no change."""
    make_tournament(database, "a", "b")
    whole, text, newer, cut = (tmp_path / name for name in ("whole", "text", "newer", "cut"))
    backup(database, whole)
    text.write_text("Dear organiser")
    cut.write_bytes(whole.read_bytes()[:-3000])
    database.run(lambda connection: connection.execute("INSERT INTO migration VALUES (999, 'x', 'y')"))
    backup(database, newer)
    before = contents(empty)

    for file, said in (
        (text, "no backup"),
        (tmp_path / "none", "no such file"),
        (tmp_path, "is a folder"),
        (newer, "schema 999"),
    ):
        with pytest.raises(UsageError, match=said):
            restore(empty, file)
    with pytest.raises((UsageError, PlatformError), match="cut"):
        restore(empty, cut)
    with pytest.raises(UsageError, match="into an empty one"):
        restore(database, whole)
    with pytest.raises(UsageError, match="is there already"):
        backup(database, whole)
    after = contents(empty)
    assert {name: rows for name, rows in after.items() if name != "migration"} == {
        name: rows for name, rows in before.items() if name != "migration"
    }
    assert restore(empty, whole) == []


def test_a_damaged_backup_is_refused_before_anything_is_done(
    database: Database, empty: Database, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    """One bit that is wrong, wherever: the digest does not fit, and not even the schema is touched."""
    make_tournament(database, "a", "b")
    whole, damaged = tmp_path / "whole", tmp_path / "damaged"
    backup(database, whole)
    data, before = whole.read_bytes(), contents(empty)
    end = len(data) - archive.SEAL_BYTES

    for place in (0, 40, end // 3, end // 2, end - 1, end + 5, len(data) - 20, len(data) - 1):
        with subtests.test(place=place):
            damaged.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
            with pytest.raises(
                UsageError, match=r"damaged: is damaged \(its digest does not fit\); take another"
            ):
                restore(empty, damaged)
    assert contents(empty) == before

    damaged.write_bytes(data[:end])
    assert restore(empty, damaged) == []
    assert contents(empty) == contents(database)


def test_a_password_stays_off_the_command_line() -> None:
    """What `ps` shows has the address without its password."""
    bare, password = archive._part_password("postgresql://ann:s%40cret@db.example:5433/arena?sslmode=require")

    assert (bare, password) == ("postgresql://ann@db.example:5433/arena?sslmode=require", "s@cret")
