"""What is shown of a build while it runs: what is built, and on a terminal its newest line.

Owns that a build which takes minutes is not a command that hangs. Refuses to fill a screen or a log with a
compiler's lines when all went well: then one line says where they are. `arena bot build`, whose only purpose
they are, shows all of them on a terminal; of a build that failed the error shows them.
"""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from arena.cli import figures
from arena.cli.terminal import escape
from arena.errors import ArenaError

if TYPE_CHECKING:
    from types import TracebackType

    from rich.status import Status

    from arena.cli.terminal import Terminal
    from arena.embedded.folder import DataFolder


class Building:
    """A listener of `arena.service.build`, for as long as a build takes."""

    def __init__(self, terminal: "Terminal", folder: "DataFolder", source: Path, *, shows_all: bool) -> None:
        self._terminal, self._folder = terminal, folder
        self._log = folder.logs / f"build-{source.resolve().name}.log"
        self.shows_all = shows_all and terminal.is_watched
        self._said: list[str] = []
        self._status: Status | None = None

    def __enter__(self) -> Self:
        """Begin to listen."""
        return self

    def begin(self, text: str) -> None:
        """Say what is built."""
        self._terminal.note(text)
        if self._terminal.is_watched and not self.shows_all:
            self._status = self._terminal.console().status("building")
            self._status.start()

    def hear(self, line: str) -> None:
        """Show a line of the build."""
        self._said.append(line)
        if self.shows_all:
            self._terminal.output([line])
        elif self._status is not None:
            from rich.text import Text

            room = max(1, self._status.console.width - len("⠋ "))
            self._status.update(Text(escape(line)[:room] or "building"))

    def __exit__(
        self, kind: "type[BaseException] | None", error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        """Leave the terminal as it was, and say where the lines are of a build that went well."""
        if self._status is not None:
            self._status.stop()
        said = sum(bool(line) for line in self._said)
        if kind is not None or self.shows_all or not said:
            return
        with suppress(OSError, ArenaError):  # the lines are no part of what is asked for
            self._folder.make()
            self._log.write_text("".join(f"{escape(line)}\n" for line in self._said), encoding="utf-8")
            lines = "line" if said == 1 else "lines"
            self._terminal.note(
                f"built; it said {figures.count(said)} {lines}, which are in {_near(self._log)}"
            )


def _near(path: Path) -> Path:
    """Return a path as it can be typed here: below this folder without the way to it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
