"""Big tournaments in a database of their own: 1,000 bots entered and paired, 1,000,000 matches rated.

    python bench/scale.py
    python bench/scale.py --matches 100000 --runs 1

Both are measured through what a user calls: `arena.service.tournaments` in a process of its own, whose memory
is told by the kernel, and the command `arena standings`, from its start to the last printed line.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rows import Row, as_given, parser_of, show

from arena.config import Settings
from arena.rules.options import Ruleset
from arena.service import platform, tournaments
from arena.service.tournaments import TournamentSpec
from arena.store.pool import Connection, Database
from arena.store.tournaments import get_tournament

BOTS = 1_000
RATED_BOTS = 200

ADD_BOTS = """
    WITH fresh AS (
        INSERT INTO bot (name, owner)
        SELECT 'bench-' || number, 'bench' FROM generate_series(1, %(bots)s) AS number RETURNING id, name
    ), kept AS (
        INSERT INTO bundle (digest, content) SELECT sha256(name::bytea), '' FROM fresh
    )
    INSERT INTO bot_version (bot_id, number, digest, manifest, runtime, state)
    SELECT id, 1, sha256(name::bytea),
           format(E'name = "%%s"\\nruntime = "python"\\nrun = ["bot"]\\ninclude = ["bot"]\\n', name),
           'python', 'checked'
    FROM fresh
"""
ADD_MATCHES = """
    INSERT INTO match (tournament_id, pairing, deal_set, rotation, entries, places, totals, rounds, decisions,
                       ending, asked, wall_us, cpu_us, unasked, dropped, cut, sha256, job_id, fence, level)
    SELECT tournament_id, number, deal_set, rotation,
           CASE rotation WHEN 0 THEN entries ELSE ARRAY[entries[2], entries[1]] END,
           CASE won WHEN 0 THEN '{1,2}'::smallint[] ELSE '{2,1}' END,
           CASE won WHEN 0 THEN '{512,301}'::integer[] ELSE '{298,540}' END,
           10, 570, 'target', '{240,251}', '{4100,4000}', '{3900,3800}', '{40,39}', '{0,0}', '{0,0}',
           sha256('bench'), 1, 1, 'strict'
    FROM pairing, generate_series(0, %(sets)s - 1) AS deal_set, generate_series(0, 1) AS rotation,
         LATERAL (SELECT hashint8(number * 7919 + deal_set * 31 + rotation) & 1 AS won) AS luck
    WHERE tournament_id = %(tournament_id)s
"""


def spec(name: str, bots: int, deal_sets: int) -> TournamentSpec:
    """Return a round robin of the first bots."""
    names = tuple(f"bench-{number}" for number in range(1, bots + 1))
    return TournamentSpec(name=name, ruleset=Ruleset(), bots=names, deal_sets=deal_sets)


def create(database: Database, number: int) -> tuple[float, float]:
    """Create the big round robin in a fresh process; return its seconds and its memory in MB."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        began = time.perf_counter()
        name = f"big-{number}"
        with Database(database.url) as own:
            tournaments.create(own, spec(name, BOTS, 100))
            tournaments.start(own, name)
        took = time.perf_counter() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        os.write(write, f"{took} {memory}".encode())
        os._exit(0)
    os.waitpid(child, 0)
    told = os.read(read, 100).split()
    os.close(read)
    os.close(write)
    if not told:
        raise SystemExit("the tournament was not created")
    return float(told[0]), float(told[1])


def fill(database: Database, matches: int) -> int:
    """Write a tournament's matches; return how many."""
    sets = max(1, matches // (RATED_BOTS * (RATED_BOTS - 1)))
    sets += sets * RATED_BOTS * (RATED_BOTS - 1) < matches
    tournaments.create(database, spec("rated", RATED_BOTS, sets))
    tournaments.start(database, "rated")

    def write(connection: Connection) -> int:
        tournament_id = get_tournament(connection, "rated").id
        return connection.execute(ADD_MATCHES, {"sets": sets, "tournament_id": tournament_id}).rowcount

    written = database.run(write)
    database.run(lambda connection: connection.execute("ANALYZE match"))
    return written


def rate(data_folder: Path) -> float:
    """Print the standing as a user does; return the seconds."""
    environment = {**os.environ, "ARENA_DATA_FOLDER": str(data_folder)}
    command = [sys.executable, "-m", "arena.cli", "standings", "rated"]
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    took = time.perf_counter() - began
    if done.stdout.count("bench-") < RATED_BOTS:
        raise SystemExit(f"this is no standing of {RATED_BOTS} bots:\n{done.stdout[:500]}")
    return took


def measure(options: argparse.Namespace, data_folder: Path) -> Sequence[Row]:
    """Measure both in a database of their own."""
    running = platform.up(Settings(data_folder=data_folder), with_workers=False, with_broker=False)
    try:
        with Database(running.servers.database_url) as database:
            database.run(lambda connection: connection.execute(ADD_BOTS, {"bots": BOTS}))
            created = [create(database, number) for number in range(options.runs)]
            matches = fill(database, options.matches)
            rated = [rate(data_folder) for _ in range(options.runs)]
    finally:
        running.down()
    repeat = as_given()
    pairings = BOTS * (BOTS - 1) // 2
    return [
        Row(
            f"{pairings:,} pairings of {BOTS:,} bots created",
            "",
            "s",
            [s for s, _ in created],
            repeat,
            60,
            None,
            True,
        ),
        Row("the same, memory of the process", "", "MB", [mb for _, mb in created], repeat, 300, None, True),
        Row(f"standing over {matches:,} matches of {RATED_BOTS} bots", "", "s", rated, repeat, 10, 5, True),
    ]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        rows = measure(options, Path(folder, "data"))
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
