"""Real workers: processes that play real bots in the best sandbox of this machine, with short leases.

The database and the queue are the test's own on the session's servers; the workers have a data folder of
their own for locks, logs and bundles.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena import broker
from arena.bundle.pack import pack_folder
from arena.config import Settings, load_settings
from arena.embedded.folder import DataFolder
from arena.embedded.process import Service
from arena.embedded.workers import WorkerProcesses
from arena.match.plan import ClockSettings
from arena.rules.presets import parse_ruleset
from arena.service import platform, tournaments, watching
from arena.service.tournaments import TournamentSpec
from arena.service.watching import Watched
from arena.store import bots
from arena.store.pool import Connection, Database
from tests.fix_queue import SECRET

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 120.0
PATIENT = ClockSettings(bank_ms=60_000, hello_ms=30_000)
"""A clock on which no sound bot loses, however busy the machine is."""
QUICK = 'base = "mattel"\nrounds = 2\n'


class Fleet:
    """A test's workers and what they work on."""

    def __init__(self, folder: Path, database_url: str, broker_url: str) -> None:
        self.settings: Settings = load_settings(
            {
                "data_folder": folder,
                "database_url": database_url,
                "broker_url": broker_url,
                "lease_s": 2.0,
                "reconcile_s": 0.5,
                "stop_s": 2.0,
            },
            environment={},
        )
        self.database = Database(database_url)
        self.app = broker.make_app(broker_url)
        self.temporary = Path(tempfile.mkdtemp(prefix="arena-fleet-tmp-"))
        """Where its workers put what lasts as long as a job; the users of seats must reach it."""
        self.temporary.chmod(0o755)
        self.arenas: dict[int, int] = {}
        """Every process that was seen to be a worker or a worker's child, and the memory it had then."""
        self._platforms: list[platform.Platform] = []

    def submit(self, *folders: Path) -> None:
        """Store bots as checked versions."""

        def work(connection: Connection) -> None:
            for folder in folders:
                bundle = pack_folder(folder)
                bot = bots.add_bot(connection, bundle.manifest.name, "tester")
                text = (folder / "bot.toml").read_text()
                version, _ = bots.add_version(
                    connection,
                    bot.id,
                    bytes.fromhex(bundle.digest),
                    text,
                    bundle.manifest.runtime,
                    bundle.data,
                )
                bots.set_checked(connection, version.id, passed=True, report="", stderr="")

        self.database.run(work)

    def start(
        self,
        *names: str,
        rules: str = QUICK,
        workers: int = 1,
        deal_sets: int = 16,
        clock: ClockSettings = PATIENT,
    ) -> None:
        """Create and start the tournament `cup` between bots, and tell the workers."""
        spec = TournamentSpec(
            name="cup",
            ruleset=parse_ruleset(rules),
            bots=names,
            deal_sets=deal_sets,
            secret=SECRET,
            clock=clock,
        )
        tournaments.create(self.database, spec)
        tournaments.start(self.database, "cup", workers=workers)
        broker.flush(self.database, self.app)

    def up(self, workers: int = 1, **settings: object) -> list[Service]:
        """Start workers until there are so many, with more settings where some are given; return them all."""
        more = {**{name: getattr(self.settings, name) for name in _SET}, "workers": workers, **settings}
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TMPDIR", str(self.temporary))
            self._platforms.append(platform.up(load_settings(more, environment={})))
        return self.running()

    def running(self) -> list[Service]:
        """Return the workers that run."""
        return WorkerProcesses(DataFolder(self.settings.data_folder)).running()

    def watch(self) -> Watched:
        """Return how far the tournament is."""
        return watching.progress(self.database, "cup")

    def wait(self, reached: Callable[[Watched], object]) -> Watched:
        """Return once the tournament has come so far."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached(watched := self.watch()):
            self._note_arenas()
            assert time.monotonic() < deadline, f"{watched}\n{self.logs()}"
            time.sleep(0.05)  # the only thing to wait for is a row
        return watched

    def _note_arenas(self) -> None:
        """Write down who plays, for the look at what is left in the end."""
        mains = {found for service in self.running() if (found := service.pid()) is not None}
        for main in mains:
            # With its child there it has loaded all that it needs.
            for pid in {main, *below} if (below := _direct_children(main)) else ():
                if pid not in self.arenas and (memory := _memory_bytes(pid)) is not None:
                    self.arenas[pid] = memory

    def growth(self) -> dict[int, int]:
        """Return by how many bytes each worker that runs has grown since it was seen first."""
        grown = {}
        for service in self.running():
            pid = service.pid()
            if pid in self.arenas and (memory := _memory_bytes(pid)) is not None:
                grown[pid] = memory - self.arenas[pid]
        return grown

    def finish(self) -> Watched:
        """Return when the tournament is finished."""
        return self.wait(lambda watched: watched.tournament.state == "finished")

    def logs(self) -> str:
        """Return what the workers said."""
        files = sorted((self.settings.data_folder / "log").glob("*.log"))
        return "\n".join(f"== {file.name}\n{file.read_text()[-3000:]}" for file in files)

    def dismiss(self) -> None:
        """Stop the workers."""
        platform.down(self.settings)
        self._platforms.clear()

    def close(self) -> None:
        """Stop everything."""
        self.dismiss()
        self.database.close()
        shutil.rmtree(self.temporary, ignore_errors=True)


_SET = ("data_folder", "database_url", "broker_url", "lease_s", "reconcile_s", "stop_s")


def _direct_children(pid: int) -> set[int]:
    """Return the processes that a process has started, where the kernel tells."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= {int(child) for child in task.read_text().split()}
    return found


def _memory_bytes(pid: int) -> int | None:
    """Return how much memory a process has, None when it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def child_of(worker: Service) -> int:
    """Return the process of a worker that plays."""
    pid = worker.pid()
    assert pid is not None
    (child,) = _parents()[pid]
    return child


def children(pid: int) -> set[int]:
    """Return all processes below a process."""
    parents = _parents()
    found: set[int] = set()
    todo = [pid]
    while todo:
        below = parents.get(todo.pop(), [])
        found.update(below)
        todo += below
    return found


def _parents() -> dict[int, list[int]]:
    """Return the children of every process that has some."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    return parents


@pytest.fixture
def fleet(database_url: str, broker_url: str) -> Iterator[Fleet]:
    """Give a fleet without workers yet; all are stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="arena-fleet-"))
    made = Fleet(folder / ".arena", database_url, broker_url)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)
