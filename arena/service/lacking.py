"""Why a bot did not start, where that can be proved: it starts once it is given what it did not ask for.

Owns the attempts and the sentence, and those for a bot that fails and names what it lacks or which limit it
met. They are made in the check game only, after the bot has failed; no verdict depends on them.
"""

import re
from contextlib import suppress
from dataclasses import replace
from typing import Final

from arena.botproc.batch import message_limit
from arena.botproc.level import Level
from arena.botproc.limits import MIB, Limits
from arena.botproc.sandbox import Sandbox
from arena.botproc.verdict import NEVER_LISTENED
from arena.bundle.manifest import Manifest
from arena.errors import PlatformError
from arena.match.fault import Fault, FaultKind
from arena.match.plan import ClockSettings
from arena.rules.options import Ruleset
from arena.service.seats import Entrant, running

ATTEMPTS: Final = ((True, False), (False, True), (True, True))
"""What is tried: with a /proc, with a writable /tmp, with both."""


_REFUSED_TMP: Final = re.compile(
    r"(read-only|permission denied|EROFS|EACCES).*/tmp/|/tmp/.*(read-only|denied)", re.IGNORECASE
)
"""A folder for files that is there and cannot be written."""


_READ_ONLY: Final = re.compile(r"read-?only ?file ?system|EROFS", re.IGNORECASE)


_SPENT: Final = (
    (
        "processes",
        re.compile(
            r"resource temporarily unavailable|start new thread|pthread_create|native thread|new OS thread"
            r"|cannot fork|EAGAIN",
            re.IGNORECASE,
        ),
    ),
    ("open files", re.compile(r"too many open files|EMFILE", re.IGNORECASE)),
    ("file size", re.compile(r"file too large|file size limit|EFBIG|SIGXFSZ", re.IGNORECASE)),
)
"""How programs say that they met a limit."""


def ended_at_start(fault: Fault) -> bool:
    """Say whether a bot ended by itself before its hello."""
    ended = fault.evidence.exit_code is not None or fault.evidence.exit_signal is not None
    return fault.kind is FaultKind.NEVER_STARTED and ended


def never_listened(fault: Fault) -> bool:
    """Say whether a bot lived and made no socket until its time for the hello was over."""
    return fault.kind is FaultKind.NEVER_STARTED and fault.evidence.detail.endswith(NEVER_LISTENED)


def find_lacking(
    sandbox: Sandbox, entrant: Entrant, clock: ClockSettings, ruleset: Ruleset, *, waits: bool = False
) -> list[str]:
    """Start a bot again with a /proc and a writable /tmp, if it can be bound; return a note where one helped.

    One that waits for something takes all its time again at each attempt: it is given all first, and no more
    is tried where that does not help, or where its runtime has much time.
    """
    if sandbox.level is Level.NONE or (waits and entrant.hello_ms is not None):  # there it has both
        return []
    has = (entrant.manifest.needs_proc, entrant.manifest.needs_tmp)
    can_tmp = sandbox.cgroups.bounds_memory
    more = dict.fromkeys((has[0] or proc, has[1] or tmp) for proc, tmp in ATTEMPTS if can_tmp or not tmp)
    more.pop(has, None)
    if waits and more:
        most_proc, most_tmp = max(more)
        both = replace(entrant.manifest, needs_proc=most_proc, needs_tmp=most_tmp)
        if not _starts(sandbox, replace(entrant, manifest=both), clock, ruleset):
            return []
    for proc, tmp in more:
        granted = replace(entrant.manifest, needs_proc=proc, needs_tmp=tmp)
        if _starts(sandbox, replace(entrant, manifest=granted), clock, ruleset):
            wanted = _words(needs_proc=proc and not has[0], needs_tmp=tmp and not has[1])
            return [f"note: it starts when it is given more than it asks for: write {wanted} in bot.toml"]
    return []


def find_named(level: Level, manifest: Manifest, stderr: str, *, looks_for_tmp: bool = True) -> list[str]:
    """Return a note for the author of a bot that failed and speaks of what it did not ask for."""
    lines = stderr.splitlines()
    proc = not manifest.needs_proc and any("/proc" in line for line in lines)
    tmp = looks_for_tmp and not manifest.needs_tmp and any(_REFUSED_TMP.search(line) for line in lines)
    if level is Level.NONE or not (proc or tmp):
        return []
    named = " and ".join(name for name, is_named in (("/proc", proc), ("/tmp", tmp)) if is_named)  # noqa: S108
    wanted = _words(needs_proc=proc, needs_tmp=tmp)
    return [f"note: its stderr speaks of {named}, which it did not ask for: write {wanted} in bot.toml"]


def find_read_only(level: Level, stderr: str) -> list[str]:
    """Return a note for the author of a bot that wanted to write where it may not."""
    found = _READ_ONLY.search(stderr)
    if level is Level.NONE or found is None:
        return []
    where = "a bot makes its socket where ARENA_ADDRESS says, and writes no files"
    return [
        f"note: its stderr says {found[0]!r}: {where}, unless bot.toml says needs_tmp = true: then in /tmp"
    ]


def find_spent(limits: Limits, stderr: str) -> list[str]:
    """Return a note for each limit that a failed bot speaks of having met."""
    granted = {
        "processes": f"{limits.processes} processes and threads are granted (limits.processes in bot.toml)",
        "open files": f"each process may have {limits.open_files} files open",
        "file size": f"a file may have {limits.file_bytes // MIB} MiB",
    }
    spent = [(name, found[0]) for name, pattern in _SPENT if (found := pattern.search(stderr))]
    return [f"note: its stderr says {said!r}: {granted[name]}" for name, said in spent]


def _words(**wanted: bool) -> str:
    return " and ".join(f"{key} = true" for key, is_wanted in wanted.items() if is_wanted)


def _starts(sandbox: Sandbox, entrant: Entrant, clock: ClockSettings, ruleset: Ruleset) -> bool:
    """Start a bot and say hello; a start that cannot be tried on this machine proves nothing."""
    # gRPC is loaded here only: commands that play nothing start without it.
    from arena.botproc.connection import Connection, say_hello  # noqa: PLC0415
    from arena.botproc.tables import make_hello  # noqa: PLC0415

    hello_ms = clock.hello_ms if entrant.hello_ms is None else entrant.hello_ms
    with suppress(PlatformError), running(sandbox, [entrant]) as (bot,):
        request = make_hello(entrant.limits, clock, ruleset, hello_ms)
        link = say_hello(bot.process, request, hello_ms, message_limit(clock.tables_max))
        if isinstance(link, Connection):
            link.close()
            return True
    return False
