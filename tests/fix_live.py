"""Bots as bare processes, seen by the driver as it sees a sandboxed one."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.botproc.seat import Exit, StderrCapture, Usage

ROOT = Path(__file__).resolve().parents[1]
MISBEHAVE = ROOT / "tests" / "bots" / "misbehave" / "bot.py"


class BareSeat:
    """A child process without any walls; a `SeatProcess`."""

    def __init__(self, folder: Path, script: Path, *arguments: str) -> None:
        folder.mkdir(parents=True)
        self.socket_path = folder / "bot.sock"
        self.owner_uid = os.geteuid()
        self.freezes = 0
        self._stderr_path = folder / "stderr"
        environment = {
            "ARENA_ADDRESS": f"unix:{self.socket_path}",
            "PYTHONPATH": str(ROOT),
            "PATH": os.environ["PATH"],
        }
        with self._stderr_path.open("wb") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, str(script), *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )

    def freeze(self) -> None:
        """Stop the process."""
        self.freezes += 1
        self.process.send_signal(signal.SIGSTOP)

    def is_still(self) -> bool:
        """True: it is one process."""
        return True

    def crowd(self) -> int:
        """Return 0: nobody counts."""
        return 0

    def is_bomb(self) -> bool:
        """False: nobody counts what it asks for."""
        return False

    def step_back(self) -> None:
        """Nothing to do."""

    def thaw(self) -> None:
        """Let it go on."""
        self.process.send_signal(signal.SIGCONT)

    def cpu_ns(self) -> int:
        """Return its processor time, user and system."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return 0
        return (int(fields[11]) + int(fields[12])) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")

    def poll(self) -> Exit | None:
        """Return how it ended."""
        code = self.process.poll()
        if code is None:
            return None
        return Exit(code, None) if code >= 0 else Exit(None, -code)

    def kill(self) -> Exit:
        """End it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        ended = self.poll()
        assert ended is not None
        return ended

    def stderr(self) -> StderrCapture:
        """Return what it wrote."""
        data = self._stderr_path.read_bytes()
        return StderrCapture(data[:65536].decode(), len(data), len(data) > 65536)

    def usage(self) -> Usage:
        """Return that nobody looks."""
        return Usage()

    def living(self) -> set[int]:
        """Return its process."""
        return set() if self.process.poll() is not None else {self.process.pid}

    def close(self) -> None:
        """End it."""
        self.kill()


@pytest.fixture
def bare_seat(tmp_path: Path) -> Iterator[Callable[..., BareSeat]]:
    """Start a script as a bot, `bare_seat(*arguments, script=...)`; by default the misbehaving bot."""
    running: list[BareSeat] = []

    def start(*arguments: str, script: Path = MISBEHAVE) -> BareSeat:
        seat = BareSeat(tmp_path / f"seat{len(running)}", script, *arguments)
        running.append(seat)
        return seat

    yield start
    for seat in running:
        seat.close()
