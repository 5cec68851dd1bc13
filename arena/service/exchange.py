"""A tournament as a file: every fact of it in JSON lines, and such a file as a tournament of an empty arena.

Owns the format (docs/export.md) and what is proved of a file before any of it is stored. Refuses to export
what is still played, because its records would show cards that nobody may see yet, and to import over what
is there.
"""

import hashlib
import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from arena.bundle.manifest import check_name
from arena.errors import UsageError, quote
from arena.service.proofs import prove
from arena.store import exchange, tournaments
from arena.store.migrate import migrations
from arena.store.pool import Connection, Database

FORMAT: Final = 1
HEAD: Final = "arena-export"
END: Final = "end"
BATCH: Final = 200
"""Rows that are written together."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a file."""

    tournament: str
    """The name of the tournament."""
    rows: int
    """Rows that were written."""
    matches: int
    """Matches among them."""
    is_proved: bool
    """Whether each match was proved from its record."""


def export_tournament(database: Database, name: str, *, with_bundles: bool = False) -> Iterator[str]:
    """Yield the lines of a tournament's file, each with its end of line.

    Args:
        database: Where it is.
        name: Which tournament.
        with_bundles: Whether the programs of its bots go with it.

    Raises:
        UsageError: There is none of that name, or it is not over.
    """
    with database.transaction() as connection:
        row = tournaments.get_tournament(connection, name)
        if row.state not in {"finished", "cancelled"}:
            raise UsageError(
                f"tournament {row.name!r} is {row.state}: its cards are not to be shown before its end; "
                f"`arena tournament run {row.name}` plays it to the end"
            )
        head = {
            "fact": HEAD,
            "format": FORMAT,
            "schema": migrations()[-1].number,
            "tournament": row.name,
            "bundles": with_bundles,
        }
        digest, count = hashlib.sha256(), 0
        lines = itertools.chain(
            [json.dumps(head) + "\n"], _rows(connection, row.id, with_bundles=with_bundles)
        )
        for line in lines:
            count += 1
            digest.update(line.encode())
            yield line
        yield json.dumps({"fact": END, "lines": count, "sha256": digest.hexdigest()}) + "\n"


def _rows(connection: Connection, tournament_id: Any, *, with_bundles: bool) -> Iterator[str]:
    for table in exchange.TABLES:
        if table == "bundle" and not with_bundles:
            continue
        for row in exchange.export_rows(connection, table, tournament_id):
            # A row is a JSON object of one line; the name of its table goes before its columns.
            yield f'{{"fact":"{table}",{row.lstrip()[1:]}\n'


def import_tournament(database: Database, lines: Iterable[str], *, is_proving: bool = True) -> Imported:
    """Store the tournament of a file in an empty arena: all of it, or nothing.

    Args:
        database: Where to; it must hold no bot and no tournament.
        lines: The file's lines.
        is_proving: Whether every match is replayed from its record and compared.

    Raises:
        UsageError: The arena is not empty, or the file is damaged, of another version, or not true.
    """
    with database.transaction() as connection:
        if exchange.has_facts(connection):
            raise UsageError("this arena has bots or tournaments: import into an empty one (--data-folder)")
        name, rows = _read(connection, lines)
        exchange.advance_numbers(connection)
        matches = exchange.list_matches(connection)
        _prove(connection, name, matches if is_proving else [])
    return Imported(name, rows, len(matches), is_proving)


def _read(connection: Connection, lines: Iterable[str]) -> tuple[str, int]:
    """Write the rows of a file; return the tournament's name and how many rows there were."""
    digest, name, count = hashlib.sha256(), "", 0
    waiting: list[str] = []
    table = ""
    for number, line in enumerate(lines, 1):
        facts = _parse(line, number)
        kind = str(facts.get("fact"))
        if number == 1:
            name = _check_head(facts)
        elif kind == END:
            _write(connection, table, waiting, number)
            if (facts.get("lines"), facts.get("sha256")) != (count, digest.hexdigest()):
                raise UsageError(f"line {number}: the lines before the end are not those that were written")
            return name, count - 1
        elif kind not in exchange.TABLES:
            raise UsageError(f"line {number}: no kind of line is called {quote(kind)}")
        else:
            if kind != table or len(waiting) >= BATCH:
                _write(connection, table, waiting, number)
                waiting, table = [], kind
            waiting.append(line)
        digest.update(line.encode())
        count = number
    raise UsageError(f"the file stops after line {count} without its last line: it is not whole")


def _parse(line: str, number: int) -> dict[str, Any]:
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict):
        raise UsageError(f"line {number}: no JSON object; a file of `arena tournament export` has one a line")
    return facts


def _check_head(facts: dict[str, Any]) -> str:
    schema = migrations()[-1].number
    if facts.get("fact") != HEAD:
        raise UsageError("line 1: this is no file of `arena tournament export`")
    if (facts.get("format"), facts.get("schema")) != (FORMAT, schema):
        raise UsageError(
            f"line 1: format {facts.get('format')} of schema {facts.get('schema')}; this version reads "
            f"format {FORMAT} of schema {schema}: import it with the version that wrote it"
        )
    return check_name(str(facts.get("tournament")), what="tournament name")


def _write(connection: Connection, table: str, rows: list[str], number: int) -> None:
    if not rows:
        return
    try:
        exchange.import_rows(connection, table, rows)
    except UsageError as error:
        raise UsageError(f"lines {number - len(rows)} to {number - 1}: {error}") from error


def _prove(connection: Connection, name: str, matches: Iterable[int]) -> None:
    """Look at what no constraint of the schema holds.

    Raises:
        UsageError: Something is not what it says.
    """
    found = tournaments.list_tournaments(connection)
    if [row.name for row in found] != [name] or found[0].state not in {"finished", "cancelled"}:
        raise UsageError(f"the file does not hold the one tournament {name!r}, and that over")
    if other := exchange.list_unproved_bundles(connection):
        raise UsageError(f"bundle {other[0]}: its bytes have another digest")
    if missing := exchange.list_unrecorded(connection):
        raise UsageError(f"match {missing[0]} has no record")
    for match in matches:
        for check in prove(connection, match):
            if check.failure:
                raise UsageError(f"match {match}: not true that {check.promise}: {check.failure}")
