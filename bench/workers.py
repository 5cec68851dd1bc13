"""How a tournament's speed grows with worker processes: 1, 2 and 4 of them, with everything that a job needs.

    python bench/workers.py

Embedded servers in a folder of their own and workers as `arena up` starts them play the same round robin of
three quick bots, each number of workers in turn, in every run. A figure is matches a second from the first
claim to the last write. The servers share the cores with the workers, and so do four workers on two cores:
what they reach says what a worker beyond the last core costs, and where growth ends on this machine.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from jobs import arena
from rows import Row, as_given, parser_of, show
from seats import ROOT

from arena.config import Settings
from arena.service import platform
from arena.store.pool import Connection, Database

BOTS = ("first-legal", "random", "greedy")
JOB_S = 2.0
"""A job's length: short, so that the end of the tournament, where workers wait, is a small part of it."""
PLAYED = """
    SELECT (SELECT count(*) FROM match WHERE tournament_id = tournament.id)::integer,
           extract(epoch FROM max(ended_at) - min(started_at))::float8
    FROM job JOIN tournament ON tournament.id = job.tournament_id
    WHERE tournament.name = %(name)s AND job.state = 'done'
    GROUP BY tournament.id
"""


def matches_a_second(connection: Connection, name: str) -> float:
    """Return how many matches a second a tournament played."""
    row = connection.execute(PLAYED.encode(), {"name": name}).fetchone()
    if row is None:
        raise SystemExit(f"no job of {name} was played")
    matches, seconds = row
    return int(str(matches)) / float(str(seconds))


def measure(data_folder: Path, name: str, workers: int, sets: int) -> float:
    """Play one tournament with so many workers; return its matches a second."""
    running = platform.up(Settings(data_folder=data_folder, workers=workers, job_target_s=JOB_S))
    try:
        arena(
            data_folder,
            "tournament",
            "run",
            name,
            *BOTS,
            "--sets",
            str(sets),
            workers=workers,
            job_target_s=JOB_S,
        )
        with Database(running.servers.database_url) as database:
            return database.run(partial(matches_a_second, name=name))
    finally:
        running.down()


def submit(data_folder: Path) -> None:
    """Store the bots."""
    running = platform.up(Settings(data_folder=data_folder), with_workers=False, with_broker=False)
    try:
        for bot in BOTS:
            arena(data_folder, "bot", "submit", str(ROOT / "bots" / bot))
    finally:
        running.down()


def rows_of(figures: dict[int, list[float]], repeat: str) -> Sequence[Row]:
    """Return a row for each number of workers, and what more of them reach beside the first."""
    fewest = min(figures)
    rows = []
    for workers, speeds in figures.items():
        who = f"{workers} worker{'s' if workers > 1 else ''}"
        rows.append(Row(f"{who}: matches played and written", "", "a second", speeds, repeat))
        if workers > fewest:
            pairs = zip(speeds, figures[fewest], strict=True)
            ratios = [speed / base for speed, base in pairs]
            rows.append(Row(f"{who} on {os.cpu_count()} cores", f"{fewest}", "x", ratios, repeat))
    return rows


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__, runs=3)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    options = parser.parse_args()
    figures: dict[int, list[float]] = {workers: [] for workers in options.workers}
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        data_folder = Path(folder, "data")
        submit(data_folder)
        for run in range(options.runs):
            for workers, speeds in figures.items():
                speeds.append(measure(data_folder, f"run-{run}-{workers}", workers, options.sets))
                sys.stderr.write(f"run {run}, {workers} workers: {speeds[-1]:.0f} matches a second\n")
    show(rows_of(figures, as_given()), as_json=options.json)


if __name__ == "__main__":
    main()
