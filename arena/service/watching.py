"""The tournaments there are: list them, and watch how far one is.

Owns the picture of a tournament at one moment. Imports nothing that plans or plays before it is asked how far
one is, so that a listing answers at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.store import annulments, bots, jobs
from arena.store import tournaments as store
from arena.store.pool import Connection, Database
from arena.store.rows import EntryProgressRow, EntryRow, ProgressRow, RunningJobRow, TournamentRow

if TYPE_CHECKING:
    from arena.service.coming import Coming


@dataclass(frozen=True, slots=True)
class Watched:
    """A tournament under way, at one moment."""

    tournament: TournamentRow
    totals: ProgressRow
    entries: Sequence[EntryProgressRow]
    running: Sequence[RunningJobRow]
    failures: Sequence[str]
    """Why jobs failed, one sentence a job; running the tournament again tries them again."""
    annulled: int = 0
    """Matches that were played and do not count."""
    coming: "Coming | None" = None
    """What is still to be played; None where nothing is."""

    def why_cancelled(self) -> str:
        """Say in a sentence why some matches are never played; empty where all are."""
        if not self.totals.cancelled:
            return ""
        if self.tournament.state == "cancelled":
            return "the tournament was cancelled"
        return ", ".join(
            f"{line.label} suspended"
            + (f" after {line.deaths} deaths" if line.deaths else ", for deaths that are annulled now")
            for line in self.entries
            if line.suspended
        )


def get(database: Database, name: str) -> TournamentRow:
    """Return a tournament.

    Raises:
        UsageError: There is none of that name; the message names the nearest.
    """
    return database.run(lambda connection: store.get_tournament(connection, name))


def find(database: Database, name: str) -> TournamentRow | None:
    """Return a tournament, None when there is none of that name."""
    return database.run(lambda connection: store.find_tournament(connection, name))


def find_outdated(database: Database, name: str) -> list[str]:
    """Return the entries of a tournament of whose bots a newer version passed its check, and that version."""

    def look(connection: Connection) -> list[str]:
        entries = store.list_entries(connection, store.get_tournament(connection, name).id)
        newest = {row.name: row.newest_checked for row in bots.list_bots(connection)}
        entered = {(entry.bot, entry.version) for entry in entries}
        return [
            f"{bot}@{version} plays, and not its newest version {bot}@{newest[bot]}"
            for bot, version in sorted(entered)
            if (newest.get(bot) or 0) > version and (bot, newest[bot]) not in entered
        ]

    return database.run(look)


def latest(database: Database) -> TournamentRow | None:
    """Return the newest listed tournament, None when there is none."""
    found = database.run(lambda connection: store.list_tournaments(connection, limit=1))
    return found[0] if found else None


def list_all(database: Database, *, unlisted: bool = False) -> list[TournamentRow]:
    """Return all tournaments, newest first; those of comparisons only where they are asked for."""
    return database.run(lambda connection: store.list_tournaments(connection, unlisted=unlisted))


def entries(database: Database, name: str) -> list[EntryRow]:
    """Return the entries of a tournament by number."""

    def work(connection: Connection) -> list[EntryRow]:
        return store.list_entries(connection, store.get_tournament(connection, name).id)

    return database.run(work)


def progress(database: Database, name: str) -> Watched:
    """Return how far a tournament is, and what it still plays, for a live table."""
    from arena.service.coming import find_coming  # noqa: PLC0415 (a listing needs no formats)

    def work(connection: Connection) -> Watched:
        tournament = store.get_tournament(connection, name)
        failed = [why for _, where, why in jobs.failed(connection) if where == tournament.name]
        return Watched(
            tournament,
            store.progress(connection, tournament.id),
            store.entry_progress(connection, tournament.id),
            jobs.running(connection, tournament.id),
            failed,
            annulments.count(connection, tournament.id),
            find_coming(connection, tournament),
        )

    return database.run(work)
