"""What a bot wrote to its standard error, as a person reads it: the last lines, the same one told once.

Owns what is left out and how that is said. A library that complains again and again, as gRPC does of threads
that it is refused, would push all else out of sight; what the author wrote is never judged by its look.
"""

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from arena.cli import figures

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal

LINES: Final = 20
"""So many of the last lines are shown."""
_LOGGED = re.compile(r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?=\S+:\d+\] )")
"""What differs between two times that the same line was logged by gRPC: level, date, time and thread."""


def show(terminal: "Terminal", stderr: str, everything: str) -> None:
    """Print the end of a bot's standard error; `everything` is the command that prints all of it."""
    lines = fold(stderr.rstrip().splitlines())
    if not lines:
        return
    terminal.line("its stderr:")
    if (left_out := len(lines) - LINES) > 0:
        terminal.block(f"… {figures.count(left_out)} lines left out; {everything} has all")
    terminal.block("\n".join(lines[-LINES:]), indent="  | ")


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
