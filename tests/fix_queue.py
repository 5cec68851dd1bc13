"""Tournaments without processes: bots as rows, and a player that makes results up from the keys.

The store, the queue and the use cases are the real ones; only the playing of a job is replaced, by a function
of the same shape as `arena.service.play` uses. What it makes up depends on nothing but the deal set, the
rotation and the seats, so that two runs of one tournament must give the same rows.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from arena.match.plan import ClockSettings
from arena.rules.match import RULES_EPOCH
from arena.rules.presets import preset
from arena.service import jobs
from arena.service.jobs import Lease, Outcome
from arena.service.tournaments import TournamentSpec, create, start
from arena.store import bots
from arena.store.jobs import Abilities, WorkerCard, greet
from arena.store.pool import Connection, Database
from arena.store.rows import NewMatch, TournamentRow

ABLE = Abilities(RULES_EPOCH, [1], ["python", "native"], ["strict", "userns", "landlock", "none"])
LEASE_S = 600.0
"""No test waits for a lease to run out: `expire` lets it."""
SECRET = bytes(range(32))


def add_bots(database: Database, *names: str, runtime: str = "python", limits: str = "") -> None:
    """Store bots that count as checked; `limits` is a line of their manifest."""

    def work(connection: Connection) -> None:
        for name in names:
            bot = bots.add_bot(connection, name, "tester")
            content = f"bundle of {name}{limits}".encode()
            digest = hashlib.sha256(content).digest()
            manifest = f'name = "{name}"\nruntime = "{runtime}"\nrun = ["bot"]\ninclude = ["bot"]\n{limits}'
            version, _ = bots.add_version(connection, bot.id, digest, manifest, runtime, content)
            bots.set_checked(connection, version.id, passed=True, report="", stderr="")

    database.run(work)


def make_tournament(database: Database, *names: str, workers: int = 1, **more: object) -> TournamentRow:
    """Store bots and start a tournament between them."""
    add_bots(database, *names)
    values: dict[str, object] = {"name": "cup", "ruleset": preset("mattel"), "bots": names, "secret": SECRET}
    spec = TournamentSpec(**(values | {"deal_sets": 4} | more))  # type: ignore[arg-type]
    create(database, spec)
    return start(database, spec.name, workers=workers)


def make_match(lease: Lease, deal_set: int) -> NewMatch:
    """Make up the result of one match from what identifies it."""
    seats = lease.tournament.seats
    numbers = [entry.number for entry in lease.entries]
    turned = tuple(numbers[lease.job.rotation % seats :] + numbers[: lease.job.rotation % seats])
    said = f"{lease.tournament.id} {sorted(numbers)} {deal_set} {lease.job.rotation}".encode()
    dice = hashlib.sha256(said).digest()
    winner = dice[0] % seats
    return NewMatch(
        deal_set=deal_set,
        entries=turned,
        places=[1 if seat == winner else 2 for seat in range(seats)],
        totals=[500 if seat == winner else dice[seat + 1] for seat in range(seats)],
        rounds=3,
        decisions=100,
        ending="target",
        asked=[40] * seats,
        wall_us=[1000] * seats,
        cpu_us=[900] * seats,
        unasked=[10] * seats,
        dropped=[0] * seats,
        cut=[0] * seats,
        record=said.decode(),
        sha256=hashlib.sha256(said).digest(),
        faults=(),
    )


def make_outcome(
    lease: Lease, *, left: Sequence[int] = (), cut: bool = False, play_us: int = 50_000
) -> Outcome:
    """Make up what came of a job, without the deal sets `left`."""
    matches = [make_match(lease, number) for number in lease.job.sets if number not in left]
    return Outcome(matches, list(left), [], play_us, level="strict", cut=cut)


@dataclass(frozen=True)
class Row:
    """What two runs of a tournament must agree on for each match."""

    pairing: int
    deal_set: int
    rotation: int
    entries: tuple[int, ...]
    places: tuple[int, ...]
    totals: tuple[int, ...]
    sha256: str


def read_rows(database: Database, name: str = "cup") -> list[Row]:
    """Return a tournament's matches without times, workers, jobs and fences."""
    with database.transaction() as connection:
        rows = connection.execute(
            "SELECT pairing, deal_set, rotation, entries, places, totals, encode(match.sha256, 'hex')"
            " FROM match JOIN tournament ON tournament.id = match.tournament_id"
            " WHERE tournament.name = %s ORDER BY pairing, deal_set, rotation",
            (name,),
        ).fetchall()
    return [Row(*(tuple(part) if isinstance(part, list) else part for part in row)) for row in rows]


def greet_worker(database: Database, name: str, pause: str = "") -> None:
    """Write the heartbeat of a worker."""
    card = WorkerCard(name, "host", 1, 0, "0", RULES_EPOCH, 1, ["python"], "strict")
    database.run(lambda connection: greet(connection, card, pause))


def take(database: Database, worker: str = "w1", **more: object) -> Lease | None:
    """Claim a job as `worker`."""
    values: dict[str, object] = {"lease_s": LEASE_S} | more
    return jobs.claim(database, worker, ABLE, **values)  # type: ignore[arg-type]


def drain(database: Database, worker: str = "w1", **more: object) -> int:
    """Play everything that is ready, one job after the other; return how many jobs."""
    count = 0
    while (lease := take(database, worker)) is not None:
        assert jobs.finish(database, lease, make_outcome(lease, **more))  # type: ignore[arg-type]
        count += 1
    return count


@pytest.fixture
def clock() -> ClockSettings:
    """Give a clock for tests."""
    return ClockSettings()


OpenDatabase = Callable[[], Database]


def count_rows(database: Database, what: str) -> int:
    """Return how many rows a FROM clause has."""
    with database.transaction() as connection:
        row = connection.execute(f"SELECT count(*) FROM {what}".encode()).fetchone()
    assert row is not None
    return int(str(row[0]))


def expire(database: Database) -> None:
    """Let all leases run out now."""
    sql = "UPDATE job SET lease_until = clock_timestamp() - interval '1 s' WHERE state = 'leased'"
    database.run(lambda connection: connection.execute(sql))


def claimed(database: Database, worker: str = "w1") -> Lease:
    """Claim a job that must be there."""
    lease = take(database, worker)
    assert lease is not None
    return lease
