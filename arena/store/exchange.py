"""All facts of a tournament as JSON lines: row by row out of the tables, and into empty ones again.

Owns which tables hold facts and in which order they refer to each other. Refuses to judge them: what must
hold of imported facts beyond the constraints of the schema is `arena.service.exchange`'s. It never commits.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import psycopg

from arena.errors import UsageError
from arena.store.fetch import fetch_number, fetch_numbers
from arena.store.pool import Connection
from arena.store.rows import TournamentId
from arena.store.sql import query

QUERIES: Final = {
    "bot": ("export_bot", "import_bot"),
    "bot_version": ("export_bot_version", "import_bot_version"),
    "bundle": ("export_bundle", "import_bundle"),
    "tournament": ("export_tournament", "import_tournament"),
    "entry": ("export_entry", "import_entry"),
    "pairing": ("export_pairing", "import_pairing"),
    "play": ("export_play", "import_play"),
    "match": ("export_match", "import_match"),
    "match_record": ("export_match_record", "import_match_record"),
    "fault": ("export_fault", "import_fault"),
    "death": ("export_death", "import_death"),
    "usage": ("export_usage", "import_usage"),
    "annulment": ("export_annulment", "import_annulment"),
    "annulled_play": ("export_annulled_play", "import_annulled_play"),
}
"""How the rows of each table of facts are read and written."""
TABLES: Final = tuple(QUERIES)
"""The tables of facts; each refers to those before it only."""
AT_ONCE: Final = 1000
"""Rows that are read together."""


def export_rows(connection: Connection, table: str, tournament_id: TournamentId) -> Iterator[str]:
    """Yield the rows of a table that belong to a tournament, each as one line of JSON."""
    with connection.cursor(name=f"export_{table}") as cursor:
        cursor.itersize = AT_ONCE
        cursor.execute(query(QUERIES[table][0]), {"tournament_id": tournament_id})
        for (row,) in cursor:
            yield str(row)


def import_rows(connection: Connection, table: str, rows: Sequence[str]) -> None:
    """Write rows as they were exported.

    Raises:
        UsageError: They are no rows of that table, or break one of its rules.
    """
    if table not in TABLES:
        raise UsageError(f"no table of facts is called {table!r}")
    try:
        connection.execute(query(QUERIES[table][1]), {"rows": f"[{','.join(rows)}]"})
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        said = error.diag.message_primary or str(error)
        raise UsageError(f"these are no {table} rows of this schema: {' '.join(said.split())}") from error


def has_facts(connection: Connection) -> bool:
    """Return whether anybody has submitted a bot or created a tournament here."""
    return fetch_number(connection, "select_has_facts") == 1


def advance_numbers(connection: Connection) -> None:
    """Let new rows have numbers beyond those that were imported."""
    connection.execute(query("advance_numbers"))


def list_unproved_bundles(connection: Connection) -> list[str]:
    """Return the digests whose bundles are other bytes."""
    return [str(digest) for (digest,) in connection.execute(query("select_unproved_bundles"))]


def list_matches(connection: Connection) -> list[int]:
    """Return the numbers of all matches."""
    return fetch_numbers(connection, "select_match_ids")


def list_unrecorded(connection: Connection) -> list[int]:
    """Return the numbers of the matches without a record."""
    return fetch_numbers(connection, "select_unrecorded")
