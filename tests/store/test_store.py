"""Promises of the store's own mechanics: queries, columns, transactions, failures of the server."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import psycopg
import pytest

from arena.errors import PlatformError, UsageError
from arena.store import sql as sql_module
from arena.store import standings, tournaments
from arena.store.jobs import format_sets
from arena.store.pool import ATTEMPTS, BusyError, Connection, Database, UnreachableError, back_off
from arena.store.sql import queries
from tests.fix_places import AT_DATABASES, Restartable
from tests.fix_queue import OpenDatabase, drain, make_tournament, read_rows

STORE = Path(sql_module.__file__).parent


def test_every_query_is_described_and_used() -> None:
    """Each query has a name and a sentence, stands in one file, and some function runs it."""
    code = "".join(path.read_text() for path in STORE.glob("*.py"))
    unused = [name for name in queries() if f'"{name}"' not in code]

    assert unused == []
    assert all(text.endswith(";") or name.startswith("copy") for name, text in queries().items())


def test_every_query_is_accepted_by_the_server(database: Database) -> None:
    """The server can plan every query of the schema as it is."""
    for name, text in queries().items():
        if "COPY" in text:
            continue
        numbered: dict[str, str] = {}

        def place(found: re.Match[str], numbered: dict[str, str] = numbered) -> str:
            return numbered.setdefault(found.group(1), f"${len(numbered) + 1}")

        plain = re.sub(r"%\((\w+)\)s", place, text).replace("%%", "%")
        with database.transaction() as connection:
            try:
                connection.execute(f"PREPARE checked AS {plain}".encode())
                connection.execute("DEALLOCATE checked")
            except psycopg.errors.IndeterminateDatatype:
                pass
            except psycopg.Error as error:
                pytest.fail(f"{name}: {error}")


@pytest.mark.parametrize(
    ("sets", "text"),
    [([0], "{[0,1)}"), ([3, 1, 2], "{[1,4)}"), ([0, 1, 5, 7, 8], "{[0,2),[5,6),[7,9)}")],
)
def test_deal_sets_are_written_as_ranges(sets: list[int], text: str) -> None:
    """Numbers of deal sets become the fewest ranges, in order."""
    assert format_sets(sets) == text


@pytest.mark.parametrize("seats", [2, 3, 10])
def test_columns_say_what_the_rows_say(database: Database, seats: int) -> None:
    """The fast way to read matches gives the same numbers as reading the rows."""
    names = [f"bot{number}" for number in range(seats)]
    row = make_tournament(database, *names, seats=seats, deal_sets=9)
    drain(database)

    def read(connection: Connection) -> standings.MatchColumns:
        return standings.match_columns(connection, row.id, seats)

    columns = database.run(read)
    found = sorted(
        (
            columns.pairings[n],
            columns.deal_sets[n],
            columns.rotations[n],
            tuple(column[n] for column in columns.entries),
            tuple(column[n] for column in columns.places),
            tuple(column[n] for column in columns.totals),
        )
        for n in range(columns.matches)
    )
    assert found == [
        (r.pairing, r.deal_set, r.rotation, r.entries, r.places, r.totals) for r in read_rows(database)
    ]
    assert set(columns.rounds) == {3}
    assert set(columns.decisions) == {100}
    assert {number for column in columns.asked for number in column} == {40}


def test_columns_of_many_batches_are_whole(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting the server's answer in pieces of any size changes no number."""
    row = make_tournament(database, "a", "b", deal_sets=40)
    drain(database)
    whole = database.run(lambda connection: standings.match_columns(connection, row.id, 2))
    monkeypatch.setattr(standings, "_BATCH_BYTES", 100)

    cut = database.run(lambda connection: standings.match_columns(connection, row.id, 2))

    assert cut == whole
    assert cut.matches == 80


def test_an_empty_tournament_has_empty_columns(database: Database) -> None:
    """Without a match there are columns without numbers."""
    row = make_tournament(database, "a", "b")

    columns = database.run(lambda connection: standings.match_columns(connection, row.id, 2))

    assert columns.matches == 0


def test_a_thousand_entries_make_all_their_pairings(database: Database) -> None:
    """All pairings of a large round robin are written, each once, and few jobs are planned."""
    make_tournament(database, *(f"bot{number}" for number in range(120)), deal_sets=100)

    with database.transaction() as connection:
        counted = connection.execute(
            "SELECT count(*), count(DISTINCT entries), max(number), (SELECT count(*) FROM job) FROM pairing"
        ).fetchone()
    assert counted is not None
    assert counted[:3] == (7140, 7140, 7139)
    assert int(str(counted[3])) < 20


@AT_DATABASES
def test_a_deadlock_is_tried_again(open_database: OpenDatabase) -> None:
    """Two transactions that wait for each other both end well."""
    first, second = open_database(), open_database()
    with first.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', '0'), ('b', '0')")
    meet = threading.Barrier(2)
    met: set[str] = set()

    def touch(database: Database, keys: tuple[str, str]) -> None:
        def work(connection: Connection) -> None:
            for key in keys:
                connection.execute("UPDATE meta SET value = value || 'x' WHERE key = %s", (key,))
                if keys[0] not in met:
                    met.add(keys[0])
                    meet.wait(60)

        database.run(work)

    threads = [
        threading.Thread(target=touch, args=(first, ("a", "b"))),
        threading.Thread(target=touch, args=(second, ("b", "a"))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with first.transaction() as connection:
        rows = connection.execute("SELECT value FROM meta ORDER BY key").fetchall()
    assert rows == [("0xx",), ("0xx",)]


@AT_DATABASES
def test_what_never_succeeds_is_given_up(database: Database) -> None:
    """F15. A transaction that others break again and again ends as the platform's failure."""
    tried = []

    def work(_: Connection) -> None:
        tried.append(1)
        raise psycopg.errors.SerializationFailure("again")

    with pytest.raises(BusyError, match=f"gave up after {ATTEMPTS}"):
        database.run(work)

    assert len(tried) == ATTEMPTS


def test_a_process_that_stands_still_lets_go_of_its_locks(
    database_url: str, open_database: OpenDatabase
) -> None:
    """The server ends a transaction whose process was stopped in the middle, and others go on."""
    with open_database().transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', '0')")
    other = open_database()

    def change(connection: Connection) -> None:
        connection.execute("UPDATE meta SET value = value || 'x' WHERE key = 'a'")

    def change_and_stand_still(connection: Connection) -> None:
        change(connection)
        other.run(change)  # waits for the lock until the server ends its holder
        connection.execute("SELECT 1")

    with pytest.raises(UnreachableError, match="connection was lost"):
        Database(database_url, idle_s=0.2).run(change_and_stand_still)

    with other.transaction() as connection:
        assert connection.execute("SELECT value FROM meta").fetchone() == ("0x",)


INTERRUPTED = """
import sys
from arena.store.pool import Database
with Database(sys.argv[1]).transaction() as connection:
    # The server waits for rows and refuses the command that would undo it all.
    connection.pgconn.exec_(b"COPY meta FROM STDIN")
    raise KeyboardInterrupt
"""


def test_an_interrupted_transaction_says_nothing_itself(database_url: str) -> None:
    """That undoing it failed as well is no news for a person: the interruption goes up alone."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, database_url], capture_output=True, text=True, check=False
    )

    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("KeyboardInterrupt\n")
    assert "rollback" not in done.stderr


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    """What an exception interrupts is undone, and the connection can be used again."""

    def work(connection: Connection) -> None:
        connection.execute("INSERT INTO meta VALUES ('a', '0')")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        database.run(work)

    with database.transaction() as connection:
        assert connection.execute("SELECT count(*) FROM meta").fetchone() == (0,)


def test_a_server_whose_disk_is_full_is_told_to_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL lets nobody in that it has no room for: no start and no other address would mend it."""

    def refuse(*_: object, **__: object) -> None:
        raise psycopg.OperationalError("FATAL:  could not write init file: No space left on device\n")

    monkeypatch.setattr(psycopg, "connect", refuse)

    with pytest.raises(PlatformError, match=r"device; make room on its disk and give the command again$"):
        Database("postgresql:///").run(lambda _: None)


def test_an_unreachable_server_is_one_sentence() -> None:
    """A server that is not there is the platform's failure with a sentence, not a traceback of the driver."""
    with pytest.raises(PlatformError, match="database: cannot be reached: ") as caught:
        Database("postgresql:///x?host=/nowhere").run(lambda _: None)

    assert "\n" not in str(caught.value)


@AT_DATABASES
def test_a_restart_of_the_server_is_survived(database_server: Restartable) -> None:
    """F11. After kill -9 of the server the next transaction opens a new connection by itself."""
    database = Database(database_server.url, patience_s=20)
    database.run(lambda connection: connection.execute("CREATE TABLE kept (answer int)"))
    database_server.kill()
    with pytest.raises(UnreachableError):
        Database(database_server.url).run(lambda _: None)
    database_server.start()

    with pytest.raises(UnreachableError, match="connection was lost"):
        database.run(lambda connection: connection.execute("SELECT 1"))
    database.run(lambda connection: connection.execute("INSERT INTO kept VALUES (42)"))
    database.close()


def test_pauses_grow_and_end() -> None:
    """Trying again waits longer each time, with jitter, and ends with a last try."""
    assert list(back_off(0.0)) == [None]
    pauses = back_off(3600.0)
    first = [next(pauses) for _ in range(12)]

    assert all(pause is not None and 0 < pause <= 5.0 for pause in first)
    assert max(p or 0 for p in first[:2]) < min(p or 0 for p in first[8:])


def test_unknown_tournaments_are_answered_with_the_nearest(database: Database) -> None:
    """A misspelt name names the one that was meant."""
    make_tournament(database, "a", "b", name="summer")

    with pytest.raises(UsageError, match=r"no tournament is named 'sumer' \(did you mean 'summer'"):
        database.run(lambda connection: tournaments.get_tournament(connection, "sumer"))
