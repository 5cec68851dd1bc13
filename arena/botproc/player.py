"""One bot of a job as the driver sees it: its stream, its processor, and what waits for it.

Owns freezing, thawing and the account of processor time, so that thinking off turn is paid for. A seat that
has had no open question for `GRACE_NS` is frozen; what it used before that is charged to its next batch.
"""

from typing import TYPE_CHECKING

from arena.botproc.link import Link
from arena.botproc.live import LiveBot

if TYPE_CHECKING:
    from arena.botproc.table import LiveTable
    from arena.match.fault import Evidence, FaultKind

GRACE_NS = 1_000_000
"""How long a seat without an open question goes on running."""


class Player:
    """A bot's place in the job; it is dead once `death` is set."""

    def __init__(self, index: int, bot: LiveBot, link: Link | None) -> None:
        """Take a bot that has said hello, or that never will (`link` is None)."""
        self.index = index
        self.bot = bot
        self.process = bot.process
        self.link = link
        self.death: tuple[FaultKind, Evidence] | None = None
        self.news: list[bytes] = []
        self.waiting: dict[int, LiveTable] = {}
        self.open_tables = 0
        self.answered = 0
        self._frozen = False
        self._idle_since_ns: int | None = 0
        self._cpu_ns = self.process.cpu_ns()

    def wake(self) -> int:
        """Let the bot think; return the processor time that it used since its last batch."""
        if self._frozen:
            self.process.thaw()
            self._frozen = False
        self._idle_since_ns = None
        return self.used_ns()

    def used_ns(self) -> int:
        """Return the processor time used since this was last asked."""
        before, self._cpu_ns = self._cpu_ns, self.process.cpu_ns()
        return self._cpu_ns - before

    def peek_ns(self) -> int:
        """Return the same without forgetting it."""
        return self.process.cpu_ns() - self._cpu_ns

    def rest(self, now_ns: int) -> None:
        """Note that no question is open any more."""
        self._idle_since_ns = now_ns

    def freeze_when_due(self, now_ns: int) -> None:
        """Freeze a bot that has been without a question for the grace time."""
        since = self._idle_since_ns
        if since is not None and not self._frozen and now_ns - since >= GRACE_NS and self.death is None:
            self.process.freeze()
            self._frozen = True

    @property
    def is_running(self) -> bool:
        """True while it is neither frozen nor dead nor thinking: `freeze_when_due` will have work."""
        return self._idle_since_ns is not None and not self._frozen and self.death is None
