"""The messages about jobs: sent once what they tell is committed, sent again when the wrong worker got them.

A message is only a hint that somebody may look for work; the row is the truth. Owns the outbox and what
becomes of a message whose job its reader cannot play. Refuses to make two messages out of one.
"""

from collections.abc import Callable, Sequence

from arena.botproc.level import Level
from arena.store import jobs
from arena.store.jobs import Abilities
from arena.store.pool import Connection, Database
from arena.store.rows import JobId

REFUSED_S = 1e9
"""The age of a message that was refused: it counts as never sent."""
FRESH_S = 30.0
"""How old the heartbeat of a worker may be for which a refused message is sent again."""


def flush(database: Database, send: Callable[[Sequence[JobId]], None]) -> int:
    """Send the messages of committed transactions; return how many. What could not be sent stays.

    No lock is held while they are on their way: a worker that claims passes over a locked job, and the
    message would be spent. Two who flush at once send some twice, which nobody minds.

    Raises:
        PlatformError: From `send`, when the broker is unreachable.
    """
    messages = database.run(jobs.outbox)
    if messages:
        job_ids = sorted({job for _, job in messages})
        database.run(lambda connection: jobs.note_sending(connection, job_ids))
        send(job_ids)
        database.run(lambda connection: jobs.forget_sent(connection, [number for number, _ in messages]))
    return len(messages)


def pass_on(database: Database, job_id: JobId, abilities: Abilities) -> bool:
    """Refuse the message of a job that these abilities are not enough for; False when they are.

    While a worker is idle that can play it, or another refused one, the message goes on its way again;
    otherwise the next such worker that ends a job finds it, and so does the reconciler.

    Raises:
        PlatformError: The database is unreachable or too busy.
    """

    def work(connection: Connection) -> bool:
        refused = jobs.refuse_message(connection, job_id, abilities)
        if refused:
            announce_refused(connection)
        return refused

    return database.run(work)


def announce_refused(connection: Connection) -> None:
    """Send the oldest refused message again, if a worker waits for it.

    It is called where a worker has refused one or become idle, so messages never multiply.
    """
    jobs.announce(connection, find_lost(connection, resend_s=REFUSED_S, fresh_s=FRESH_S, limit=1))


def find_lost(
    connection: Connection, *, resend_s: float, fresh_s: float, limit: int = jobs.RESENT_AT_ONCE
) -> list[JobId]:
    """Return ready jobs whose message was sent `resend_s` ago or never, while a worker waits for them.

    Args:
        connection: Where the queue is.
        resend_s: How old a message must be.
        fresh_s: How old the heartbeat of the waiting worker may be.
        limit: How many to return at most, oldest first.
    """
    levels = [level.value for level in Level]
    return jobs.lost_messages(connection, levels, resend_s=resend_s, fresh_s=fresh_s, limit=limit)
