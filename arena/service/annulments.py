"""Corrections: matches that shall not count, with a reason, and back again.

Owns which matches somebody may mean, and that whole jobs go: matches of one job were played by the same
processes, so what spoiled one may have spoiled all. Every figure computed afterwards is the one that there
would be without them. Refuses to delete a fact, and to annul everything without saying what.
"""

from dataclasses import dataclass
from datetime import datetime

from arena.errors import UsageError
from arena.store import annulments, bots, tournaments
from arena.store.annulments import AnnulmentRow, Asked
from arena.store.pool import Connection, Database

REASON_MAX = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Whose matches shall not count: those that meet everything that is set."""

    reason: str
    """Why."""
    bot: str | None = None
    """Those in which this version sat."""
    worker: str | None = None
    """Those that this worker played."""
    since: datetime | None = None
    """Those that ended then or later."""
    until: datetime | None = None
    """Those that ended before."""
    tournament: str | None = None
    """Only those of one tournament."""


def annul(database: Database, correction: Correction) -> AnnulmentRow:
    """Let matches count no longer; those played later do.

    Raises:
        UsageError: No reason is given, nothing says which matches, or there are none.
    """
    reason = correction.reason.strip()
    if not 1 <= len(reason) <= REASON_MAX:
        raise UsageError(f"a reason of 1 to {REASON_MAX:,} characters is needed: it is kept for ever")
    since, until = correction.since, correction.until
    if correction.bot is None and correction.worker is None and since is None and until is None:
        raise UsageError("say whose matches: --bot, --worker, --since or --until")
    if since is not None and until is not None and since >= until:
        raise UsageError("--since is not before --until: no match lies between")

    def work(connection: Connection) -> AnnulmentRow:
        version = None if correction.bot is None else bots.get_version(connection, correction.bot).id
        scope = correction.tournament
        asked = Asked(
            reason=reason,
            tournament_id=None if scope is None else tournaments.get_tournament(connection, scope).id,
            version_id=version,
            worker=correction.worker,
            played_from=since,
            played_until=until,
        )
        made = annulments.add(connection, asked)
        if not made.matches:
            raise UsageError("no finished match is like that: nothing was annulled")
        return made

    return database.run(work)


def undo(database: Database, number: int) -> AnnulmentRow:
    """Let the matches of an annulment count again.

    Raises:
        UsageError: There is no such annulment, or it is undone already.
    """
    return database.run(lambda connection: annulments.undo(connection, number))


def list_all(database: Database) -> list[AnnulmentRow]:
    """Return all annulments, newest first."""
    return database.run(annulments.list_all)
