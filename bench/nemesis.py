"""The nemesis of the soak: servers, workers, the links between them, and all that can go wrong there.

Each worker reaches the servers through links of its own, so that it can be cut off alone: a severed link
refuses, a silent one swallows, as a network does that drops every packet.
"""

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from arena import broker
from arena.config import load_settings
from arena.embedded.folder import POSTGRES_SOCKET, DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.valkey import SOCKET_NAME, Valkey
from arena.errors import PlatformError
from arena.service.platform import Servers, worker_environment
from arena.store.migrate import migrate
from arena.store.pool import Database
from arena.store.rows import JobId

ROOT = Path(__file__).resolve().parents[1]
FLOOD = 300
LONGEST_S = 5.0
"""The longest time that something is stopped, away or cut off: more than twice a lease."""


class Link:
    """A socket that forwards to another one."""

    def __init__(self, path: Path, target: Path) -> None:
        self._target = target
        self._open = threading.Event()
        self._open.set()
        self._is_severed = False
        self._ends: list[socket.socket] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def sever(self) -> None:
        """End every connection and refuse new ones."""
        self._is_severed = True
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def silence(self) -> None:
        """Forward nothing, and say nothing about it."""
        self._open.clear()

    def heal(self) -> None:
        """Forward again."""
        self._is_severed = False
        self._open.set()

    def close(self) -> None:
        """Stop listening."""
        self.heal()
        self.sever()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    if self._is_severed:
                        raise ConnectionRefusedError
                    server.connect(str(self._target))
                except OSError:
                    client.close()
                    server.close()
                    continue
                self._ends += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                self._open.wait()
                sink.sendall(data)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Worker:
    """A worker process behind links of its own."""

    def __init__(self, folder: Path, number: int, postgres: Postgres, valkey: Valkey) -> None:
        place = folder / f"w{number}"
        place.mkdir()
        real = Path(postgres.url.partition("host=")[2].partition("&")[0]) / POSTGRES_SOCKET
        self.to_database = Link(place / POSTGRES_SOCKET, real)
        self.to_broker = Link(place / SOCKET_NAME, valkey.socket_path)
        settings = load_settings(
            {
                "data_folder": place / "data",
                "lease_s": 2.0,
                "reconcile_s": 0.5,
                "stop_s": 2.0,
                "job_target_s": 2.0,
            },
            environment={},
        )
        before, _, rest = postgres.url.partition("host=")
        database_url = f"{before}host={place}&{rest.partition('&')[2]}"
        self.log = place / "log"
        self._environment = worker_environment(
            settings, Servers(database_url, f"redis+socket://{place / SOCKET_NAME}")
        ) | {"PYTHONPATH": str(ROOT)}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "arena.worker", "--wait-db", "30"]
            with self.log.open("ab") as log:
                self._process = subprocess.Popen(
                    command, env=self._environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )

    def send(self, number: int) -> None:
        """Send its main process a signal."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def child(self) -> int | None:
        """Return the process that plays, if there is one."""
        if self._process is None:
            return None
        with suppress(OSError, ValueError, IndexError):
            task = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
            return int(task.read_text().split()[0])
        return None

    def close(self) -> None:
        """End it and its links."""
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        if self._process is not None:
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self.to_database.close()
        self.to_broker.close()


class Scene:
    """Servers and workers in a folder."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._stack = ExitStack()
        data = DataFolder(folder / "arena")
        data.make()
        self.postgres = Postgres(data)
        self.valkey = Valkey(data)
        self._stack.callback(self.postgres.stop)
        self._stack.callback(self.valkey.stop)
        self.postgres.start()
        self.valkey.start()
        self.database = self._stack.enter_context(Database(self.postgres.url, patience_s=10))
        migrate(self.database)
        self.app = broker.make_app(self.valkey.url)
        self.workers = [Worker(folder, number, self.postgres, self.valkey) for number in range(workers)]
        for worker in self.workers:
            self._stack.callback(worker.close)
            worker.start()

    def flush(self) -> None:
        """Send what waits; the workers do it later when that fails."""
        with suppress(PlatformError):
            broker.flush(self.database, self.app)

    def logs(self) -> str:
        """Return what the workers said last."""
        return "\n".join(worker.log.read_text(errors="replace")[-4000:] for worker in self.workers)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._stack.close()


class Nemesis:
    """Does one bad thing after the other."""

    def __init__(self, scene: Scene, dice: random.Random) -> None:
        self.done: Counter[str] = Counter()
        """What was done, and how often."""
        self._scene = scene
        self._dice = dice
        self._mend: list[tuple[float, Callable[[], object]]] = []
        # Without broker or database nothing is played that could be hurt, so they are hurt more seldom.
        self._deeds: list[tuple[str, int, Callable[[], object]]] = [
            ("kill -9 of a worker", 4, lambda: self._worker().send(signal.SIGKILL)),
            ("kill -9 of a worker's child", 2, self._kill_child),
            ("SIGTERM of a worker", 2, lambda: self._worker().send(signal.SIGTERM)),
            ("worker stopped for a while", 2, self._stop_worker),
            ("child stopped for a while", 3, self._stop_child),
            ("worker cut off from the database", 3, lambda: self._cut(self._worker().to_database)),
            ("worker cut off from the broker", 2, lambda: self._cut(self._worker().to_broker)),
            ("kill -9 of the broker", 1, lambda: self._kill(scene.valkey)),
            ("kill -9 of the database", 1, lambda: self._kill(scene.postgres)),
            ("restart of the database", 1, self._restart_database),
            ("every message lost", 1, self._wipe),
            ("flood of messages", 2, self._flood),
        ]
        """Its deeds, each with its weight."""

    def act(self) -> None:
        """Mend what is due, do one bad thing, and rest a moment."""
        self._mend_due(time.monotonic())
        weights = [weight for _, weight, _ in self._deeds]
        ((what, _, deed),) = self._dice.choices(self._deeds, weights)
        with suppress(PlatformError, OSError):
            deed()
        self.done[what] += 1
        time.sleep(self._dice.uniform(0.2, 2.5))
        for worker in self._scene.workers:
            worker.start()

    def heal(self) -> None:
        """Mend everything."""
        self._mend_due(float("inf"))
        for server in (self._scene.postgres, self._scene.valkey):
            server.start()
        for worker in self._scene.workers:
            worker.start()

    def _mend_due(self, now: float) -> None:
        due = [mend for moment, mend in self._mend if moment <= now]
        self._mend = [later for later in self._mend if later[0] > now]
        for mend in due:
            mend()

    def _later(self, mend: Callable[[], object]) -> None:
        self._mend.append((time.monotonic() + self._dice.uniform(0, LONGEST_S), mend))

    def _worker(self) -> Worker:
        return self._dice.choice(self._scene.workers)

    def _kill_child(self) -> None:
        if (pid := self._worker().child()) is not None:
            os.kill(pid, signal.SIGKILL)

    def _stop_worker(self) -> None:
        worker = self._worker()
        worker.send(signal.SIGSTOP)
        self._later(lambda: worker.send(signal.SIGCONT))

    def _stop_child(self) -> None:
        if (pid := self._worker().child()) is not None:
            os.kill(pid, signal.SIGSTOP)
            self._later(lambda: _continue(pid))

    def _cut(self, link: Link) -> None:
        self._dice.choice([link.sever, link.silence])()
        self._later(link.heal)

    def _kill(self, server: Postgres | Valkey) -> None:
        if (pid := server.pid()) is not None:
            os.kill(pid, signal.SIGKILL)
        self._later(server.start)

    def _restart_database(self) -> None:
        self._scene.postgres.stop()
        self._scene.postgres.start()

    def _wipe(self) -> None:
        from redis import Redis  # noqa: PLC0415 (the client is Celery's business, but for this)

        with suppress(Exception), Redis(unix_socket_path=str(self._scene.valkey.socket_path)) as client:
            client.flushall()

    def _flood(self) -> None:
        jobs = [JobId(self._dice.randrange(1, 2000)) for _ in range(FLOOD)]
        broker.send(self._scene.app, jobs)


def _continue(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)
