"""The workers of `arena up`: processes of this machine, one a core, that outlive the command.

Owns starting, finding and stopping them in a data folder. What a worker does is `arena.worker`'s; here it is
a command line.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import arena
from arena.embedded.folder import DataFolder
from arena.embedded.process import Launch, Service, is_alive

PACKAGE_FOLDER = str(Path(arena.__file__).resolve().parents[1])

_NAME = re.compile(r"worker-(\d+)\.lock")


def usable_cores() -> list[int]:
    """Return the cores that this process may use."""
    return sorted(os.sched_getaffinity(0))


class WorkerProcesses:
    """The workers of one data folder, numbered from 0."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder

    def running(self) -> list[Service]:
        """Return the workers that run."""
        return [service for service in self._known() if service.is_running()]

    def dead(self) -> dict[int, str]:
        """Return the names of the workers that ran and are dead, by the number that their process had."""
        dead = {}
        for service in self._known():
            with suppress(OSError, ValueError, KeyError, TypeError):
                pid = int(json.loads((self._folder.processes / f"{service.name}.lock").read_text())["pid"])
                # Looked at in this order: whoever starts meanwhile is not taken for the one that ended. A
                # number that somebody has again says nothing.
                if not service.is_running() and not is_alive(pid):
                    dead[pid] = service.name
        return dead

    def _known(self) -> list[Service]:
        """Return the workers that were ever started here."""
        if not self._folder.processes.is_dir():
            return []
        numbers = sorted(
            int(found.group(1))
            for file in self._folder.processes.iterdir()
            if (found := _NAME.fullmatch(file.name))
        )
        return [self.service(number) for number in numbers]

    def service(self, number: int) -> Service:
        """Return the worker of that number, running or not."""
        return Service(self._folder, f"worker-{number}")

    def start(
        self, number: int, core: int, environment: Mapping[str, str]
    ) -> tuple[Service, subprocess.Popen[bytes]]:
        """Start a worker pinned to a core."""
        service = self.service(number)
        command = (sys.executable, "-m", "arena.worker", "--core", str(core))
        # The same package as ours, also when it runs from a checkout that nobody installed.
        path = os.pathsep.join([PACKAGE_FOLDER, *filter(None, [environment.get("PYTHONPATH")])])
        return service, service.start(Launch(command, {**environment, "PYTHONPATH": path}))

    def stop(self, services: Sequence[Service], *, patience_s: float) -> list[str]:
        """Tell workers to stop, all at once, and wait for them; return the names of those that ran."""
        # Some end before it is their turn to be waited for: they were stopped all the same.
        ran = [service for service in services if service.pid() is not None]
        for service in ran:
            service.send(signal.SIGTERM)
        for service in ran:
            service.stop(ask=signal.SIGCONT, patience_s=patience_s)
        return [service.name for service in ran]
