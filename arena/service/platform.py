"""The platform as a whole: find its servers, start and stop the embedded ones, say what blocks.

Owns the choice between servers that were named in the settings and the embedded ones in the data folder; the
code that uses them is the same. Refuses to stop what it did not start, unless told to stop everything.
"""

import os
import subprocess
import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, fields

from arena.config import PREFIX, Settings
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.process import Service
from arena.embedded.undisturbed import undisturbed
from arena.embedded.valkey import Valkey
from arena.embedded.workers import WorkerProcesses, usable_cores
from arena.errors import PlatformError, UsageError
from arena.service.dead import bury, find_dead
from arena.store import jobs
from arena.store.migrate import check_schema, migrate
from arena.store.pool import Database

WORKER_READY_S = 60.0
POLL_S = 0.05
STOP_GRACE_S = 15.0
"""What a stopping worker may take beyond the seconds it plays on."""
ENDING_S = 5.0
"""How long the children of a killed worker may take to end before another takes its place."""


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the servers are."""

    database_url: str
    broker_url: str


def find_servers(settings: Settings) -> Servers:
    """Return the servers of the settings, or the embedded ones that run.

    Raises:
        PlatformError: There are none; says how to start them.
    """
    folder = DataFolder(settings.data_folder)
    database_url, broker_url = settings.database_url, settings.broker_url
    if not database_url:
        database_url = _running(Postgres(folder), "PostgreSQL", folder)
    if not broker_url:
        broker_url = _running(Valkey(folder), "Valkey", folder)
    return Servers(database_url, broker_url)


def find_absent(settings: Settings) -> dict[str, str]:
    """Say of each embedded server that is needed and does not run: `database` or `broker`, and what to do."""
    folder = DataFolder(settings.data_folder)
    wanted: list[tuple[str, str, Postgres | Valkey, str]] = [
        ("database", settings.database_url, Postgres(folder), "PostgreSQL"),
        ("broker", settings.broker_url, Valkey(folder), "Valkey"),
    ]
    absent = {}
    for what, url, server, name in wanted:
        if not url:
            try:
                _running(server, name, folder)
            except PlatformError as error:
                absent[what] = str(error)
    return absent


def _running(server: Postgres | Valkey, name: str, folder: DataFolder) -> str:
    if not folder.path.is_dir() or not server.is_running():
        raise PlatformError(f"no {name} runs in {folder.path}: start it with `arena up`")
    return server.url


def open_database(settings: Settings, *, patience_s: float = 0.0) -> Database:
    """Open the platform's database, whose schema is the one of this version.

    Raises:
        PlatformError: It is unreachable.
        UsageError: Its schema is another one.
    """
    folder = DataFolder(settings.data_folder)
    url = settings.database_url or _running(Postgres(folder), "PostgreSQL", folder)
    database = Database(url, patience_s=patience_s)
    check_schema(database)
    return database


@dataclass(slots=True)
class Platform:
    """The running platform, and what of it this command started."""

    settings: Settings
    servers: Servers
    started: list[str] = field(default_factory=list)
    """Names of what this command started."""
    notices: list[str] = field(default_factory=list)
    """What those should know who started workers that play all the same."""
    _stops: list[Callable[[], object]] = field(default_factory=list)

    def down(self) -> None:
        """Stop what this command started, workers first."""
        while self._stops:
            self._stops.pop()()
        self.started.clear()


def up(settings: Settings, *, with_workers: bool = True, with_broker: bool = True) -> Platform:
    """Start what is not running: servers, then the schema, then one worker a core.

    Args:
        settings: Which servers, where, how many workers.
        with_workers: False starts the servers alone.
        with_broker: False starts the database alone.

    Raises:
        UsageError: The data folder cannot be used, or holds a newer schema.
        PlatformError: Something does not start; what this call had started is stopped again.
    """
    folder = DataFolder(settings.data_folder)
    with folder.locked():
        return start(settings, folder, with_workers=with_workers, with_broker=with_broker)


def start(
    settings: Settings, folder: DataFolder, *, with_workers: bool = True, with_broker: bool = True
) -> Platform:
    """Do what `up` does, for a caller who holds the folder's lock."""
    platform = Platform(settings, Servers(settings.database_url, settings.broker_url))
    try:
        _start_servers(platform, folder, with_broker=with_broker or with_workers)
        with Database(platform.servers.database_url, patience_s=5.0) as database:
            migrate(database)
            if with_workers:
                _start_workers(platform, folder, database)
    except BaseException:
        platform.down()
        raise
    return platform


def absent(settings: Settings, folder: DataFolder) -> list[str]:
    """Return the names of what `start` would start beside the database."""
    processes = WorkerProcesses(folder)
    names = [processes.service(number).name for number in range(settings.workers or len(usable_cores()))]
    if not settings.broker_url:
        names.append("valkey")
    return [name for name in names if name not in running(settings)]


def _start_servers(platform: Platform, folder: DataFolder, *, with_broker: bool) -> None:
    database_url, broker_url = platform.servers.database_url, platform.servers.broker_url
    if not database_url:
        postgres = Postgres(folder)
        with undisturbed():
            if postgres.start():
                platform.started.append("postgres")
                platform._stops.append(postgres.stop)  # noqa: SLF001 (the same module)
        database_url = postgres.url
    if not broker_url and with_broker:
        valkey = Valkey(folder)
        with undisturbed():
            if valkey.start():
                platform.started.append("valkey")
                platform._stops.append(valkey.stop)  # noqa: SLF001 (the same module)
        broker_url = valkey.url
    platform.servers = Servers(database_url, broker_url)


def _start_workers(platform: Platform, folder: DataFolder, database: Database) -> None:
    """Start the workers that are missing and wait until each is at its post."""
    processes = WorkerProcesses(folder)
    cores = usable_cores()
    wanted = platform.settings.workers or len(cores)
    begun: list[tuple[Service, subprocess.Popen[bytes]]] = []
    patience_s = platform.settings.stop_s + STOP_GRACE_S

    def stop() -> None:
        processes.stop([service for service, _ in begun], patience_s=patience_s)

    platform._stops.append(stop)  # noqa: SLF001 (the same module)
    environment = worker_environment(platform.settings, platform.servers)
    for number in range(wanted):
        if processes.service(number).is_running(patience_s=ENDING_S):
            continue
        bury(database, find_dead(platform.settings))
        with undisturbed():
            port = platform.settings.metrics_port
            own = {"ARENA_METRICS_PORT": str(port + number)} if port else {}
            begun.append(processes.start(number, cores[number % len(cores)], environment | own))
            platform.started.append(begun[-1][0].name)
    for service, process in begun:
        if notice := _wait_for_heartbeat(database, service, process):
            platform.notices.append(f"{service.name}: {notice}")


def _wait_for_heartbeat(database: Database, service: Service, process: subprocess.Popen[bytes]) -> str:
    """Wait until a worker is at its post; return what it says beside that."""
    deadline = time.monotonic() + WORKER_READY_S
    while True:
        for worker in database.run(jobs.list_workers):
            if worker.pid == process.pid:
                return worker.reason
        if process.poll() is not None or time.monotonic() > deadline:
            said = service.log_tail(1).removeprefix("arena worker: ")
            raise PlatformError(f"{service.name} does not start; see {service.log}: {said}")
        time.sleep(POLL_S)  # the worker tells by its row


def worker_environment(settings: Settings, servers: Servers) -> dict[str, str]:
    """Return the environment that gives a worker these settings."""
    told = {
        PREFIX + spec.name.upper(): str(getattr(settings, spec.name))
        for spec in fields(settings)
        if spec.name != "origins" and settings.origins.get(spec.name, "default") != "default"
    }
    own = {
        "ARENA_DATA_FOLDER": str(settings.data_folder.absolute()),
        "ARENA_DATABASE_URL": servers.database_url,
        "ARENA_BROKER_URL": servers.broker_url,
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
    return kept | told | own


def down(settings: Settings, *, patience_s: float = ENDING_S) -> list[str]:
    """Stop everything that runs in the data folder, workers first; return its names.

    Args:
        settings: Which folder.
        patience_s: How long what ends by itself may take.

    Raises:
        UsageError: Something runs on that cannot be seen from here, as in another container.
    """
    folder = DataFolder(settings.data_folder)
    if not folder.path.is_dir():
        return []
    with folder.locked():
        stopped = stop(settings, folder)
        deadline = time.monotonic() + patience_s
        while left := running(settings):
            if time.monotonic() >= deadline:
                before = f"stopped {', '.join(stopped)}; " if stopped else ""
                raise UsageError(
                    f"{before}{', '.join(left)} of data folder {folder.path} cannot be reached from here, as "
                    "in another container, and run on: `arena down` stops them where they were started"
                )
            time.sleep(POLL_S)  # what a killed server left behind holds its lock
    return stopped


def stop(settings: Settings, folder: DataFolder, names: Container[str] | None = None) -> list[str]:
    """Do what `down` does, to what is named or to all, for a caller who holds the folder's lock."""
    processes = WorkerProcesses(folder)
    leaving = [service for service in processes.running() if names is None or service.name in names]
    stopped = processes.stop(leaving, patience_s=settings.stop_s + STOP_GRACE_S)
    for name, server in (("valkey", Valkey(folder)), ("postgres", Postgres(folder))):
        if (names is None or name in names) and server.is_running() and server.stop():
            stopped.append(name)
    # A listing, too, finds its servers here, and needs nothing that plays.
    from arena.botproc.orphans import sweep_orphans  # noqa: PLC0415

    if names is None and (left := sweep_orphans(folder.cache)):
        stopped.append(f"{left} processes of sandboxes whose worker was killed")
    return stopped


def running(settings: Settings) -> Mapping[str, int | None]:
    """Return the embedded processes that run and their numbers."""
    folder = DataFolder(settings.data_folder)
    if not folder.path.is_dir():
        return {}
    found: dict[str, int | None] = {}
    for name, server in (("postgres", Postgres(folder)), ("valkey", Valkey(folder))):
        if server.is_running():
            found[name] = server.pid()
    workers: Sequence[Service] = WorkerProcesses(folder).running()
    return found | {service.name: service.pid() for service in workers}
