"""One bot of a job as the driver sees it: its stream, its processor, and what waits for it.

Owns freezing, thawing and the account of processor time, so that thinking off turn is paid for. A seat that
has had no open question for `GRACE_NS` is frozen; what it used before that is charged to its next batch, and
who uses it again and again, so that the opponent on the same core waits, is frozen at once and steps back.
"""

from typing import TYPE_CHECKING

from arena.botproc.link import Link
from arena.botproc.live import LiveBot

if TYPE_CHECKING:
    from arena.botproc.table import LiveTable
    from arena.match.fault import Evidence, FaultKind

GRACE_NS = 1_000_000
"""How long a seat without an open question goes on running: freezing costs more than most seats use."""
TIDY_NS = 300_000
"""So much processor time after an answer is a bot tidying up."""
CREDIT_NS = 3_000_000
"""What a seat may use beyond that before it loses its grace."""
REGAIN_NS = 5_000
"""What each rest gives back of it, so that it is never lost for good."""


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
        self._credit_ns = CREDIT_NS
        self._cpu_ns = self.process.cpu_ns()

    def wake(self) -> int:
        """Let the bot think; return the processor time that it used since its last batch."""
        if self._frozen:
            self.process.thaw()
            self._frozen = False
        self._idle_since_ns = None
        used_ns = self.used_ns()
        credit_ns = self._credit_ns + REGAIN_NS - max(0, used_ns - TIDY_NS)
        self._credit_ns = max(-CREDIT_NS, min(CREDIT_NS, credit_ns))
        return used_ns

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
        """Freeze a bot that has been without a question for the grace time, if it has any left."""
        since = self._idle_since_ns
        is_greedy = self._credit_ns <= 0
        grace_ns = 0 if is_greedy else GRACE_NS
        if since is not None and not self._frozen and now_ns - since >= grace_ns and self.death is None:
            self.process.freeze(steps_back=is_greedy)
            self._frozen = True

    @property
    def is_running(self) -> bool:
        """True while it is neither frozen nor dead nor thinking: `freeze_when_due` will have work."""
        return self._idle_since_ns is not None and not self._frozen and self.death is None
