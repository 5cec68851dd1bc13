"""What runs, what waits, and what blocks: the one page an operator looks at first.

Owns the sentences that name a cause and its remedy. It only reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.files import tells_full
from arena.store import jobs, tournaments
from arena.store.jobs import Abilities
from arena.store.pool import Connection, Database
from arena.store.rows import QueueRow, RunningJobRow, WorkerRow

WAITS_S = 60.0
"""A job queued for so long, beside workers that are idle, is an alarm."""
NAMED_S = 600.0
"""A worker that is gone is named for so long, or until its job is somebody else's."""


@dataclass(frozen=True, slots=True)
class Block:
    """Something that keeps matches from being played."""

    what: str
    """What is wrong, in one sentence."""
    remedy: str
    """What to do about it."""
    tournament: str = ""
    """The only tournament that it keeps from being played; empty where it is everybody's matter."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A worker that is gone and has not said goodbye."""

    worker: str
    """Its id."""
    host: str
    pid: int
    service: str
    """Its name in this data folder, where its process is known to be dead; empty where it is only silent."""
    runtimes: Sequence[str]
    seen_s: float
    """Seconds since its last heartbeat."""


@dataclass(frozen=True, slots=True)
class Status:
    """The queue and its workers at one moment."""

    queue: QueueRow
    workers: Sequence[WorkerRow]
    """Those that live."""
    lost: Sequence[Lost]
    """Those that vanished lately."""
    running: Sequence[RunningJobRow]
    """Jobs under way, also those whose worker has vanished: until their lease is over nobody takes them."""
    blocks: Sequence[Block]
    resting: Sequence[str] = ()
    """Ladders that were stopped: they have no end, so nothing of them is missing."""

    @property
    def orphaned(self) -> Sequence[RunningJobRow]:
        """Jobs under way that nobody plays any more."""
        gone = {worker.worker for worker in self.lost}
        return [job for job in self.running if job.worker in gone or job.lease_left_s <= 0]


def status(
    database: Database,
    *,
    silent_s: float,
    broker_error: str = "",
    dead: Mapping[tuple[str, int], str] | None = None,
) -> Status:
    """Return what runs and what blocks.

    Args:
        database: The platform's database.
        silent_s: How old the heartbeat of a worker that counts as gone is.
        broker_error: Why the broker cannot be reached, as far as the caller found out.
        dead: Names of workers that are known to be dead, by host and process number.
    """

    def work(connection: Connection) -> Status:
        seen = jobs.list_workers(connection)
        lost = _find_lost(seen, silent_s, dead or {}, is_known=not broker_error)
        gone = {worker.worker for worker in lost}
        alive = [worker for worker in seen if worker.id not in gone]
        running = jobs.running(connection)
        holders = {job.worker for job in running}
        named = [worker for worker in lost if worker.seen_s < NAMED_S or worker.worker in holders]
        found = Status(jobs.queue(connection), alive, named, running, [])
        blocks = _broken(broker_error) if broker_error else _unplayed(found, jobs.needs(connection))
        for worker in alive:
            if worker.state == "paused":
                said = f"worker {worker.id} has paused: {worker.reason}"
                blocks.append(Block(said, "it goes on by itself"))
        resting = tournaments.list_paused(connection, ladders=True)
        return replace(found, blocks=blocks + _unfinished(connection), resting=resting)

    return database.run(work)


def _find_lost(
    seen: Sequence[WorkerRow], silent_s: float, dead: Mapping[tuple[str, int], str], *, is_known: bool
) -> list[Lost]:
    """Return the workers that are gone; where it is not known who keeps silent, the dead alone."""
    lost = []
    for worker in seen:
        name = dead.get((worker.host, worker.pid), "")
        if name or (is_known and worker.seen_s >= silent_s):
            lost.append(Lost(worker.id, worker.host, worker.pid, name, worker.runtimes, worker.seen_s))
    return lost


def _broken(broker_error: str) -> list[Block]:
    """Say that there is no broker; workers that wait for it are silent, so who is gone is not known."""
    remedy = "start it (the embedded one: `arena up`), or mend ARENA_BROKER_URL; jobs wait unharmed"
    if tells_full(broker_error):
        remedy = "make room on its disk: it goes on by itself; jobs wait unharmed"
    return [Block(broker_error, remedy)]


def _unplayed(found: Status, needs: Sequence[Abilities]) -> list[Block]:
    """Say why nobody plays what could be played."""
    if not found.workers:
        waiting = found.queue.queued + len(found.orphaned)
        said = f"nothing plays: {waiting} job{'s wait' if waiting > 1 else ' waits'} and no worker lives"
        remedy = "run `arena up`, or start workers where they ran; they go on where it stopped"
        return [Block(said, remedy)] if waiting else []
    unmet = [block for needed in needs for block in _unmet(needed, found)]
    return unmet + _stuck(found.queue, found.workers)


def _unfinished(connection: Connection) -> list[Block]:
    """Say what was interrupted and what has failed."""
    blocks = []
    for name in tournaments.list_paused(connection, ladders=False):
        blocks.append(
            Block(f"{name!r} was interrupted", f"`arena tournament run {name}` goes on with it", name)
        )
    for name, times, reason in jobs.fruitless(connection):
        said = f"jobs of {name!r} were cut {times} of {jobs.INFRA_CAP} times: {reason}"
        remedy = "look at the bot that took the time; then they count as failed"
        blocks.append(Block(said, remedy, name))
    for _, tournament, reason in jobs.failed(connection):
        remedy = f"when the cause is gone, `arena tournament run {tournament}` tries it again"
        blocks.append(Block(f"a job of {tournament!r} failed: {reason}", remedy, tournament))
    return blocks


def _unmet(needed: Abilities, found: Status) -> list[Block]:
    """Say why no living worker takes jobs that need this: one worker must meet all of it."""
    from arena.botproc.level import Level  # noqa: PLC0415 (a status without jobs needs no sandbox code)

    epoch, protocol = needed.rules_epoch, needed.protocols[0]
    able = [worker for worker in found.workers if worker.rules_epoch == epoch and worker.protocol >= protocol]
    if not able:
        said = f"jobs wait for rules epoch {epoch} and protocol {protocol}, which no worker here speaks"
        return [Block(said, "start workers of the version that planned them")]
    missing = [name for name in needed.runtimes if not any(name in worker.runtimes for worker in able)]
    if missing:
        return [_lacking(missing, found.lost)]
    able = [worker for worker in able if set(needed.runtimes) <= set(worker.runtimes)]
    names = ", ".join(needed.runtimes)
    if not able:
        said = f"jobs wait for one worker with all of the runtimes {names}; each is on another one"
        return [Block(said, "install them together where a worker runs")]
    levels = list(Level)
    demand = levels.index(Level(needed.isolations[0]))
    if all(levels.index(Level(worker.level)) > demand for worker in able):
        who = "worker" if len(able) == len(found.workers) else f"worker with the runtime {names}"
        said = f"jobs demand isolation {needed.isolations[0]}, and no {who} reaches it"
        return [Block(said, "see `arena doctor` on the workers' hosts")]
    return []


def _lacking(missing: Sequence[str], lost: Sequence[Lost]) -> Block:
    """Say which runtimes no living worker has, and which that is gone had them."""
    said = f"jobs wait for a worker with the runtime {', '.join(missing)}"
    for worker in lost:
        if set(missing) <= set(worker.runtimes):
            return Block(
                f"{said}, which {worker.worker} had", f"start that worker again on host {worker.host}"
            )
    return Block(said, "install it where a worker runs; `arena doctor` shows what is found")


def _stuck(queue: QueueRow, alive: Sequence[WorkerRow]) -> list[Block]:
    """Say when jobs wait although workers are idle; what waited before there were any does not count."""
    waits = min(queue.oldest_queued_s or 0.0, max((worker.up_s for worker in alive), default=0.0))
    if waits > WAITS_S and queue.leased == 0 and all(worker.state == "idle" for worker in alive):
        said = f"the oldest job waits for {waits:.0f} s while {len(alive)} workers are idle"
        return [Block(said, "messages are sent again by themselves; look at the workers' logs")]
    return []
