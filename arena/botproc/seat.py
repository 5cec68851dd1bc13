"""The values and the contract by which a running bot is seen from outside: a seat's process.

Owns the shapes only. `arena.botproc.process` makes such a process at each level of isolation; the tables'
driver uses it and knows nothing of sandboxes.
"""

import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from arena.botproc.limits import MIB, Limits


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's first process ended."""

    code: int | None
    """Exit status, None when a signal ended it."""
    signal: int | None
    """The signal's number, None when it exited. A bot that exits with 128 + n looks like signal n."""
    out_of_memory: bool = False
    """True when the tree was killed because it passed its memory limit."""
    memory_bytes: int = field(default=0, compare=False)
    """How much memory was granted, where it was passed and that is known; else 0."""

    def __str__(self) -> str:
        """Say it in a few words."""
        if self.out_of_memory:
            granted = f", {self.memory_bytes / MIB:,.0f} MiB were granted" if self.memory_bytes else ""
            return f"killed: out of memory{granted}"
        if self.signal is None:
            return f"exit status {self.code}"
        try:
            return f"killed by {signal.Signals(self.signal).name}"
        except ValueError:
            return f"killed by signal {self.signal}"


@dataclass(frozen=True, slots=True)
class StderrCapture:
    """What a bot wrote to its standard error so far."""

    text: str = ""
    """The first part (`Limits.stderr_bytes`), undecodable bytes and control characters escaped."""
    total_bytes: int = 0
    """All that it wrote."""
    truncated: bool = False
    """True when `text` is not all of it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a bot has used at most so far, all of its processes together, and what it was refused."""

    memory_bytes: int = 0
    """The most memory at one time; 0 where nobody knows."""
    memory_limit: int = 0
    """How much it is granted, in bytes."""
    memory_source: str = ""
    """How that is known: BY_GROUP or BY_LOOKS."""
    refused: int = 0
    """How often it was refused a new process or thread, as far as a group counts that."""
    processes: int = 0
    """The most processes and threads at one time that were seen; 0 where nobody looks."""
    process_limit: int = 0
    """How many it is granted."""


UNKNOWN_BELOW: Final = 4 * MIB
"""Of so little nobody knows how much was the bot's: what starts it, and what the kernel keeps for its
sandbox, count as well (0.6 MiB on one machine). An empty Python has 3 of its own."""
BY_GROUP: Final = "control group"
"""Counted by the kernel at each page, those of files too."""
BY_LOOKS: Final = "looks"
"""Added up over its processes every 25 ms, without pages of files; what comes and goes between is missed."""


def known_memory(by_group: int, by_looks: int = 0) -> tuple[int, str]:
    """Return the most memory that is known to be the bot's, and how that is known; 0 where nobody knows."""
    if by_group:
        return (by_group, BY_GROUP) if by_group >= UNKNOWN_BELOW else (0, "")
    return (by_looks, BY_LOOKS) if by_looks >= UNKNOWN_BELOW else (0, "")


class Program(Protocol):
    """What must be known of a bot to start it; `arena.bundle.manifest.Manifest` is one."""

    @property
    def name(self) -> str:
        """The bot's name."""

    @property
    def runtime(self) -> str:
        """Name of the runtime that the sandbox must hold."""

    @property
    def run(self) -> tuple[str, ...]:
        """The command; the working directory is the bundle."""

    @property
    def needs_proc(self) -> bool:
        """True when it must have a /proc."""

    @property
    def needs_tmp(self) -> bool:
        """True when it must have a writable /tmp."""


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """One bot to be started."""

    bundle_dir: Path
    """The extracted bundle, read-only for the bot."""
    program: Program
    limits: Limits
    run_dir: Path
    """An empty folder of the seat's own; the socket is there at level none."""
    core: int | None = None
    """The one core it may use, None for all of the arena's."""


class SeatProcess(Protocol):
    """A running bot. Methods are called from the thread that started it; none of them raises for its sake."""

    @property
    def socket_path(self) -> Path:
        """Where the bot must listen, as the arena sees it; the arena dials."""

    @property
    def owner_uid(self) -> int:
        """The user id that the socket must belong to."""

    def freeze(self) -> None:
        """Stop the whole tree until `thaw`; twice is as once. A crowd goes on a moment: see `is_still`."""

    def is_still(self) -> bool:
        """True when no process of a frozen tree runs any more, as far as one can tell.

        Each process ends what it does in the kernel, and must have its turn on the core for that.
        """

    def crowd(self) -> int:
        """Return how many processes and threads it has, 0 where nobody counts them without effort."""

    def is_bomb(self) -> bool:
        """True when it asks without end for more processes than it may have, as far as that is counted."""

    def step_back(self) -> None:
        """Let everybody else go first on the core until `thaw`, where that can be had."""

    def thaw(self) -> None:
        """Let a frozen tree go on; twice is as once."""

    def cpu_ns(self) -> int:
        """Return the processor time of the whole tree so far."""

    def poll(self) -> Exit | None:
        """Return how the first process ended, None while it lives."""

    def kill(self) -> Exit:
        """Kill and reap the whole tree; returns when nothing of it lives."""

    def stderr(self) -> StderrCapture:
        """Return what was written to the standard error so far."""

    def usage(self) -> Usage:
        """Return what the tree has used at most so far, once ended up to its end."""

    def living(self) -> set[int]:
        """Return the ids of its processes that still live, as far as one can tell."""

    def close(self) -> None:
        """Kill what lives; give back directories, cgroups and the user id. Twice is as once."""
