"""The command to give again, as the person knows it: whoever typed `make demo` never typed ours.

Owns the variable in which a script that gives our commands tells what was typed.
"""

import os
from typing import Final

TYPED: Final = "ARENA_TYPED"
"""What was typed, where a script gives the command."""


def again(command: str) -> str:
    """Return what goes on with what this command began: `command`, or what was typed instead of it."""
    return os.environ.get(TYPED) or command


def interrupted() -> str:
    """Say what Ctrl-C is answered with wherever nothing more can be said."""
    if typed := os.environ.get(TYPED):
        return f"interrupted, and nothing is lost: `{typed}` goes on"
    return "interrupted; nothing is lost, the same command can be given again"
