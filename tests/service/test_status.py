"""Promises of the status page: whatever keeps matches from being played is named, with what to do."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.config import Settings
from arena.rules.match import RULES_EPOCH
from arena.service import jobs, tournaments
from arena.service.dead import bury
from arena.service.status import Status, status
from arena.store.jobs import WorkerCard, greet, note_worker
from arena.store.pool import Database
from tests.fix_queue import claimed, drain, make_tournament, take

CARD = WorkerCard("w1", "host", 1, 0, "0", RULES_EPOCH, 1, ["python"], "strict")


SILENT_S = Settings().silent_s


def look(database: Database, dead: Mapping[tuple[str, int], str] | None = None) -> Status:
    """Return what runs and what blocks."""
    return status(database, silent_s=SILENT_S, dead=dead)


def blocks(database: Database) -> list[str]:
    """Return what blocks."""
    return [block.what for block in look(database).blocks]


def greet_as(database: Database, card: WorkerCard, *, seen_s_ago: float = 0) -> None:
    """Write a worker's heartbeat of some time ago."""
    with database.transaction() as connection:
        greet(connection, card)
        connection.execute(
            "UPDATE worker SET seen_at = clock_timestamp() - make_interval(secs => %s) WHERE id = %s",
            (seen_s_ago, card.id),
        )


def test_a_quiet_platform_has_no_blocks(database: Database) -> None:
    """Nothing to do is nothing wrong."""
    assert blocks(database) == []
    assert (look(database).queue.queued, look(database).queue.oldest_queued_s) == (0, None)


def test_what_a_worker_says_that_plays_stays_while_it_plays(database: Database) -> None:
    """A notice is no pause; it is told between two jobs and during one, and a pause's reason goes before."""
    card = replace(CARD, notice="no metrics")
    make_tournament(database, "a", "b")
    seen = []
    for say in (
        lambda connection: greet(connection, card),
        lambda connection: note_worker(connection, "w1", "busy"),
        lambda connection: greet(connection, card, "disk full"),
        lambda connection: note_worker(connection, "w1", "idle"),
        lambda connection: greet(connection, card),
    ):
        database.run(say)
        (worker,) = look(database).workers
        seen.append((worker.state, worker.reason))

    assert seen == [
        ("idle", "no metrics"),
        ("busy", "no metrics"),
        ("paused", "disk full"),
        ("idle", ""),
        ("idle", "no metrics"),
    ]


def test_jobs_without_a_worker_are_named(database: Database) -> None:
    """Queued jobs and no living worker: say so, and how to start one."""
    make_tournament(database, "a", "b")

    (block,) = look(database).blocks

    assert "2 jobs wait and no worker lives" in block.what
    assert "arena up" in block.remedy


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (replace(CARD, runtimes=["node"]), "jobs wait for a worker with the runtime python"),
        (replace(CARD, level="none"), "jobs demand isolation landlock, and no worker reaches it"),
    ],
)
def test_workers_that_cannot_are_named(database: Database, card: WorkerCard, said: str) -> None:
    """A missing runtime or a level that is too low is named."""
    make_tournament(database, "a", "b")
    greet_as(database, card)

    assert said in blocks(database)


@pytest.mark.parametrize("column", ["rules_epoch", "protocol"])
def test_jobs_of_another_version_are_named(database: Database, column: str) -> None:
    """Jobs that were planned by another version wait for its workers, and that is said."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    with database.transaction() as connection:
        connection.execute(f"UPDATE job SET {column} = 99")  # type: ignore[arg-type]

    assert any(f"{column.replace('_', ' ')} 99" in what for what in blocks(database))


@pytest.mark.parametrize("column", ["rules_epoch", "protocol"])
def test_jobs_of_this_version_beside_workers_of_another_are_named(database: Database, column: str) -> None:
    """What counts is what the workers that live can play, not this command; one that can is enough."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    with database.transaction() as connection:
        connection.execute(f"UPDATE worker SET {column} = 0")  # type: ignore[arg-type]
    alone = blocks(database)
    greet_as(database, replace(CARD, id="w2"))

    assert [what for what in alone if f"rules epoch {RULES_EPOCH} and protocol 1" in what]
    assert blocks(database) == []


@pytest.mark.parametrize(
    ("runtimes", "isolation", "cards", "said"),
    [
        (
            ["java", "node"],
            "landlock",
            [replace(CARD, runtimes=["java"]), replace(CARD, id="w2", runtimes=["node"])],
            "jobs wait for one worker with all of the runtimes java, node; each is on another one",
        ),
        (
            ["java"],
            "strict",
            [replace(CARD, runtimes=["java"], level="userns"), replace(CARD, id="w2")],
            "jobs demand isolation strict, and no worker with the runtime java reaches it",
        ),
        (["java"], "strict", [replace(CARD, runtimes=["java"])], ""),
    ],
)
def test_needs_that_no_single_worker_meets_are_named(
    database: Database, runtimes: list[str], isolation: str, cards: list[WorkerCard], said: str
) -> None:
    """A job is played by one worker: what two have between them is not enough."""
    make_tournament(database, "a", "b")
    for card in cards:
        greet_as(database, card)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET runtimes = %s, isolation = %s", (runtimes, isolation))

    assert blocks(database) == ([said] if said else [])


def test_a_worker_that_vanished_blocks_nothing_while_another_lives(database: Database) -> None:
    """Its job is soon free; who is silent is named for a while, blocks nothing, and is forgotten."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    lease = claimed(database, "w1")
    greet_as(database, CARD, seen_s_ago=120)
    greet_as(database, replace(CARD, id="w2"))
    greet_as(database, replace(CARD, id="w3"), seen_s_ago=1200)

    found = look(database)

    assert [worker.id for worker in found.workers] == ["w2"]
    assert [(worker.worker, worker.service) for worker in found.lost] == [("w1", "")]
    assert [job.id for job in found.orphaned] == [lease.job.id]
    assert found.blocks == []


def test_without_a_living_worker_nothing_plays(database: Database) -> None:
    """A worker known to be dead is gone, however fresh its heartbeat, and its job waits with the rest."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    claimed(database, "w1")
    before = look(database)

    after = look(database, {("host", 1): "worker-0", ("another host", 1): "worker-1"})

    assert (before.blocks, before.lost, before.orphaned) == ([], [], [])
    assert [(worker.worker, worker.service) for worker in after.lost] == [("w1", "worker-0")]
    assert [block.what for block in after.blocks] == ["nothing plays: 2 jobs wait and no worker lives"]
    assert "arena up" in after.blocks[0].remedy


def test_the_job_of_a_buried_worker_is_free_at_once(database: Database) -> None:
    """Nobody waits for the lease of a worker that is known to be dead, and no failure is counted."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    lost = take(database, "w1", lease_s=3600)
    assert lost is not None

    bury(database, {("another host", 1): "worker-0"})
    others = take(database, "w2", wanted=lost.job.id)
    bury(database, {("host", 1): "worker-0"})
    again = take(database, "w2", wanted=lost.job.id)

    assert others is None
    assert again is not None
    assert (again.job.id, again.job.infra, again.job.lost) == (lost.job.id, 0, 1)
    assert look(database).lost == []


def test_a_runtime_that_only_a_vanished_worker_had_is_named_with_its_host(database: Database) -> None:
    """Work that nobody else can do waits for the one that is gone, and that is what blocks."""
    make_tournament(database, "a", "b")
    greet_as(database, replace(CARD, runtimes=["node"]))
    greet_as(database, replace(CARD, id="w2", host="far"), seen_s_ago=60)

    (block,) = look(database).blocks

    assert block.what == "jobs wait for a worker with the runtime python, which w2 had"
    assert block.remedy == "start that worker again on host far"


def test_an_interrupted_tournament_is_named_with_what_goes_on(database: Database) -> None:
    """Its jobs do not count as waiting, and the command that goes on with it is said."""
    make_tournament(database, "a", "b")
    tournaments.pause(database, "cup")

    found = look(database)

    assert found.queue.queued == 0
    assert [block.remedy for block in found.blocks] == ["`arena tournament run cup` goes on with it"]


def test_an_unreachable_broker_is_named(database: Database) -> None:
    """What the caller found out about the broker stands first."""
    found = status(database, silent_s=SILENT_S, broker_error="broker: cannot be reached")

    assert [block.what for block in found.blocks] == ["broker: cannot be reached"]


def test_a_queue_whose_disk_is_full_is_told_to_have_room(database: Database) -> None:
    """No start and no other address would mend it."""
    said = "broker: cannot be reached: MISCONF Errors writing to the AOF file: No space left on device"

    (block,) = status(database, silent_s=SILENT_S, broker_error=said).blocks

    assert block.remedy.startswith("make room on its disk")


def test_failed_jobs_are_named_with_their_reason(database: Database) -> None:
    """A failed job stands with its tournament, its reason and the command that tries it again."""
    make_tournament(database, "a", "b", deal_sets=1)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET infra = 2")
    lease = take(database)
    assert lease is not None
    jobs.fail(database, lease, reason="no sandbox")
    drain(database)

    (block,) = look(database).blocks

    assert block.what == "a job of 'cup' failed: infra: no sandbox"
    assert "arena tournament run cup" in block.remedy


def test_waiting_jobs_beside_idle_workers_are_named(database: Database) -> None:
    """A job that waits for a minute while workers are idle is an alarm; when nobody worked, it is none."""
    make_tournament(database, "a", "b")
    greet_as(database, CARD)
    with database.transaction() as connection:
        connection.execute("UPDATE job SET created_at = clock_timestamp() - interval '5 min'")
    at_first = blocks(database)
    with database.transaction() as connection:
        connection.execute("UPDATE worker SET started_at = clock_timestamp() - interval '4 min'")

    assert at_first == []
    assert any("waits for 240 s while 1 workers are idle" in what for what in blocks(database))
