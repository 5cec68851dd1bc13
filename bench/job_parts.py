"""What the parts of a job cost in its worker's process: claim, sandboxes, hello, farewell, write.

    python bench/job_parts.py

One process does what a worker does with a job, without Celery, on one core; the servers are embedded. Of the
write is told how long this process only waited for the database: so much could be won, at the most, by
starting the next job's sandboxes while a job is written, for they start on the same core.
"""

import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from jobs import BOTS, ROOT, arena
from rows import Row, as_given, parser_of, show
from seats import MATTEL, open_pinned

from arena.botproc.sandbox import Sandbox
from arena.botproc.tables import play_tables
from arena.bundle.cache import BundleCache
from arena.config import Settings
from arena.service import jobs, platform
from arena.service.jobs import Lease
from arena.service.play import Arena, make_outcome, plan_tables
from arena.service.tournaments import TournamentSpec, create, start
from arena.service.workers import find_abilities, load_bundle
from arena.store.pool import Database

LEASE_S = 600.0
PARTS = ("claim", "sandboxes", "hello", "play", "farewell and the end of the bots", "write")
WAITED = "of the write: waiting for the database"


def play_job(worker: Arena, database: Database, lease: Lease) -> dict[str, float]:
    """Play one job and write it; return the seconds of its parts."""
    marks = [time.perf_counter()]
    last = 0.0

    def note(_tables: object) -> None:
        nonlocal last
        last = time.perf_counter()

    with worker.bots(lease) as bots:
        marks.append(time.perf_counter())
        played = play_tables(bots, plan_tables(lease), lease.clock, MATTEL, on_batch=note)
    ended = time.perf_counter()
    outcome = make_outcome(lease, played, level=worker.sandbox.level.value)
    used, began = time.process_time(), time.perf_counter()
    if not jobs.finish(database, lease, outcome):
        raise SystemExit("the job was not written")
    write = time.perf_counter() - began
    play = played.play_us / 1e6
    hello = last - marks[1] - play
    return {
        "sandboxes": marks[1] - marks[0],
        "hello": hello,
        "play": play,
        "farewell and the end of the bots": ended - last,
        "write": time.perf_counter() - ended,
        WAITED: write - (time.process_time() - used),
    }


def measure(
    sandbox: Sandbox, database: Database, core: int, cache: Path, name: str, sets: int
) -> Mapping[str, float]:
    """Play a tournament of two bots; return the mean seconds of each part of its jobs."""
    create(database, TournamentSpec(name=name, ruleset=MATTEL, bots=BOTS, deal_sets=sets))
    start(database, name)
    worker = Arena(sandbox, BundleCache(cache), lambda digest: load_bundle(database, digest), core)
    abilities = find_abilities(sandbox)
    parts: dict[str, list[float]] = defaultdict(list)
    while True:
        began = time.perf_counter()
        lease = jobs.claim(database, name, abilities, lease_s=LEASE_S)
        parts["claim"].append(time.perf_counter() - began)
        if lease is None:
            break
        for part, seconds in play_job(worker, database, lease).items():
            parts[part].append(seconds)
    return {part: sum(all_) / len(all_) for part, all_ in parts.items()}


def rows_of(runs: Sequence[Mapping[str, float]]) -> Sequence[Row]:
    """Return a row for each part."""
    repeat = as_given()
    rows = [Row(part, "", "ms", [run[part] * 1000 for run in runs], repeat) for part in [*PARTS, WAITED]]
    shares = [run[WAITED] / run["play"] * 100 for run in runs]
    return [*rows, Row(WAITED, "the play", "%", shares, repeat)]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--sets", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        data_folder = Path(folder, "data")
        running = platform.up(Settings(data_folder=data_folder), with_workers=False, with_broker=False)
        try:
            for bot in BOTS:
                arena(data_folder, "bot", "submit", str(ROOT / "bots" / bot))
            sandbox, core = open_pinned(None)
            cache = Path(folder, "bundles")
            cache.mkdir()
            with Database(running.servers.database_url) as database:
                runs = [
                    measure(sandbox, database, core, cache, f"run-{number}", options.sets)
                    for number in range(options.runs)
                ]
        finally:
            running.down()
    show(rows_of(runs), as_json=options.json)


if __name__ == "__main__":
    main()
