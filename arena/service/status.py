"""What runs, what waits, and what blocks: the one page an operator looks at first.

Owns the sentences that name a cause and its remedy. It only reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.protocol.version import NEWEST, OLDEST
from arena.rules.match import RULES_EPOCH
from arena.store import jobs, tournaments
from arena.store.jobs import Abilities
from arena.store.pool import Connection, Database
from arena.store.rows import QueueRow, RunningJobRow, WorkerRow

STALE_S = 60.0
"""A worker that was not seen for so long counts as gone; a job queued for so long as waiting."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something that keeps matches from being played."""

    what: str
    """What is wrong, in one sentence."""
    remedy: str
    """What to do about it."""


@dataclass(frozen=True, slots=True)
class Status:
    """The queue and its workers at one moment."""

    queue: QueueRow
    workers: Sequence[WorkerRow]
    running: Sequence[RunningJobRow]
    blocks: Sequence[Block]


def status(database: Database, *, broker_error: str = "") -> Status:
    """Return what runs and what blocks.

    Args:
        database: The platform's database.
        broker_error: Why the broker cannot be reached, as far as the caller found out.
    """

    def work(connection: Connection) -> Status:
        queue, workers = jobs.queue(connection), jobs.list_workers(connection)
        alive = [worker for worker in workers if worker.seen_s < STALE_S]
        blocks = []
        if broker_error:
            # Workers that wait for the broker write no heartbeat, so who is gone is not known.
            remedy = "start it (the embedded one: `arena up`), or mend ARENA_BROKER_URL; jobs wait unharmed"
            blocks.append(Block(broker_error, remedy))
        elif queue.queued and not alive:
            blocks.append(Block(f"{queue.queued} jobs wait and no worker lives", "run `arena up`"))
        elif alive:
            for needed in jobs.needs(connection):
                blocks += _unmet(needed, alive)
            blocks += _stuck(queue, alive)
        for worker in workers:
            if worker.seen_s >= STALE_S and worker.job_id is not None and not broker_error:
                said = f"worker {worker.id} was last seen {worker.seen_s:.0f} s ago"
                blocks.append(Block(said, f"look at its host {worker.host}; its job goes to another worker"))
            elif worker.state == "paused":
                blocks.append(
                    Block(f"worker {worker.id} has paused: {worker.reason}", "it goes on by itself")
                )
        for name in tournaments.list_paused(connection):
            blocks.append(
                Block(f"{name!r} was interrupted", f"`arena tournament run {name}` goes on with it")
            )
        for _, tournament, reason in jobs.failed(connection):
            remedy = f"when the cause is gone, `arena tournament run {tournament}` tries it again"
            blocks.append(Block(f"a job of {tournament!r} failed: {reason}", remedy))
        return Status(queue, workers, jobs.running(connection), blocks)

    return database.run(work)


def _unmet(needed: Abilities, alive: Sequence[WorkerRow]) -> list[Block]:
    """Say why no living worker takes jobs that need this."""
    from arena.botproc.level import Level  # noqa: PLC0415 (a status without jobs needs no sandbox code)

    if needed.rules_epoch != RULES_EPOCH or needed.protocols[0] not in range(OLDEST, NEWEST + 1):
        said = f"jobs wait for rules epoch {needed.rules_epoch} and protocol {needed.protocols[0]}"
        return [Block(said, "start workers of the version that planned them")]
    missing = [name for name in needed.runtimes if not any(name in worker.runtimes for worker in alive)]
    if missing:
        said = f"jobs wait for a worker with the runtime {', '.join(missing)}"
        return [Block(said, "install it where a worker runs; `arena doctor` shows what is found")]
    demand = list(Level).index(Level(needed.isolations[0]))
    if all(list(Level).index(Level(worker.level)) > demand for worker in alive):
        said = f"jobs demand isolation {needed.isolations[0]}, and no worker reaches it"
        return [Block(said, "see `arena doctor` on the workers' hosts")]
    return []


def _stuck(queue: QueueRow, alive: Sequence[WorkerRow]) -> list[Block]:
    """Say when jobs wait although workers are idle."""
    waits = queue.oldest_queued_s or 0.0
    if waits > STALE_S and queue.leased == 0 and all(worker.state == "idle" for worker in alive):
        said = f"the oldest job waits for {waits:.0f} s while {len(alive)} workers are idle"
        return [Block(said, "messages are sent again by themselves; look at the workers' logs")]
    return []
