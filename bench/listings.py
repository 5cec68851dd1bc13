"""Every listing over 1,000,000 stored matches, as a user types it: seconds and memory of the whole command.

    python bench/listings.py
    python bench/listings.py --matches 100000 --runs 1

The rows are made up: one tournament of 200 bots, a fault in every thousandth match, and some kinds of fault
and of ending in the oldest matches only, or in none, so that a listing must look far. The server runs.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rows import Row, as_given, parser_of, show
from scale import ADD_BOTS, BOTS, fill

from arena.config import Settings
from arena.service import platform
from arena.store.pool import Connection, Database

GOAL_S, GOAL_MB = 0.5, 100
LISTINGS = (
    "match list",
    "match list rated",
    "match list rated --before 500000",
    "match list rated --limit 1000 --json",
    "match list --bot bench-7",
    "match list --bot bench-900",
    "match list --bot bench-7@1 --faults",
    "match list --faults",
    "match list --verdict timed_out",
    "match list --verdict crashed",
    "match list --verdict out_of_memory",
    "match list --bot bench-150 --verdict crashed",
    "match list --ending target",
    "match list --ending decisions",
    "match list --ending rounds",
    "tournament list",
    "tournament show rated",
    "bot list",
    "bot show bench-7",
    "bot logs bench-7",
    "match show 1",
)
ADD_REST = """
    INSERT INTO play (job_id, fence, tournament_id, worker, bwrap, filter_hash)
    SELECT DISTINCT 1, 1, tournament_id, 'bench', '', '' FROM match;
    INSERT INTO fault (match_id, seat, place, kind, evidence)
    SELECT id, id % 2, 0, 'timed_out', '{}' FROM match WHERE id % 1000 = 0;
    INSERT INTO fault (match_id, seat, place, kind, evidence)
    SELECT id, 0, 0, 'crashed', '{}' FROM match WHERE id % 1000 = 1 AND id < 5000;
    UPDATE match SET ending = 'decisions' WHERE id IN (11, 12, 13);
    INSERT INTO match_record (match_id, line) SELECT id, '' FROM match WHERE id < 10 OR id % 1000 < 2;
    UPDATE pairing SET sets_planned = 26, matches_done = 52, wins = '{65520,65520}', faults = '{1,1}'
    WHERE tournament_id = (SELECT min(tournament_id) FROM match);
"""


def ask(data_folder: Path, listing: str) -> tuple[float, float, float]:
    """Run a listing; return its seconds, those of them that its process computed, and its memory in MB."""
    environment = {**os.environ, "ARENA_DATA_FOLDER": str(data_folder)}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "arena.cli", *listing.split()],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        said = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        took = time.perf_counter() - began
        if status or not said:
            raise SystemExit(f"{listing}: {child.stderr.read()}")
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(options: argparse.Namespace, data_folder: Path) -> Sequence[Row]:
    """Measure all in a database of their own."""
    running = platform.up(Settings(data_folder=data_folder), with_workers=False, with_broker=False)
    repeat = as_given()
    rows = []
    try:
        with Database(running.servers.database_url) as database:

            def write(connection: Connection) -> None:
                for statement in ADD_REST.split(";")[:-1]:
                    connection.execute(statement.encode())
                connection.execute("ANALYZE")

            database.run(lambda connection: connection.execute(ADD_BOTS, {"bots": BOTS}))
            matches = fill(database, options.matches)
            database.run(write)
            if options.keep:
                sys.stderr.write(f"{running.servers.database_url}\n")
                sys.stdin.read()
            for listing in LISTINGS:
                runs = [ask(data_folder, listing) for _ in range(options.runs)]
                what = f"arena {listing}, {matches:,} matches"
                took, computed, memory = zip(*runs, strict=True)
                rows.append(Row(what, "", "s", took, repeat, GOAL_S, None, True))
                rows.append(Row(f"{what}: of it computed", "", "s", computed, repeat, None, None, True))
                rows.append(Row(f"{what}: memory", "", "MB", memory, repeat, GOAL_MB, None, True))
    finally:
        running.down()
    return rows


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__, runs=3)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--keep", action="store_true", help="Wait for the end of stdin before measuring.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        rows = measure(options, Path(folder, "data"))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
