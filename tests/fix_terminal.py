"""The real command, as a user runs it: on a pipe, or in a pseudo-terminal of a given width."""

import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


@dataclass(frozen=True)
class Ended:
    """What a command left behind."""

    code: int
    """Its exit code."""
    out: str
    """What it printed; in a pseudo-terminal the errors too."""
    err: str = ""
    """What it printed on stderr."""
    kept: bool = True
    """Whether the terminal has the settings that it had before."""

    @property
    def screen(self) -> str:
        """What was printed, without colours and spaces at line ends."""
        text = _COLOURS.sub("", self.out).replace("\r\n", "\n")
        return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"


@dataclass(frozen=True)
class Commands:
    """Runs `arena` in a folder of the test's own."""

    folder: Path
    """Where it runs: without --data-folder its data would lie here."""

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of the command: none of the developer's own settings."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
        return own | {"LANG": "C.UTF-8", "PYTHONPATH": str(Path(__file__).parents[1])} | dict(more)

    def __call__(self, *arguments: str, timeout: float = 120, **more: str) -> Ended:
        """Run the command on pipes."""
        done = subprocess.run(
            [sys.executable, "-m", "arena.cli", *arguments],
            cwd=self.folder,
            env=self.environment(more),
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def on_terminal(
        self, *arguments: str, columns: int = 100, timeout: float = 120, keys: str = "", **more: str
    ) -> Ended:
        """Run the command in a pseudo-terminal in which `keys` were typed already."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (40, columns))
        if keys:
            silent = termios.tcgetattr(theirs)
            silent[3] &= ~termios.ECHO
            termios.tcsetattr(theirs, termios.TCSANOW, silent)
            os.write(ours, keys.encode())
        before = termios.tcgetattr(ours)
        size = {"COLUMNS": str(columns), "LINES": "40", "TERM": "xterm-256color"}
        with subprocess.Popen(
            [sys.executable, "-m", "arena.cli", *arguments],
            cwd=self.folder,
            env=self.environment(size | dict(more)),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        ) as child:
            os.close(theirs)
            printed = _read_all(ours)
            code = child.wait(timeout)
        kept = termios.tcgetattr(ours) == before
        os.close(ours)
        return Ended(code, printed, kept=kept)


def _read_all(terminal: int) -> str:
    pieces = []
    try:
        while piece := os.read(terminal, 65536):
            pieces.append(piece)
    except OSError:  # the other side is closed
        pass
    return b"".join(pieces).decode("utf-8", "replace")


@pytest.fixture
def arena(tmp_path: Path) -> Commands:
    """Give the command, in an empty folder."""
    return Commands(tmp_path)
