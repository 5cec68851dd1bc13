"""What a job costs beside its play: claim, sandboxes, hello, farewell, the write, and Celery between jobs.

    python bench/jobs.py

One worker plays a tournament of two quick bots, with the embedded servers in a folder of their own and jobs
of the size that it chooses by itself. What a job costs is the time from the end of the former one to its
own, less its play. The goal is for jobs of the default size, about ten seconds of play: while a pairing is
new they are smaller, in its first block of deal sets and the one after it, and the last row counts these too.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rows import Row, as_given, parser_of, show

from arena.config import Settings
from arena.service import platform
from arena.store.pool import Connection, Database

ROOT = Path(__file__).resolve().parents[1]
BOTS = ("first-legal", "random")
SMALL_BLOCKS = 2
"""So many blocks of a new pairing are planned while little is known of its speed; the others are full."""
WATCH = """
    CREATE TABLE bench_job (ended_at timestamptz, play_us bigint);
    CREATE FUNCTION bench_job() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO bench_job VALUES (clock_timestamp(), NEW.play_us - OLD.play_us);
            RETURN NULL;
        END $$;
    CREATE TRIGGER bench_job AFTER UPDATE OF play_us ON pairing FOR EACH ROW EXECUTE FUNCTION bench_job();
"""
"""Notes the play of each job, which is written as the sum of a pairing's jobs only."""
PLAYED = """
    SELECT extract(epoch FROM job.ended_at
                   - lag(job.ended_at, 1, job.started_at) OVER (ORDER BY job.ended_at))::float8,
           bench_job.play_us / 1e6::float8
    FROM (SELECT job.*, row_number() OVER (ORDER BY ended_at) AS nth FROM job WHERE state = 'done') AS job
    JOIN (SELECT *, row_number() OVER (ORDER BY ended_at) AS nth FROM bench_job) AS bench_job USING (nth)
    JOIN tournament ON tournament.id = job.tournament_id
    WHERE tournament.name = %(name)s
    ORDER BY job.ended_at
"""


def arena(data_folder: Path, *words: str, **settings: object) -> None:
    """Run a command as a user does, with one worker or other settings."""
    environment = {
        **os.environ,
        "ARENA_DATA_FOLDER": str(data_folder),
        "ARENA_WORKERS": "1",
        **{f"ARENA_{name.upper()}": str(value) for name, value in settings.items()},
    }
    command = [sys.executable, "-m", "arena.cli", *words]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"arena {' '.join(words)} failed:\n{done.stderr}")


def watch(connection: Connection) -> None:
    """Let the database note the play of each job from now on."""
    connection.execute(WATCH.encode())


def played(connection: Connection, name: str) -> list[tuple[float, float]]:
    """Return what each job of a tournament took, since the end of the former one, and how long it played."""
    rows = connection.execute(PLAYED.encode(), {"name": name}).fetchall()
    if not rows:
        raise SystemExit(f"no job of {name} was played")
    return [(float(str(took)), float(str(play))) for took, play in rows]


def share_of(jobs: Sequence[tuple[float, float]]) -> float:
    """Return in percent what jobs cost beside their play."""
    play = sum(play for _, play in jobs)
    return (sum(took for took, _ in jobs) - play) / play * 100


def rows_of(runs: Sequence[Sequence[tuple[float, float]]], *, seats: int = 2) -> list[Row]:
    """Return what is told of the jobs of each run."""
    repeat = as_given()
    full = [jobs[SMALL_BLOCKS * seats :] for jobs in runs]
    fixed = [statistics.mean(took - play for took, play in jobs) * 1000 for jobs in full]
    plays = [statistics.mean(play for _, play in jobs) for jobs in full]
    shares, all_shares = [share_of(jobs) for jobs in full], [share_of(jobs) for jobs in runs]
    return [
        Row("a job beside its play: claim, sandbox, hello, write, Celery", "", "ms", fixed, repeat),
        Row("the play of a job of the default size", "", "s", plays, repeat),
        Row("what a job costs", "its play at the default size", "%", shares, repeat, 5, 2, is_limit=True),
        Row("the same with the small first jobs of a pairing", "their play", "%", all_shares, repeat),
    ]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--sets", type=int, default=4000)
    options = parser.parse_args()
    runs = []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        data_folder = Path(folder, "data")
        running = platform.up(Settings(data_folder=data_folder, workers=1))
        try:
            for bot in BOTS:
                arena(data_folder, "bot", "submit", str(ROOT / "bots" / bot))
            with Database(running.servers.database_url) as database:
                database.run(watch)
                for number in range(options.runs):
                    name = f"run-{number}"
                    sets = str(options.sets)
                    arena(data_folder, "tournament", "run", name, *BOTS, "--sets", sets)
                    runs.append(database.run(partial(played, name=name)))
        finally:
            running.down()
    show(rows_of(runs), as_json=options.json)


if __name__ == "__main__":
    main()
