"""Servers of the distribution: Redis, RabbitMQ and PostgreSQL, each a private one on ports of this machine.

They are what an organiser installs: reached over TCP, with passwords, stopped and killed like any server. The
packages' own services are neither used nor touched.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import psycopg
import pytest

from tests.fix_db import make_template
from tests.fix_dying import wait_until_dead
from tests.fix_workers import children

PATIENCE_S = 60.0
PASSWORD = "between us"
PORTS = range(20_000, 30_000)
"""Below what the kernel gives to outgoing connections, so that a port stays free while its server is away."""


def free_port() -> int:
    """Return a port on which nobody listens."""
    start = os.getpid() * 37
    for step in range(len(PORTS)):
        port = PORTS[(start + step * 101) % len(PORTS)]
        if port in _given:
            continue
        with suppress(OSError), socket.socket() as one:
            one.bind(("127.0.0.1", port))
            _given.add(port)
            return port
    raise AssertionError("no free port")


_given: set[int] = set()


class Server:
    """One server process of a test: started, killed, started again, stopped."""

    ask = signal.SIGTERM
    """The signal that ends it in good order."""

    def __init__(self, folder: Path, network: str = "") -> None:
        self.folder = folder
        self.network = network
        """Where its clients' addresses begin; empty for this machine alone."""
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    @contextmanager
    def made(cls, network: str = "") -> Iterator[Self]:
        """Give one that runs, in a folder of its own."""
        folder = Path(tempfile.mkdtemp(prefix=f"arena-{cls.__name__.lower()}-"))
        server = cls(folder, network)
        try:
            server.start()
            yield server
        finally:
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def bind(self) -> str:
        """Where it listens."""
        return "0.0.0.0" if self.network else "127.0.0.1"

    @property
    def url(self) -> str:
        """How the arena reaches it."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """Return program and arguments."""
        raise NotImplementedError

    def environment(self) -> Mapping[str, str]:
        """Return what it needs beside a path."""
        return {}

    def answers(self) -> bool:
        """Return whether it serves."""
        raise NotImplementedError

    def wipe(self) -> None:
        """Forget every message."""
        raise NotImplementedError

    def start(self, **more: object) -> None:
        """Start it and wait until it serves."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", "HOME": str(self.folder)}
        with (self.folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                self.command(),
                env=environment | dict(self.environment()),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **more,
            )
        deadline = time.monotonic() + PATIENCE_S
        while not self.answers():
            said = (self.folder / "log.txt").read_text(errors="replace")[-2000:]
            assert self._process.poll() is None, said
            assert time.monotonic() < deadline, said
            time.sleep(0.05)  # it tells by answering

    def end(self, number: int) -> None:
        """Send it a signal and wait for its end."""
        if self._process is not None:
            self.send(self._process, number)
            self._process.wait(PATIENCE_S)
            self._process = None
            while self.answers():
                time.sleep(0.05)  # a process of its own may end a moment later

    def send(self, process: "subprocess.Popen[bytes]", number: int) -> None:
        """Send a signal to the process that serves."""
        process.send_signal(number)

    def stop(self) -> None:
        """Stop it in good order."""
        self.end(self.ask)

    def kill(self) -> None:
        """End it as a crash would."""
        self.end(signal.SIGKILL)


class Redis(Server):
    """Redis, with a password."""

    @property
    def url(self) -> str:
        """How the arena reaches it."""
        return f"redis://:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        """Return program and arguments."""
        told = {"port": self.port, "bind": self.bind, "dir": self.folder, "requirepass": PASSWORD}
        settings = told | {"appendonly": "yes", "maxmemory-policy": "noeviction", "save": ""}
        return [
            "redis-server",
            *(word for name, value in settings.items() for word in (f"--{name}", str(value))),
        ]

    def answers(self) -> bool:
        """Return whether it serves."""
        from redis import Redis as Client  # noqa: PLC0415 (only who starts one pays for this import)
        from redis.exceptions import RedisError  # noqa: PLC0415

        with suppress(RedisError), Client.from_url(self.url) as client:
            return bool(client.ping())
        return False

    def wipe(self) -> None:
        """Forget every message."""
        from redis import Redis as Client  # noqa: PLC0415 (as above)

        with Client.from_url(self.url) as client:
            client.flushall()


class RabbitMQ(Server):
    """RabbitMQ, with a name service of its own, so that no other node is met."""

    def __init__(self, folder: Path, network: str = "") -> None:
        super().__init__(folder, network)
        self._names = free_port()
        self._nodes = free_port()
        self._name_service: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """How the arena reaches it."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def command(self) -> list[str]:
        """Return program and arguments."""
        (program,) = rabbitmq_programs()
        return [str(program)]

    def environment(self) -> Mapping[str, str]:
        """Return names, ports and places: everything that would else be the machine's own."""
        (self.folder / "plugins").write_text("[].")
        (self.folder / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.port}\ntotal_memory_available_override_value = 1GB\n"
            "disk_free_limit.absolute = 1MB\n"
        )
        return {
            "ERL_EPMD_PORT": str(self._names),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"arena-{self.port}@localhost",
            "RABBITMQ_DIST_PORT": str(self._nodes),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "RABBITMQ_MNESIA_BASE": str(self.folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(self.folder / "log"),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq"),
        }

    def start(self, **more: object) -> None:
        """Start it and wait until it serves."""
        if self._name_service is None:
            command = ["epmd", "-address", "127.0.0.1", "-port", str(self._names)]
            self._name_service = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd="/")
        super().start(**more)

    def send(self, process: "subprocess.Popen[bytes]", number: int) -> None:
        """Send a signal to the server and the script around it, which would leave it alone."""
        os.killpg(process.pid, number)

    def stop(self) -> None:
        """Stop it in good order, and its name service."""
        super().stop()
        if self._name_service is not None:
            self._name_service.kill()
            self._name_service.wait()
            self._name_service = None

    def answers(self) -> bool:
        """Return whether it serves."""
        from amqp.exceptions import AMQPError  # noqa: PLC0415 (only who starts one pays for this import)
        from kombu import Connection  # noqa: PLC0415

        with suppress(OSError, AMQPError), Connection(self.url) as connection:
            connection.connect()
            return True
        return False

    def wipe(self) -> None:
        """Forget every message that no worker holds."""
        from amqp.exceptions import NotFound  # noqa: PLC0415 (as above)
        from kombu import Connection  # noqa: PLC0415

        from arena.broker import QUEUE  # noqa: PLC0415

        with suppress(NotFound), Connection(self.url) as connection:  # nobody may have sent anything yet
            connection.default_channel.queue_purge(QUEUE)


class PostgreSQL(Server):
    """The distribution's PostgreSQL, reached over TCP with a password."""

    ask = signal.SIGINT

    @property
    def url(self) -> str:
        """How the arena reaches it."""
        return self.url_of("arena")

    def url_of(self, database: str) -> str:
        """Return how to reach another database of it."""
        return f"postgresql://arena:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{self.port}/{database}"

    def command(self) -> list[str]:
        """Return program and arguments."""
        told = {
            "listen_addresses": self.bind,
            "port": self.port,
            "unix_socket_directories": "",
            "fsync": "off",
        }
        return [
            str(self._program("postgres")),
            "-D",
            str(self._data),
            *(f"--{n}={v}" for n, v in told.items()),
        ]

    def start(self, **more: object) -> None:
        """Start it and wait until it serves; the first time its cluster is made."""
        who = _as_its_user()
        if not self._data.exists():
            if who:
                shutil.chown(self.folder, "postgres", "postgres")
            (self.folder / "password").write_text(PASSWORD)
            (self.folder / "password").chmod(0o644)
            make = [str(self._program("initdb")), "-D", str(self._data), "-U", "arena", "--no-sync"]
            words = [
                "-A",
                "scram-sha-256",
                f"--pwfile={self.folder / 'password'}",
                "-E",
                "UTF8",
                "--locale=C",
            ]
            done = subprocess.run(
                [*make, *words], capture_output=True, text=True, check=False, cwd="/", **who
            )  # type: ignore[call-overload]
            assert done.returncode == 0, done.stderr
            if self.network:
                with (self._data / "pg_hba.conf").open("a") as file:
                    file.write(f"host all all {self.network}.0.0/16 scram-sha-256\n")
            super().start(**who, **more)
            with psycopg.connect(self.url_of("postgres"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE arena")
            return
        super().start(**who, **more)

    def answers(self) -> bool:
        """Return whether it serves."""
        with suppress(psycopg.Error):
            psycopg.connect(self.url_of("postgres")).close()
            return True
        return False

    def kill(self) -> None:
        """End it as a crash would; its children end by themselves, and no other start is tried before."""
        assert self._process is not None
        below = children(self._process.pid)
        super().kill()
        assert wait_until_dead(below) == set()

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @staticmethod
    def _program(name: str) -> Path:
        return postgresql_folders()[-1] / name


def rabbitmq_programs() -> list[Path]:
    """Return the program of the distribution's RabbitMQ, without the wrapper that wants its user."""
    return sorted(Path("/usr/lib/rabbitmq/lib").glob("*/sbin/rabbitmq-server"))[-1:]


def postgresql_folders() -> list[Path]:
    """Return the programs of the distribution's PostgreSQL, by version."""
    return sorted(found.parent for found in Path("/usr/lib/postgresql").glob("*/bin/postgres"))


def _as_its_user() -> dict[str, object]:
    """Return how to become the user that the package made, which root must: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    found = pwd.getpwnam("postgres")
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


@pytest.fixture(scope="session")
def debian_postgres() -> Iterator[PostgreSQL]:
    """Give the distribution's PostgreSQL, running, with a migrated template database."""
    with PostgreSQL.made() as server:
        make_template(server)
        yield server


@pytest.fixture(scope="session")
def debian_redis() -> Iterator[Server]:
    """Give the distribution's Redis, running."""
    with Redis.made() as server:
        yield server


@pytest.fixture(scope="session")
def debian_rabbitmq() -> Iterator[Server]:
    """Give the distribution's RabbitMQ, running."""
    with RabbitMQ.made() as server:
        yield server
