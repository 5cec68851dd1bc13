"""The queue: jobs with lease and fence, the outbox, the workers' heartbeats.

Owns the rows and the SQL that moves them; what is a failure and what comes after it is decided by
`arena.service.jobs`. Times are the server's, never a worker's. It never commits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.store.fetch import execute, fetch_all, fetch_number, fetch_numbers
from arena.store.pool import Connection
from arena.store.rows import JobId, JobRow, NewJob, QueueRow, RunningJobRow, TournamentId, WorkerRow
from arena.store.sql import query

INFRA_CAP = 3
"""Failures of the platform after which a job is failed."""
LOST_CAP = 20
"""Leases lost by vanished workers after which a job is failed."""
RECONCILER_LOCK = 0x7265636F6E
RESENT_AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a worker can play."""

    rules_epoch: int
    """The rules epoch of its engine."""
    protocols: Sequence[int]
    """Protocol versions that it speaks."""
    runtimes: Sequence[str]
    """Runtimes that it can start."""
    isolations: Sequence[str]
    """Demands of isolation that it meets."""


def add_job(connection: Connection, job: NewJob) -> JobId:
    """Write a job and return its number."""
    number = fetch_number(
        connection,
        "insert_job",
        tournament_id=job.tournament_id,
        pairing=job.pairing,
        rotation=job.rotation,
        sets=format_sets(job.sets),
        matches=len(job.sets),
        rules_epoch=job.rules_epoch,
        protocol=job.protocol,
        runtimes=list(job.runtimes),
        isolation=job.isolation,
    )
    assert number is not None
    return JobId(number)


def claim(
    connection: Connection, owner: str, abilities: Abilities, *, lease_s: float, wanted: JobId | None
) -> JobRow | None:
    """Lease the wanted job, or without one the oldest that is ready; None when there is none."""
    number = fetch_number(
        connection,
        "claim_job",
        owner=owner,
        wanted=wanted,
        lease_s=lease_s,
        rules_epoch=abilities.rules_epoch,
        protocols=list(abilities.protocols),
        runtimes=list(abilities.runtimes),
        isolations=list(abilities.isolations),
    )
    return None if number is None else get_job(connection, JobId(number))


def get_job(connection: Connection, job_id: JobId) -> JobRow:
    """Return a job, which exists."""
    return fetch_all(connection, JobRow, "select_jobs", ids=[job_id])[0]


def renew(
    connection: Connection, job_id: JobId, fence: int, *, lease_s: float, progress: int, decisions: int
) -> bool:
    """Keep a lease; False when it is somebody else's."""
    values = {"job_id": job_id, "fence": fence, "lease_s": lease_s}
    return execute(connection, "renew_lease", values | {"progress": progress, "decisions": decisions}) == 1


def finish(
    connection: Connection,
    job_id: JobId,
    fence: int,
    *,
    state: str,
    sha256: bytes,
    progress: int,
    reason: str,
) -> bool:
    """End a job under its fence; False when it is somebody else's, and then nothing may be written."""
    values = {"job_id": job_id, "fence": fence, "state": state, "sha256": sha256}
    return execute(connection, "finish_job", values | {"progress": progress, "reason": reason}) == 1


def is_finished(connection: Connection, job_id: JobId, fence: int, sha256: bytes) -> bool:
    """Return whether exactly this result was written by exactly this lease."""
    row = connection.execute(
        query("select_finished"), {"job_id": job_id, "fence": fence, "sha256": sha256}
    ).fetchone()
    return row == (True,)


def hand_back(connection: Connection, job_id: JobId, fence: int, *, reason: str, pause_s: float) -> bool:
    """Give a lease back unused; False when it is somebody else's."""
    values = {"job_id": job_id, "fence": fence, "reason": reason, "pause_s": pause_s}
    return execute(connection, "hand_back_job", values) == 1


def fail_lease(connection: Connection, job_id: JobId, fence: int, *, reason: str, pause_s: float) -> bool:
    """Give a lease back because the platform failed it; False when it is somebody else's."""
    values = {"job_id": job_id, "fence": fence, "reason": reason, "pause_s": pause_s}
    return execute(connection, "fail_lease", values | {"infra_cap": INFRA_CAP}) == 1


def note_cut(connection: Connection, cut: Sequence[JobId], *, infra: int, reason: str) -> list[JobId]:
    """Let jobs that replace a fruitless one count its failures as theirs; return those not failed by it."""
    values = {"jobs": list(cut), "infra": infra, "reason": reason, "infra_cap": INFRA_CAP}
    rows = connection.execute(query("note_cut"), values).fetchall()
    return [JobId(int(str(number))) for number, state in rows if state == "queued"]


def take_back_expired(connection: Connection) -> list[JobId]:
    """Queue again what nobody renewed, and return those that are not failed by it."""
    values = {"infra_cap": INFRA_CAP, "lost_cap": LOST_CAP}
    rows = connection.execute(query("take_back_expired"), values).fetchall()
    return [JobId(int(str(number))) for number, state in rows if state == "queued"]


def retry_failed(connection: Connection, tournament_id: TournamentId) -> list[JobId]:
    """Queue a tournament's failed jobs again, with all their attempts."""
    execute(connection, "forget_failures", {"tournament_id": tournament_id})
    return [
        JobId(number) for number in fetch_numbers(connection, "reset_failed", tournament_id=tournament_id)
    ]


def wait_from_now(connection: Connection, tournament_id: TournamentId) -> None:
    """Let the queued jobs of a tournament count as waiting from this transaction on."""
    execute(connection, "await_jobs", {"tournament_id": tournament_id})


def list_ready(connection: Connection, tournament_id: TournamentId) -> list[JobId]:
    """Return the queued jobs of a tournament that could be claimed now and have no message under way."""
    return [
        JobId(number) for number in fetch_numbers(connection, "select_ready", tournament_id=tournament_id)
    ]


def next_ready(connection: Connection, job_id: JobId) -> JobId | None:
    """Return the queued job that was waiting for this one's deal sets."""
    number = fetch_number(connection, "select_next_ready", job_id=job_id)
    return None if number is None else JobId(number)


def count_ready(connection: Connection, tournament_id: TournamentId) -> int:
    """Return how many workers the queued jobs of a tournament could keep busy now."""
    return fetch_number(connection, "count_ready", tournament_id=tournament_id) or 0


def count_unfinished(connection: Connection, tournament_id: TournamentId) -> int:
    """Return how many jobs of a tournament are not over, counted up to 100."""
    return fetch_number(connection, "count_unfinished", tournament_id=tournament_id) or 0


def announce(connection: Connection, job_ids: Iterable[JobId]) -> None:
    """Put messages into the outbox: they are sent once the transaction is committed."""
    execute(connection, "insert_outbox", {"ids": list(job_ids)})


def outbox(connection: Connection, limit: int = RESENT_AT_ONCE) -> list[tuple[int, JobId]]:
    """Return messages to send as (number, job), oldest first."""
    rows = connection.execute(query("select_outbox"), {"limit": limit}).fetchall()
    return [(int(str(number)), JobId(int(str(job)))) for number, job in rows]


def note_sending(connection: Connection, job_ids: Sequence[JobId]) -> None:
    """Remember when the messages of jobs go out; until they are forgotten they are not lost."""
    execute(connection, "note_published", {"ids": list(job_ids)})


def forget_sent(connection: Connection, messages: Sequence[int]) -> None:
    """Forget messages that were sent."""
    execute(connection, "delete_outbox", {"ids": list(messages)})


def lost_messages(
    connection: Connection,
    levels: Sequence[str],
    *,
    resend_s: float,
    fresh_s: float,
    limit: int = RESENT_AT_ONCE,
) -> list[JobId]:
    """Return ready jobs whose message was sent long ago or never, while a worker that can play them is idle.

    Args:
        connection: Where the queue is.
        levels: All levels of isolation, the best first.
        resend_s: How old a message must be.
        fresh_s: How old the heartbeat of the idle worker may be.
        limit: How many to return at most, oldest first.
    """
    values = {"levels": list(levels), "resend_s": resend_s, "fresh_s": fresh_s, "limit": limit}
    return [JobId(number) for number in fetch_numbers(connection, "select_to_publish", **values)]


def refuse_message(connection: Connection, job_id: JobId, abilities: Abilities) -> bool:
    """Count a job's message as never sent; False when the job could be played with these abilities."""
    values = {
        "job_id": job_id,
        "rules_epoch": abilities.rules_epoch,
        "protocols": list(abilities.protocols),
        "runtimes": list(abilities.runtimes),
        "isolations": list(abilities.isolations),
    }
    return execute(connection, "refuse_message", values) == 1


def be_reconciler(connection: Connection) -> bool:
    """Return whether this transaction is the one reconciler of this moment."""
    return connection.execute(query("try_reconciler_lock"), {"lock": RECONCILER_LOCK}).fetchone() == (True,)


@dataclass(frozen=True, slots=True)
class WorkerCard:
    """What a worker says of itself with each heartbeat."""

    id: str
    host: str
    pid: int
    core: int | None
    arena: str
    """Version of the arena."""
    rules_epoch: int
    protocol: int
    runtimes: Sequence[str]
    level: str
    notice: str = ""
    """What whoever runs it should know although it plays, as that it cannot show its figures."""


def greet(connection: Connection, card: WorkerCard, pause: str = "") -> None:
    """Write a worker's heartbeat; `pause` says why it takes no job, if it does not."""
    values: dict[str, object] = {name: getattr(card, name) for name in WorkerCard.__slots__}
    execute(connection, "upsert_worker", values | {"runtimes": list(card.runtimes), "pause": pause})


def note_worker(
    connection: Connection,
    worker: str,
    state: str,
    *,
    job: JobId | None = None,
    done: int = 0,
) -> None:
    """Write what a worker does now."""
    values = {"id": worker, "state": state, "job_id": job, "done": done}
    execute(connection, "note_worker", values)


def bury_worker(connection: Connection, worker: str) -> None:
    """Write that a worker is dead; its jobs are taken back without waiting for their leases."""
    execute(connection, "expire_leases", {"worker": worker})
    note_worker(connection, worker, "gone")


def list_workers(connection: Connection) -> list[WorkerRow]:
    """Return the workers seen within an hour."""
    return fetch_all(connection, WorkerRow, "select_workers")


def count_workers(connection: Connection, fresh_s: float = 120.0) -> int:
    """Return how many workers live."""
    return fetch_number(connection, "count_workers", fresh_s=fresh_s) or 0


def forget_old_workers(connection: Connection) -> None:
    """Forget workers that nobody has seen for a day."""
    execute(connection, "delete_old_workers")


def queue(connection: Connection) -> QueueRow:
    """Return the queue at a glance."""
    return fetch_all(connection, QueueRow, "select_queue")[0]


def running(connection: Connection, tournament_id: TournamentId | None = None) -> list[RunningJobRow]:
    """Return the jobs under way."""
    return fetch_all(connection, RunningJobRow, "select_running", tournament_id=tournament_id)


def running_tournaments(connection: Connection) -> list[TournamentId]:
    """Return the tournaments under way."""
    return [TournamentId(number) for number in fetch_numbers(connection, "select_running_tournaments")]


def needs(connection: Connection) -> list[Abilities]:
    """Return what the queued jobs need of a worker, each combination once."""
    rows = connection.execute(query("select_needs")).fetchall()
    return [
        Abilities(int(str(epoch)), [int(str(protocol))], _texts(runtimes), [str(isolation)])
        for epoch, protocol, runtimes, isolation in rows
    ]


def fruitless(connection: Connection) -> list[tuple[str, int, str]]:
    """Return tournaments whose jobs were cut with nothing finished: name, how often at most, the reason."""
    rows = connection.execute(query("select_fruitless")).fetchall()
    return [(str(name), int(str(times)), str(reason)) for name, times, reason in rows]


def failed(connection: Connection) -> list[tuple[JobId, str, str]]:
    """Return failed jobs with their tournament's name and the reason."""
    rows = connection.execute(query("select_failed")).fetchall()
    return [(JobId(int(str(number))), str(name), str(reason)) for number, name, reason in rows]


def format_sets(sets: Sequence[int]) -> str:
    """Write numbers of deal sets as a multirange, such as `{[0,8),[12,13)}`."""
    parts: list[list[int]] = []
    for number in sorted(sets):
        if parts and parts[-1][1] == number:
            parts[-1][1] = number + 1
        else:
            parts.append([number, number + 1])
    return "{" + ",".join(f"[{low},{high})" for low, high in parts) + "}"


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(text) for text in value]
