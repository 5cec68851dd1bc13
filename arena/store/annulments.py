"""Annulments: which matches count no longer, and since when they do again.

Owns the marks on matches and deaths. Refuses to remove anything: what was played stays. It never commits.
"""

from dataclasses import asdict, dataclass
from datetime import datetime

from arena.errors import UsageError
from arena.store.fetch import execute, fetch_all, fetch_number, fetch_numbers, fetch_one
from arena.store.pool import Connection
from arena.store.rows import TournamentId, VersionId
from arena.store.sql import query


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which matches are meant: those that meet everything that is set."""

    reason: str
    """Why they shall not count."""
    tournament_id: TournamentId | None = None
    """Those of one tournament."""
    version_id: VersionId | None = None
    """Those in which a version sat."""
    worker: str | None = None
    """Those that a worker played."""
    played_from: datetime | None = None
    """Those written from then on."""
    played_until: datetime | None = None
    """Those written before."""


@dataclass(frozen=True, slots=True)
class AnnulmentRow:
    """An annulment as it is told."""

    id: int
    reason: str
    tournament: str | None
    bot: str | None
    worker: str | None
    played_from: datetime | None
    played_until: datetime | None
    matches: int
    """How many matches it covers, also those that another annulment covers too."""
    created_at: datetime
    undone_at: datetime | None
    """Since when it stands no longer."""


def add(connection: Connection, asked: Asked) -> AnnulmentRow:
    """Annul matches and the deaths in their jobs; return what that came to."""
    execute(connection, "lock_annulments")
    number = fetch_number(connection, "insert_annulment", **asdict(asked))
    values = {"annulment_id": number}
    for name in ("insert_annulled_plays", "annul_matches", "annul_deaths"):
        execute(connection, name, values)
    return get(connection, number or 0)


def undo(connection: Connection, number: int) -> AnnulmentRow:
    """Let what an annulment covers count again; where another one covers it too, it still does not.

    Raises:
        UsageError: There is no such annulment, or it is undone already.
    """
    execute(connection, "lock_annulments")
    get(connection, number)
    values = {"annulment_id": number}
    if execute(connection, "update_annulment_undone", values) == 0:
        raise UsageError(f"annulment {number} is undone already; see `arena match annulments`")
    execute(connection, "restore_matches", values)
    execute(connection, "restore_deaths", values)
    return get(connection, number)


def get(connection: Connection, number: int) -> AnnulmentRow:
    """Return an annulment.

    Raises:
        UsageError: There is none of that number.
    """
    found = None
    if 0 < number < 2**31:
        found = fetch_one(connection, AnnulmentRow, "select_annulments", annulment_id=number)
    if found is None:
        raise UsageError(f"no annulment has the number {number}; `arena match annulments` lists them")
    return found


def list_all(connection: Connection) -> list[AnnulmentRow]:
    """Return all annulments, newest first."""
    return fetch_all(connection, AnnulmentRow, "select_annulments", annulment_id=None)


def count(connection: Connection, tournament_id: TournamentId) -> int:
    """Return how many matches of a tournament are annulled."""
    return fetch_number(connection, "count_annulled", tournament_id=tournament_id) or 0


def count_by_entry(
    connection: Connection, tournament_id: TournamentId, *, rated: bool
) -> list[tuple[int, int, int]]:
    """Return entry, pairing and how many matches of the one in the other are annulled, of those that rate."""
    values = {"tournament_id": tournament_id, "rated": rated}
    rows = connection.execute(query("count_annulled_of_entries"), values).fetchall()
    return [(int(str(entry)), int(str(pairing)), int(str(amount))) for entry, pairing, amount in rows]


def list_sets(connection: Connection, tournament_id: TournamentId) -> list[int]:
    """Return the deal sets of a tournament's first pairing of which something is annulled."""
    return fetch_numbers(connection, "select_annulled_sets", tournament_id=tournament_id)
