"""An ordinary user: `ordinary.run([...])` runs a command without root, in an environment that user can read.

As root the user is reached by setpriv; the environment is a copy of the package beside a virtual environment
made from the distribution's Python and the locked list, kept per state of the list under the machine's
temporary folder. Run by an ordinary user already, it is that user with this environment's Python.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fix_needs import ORDINARY_UID

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Ordinary:
    """An ordinary user's way to run the package."""

    python: Path
    """The interpreter of an environment in which `import arena` works."""
    home: Path
    """A folder of the user's own."""
    prefix: tuple[str, ...]
    """What stands before a command: setpriv, or nothing."""

    def command(self, *arguments: str) -> list[str]:
        """Return the full command line for `arguments`."""
        return [*self.prefix, *arguments]

    def environment(self, **more: str) -> dict[str, str]:
        """Return the user's environment variables."""
        path = f"{self.python.parent}:/usr/bin:/bin"
        return {"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8", "TMPDIR": str(self.home)} | more

    def run(
        self, arguments: Sequence[str], *, timeout: float = 120, **more: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command as the user and return what it printed."""
        return subprocess.run(
            self.command(*arguments),
            cwd=self.home,
            env=self.environment(**more),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )


def _make_environment(folder: Path) -> None:
    """Build a virtual environment that every user can read, in `folder`."""
    building = Path(tempfile.mkdtemp(prefix="arena-user-", dir=folder.parent))
    building.chmod(0o755)
    subprocess.run(
        [sys.executable, "-m", "virtualenv", "-q", "-p", "/usr/bin/python3", building / "venv"], check=True
    )
    lock = ROOT / "deploy" / "requirements" / "run.lock"
    pip = [sys.executable, "-m", "pip", "--python", building / "venv/bin/python"]
    subprocess.run([*pip, "install", "-q", "--require-hashes", "-r", lock], check=True)
    try:
        building.rename(folder)
    except OSError:  # somebody else was first
        shutil.rmtree(building)


def _fill_home(home: Path, python: Path) -> Path:
    """Put the package, the reference bots and the commands into a user's home; return its interpreter."""
    copy = home / "package"
    for name in ("arena", "bots"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    launcher = home / "bin"
    launcher.mkdir()
    wrapper = launcher / "python"
    wrapper.write_text(f'#!/bin/sh\nPYTHONPATH="{copy}" exec "{python}" "$@"\n')
    (launcher / "arena").write_text(f'#!/bin/sh\nexec "{wrapper}" -m arena.cli "$@"\n')
    for path in (wrapper, launcher / "arena"):
        path.chmod(0o755)
    return wrapper


@pytest.fixture(scope="session")
def ordinary() -> Iterator[Ordinary]:
    """Give an ordinary user with the package; as root needs("setpriv", "reachable-python")."""
    home = Path(tempfile.mkdtemp(prefix="arena-home-"))
    try:
        if os.geteuid() != 0:
            yield Ordinary(_fill_home(home, Path(sys.executable)), home, ())
            return
        lock = (ROOT / "deploy" / "requirements" / "run.lock").read_bytes()
        environment = Path(tempfile.gettempdir()) / f"arena-user-{hashlib.sha256(lock).hexdigest()[:16]}"
        if not environment.exists():
            _make_environment(environment)
        wrapper = _fill_home(home, environment / "venv" / "bin" / "python")
        uid = str(ORDINARY_UID)
        subprocess.run(["chown", "-R", f"{uid}:{uid}", str(home)], check=True)
        yield Ordinary(wrapper, home, ("setpriv", "--reuid", uid, "--regid", uid, "--clear-groups"))
    finally:
        shutil.rmtree(home, ignore_errors=True)
