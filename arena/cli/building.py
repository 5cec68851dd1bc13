"""What is shown of a build while it runs: what is built on any stream, what the build says on a terminal.

Owns that a build which takes minutes is not a command that hangs. Refuses to fill a log with a compiler's
lines: on a pipe they are shown when the build failed.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal


class Building:
    """A listener of `arena.service.build`."""

    def __init__(self, terminal: "Terminal") -> None:
        self._terminal = terminal
        self.shows_all = terminal.is_watched

    def begin(self, text: str) -> None:
        """Say what is built."""
        self._terminal.note(text)

    def hear(self, line: str) -> None:
        """Show a line of the build."""
        if self.shows_all:
            self._terminal.output([line])
