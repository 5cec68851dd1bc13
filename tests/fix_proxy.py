"""A proxy before PostgreSQL that forwards everything, until it is told to lose the reply to a commit."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

SOCKET_NAME = ".s.PGSQL.5432"


class Proxy:
    """Forwards connections one by one, each in a thread of its own."""

    def __init__(self, folder: Path, dial: Callable[[], socket.socket]) -> None:
        self.folder = folder
        self.loses_commits = 0
        """How many replies to a commit will be lost."""
        self._dial = dial
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / SOCKET_NAME))
        self._listener.listen()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                Pipe(self, client, self._dial())


class Pipe:
    """One forwarded connection."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._is_cut = False
        for run in (self._forward, self._answer):
            threading.Thread(target=run, daemon=True).start()

    def _forward(self) -> None:
        with suppress(OSError):
            while data := self._client.recv(1 << 16):
                if b"COMMIT\0" in data and self._proxy.loses_commits > 0:
                    self._proxy.loses_commits -= 1
                    self._is_cut = True
                self._server.sendall(data)
        self._close()

    def _answer(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(1 << 16):
                if self._is_cut:
                    break
                self._client.sendall(data)
        self._close()

    def _close(self) -> None:
        for one in (self._client, self._server):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@pytest.fixture
def proxy(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """Give a proxy before the server of the test's database; use `proxied(url)` to go through it."""
    told = conninfo_to_dict(database_url)

    def dial() -> socket.socket:
        host = str(told["host"])
        if not host.startswith("/"):
            return socket.create_connection((host, int(str(told["port"]))))
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(Path(host) / SOCKET_NAME))
        return server

    made = Proxy(tmp_path_factory.mktemp("proxy"), dial)
    yield made
    made.close()


def proxied(proxy: Proxy, url: str) -> str:
    """Return how to reach the same database through the proxy."""
    return make_conninfo(url, host=str(proxy.folder), port=SOCKET_NAME.rpartition(".")[2])
