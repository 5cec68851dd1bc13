"""Workers as people see them: who is there, what they can do, what they do now."""

from arena.botproc.level import Level
from arena.botproc.runtimes import Runtime, get_kind, list_runtimes
from arena.botproc.sandbox import Sandbox
from arena.protocol.version import NEWEST, OLDEST
from arena.rules.match import RULES_EPOCH
from arena.store import bots, jobs
from arena.store.jobs import Abilities, WorkerCard
from arena.store.pool import Database
from arena.store.rows import QueueRow


def find_abilities(sandbox: Sandbox) -> Abilities:
    """Return what a worker with this sandbox can play."""
    found = list_runtimes(sandbox.settings.cache_dir)
    if not sandbox.gives_proc:
        found = {name: runtime for name, runtime in found.items() if not get_kind(name).needs_proc}
    return Abilities(
        rules_epoch=RULES_EPOCH,
        protocols=range(OLDEST, NEWEST + 1),
        runtimes=[name for name, runtime in found.items() if isinstance(runtime, Runtime)],
        isolations=isolations_met(sandbox.level),
    )


def isolations_met(level: Level) -> list[str]:
    """Return the demands of isolation that a level meets: its own and all weaker ones."""
    levels = list(Level)
    return [weaker.value for weaker in levels[levels.index(level) :]]


def greet(database: Database, card: WorkerCard, pause: str = "") -> None:
    """Write a worker's heartbeat; `pause` says why it takes no job, if it does not."""
    database.run(lambda connection: jobs.greet(connection, card, pause))


def leave(database: Database, worker: str) -> None:
    """Say that a worker is gone."""
    database.run(lambda connection: jobs.note_worker(connection, worker, "gone"))


def look_at_queue(database: Database) -> QueueRow:
    """Return the queue at a glance."""
    return database.run(jobs.queue)


def load_bundle(database: Database, digest: bytes) -> bytes:
    """Return the bytes of a bundle, for a worker's cache.

    Raises:
        UsageError: They are not kept any more.
    """
    return database.run(lambda connection: bots.get_bundle(connection, digest))
