"""The arena's half of the conformance cases, for the tests that drive the scripted bot."""

from collections.abc import Mapping
from typing import Any

from arena.protocol.conformance import arena_cases

Row = Mapping[str, Any]


def rows(costs: str, but: tuple[str, ...] = ()) -> list[Row]:
    """Return the rows in which a bot loses just that; `but` are switches that another test turns on."""
    return [row for row in arena_cases() if row["costs"] == costs and row["switch"] not in but]


def switch_of(row: Row) -> str:
    """Return what names a row in a test's id."""
    return str(row["switch"])
