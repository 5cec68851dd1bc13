"""Starts a worker and runs it until it is told to stop.

Owns the order: the sandbox is proved before anything is served, the child is made before gRPC is loaded, and
a worker that is told to stop finishes or gives back its job within seconds. Refuses to serve without
isolation unless that was asked for by name.
"""

import ctypes
import logging
import os
import signal
import socket
import time
from collections.abc import Mapping

import celery.apps.worker
from celery import Celery, signals

import arena
from arena import broker
from arena.botproc.level import Level
from arena.botproc.probe import open_sandbox, sweep_remains
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.uids import UidPool
from arena.bundle.cache import BundleCache
from arena.config import Settings
from arena.errors import PlatformError
from arena.protocol.version import NEWEST
from arena.service.platform import Servers, find_servers
from arena.service.play import Arena
from arena.service.workers import find_abilities, load_bundle
from arena.store.jobs import Abilities, WorkerCard
from arena.store.migrate import check_schema
from arena.store.pool import Database
from arena.store.rows import JobId
from arena.worker import tasks
from arena.worker.intake import tell, use_intake
from arena.worker.keeper import Keeper, make_step
from arena.worker.logs import log_to_stderr
from arena.worker.metrics import Meters, open_meters
from arena.worker.tasks import Desk

log = logging.getLogger("arena.worker")

_PR_SET_PDEATHSIG = 1
_PASS_S = 0.05
"""How long a worker keeps from a message that it has passed on, so that another one gets it."""


def run(settings: Settings, *, core: int | None = None, wait_s: float = 10.0) -> int:
    """Serve until SIGTERM or SIGINT; return the exit code.

    Args:
        settings: Where the servers are, and how to play.
        core: The core that jobs are pinned to; None leaves the choice to the kernel.
        wait_s: How long the database may take to appear.

    Raises:
        PlatformError: The database is unreachable, the broker refuses us, or no sandbox is good enough.
        UsageError: Settings that cannot be, or a database of another schema.
    """
    log_to_stderr(settings.log_format)
    servers = find_servers(settings)
    with Database(servers.database_url, patience_s=wait_s) as database:
        check_schema(database)
    app = broker.make_app(servers.broker_url, job_s=settings.job_s)
    broker.refuse_a_wrong_login(app)
    sandbox = _open_sandbox(settings)
    name = f"{socket.gethostname()}-{'any' if core is None else core}-{os.getpid()}"
    abilities = find_abilities(sandbox)
    meters = open_meters(name, settings.metrics_host, settings.metrics_port)
    desk = _make_desk(settings, servers, sandbox, abilities, name, core, meters)
    keeper = Keeper(
        _card(name, core, sandbox, abilities, meters.notice),
        settings,
        Database(servers.database_url, application=f"arena keeper {name}", idle_s=settings.lease_s),
        app,
        meters,
        desk.is_open.is_set,
    )
    app.steps["worker"].add(make_step(keeper, settings.reconcile_s))
    _register(app, desk, core, sandbox)
    app.conf.worker_consumer = use_intake()
    worker = app.Worker(
        hostname=f"arena@{name}",
        concurrency=1,
        pool="prefork",
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
        quiet=True,
        loglevel="WARNING",
    )
    worker.start()
    # Celery calls a Ctrl-C a failure; ending in good order when asked to is none.
    return 0 if desk.stop.is_set() else int(worker.exitcode or 0)


def _register(app: Celery, desk: Desk, core: int | None, sandbox: Sandbox) -> None:
    """Tie the one task and the life of the child to the application."""

    @app.task(name=broker.TASK)
    def play_job(*told: object, **named: object) -> None:
        job_id = read_number(told, named)
        if job_id is None:
            tell("a message names no job", (told, named))
            return
        said = tasks.serve(desk, job_id)
        _flush(desk, app)
        if said == tasks.PASSED_ON:
            time.sleep(_PASS_S)

    parent = os.getpid()

    def settle(**_: object) -> None:
        _settle_child(core, parent)
        sweep_remains(sandbox)  # of the child before, if it was killed
        tasks.count_lost_job(desk)

    def stop(**_: object) -> None:
        desk.stop.set()

    # It prints its farewells to the standard output, in a form of its own.
    celery.apps.worker.safe_say = lambda *_: None  # type: ignore[attr-defined]
    signals.worker_process_init.connect(settle, weak=False)
    signals.worker_shutting_down.connect(stop, weak=False)


def read_number(told: tuple[object, ...], named: Mapping[str, object]) -> JobId | None:
    """Return the job that a message names; None where it holds what no arena has sent."""
    number = told[0] if len(told) == 1 and not named else None
    return JobId(number) if type(number) is int and 0 < number < 2**63 else None


def _flush(desk: Desk, app: Celery) -> None:
    """Send what the job's end has made ready; when that fails the keeper does it."""
    try:
        broker.flush(desk.database, app)
    except PlatformError as error:
        log.warning("flush_failed worker=%s error=%s", desk.name, error)


def _settle_child(core: int | None, parent: int) -> None:
    """Make the child die with its parent, stay on its core, and load gRPC only now."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # the parent died before the kernel was told
    if core is not None:
        os.sched_setaffinity(0, {core})
    import arena.botproc.tables  # noqa: F401, PLC0415


def _open_sandbox(settings: Settings) -> Sandbox:
    wanted = None if settings.sandbox == "auto" else Level(settings.sandbox)
    cache = settings.data_folder.absolute() / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    return open_sandbox(
        SandboxSettings(cache_dir=cache, uids=UidPool(settings.uid_first, settings.uid_count)), wanted
    )


def _make_desk(
    settings: Settings,
    servers: Servers,
    sandbox: Sandbox,
    abilities: Abilities,
    name: str,
    core: int | None,
    meters: Meters,
) -> Desk:
    database = Database(
        servers.database_url, application=f"arena worker {name}", patience_s=5, idle_s=settings.lease_s
    )
    folder = settings.data_folder.absolute()
    arena_ = Arena(
        sandbox=sandbox,
        bundles=BundleCache(folder / "cache" / "bundles"),
        load_bundle=lambda digest: load_bundle(database, digest),
        core=core,
        job_s=settings.job_s,
        stop_s=settings.stop_s,
        on_start=meters.started,
    )
    renewals = Database(servers.database_url, application=f"arena lease {name}", idle_s=settings.lease_s)
    return Desk(
        name,
        settings,
        database,
        renewals,
        abilities,
        arena_.play,
        meters,
        still_holds=arena_.still_holds,
    )


def _card(name: str, core: int | None, sandbox: Sandbox, abilities: Abilities, notice: str) -> WorkerCard:
    return WorkerCard(
        id=name,
        host=socket.gethostname(),
        pid=os.getpid(),
        core=core,
        arena=arena.__version__,
        rules_epoch=abilities.rules_epoch,
        protocol=NEWEST,
        runtimes=abilities.runtimes,
        level=sandbox.level.value,
        notice=notice,
    )
