"""The command `arena`: parse, call one use case, present; the use cases are in `arena.service`.

    app.py        the group of all commands, and how an error becomes one line and an exit code
    session.py    what every command shares: settings, database, terminal
    terminal.py   tables and lines, on a terminal and on a pipe; everything is escaped here
    *.py          one file a noun: bot, tournament, standings, match, rules, servers, worker

Importing this package imports nothing else, and the commands import what they need when they run: help and
completion answer at once.
"""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    from arena.cli.app import run

    sys.exit(run(sys.argv[1:] if arguments is None else arguments))
