"""What goes into a job of live bots, and what comes out of it.

Owns the values between the driver of tables and whoever asked for the job; they hold no connection and no
process of their own making.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.botproc.limits import DEFAULT_LIMITS, Limits
from arena.botproc.seat import SeatProcess
from arena.match.fault import Fault
from arena.match.plan import TablePlan
from arena.match.result import MatchResult


@dataclass(frozen=True, slots=True)
class LiveBot:
    """A bot whose process has just been started; the driver dials it and says hello."""

    name: str
    """For messages to people; no bot ever sees it."""
    process: SeatProcess
    """The running process. The driver freezes, thaws and at a fault kills it; it closes nothing."""
    limits: Limits = DEFAULT_LIMITS
    """What the sandbox enforces; printed in the hello."""
    hello_ms: int | None = None
    """Time for the hello where the runtime needs another one than the clock's."""


@dataclass(frozen=True, slots=True)
class Death:
    """A bot's process that ended, or broke the protocol as a whole."""

    bot: int
    """Index into the job's bots."""
    fault: Fault
    """What it did; the seat is that of the first table that it left, or -1."""
    left: int
    """How many matches it left by it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is; handed to `on_progress` a few times a second."""

    finished: int
    """Matches that have ended."""
    open: int
    """Matches under way."""
    planned: int
    """All matches of the job."""
    decisions: int
    """Questions answered so far."""


@dataclass(frozen=True, slots=True)
class PlayedTables:
    """What came of a job."""

    finished: Sequence[tuple[TablePlan, MatchResult]]
    """Matches that ended, in the order of the plans."""
    replanned: Sequence[TablePlan]
    """Matches that were not begun or not ended: to be played in a new job; nothing of them counts."""
    deaths: Sequence[Death] = ()
    """Bots that died, in order."""
    cut: bool = False
    """True when the job's time was over: what was replanned belongs into smaller jobs."""
    stopped: bool = False
    """True when `should_stop` ended the job early."""
    play_us: int = 0
    """Wall time from the first question to the last answer, without the hellos and the farewell."""
    thought_us: Sequence[int] = ()
    """What each bot's thinking took of it."""
    answered: Sequence[int] = ()
    """Questions that each bot answered in time, those of matches that did not end too."""
    descriptions: Sequence[str] = field(default=())
    """What each bot said of itself in its hello; empty for one that never said it."""
