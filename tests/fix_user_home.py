"""A data folder as a user has it: bots submitted, nothing running; the level is what the machine gives."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.embedded.process import is_alive
from tests.fix_terminal import Commands

ROOT = Path(__file__).resolve().parents[1]
BOTS = ("greedy", "random", "first-legal")
QUICK = {"ARENA_LEASE_S": "2", "ARENA_RECONCILE_S": "0.5", "ARENA_STOP_S": "1", "ARENA_WORKERS": "2"}
"""Settings under which lost work is found again within seconds."""


@dataclass(frozen=True)
class Home:
    """A user's folder and the command in it."""

    arena: Commands
    """Runs `arena` there."""
    sandbox: tuple[str, ...]
    """What a command is given to play at this machine's level."""
    rated: bool
    """Whether that level rates matches."""

    def processes(self) -> list[int]:
        """Return the processes that live in the data folder."""
        return [pid for lock in self.locks() if (pid := self.lives_in(lock)) is not None]

    def locks(self) -> list[Path]:
        """Return the lock files of all processes that ever were."""
        return list((self.arena.folder / ".arena" / "processes").glob("*.lock"))

    def lives_in(self, lock: Path) -> int | None:
        """Return the process that a lock file names, if it lives."""
        text = lock.read_text()
        return pid if text.startswith("{") and is_alive(pid := int(json.loads(text)["pid"])) else None


@pytest.fixture(scope="session")
def home() -> Iterator[Home]:
    """Give a folder with three submitted bots and a short path; everything in it is stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="arena-user-"))
    folder.chmod(0o755)
    arena = Commands(folder)
    level = json.loads(arena("doctor", "--json").out)["level"]
    given = Home(arena, () if level else ("--sandbox", "none"), rated=bool(level))
    try:
        ended = arena("bot", "submit", *given.sandbox, *(str(ROOT / "bots" / name) for name in BOTS))
        assert (ended.code, ended.err) == (0, "")
        yield given
    finally:
        arena("down")
        shutil.rmtree(folder, ignore_errors=True)
