"""How many workers one database serves: what a job costs it, measured, and where the first wall is.

    PYTHONPATH=. python bench/database.py

Real PostgreSQL, real use cases (claim, heartbeat, the one guarded write), made-up results in the size of real
ones. 1, 2, 4 and 8 processes do nothing but claim, renew and write, so that what they reach together is what
the database gives. A worker asks for one job in ten seconds; the quotient of the two is the number of workers
at which the database is the wall. The server shares these cores with the processes that ask, so the figure is
one of this machine, and low.
"""

import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from rows import Row, as_given, parser_of, show

from arena.config import Settings
from arena.service import jobs, platform
from arena.store.pool import Database
from arena.tournament.planning import JOB_SECONDS
from tests.fix_queue import greet_worker, make_outcome, make_tournament, take

RECORD_BYTES = 1_100
"""How long the record of a match to 500 points is, about."""
HEARTBEATS = 5
"""How often a job of 10 s tells its progress, and renews its lease by that."""
KNOWN_WORKERS = 64
"""For how many workers jobs are kept ready: as many as a big event has."""
BOTS = 5
"""As few as give each process a pairing of its own: each pairing has to grow to its full jobs first."""
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Spent:
    """What one process did, times in seconds."""

    claims: list[float]
    heartbeats: list[float]
    writes: list[float]


def work(url: str, name: str, seconds: float, matches: int) -> Spent:
    """Claim, renew and write until the time is over."""
    spent = Spent([], [], [])
    with Database(url, patience_s=10) as database:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            play_one(database, name, matches, spent)
    return spent


def play_one(database: Database, name: str, matches: int, spent: Spent) -> int:
    """Claim one job, renew its lease and write results as of bots that play `matches` in a job's time."""
    began = time.perf_counter()
    lease = take(database, name, lease_s=30.0)
    if lease is None:
        raise RuntimeError("the tournament ran out of jobs: measure for a shorter time")
    spent.claims.append(time.perf_counter() - began)
    for _ in range(HEARTBEATS):
        began = time.perf_counter()
        jobs.heartbeat(database, lease, lease_s=30.0, progress=1, decisions=1)
        spent.heartbeats.append(time.perf_counter() - began)
    outcome = make_outcome(lease)
    # The next jobs of a pairing are sized by how fast its last one was.
    play_us = round(JOB_SECONDS / matches * 1e6) * len(outcome.matches)
    dice = random.Random(lease.job.id)  # noqa: S311 (no secret)
    records = [dice.randbytes(RECORD_BYTES // 2).hex() for _ in outcome.matches]
    played = [replace(match, record=record) for match, record in zip(outcome.matches, records, strict=True)]
    began = time.perf_counter()
    jobs.finish(database, lease, replace(outcome, matches=played, play_us=play_us))
    spent.writes.append(time.perf_counter() - began)
    return len(played)


def processor_s(pid: int) -> float:
    """Return the processor time of a server and all its children, ended ones too."""
    total = 0.0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(entry.name) == pid:
            total += sum(map(int, fields[11:15])) / CLOCK_TICKS
        elif int(fields[1]) == pid:
            total += sum(map(int, fields[11:13])) / CLOCK_TICKS
    return total


def measure(
    url: str, server: int, processes: int, seconds: float, matches: int
) -> tuple[float, float, float, list[Spent]]:
    """Return jobs a second, the server's processor ms and WAL KiB a job, and what each process spent."""
    with Database(url) as database:
        greet_all(database)
        wal, spent_s = wal_bytes(database), processor_s(server)
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            asked = [(url, f"w{processes}-{number}", seconds, matches) for number in range(processes)]
            spent = pool.starmap(work, asked)
        done = sum(len(each.writes) for each in spent)
        cost_ms = (processor_s(server) - spent_s) / done * 1000
        return done / seconds, cost_ms, (wal_bytes(database) - wal) / done / 1024, spent


def greet_all(database: Database) -> None:
    """Have the workers elsewhere say that they live: jobs are kept ready for those alone."""
    for number in range(KNOWN_WORKERS):
        greet_worker(database, f"elsewhere-{number}")


def wal_bytes(database: Database) -> int:
    """Return how much the server has written ahead so far."""
    with database.transaction() as connection:
        row = connection.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").fetchone()
    assert row is not None
    return int(str(row[0]))


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__, runs=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each measurement lasts")
    parser.add_argument("--matches", type=int, default=400, help="how many matches a job writes")
    options = parser.parse_args()
    repeat = as_given()
    rows = []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        running = platform.up(
            Settings(data_folder=Path(folder, "data")), with_workers=False, with_broker=False
        )
        try:
            url, server = running.servers.database_url, find_server(Path(folder, "data"))
            with Database(url) as database:
                names = [f"bot{number}" for number in range(BOTS)]
                make_tournament(database, *names, deal_sets=1_000 * options.matches, workers=8)
                # A pairing's first jobs are small, before its speed is known; they are not measured. Each
                # worker known would be given some of them, so the others are greeted when there are no more.
                while play_one(database, "w0", options.matches, Spent([], [], [])) < options.matches / 2:
                    pass
            for processes in (1, 2, 4, 8):
                runs = [
                    measure(url, server, processes, options.seconds, options.matches)
                    for _ in range(options.runs)
                ]
                rows += told(processes, runs, repeat)
        finally:
            running.down()
    show(rows, as_json=options.json)


def find_server(data_folder: Path) -> int:
    """Return the process number of the embedded PostgreSQL."""
    found = platform.running(Settings(data_folder=data_folder))["postgres"]
    if found is None:
        sys.exit("PostgreSQL does not run")
    return found


def told(processes: int, runs: list[tuple[float, float, float, list[Spent]]], repeat: str) -> list[Row]:
    """Return the rows of one number of processes."""
    who = f"{processes} process{'es' if processes > 1 else ''}"

    def median_ms(kind: str) -> list[float]:
        return [
            statistics.median(figure for each in spent for figure in getattr(each, kind)) * 1000
            for *_, spent in runs
        ]

    return [
        Row(f"{who}: jobs claimed, renewed and written", "", "jobs/s", [rate for rate, *_ in runs], repeat),
        Row(f"{who}: a claim", "", "ms", median_ms("claims"), repeat),
        Row(f"{who}: a heartbeat", "", "ms", median_ms("heartbeats"), repeat),
        Row(f"{who}: a write", "", "ms", median_ms("writes"), repeat),
        Row(f"{who}: processor time of the server a job", "", "ms", [cost for _, cost, *_ in runs], repeat),
        Row(f"{who}: written ahead a job", "", "KiB", [wal for _, _, wal, _ in runs], repeat),
        Row(
            f"{who}: workers served, at a job in {JOB_SECONDS:g} s",
            "",
            "",
            [rate * JOB_SECONDS for rate, *_ in runs],
            repeat,
        ),
    ]


if __name__ == "__main__":
    main()
