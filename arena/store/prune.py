"""Rows that nothing needs any more: counted, and removed. Never a fact; it never commits."""

from typing import Final

from arena.store.fetch import execute
from arena.store.pool import Connection
from arena.store.sql import query

SPARE: Final = {
    "jobs": ("select_spare_jobs", "delete_spare_jobs"),
    "bundles": ("select_spare_bundles", "delete_spare_bundles"),
}
"""How what is spare is counted and removed."""


def count_spare(connection: Connection, what: str) -> tuple[int, int]:
    """Return how many rows of `jobs` or `bundles` are spare, and how many bytes they have."""
    row = connection.execute(query(SPARE[what][0])).fetchone()
    return (int(str(row[0])), int(str(row[1]))) if row else (0, 0)


def delete_spare(connection: Connection, what: str) -> int:
    """Remove them, and return how many there were."""
    return execute(connection, SPARE[what][1])


def list_needed(connection: Connection) -> set[str]:
    """Return the digests of the bundles that a job may ask for, in hexadecimal."""
    return {str(digest) for (digest,) in connection.execute(query("select_needed_digests"))}
