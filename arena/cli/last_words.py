"""What a bot wrote to its standard error, as a person reads it: both ends of it, the same line told once.

Owns what is left out and how that is said. A library that complains again and again, as gRPC does of threads
that it is refused, would push all else out of sight; what the author wrote is never judged by its look.
"""

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from arena.cli import figures

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal

FIRST: Final = 10
"""So many of the first lines are shown: Go says there what went wrong and where, and then who called it."""
LAST: Final = 20
"""So many of the last lines are shown: in most languages it is said there."""
_LOGGED = re.compile(r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?=\S+:\d+\] )")
"""What differs between two times that the same line was logged by gRPC: level, date, time and thread."""


def show(terminal: "Terminal", stderr: str, everything: str) -> None:
    """Print both ends of a bot's standard error; `everything` is the command that prints all of it."""
    lines = fold(stderr.rstrip().splitlines())
    if not lines:
        return
    terminal.line("its stderr:")
    if (left_out := len(lines) - FIRST - LAST) > 1:
        terminal.block("\n".join(lines[:FIRST]), indent="  | ")
        terminal.block(f"… {figures.count(left_out)} lines left out; {everything} has all")
        lines = lines[-LAST:]
    terminal.block("\n".join(lines), indent="  | ")


def fold(lines: list[str]) -> list[str]:
    """Return the lines with those told once that a library logged several times in a row."""
    folded: list[str] = []
    for key, group in groupby(lines, lambda line: _LOGGED.sub("", line, count=1)):
        same = list(group)
        folded.append(same[0])
        if key != same[0] and len(same) > 1:
            folded.append(f"… the same {figures.count(len(same) - 1)} times more")
        else:
            folded += same[1:]
    return folded
