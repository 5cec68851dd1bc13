"""What a job costs beside its play: claim, sandboxes, hello, farewell, the write, and Celery between jobs.

    python bench/jobs.py

One worker plays a tournament of two quick bots, with the embedded servers in a folder of their own and jobs
of the size that it chooses by itself. The fixed cost is the time from the first claim to the last write, less
the play itself, by the number of jobs, and as a share of the play of these jobs, the small first ones too.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from rows import Row, as_given, parser_of, show

from arena.config import Settings
from arena.service import platform
from arena.store.pool import Connection, Database

ROOT = Path(__file__).resolve().parents[1]
BOTS = ("first-legal", "random")
SPENT = """
    SELECT count(*)::integer, extract(epoch FROM max(ended_at) - min(started_at))::float8,
           (SELECT sum(play_us)::float8 / 1e6 FROM pairing WHERE tournament_id = tournament.id)
    FROM job JOIN tournament ON tournament.id = job.tournament_id
    WHERE tournament.name = %(name)s AND job.state = 'done'
    GROUP BY tournament.id
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


def spent(connection: Connection, name: str) -> tuple[int, float, float]:
    """Return how many jobs a tournament had, how long they took in all, and how long they played."""
    row = connection.execute(SPENT.encode(), {"name": name}).fetchone()
    if row is None:
        raise SystemExit(f"no job of {name} was played")
    jobs, took, played = row
    return int(str(jobs)), float(str(took)), float(str(played))


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    options = parser.parse_args()
    fixed, sizes, shares = [], [], []
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        data_folder = Path(folder, "data")
        running = platform.up(Settings(data_folder=data_folder, workers=1))
        try:
            for bot in BOTS:
                arena(data_folder, "bot", "submit", str(ROOT / "bots" / bot))
            with Database(running.servers.database_url) as database:
                for number in range(options.runs):
                    name = f"run-{number}"
                    sets = str(options.sets)
                    arena(data_folder, "tournament", "run", name, *BOTS, "--sets", sets)
                    jobs, took, played = database.run(partial(spent, name=name))
                    fixed.append((took - played) / jobs * 1000)
                    sizes.append(played / jobs)
                    shares.append((took - played) / played * 100)
        finally:
            running.down()
    repeat = as_given()
    rows = [
        Row("a job beside its play: claim, sandbox, hello, write, Celery", "", "ms", fixed, repeat),
        Row("the play of a job, on average", "", "s", sizes, repeat),
        Row("what jobs cost beside their play", "their play", "%", shares, repeat, 5, 2, is_limit=True),
    ]
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
