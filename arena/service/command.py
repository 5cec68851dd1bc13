"""A build's command: started in the bot's folder, followed line by line, ended with all that it started.

Owns the sentence for a command that cannot be started, and when a build is over: with the command itself,
whatever it leaves in the background. Refuses to judge what came of it.
"""

import errno
import os
import re
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import UsageError

GRACE_S: Final = 1.0
"""So long the output is waited for of what a command started and did not wait for."""
_CHUNK_BYTES: Final = 65_536
_FIRST_LINE_BYTES: Final = 255
_PAINT: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""What paints on a terminal, or names its window: no part of what is said."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    """Its exit code; minus the number of the signal that ended it."""
    lines: Sequence[str]
    """What it said, on both its outputs."""


def run_command(command: Sequence[str], folder: Path, tell: Callable[[str], None]) -> Ended:
    """Run a command in a folder, and tell each line of what it says as it comes.

    Raises:
        UsageError: It cannot be started; the message says why and what to do.
    """
    program = find_program(command[0], folder)
    try:
        process = subprocess.Popen(
            [program, *command[1:]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a group of its own, so that all of it can be ended
        )
    except OSError as error:
        raise UsageError(_why_not(command[0], Path(program), error)) from error
    lines = _Lines(tell)
    with process:
        try:
            _follow(process, lines)
        finally:
            _end(process)
    return Ended(process.returncode, lines.all())


def find_program(word: str, folder: Path) -> str:
    """Return the path of what a build names first.

    Raises:
        UsageError: There is none that can be executed.
    """
    path = folder / word
    if "/" not in word:
        found = shutil.which(word)
        if found is None:
            near = f'; of the folder it is build = ["./{word}", …]' if path.is_file() else ""
            raise UsageError(f"build needs {word!r}, which this machine does not have{near}")
        return os.path.abspath(found)  # noqa: PTH100 (a link keeps its name: a program may look at it)
    if not path.exists():
        where = "this machine does not have" if word.startswith("/") else f"is not in {folder}"
        raise UsageError(f"build needs {word!r}, which {where}: write it, or name another")
    if not path.is_file():
        raise UsageError(f"build needs {word!r}, which is no file: name a program")
    if not os.access(path, os.X_OK):
        raise UsageError(f"build needs {word!r}, which is not executable: chmod +x {path}")
    return os.path.abspath(path)  # noqa: PTH100


def _why_not(word: str, program: Path, error: OSError) -> str:
    """Say why a program that is there could not be started."""
    if error.errno == errno.ENOEXEC:
        return (
            f"build names {word!r}, which is neither a program of this machine nor begins with a '#!' line: "
            f'add one, as #!/bin/sh, or write build = ["sh", "{word}"]'
        )
    if error.errno in {errno.ENOENT, errno.EACCES}:
        with suppress(OSError), program.open("rb") as file:
            first = os.fsdecode(file.readline(_FIRST_LINE_BYTES))
            if first.startswith("#!"):
                asked = first[2:].rstrip("\n").strip(" \t").partition(" ")[0]
                return f"build names {word!r}, which asks for {asked!r}: this machine cannot start that"
    return f"build names {word!r}, which cannot be started: {error.strerror or error}"


class _Lines:
    """Takes bytes, tells lines."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._rest, self._all = tell, b"", list[str]()

    def add(self, data: bytes) -> None:
        """Take what was read; nothing is nothing."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            self._take(line)

    def all(self) -> list[str]:
        """Return all lines, the last one too if it was never ended."""
        if self._rest:
            self._take(self._rest)
            self._rest = b""
        return self._all

    def _take(self, line: bytes) -> None:
        said = line.decode(errors="replace").rstrip()
        plain = _PAINT.sub("", said)
        if said and not plain:
            return  # colours that were put back, as Maven does at its end
        for text in plain.rstrip().expandtabs().splitlines() or [""]:
            self._all.append(text)
            self._tell(text)


def _follow(process: "subprocess.Popen[bytes]", lines: _Lines) -> None:
    """Read until the command has ended, and nobody can write any more or the grace is over."""
    assert process.stdout is not None
    said, ended = process.stdout.fileno(), os.pidfd_open(process.pid)
    try:
        watch = select.poll()
        open_ends = {said, ended}
        for descriptor in open_ends:
            watch.register(descriptor, select.POLLIN)
        until = None
        while open_ends and (until is None or time.monotonic() < until):
            left = None if until is None else max(0.0, until - time.monotonic()) * 1000
            for descriptor, _ in watch.poll(left):
                data = os.read(said, _CHUNK_BYTES) if descriptor == said else b""
                lines.add(data)
                if data:
                    continue
                watch.unregister(descriptor)
                open_ends.remove(descriptor)
                if descriptor == ended:
                    until = time.monotonic() + GRACE_S
    finally:
        os.close(ended)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of a command and of what it started, before it is reaped and its number is free."""
    if process.stdout is not None:
        process.stdout.close()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
