"""What any worker does every few seconds for all, so that losing every message loses nothing.

Takes back lost leases, sends lost messages again, plans and ends tournaments whose last worker had no time
to. Owns nothing that must happen exactly once: any number may run this at any time, and one of them works.
"""

from dataclasses import dataclass

from arena.service import schedule
from arena.service.messages import find_lost
from arena.store import jobs
from arena.store.pool import Connection, Database
from arena.tournament.planning import JOB_SECONDS


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What was found."""

    worked: bool
    """False when another reconciler was at work."""
    taken_back: int = 0
    """Leases that nobody had renewed."""
    resent: int = 0
    """Messages that must have been lost."""
    ended: int = 0
    """Tournaments that were over."""


def reconcile(
    database: Database, *, resend_s: float, fresh_s: float, job_seconds: float = JOB_SECONDS
) -> Reconciled:
    """Look over the queue once; messages go to the outbox.

    Args:
        database: Where the queue is.
        resend_s: How old a message must be to count as lost, while a worker waits for it.
        fresh_s: How old the heartbeat of a worker that counts as waiting may be.
        job_seconds: How long a job should play.
    """

    def work(connection: Connection) -> Reconciled:
        if not jobs.be_reconciler(connection):
            return Reconciled(worked=False)
        expired = jobs.take_back_expired(connection)
        lost = find_lost(connection, resend_s=resend_s, fresh_s=fresh_s)
        jobs.announce(connection, {*expired, *lost})
        ended = 0
        for tournament_id in jobs.running_tournaments(connection):
            schedule.plan(connection, tournament_id, job_seconds=job_seconds)
            ended += schedule.finish_if_over(connection, tournament_id, job_seconds=job_seconds)
        jobs.forget_old_workers(connection)
        return Reconciled(True, len(expired), len(set(lost) - set(expired)), ended)

    return database.run(work)
