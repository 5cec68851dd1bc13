"""`arena worker`: play matches for a platform that runs elsewhere."""

import os
import sys
from typing import TYPE_CHECKING, NoReturn

import click

from arena.cli.names import LevelName
from arena.cli.session import Session, pass_session

if TYPE_CHECKING:
    from arena.config import Settings


@click.command(epilog="Example: arena worker --core 0")
@click.option("--core", type=click.IntRange(min=0), help="Pin jobs to this core.")
@click.option(
    "--sandbox",
    metavar="LEVEL",
    type=LevelName(),
    help="Isolation of the bots; auto takes the best there is.",
)
@pass_session
def worker(session: Session, core: int | None, sandbox: str | None) -> None:
    """Play jobs in the foreground until Ctrl-C; any number of these may run, on any machines.

    Where the servers are is told by ARENA_DATABASE_URL and ARENA_BROKER_URL, or by the data folder.
    """
    from arena.errors import UsageError

    session.set(sandbox=sandbox)
    settings = session.settings
    if core is not None:
        from arena.embedded.workers import usable_cores

        if core not in usable_cores():
            cores = ", ".join(map(str, usable_cores()))
            raise UsageError(f"--core: this process may use {cores}, not {core}")
    _become_worker(settings, core)


def _become_worker(settings: "Settings", core: int | None) -> NoReturn:
    """Turn this process into a worker, as `arena up` starts them, but in the foreground."""
    from arena.embedded.workers import PACKAGE_FOLDER
    from arena.service.platform import find_servers, worker_environment

    environment = worker_environment(settings, find_servers(settings))
    path = [PACKAGE_FOLDER, *filter(None, [environment.get("PYTHONPATH")])]
    command = [sys.executable, "-m", "arena.worker", *([] if core is None else ["--core", str(core)])]
    sys.stdout.flush()
    os.execve(sys.executable, command, environment | {"PYTHONPATH": os.pathsep.join(path)})  # noqa: S606
