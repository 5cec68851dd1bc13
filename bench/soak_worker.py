"""Ten thousand matches through one worker: what it needs in memory and descriptors, from first to last.

    python bench/soak_worker.py
    python bench/soak_worker.py --matches 1000

One worker with servers in a folder of their own plays a tournament of two bots, each match one round, so that
jobs, processes of bots and writes come as often as they can. After every twentieth of the matches the
processes of the worker (not those of the bots) are looked at: the memory that is theirs (a shared page by its
share), descriptors and threads. Flat means that the second half of the run needs no more than the first.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from arena.config import Settings
from arena.service import platform, tournaments, watching
from arena.store.pool import Database

ROOT = Path(__file__).resolve().parents[1]
BOTS = ("first-legal", "random")
RULES = 'base = "mattel"\nscoring = "single_round"\n'
MOST_MB = 300.0
SLACK_MB, SLACK_FILES = 8.0, 12
"""What is no growth: pages of the allocator; what a job has open while its bots start, seen by chance."""
PARTS = 20
"""How often the worker is looked at, if its jobs are small enough."""
POLL_S = 1.0


@dataclass(frozen=True)
class Sample:
    """What the worker has at one moment."""

    matches: int
    """Finished so far."""
    memory_mb: float
    """Of its processes together, what they share counted once."""
    files: int
    """Open descriptors."""
    threads: int
    processes: int


def tree(pid: int) -> Iterator[int]:
    """Yield a worker's own processes: itself and those below that run its program, not the bots'."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"arena.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                yield from tree(int(child))


def count(folder: Path) -> int:
    """Return how many entries a folder has."""
    return sum(1 for _ in folder.iterdir())


def look(pid: int, matches: int) -> Sample:
    """Look at a worker; at a moment at which no process of it ends."""
    while True:
        try:
            own = list(tree(pid))
            rolled = [Path(f"/proc/{one}/smaps_rollup").read_text() for one in own]
            files = sum(count(Path(f"/proc/{one}/fd")) for one in own)
            threads = sum(count(Path(f"/proc/{one}/task")) for one in own)
        except (FileNotFoundError, ProcessLookupError):
            continue
        kilobytes = sum(
            int(line.split()[1]) for text in rolled for line in text.splitlines() if line.startswith("Pss:")
        )
        return Sample(matches, kilobytes / 1024, files, threads, len(own))


def watch(database: Database, pid: int, matches: int) -> list[Sample]:
    """Look at the worker after every part of the matches, until the tournament is over."""
    samples: list[Sample] = []
    mark = matches / PARTS
    while True:
        watched = watching.progress(database, "soak")
        totals = watched.totals
        if totals.jobs_failed:
            raise SystemExit(f"{totals.jobs_failed} jobs failed: {watched.failures}")
        if totals.done >= mark:
            samples.append(look(pid, totals.done))
            show(samples[-1])
            mark = (totals.done * PARTS // matches + 1) * matches / PARTS
        if watched.tournament.state == "finished":
            return samples
        time.sleep(POLL_S)  # nothing tells another process


def verdict(samples: list[Sample]) -> list[str]:
    """Say what was not as it should be."""
    half = samples[: len(samples) // 2], samples[len(samples) // 2 :]
    before, after = (max(sample.memory_mb for sample in part) for part in half)
    open_before, open_after = (max(sample.files for sample in part) for part in half)
    wrong = []
    if max(before, after) > MOST_MB:
        wrong.append(f"{max(before, after):.0f} MB are more than {MOST_MB:.0f}")
    if after > before + SLACK_MB:
        wrong.append(f"memory grew from {before:.1f} to {after:.1f} MB in the second half")
    if open_after > open_before + SLACK_FILES:
        wrong.append(f"descriptors grew from {open_before} to {open_after} in the second half")
    return wrong


def show(sample: Sample) -> None:
    """Print a row as soon as it is known."""
    row = f"{sample.matches:>8,} {sample.memory_mb:>9.1f} {sample.files:>6} "
    sys.stderr.write(f"{row}{sample.threads:>8} {sample.processes:>10}\n")


def arena(data_folder: Path, *words: str) -> None:
    """Run a command as a user does."""
    environment = {**os.environ, "ARENA_DATA_FOLDER": str(data_folder)}
    command = [sys.executable, "-m", "arena.cli", *words]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"arena {' '.join(words)} failed:\n{done.stderr}")


def soak(matches: int) -> list[Sample]:
    """Play in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="arena-soak-") as folder:
        data_folder, rules = Path(folder, "data"), Path(folder, "rules.toml")
        rules.write_text(RULES)
        running = platform.up(Settings(data_folder=data_folder, workers=1, job_target_s=2.0))
        try:
            arena(data_folder, "bot", "submit", *(str(ROOT / "bots" / bot) for bot in BOTS))
            sets = str(matches // 2)
            arena(data_folder, "tournament", "create", "soak", *BOTS, "--sets", sets, "--rules", str(rules))
            pid = platform.running(Settings(data_folder=data_folder))["worker-0"]
            assert pid is not None
            with Database(running.servers.database_url) as database:
                tournaments.start(database, "soak", workers=1)
                return watch(database, pid, matches)
        finally:
            running.down()


def main() -> int:
    """Play, print, and say whether it was flat."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    sys.stderr.write(" matches  memory MB  files  threads  processes\n")
    samples = soak(options.matches)
    wrong = verdict(samples)
    if options.json:
        told = {"samples": [asdict(sample) for sample in samples], "wrong": wrong}
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
    else:
        sys.stdout.write("; ".join(wrong) + "\n" if wrong else "flat: memory and descriptors did not grow\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
