"""Every exception that the platform raises on purpose.

    ArenaError                what a command prints as one line; owns its exit code
    ├── UsageError            the caller's mistake: nothing was stored           exit code 2
    ├── UnfinishedError       something was begun and did not end                exit code 3
    └── PlatformError         ours or the machine's; the work can be tried again exit code 4
        └── LackingError      this machine has not what one bot asks for; others can be played

A bot's misbehaviour is never an exception: it is a value (`arena.match.fault.Fault`). Errors of notation and
of legality belong to the game and live in `arena.rules`.
"""

import difflib
from collections.abc import Iterable, Sequence
from typing import ClassVar


class ArenaError(Exception):
    """Base of all errors whose message is meant for a person: one line, what, where, what to do."""

    exit_code: ClassVar[int] = 4

    def __init__(self, *message: object, output: Sequence[str] = ()) -> None:
        super().__init__(*message)
        self.output = tuple(output)
        """Lines of another program whose failure this tells, to be shown below the message."""


class UsageError(ArenaError):
    """The caller asked for something impossible or misspelt; nothing was stored."""

    exit_code = 2


class UnfinishedError(ArenaError):
    """What was asked for was begun, and stands unfinished; running the same command again goes on."""

    exit_code = 3


class PlatformError(ArenaError):
    """The platform failed (database, broker, sandbox, disk); the same work can be tried again."""

    exit_code = 4


class LackingError(PlatformError):
    """This machine has not what one bot asks for, as its runtime; that says nothing of other bots."""


LONGEST_GUESS = 60
"""Nobody misspells a word longer than this; comparing one would take long."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the known word nearest to `word`, or an empty text."""
    if not word or len(word) > LONGEST_GUESS:
        return ""
    folded = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(word.lower(), folded, n=1, cutoff=0.5)
    return f" (did you mean {folded[matches[0]]!r}?)" if matches else ""


def quote(text: object, most: int = 60) -> str:
    """Return what somebody typed as a message shows it: in quotes, escaped, and cut when it is long."""
    if isinstance(text, int) and abs(text) >= 10**most:
        return "a number of many digits"
    if not isinstance(text, str):
        written = repr(text)
        return written if len(written) <= most else written[:most] + "…"
    return repr(text if len(text) <= most else text[:most] + "…")
