"""Runs a named query and gives typed rows; the one place where a cursor is made."""

from collections.abc import Mapping
from typing import TypeVar

from psycopg.rows import class_row

from arena.store.pool import Connection
from arena.store.sql import query

Row = TypeVar("Row")


def fetch_all(connection: Connection, row: type[Row], name: str, /, **values: object) -> list[Row]:
    """Return all rows of the query `name` as `row`."""
    with connection.cursor(row_factory=class_row(row)) as cursor:
        return cursor.execute(query(name), values).fetchall()


def fetch_one(connection: Connection, row: type[Row], name: str, /, **values: object) -> Row | None:
    """Return the first row of the query `name`, None when there is none."""
    with connection.cursor(row_factory=class_row(row)) as cursor:
        return cursor.execute(query(name), values).fetchone()


def fetch_numbers(connection: Connection, name: str, /, **values: object) -> list[int]:
    """Return the first column of the query `name`, a whole number."""
    return [int(str(row[0])) for row in connection.execute(query(name), values)]


def fetch_number(connection: Connection, name: str, /, **values: object) -> int | None:
    """Return the only number of the query `name`, None when it gives no row or no number."""
    row = connection.execute(query(name), values).fetchone()
    return None if row is None or row[0] is None else int(str(row[0]))


def execute(connection: Connection, name: str, values: Mapping[str, object] | None = None) -> int:
    """Run the query `name` and return how many rows it changed."""
    return connection.execute(query(name), values).rowcount
