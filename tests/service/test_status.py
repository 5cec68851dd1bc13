"""Promises of the status page: whatever keeps matches from being played is named, with what to do."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import main
from arena.config import Settings, load_settings
from arena.errors import PlatformError, UsageError
from arena.rules.match import RULES_EPOCH
from arena.service import jobs, platform, tournaments
from arena.service.dead import bury
from arena.service.status import Status, status
from arena.store.jobs import WorkerCard, greet, note_worker
from arena.store.pool import Database
from tests.fix_dying import wait_until_dead
from tests.fix_queue import claimed, drain, make_tournament, take
from tests.fix_workers import children

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


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give settings with a data folder of the test's own."""
    return load_settings({"data_folder": tmp_path / ".arena"}, environment={})


def test_nothing_running_names_the_command_that_starts_it(settings: Settings) -> None:
    """Without servers the answer is `arena up`; asking makes no folder."""
    with pytest.raises(PlatformError, match="arena up"):
        platform.open_database(settings)

    assert platform.running(settings) == {}
    assert platform.down(settings) == []
    assert not settings.data_folder.exists()


def test_servers_come_up_and_go_down(settings: Settings) -> None:
    """What a command started it stops again; what ran before stays until everything is told to stop."""
    first = platform.up(settings, with_workers=False)
    second = platform.up(settings, with_workers=False)
    with platform.open_database(settings) as database:
        database.run(lambda connection: connection.execute("SELECT 1 FROM job"))

    second.down()
    still = set(platform.running(settings))
    first_started = list(first.started)
    stopped = platform.down(settings)

    assert (first_started, second.started) == (["postgres", "valkey"], [])
    assert still == {"postgres", "valkey"}
    assert sorted(stopped) == ["postgres", "valkey"]
    assert platform.running(settings) == {}


@pytest.mark.needs("root", "mounts")
def test_servers_of_another_container_are_not_said_to_be_stopped(settings: Settings) -> None:
    """Where their processes cannot be seen, `down` says that they run on, and they do."""
    code = f"""
from arena.cli import main
from arena.embedded.process import Service
from arena.service import platform
Service.refuse_elsewhere.__kwdefaults__["patience_s"] = 0
platform.down.__kwdefaults__["patience_s"] = 0
main(["--data-folder", {str(settings.data_folder)!r}, "down"])
"""
    alone = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c"]
    reach = [*alone, code.replace('"down"', '"status"')]
    platform.up(settings, with_workers=False)
    before = platform.running(settings)
    try:
        refused = subprocess.run([*alone, code], capture_output=True, text=True, check=False)
        seen = subprocess.run(reach, capture_output=True, text=True, check=False)
        after = platform.running(settings)
    finally:
        platform.down(settings)
    stopped = platform.running(settings)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "postgres, valkey of data folder" in refused.stderr
    assert "`arena down` stops them where they were started" in refused.stderr
    assert seen.returncode == 2
    assert "running: postgres (out of reach), valkey (out of reach)" in seen.stdout
    assert after == before
    assert None not in before.values()
    assert stopped == {}


def test_a_newer_schema_is_refused_and_everything_stopped(settings: Settings) -> None:
    """A data folder of a newer version is refused by `up`, and nothing keeps running."""
    first = platform.up(settings, with_workers=False, with_broker=False)
    with platform.open_database(settings) as database, database.transaction() as connection:
        connection.execute("INSERT INTO migration (number, name, digest) VALUES (9999, 'future', 'x')")
    first.down()

    with pytest.raises(UsageError, match="newer version of the arena"):
        platform.up(settings, with_workers=False)

    assert platform.running(settings) == {}


def test_a_worker_that_cannot_start_says_why(settings: Settings, tmp_path: Path) -> None:
    """A worker that ends at once makes `up` fail with its own words, and stops what was started."""
    impossible = "strict" if os.geteuid() else "userns"
    broken = replace(settings, sandbox=impossible, workers=1, origins={"sandbox": "flag", "workers": "flag"})

    with pytest.raises(PlatformError, match=f"worker-0 does not start; .*{impossible}"):
        platform.up(broken)

    assert platform.running(settings) == {}
    assert (tmp_path / ".arena" / "log" / "worker-0.log").exists()


def test_what_died_is_named_at_once(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`arena status` names Valkey, which `arena up` brings back, and a worker that has died."""
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(settings.data_folder))
    one = replace(settings, workers=1, origins={"workers": "flag"})

    def say() -> str:
        with pytest.raises(SystemExit):
            main(["status"])
        return capsys.readouterr().out

    def kill(name: str) -> int:
        pid = platform.running(settings)[name]
        assert pid is not None
        below = children(pid)
        os.kill(pid, signal.SIGKILL)
        assert wait_until_dead({pid, *below}) == set()
        return pid

    try:
        platform.up(one)
        well = say()
        kill("valkey")
        broken = say()
        platform.up(one)
        mended = say()
        worker = kill("worker-0")
        idle = say()
        with platform.open_database(settings) as database:
            make_tournament(database, "a", "b")
        waiting = say()
    finally:
        platform.down(settings)
    stopped = say()

    assert "nothing blocks" in well
    assert "nothing blocks" in mended
    assert f"blocked: no Valkey runs in {settings.data_folder}" in broken
    assert "worker-0 (" in broken
    assert "valkey (" not in broken
    assert f"worker-0 ({worker}) has died; `arena up` starts another\nnothing blocks" in idle
    assert "blocked: nothing plays: 2 jobs wait and no worker lives\n  do: run `arena up`" in waiting
    assert stopped.startswith(f"no PostgreSQL runs in {settings.data_folder}")


def test_a_database_that_was_named_is_asked_although_no_broker_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever names one and no broker hears of the one that cannot be reached, with the exit code for it."""
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("ARENA_DATABASE_URL", f"postgresql:///x?host={tmp_path}")
    monkeypatch.delenv("ARENA_BROKER_URL", raising=False)

    with pytest.raises(SystemExit, match="4"):
        main(["status"])
    told = capsys.readouterr().err
    assert "database" in told
    assert "no Valkey runs" in told
