"""One bot of a job as the driver sees it: its stream, its processor, and what waits for it.

Owns freezing, thawing and the account of processor time, so that thinking off turn is paid for. A seat that
has had no open question for `GRACE_NS` is frozen; what it used before that is charged to its next batch. Who
uses it again and again, so that the opponent on the same core waits, is frozen at once, as is for a while who
has more processes or threads than ever before, for these will use it; and nobody is asked before all of such
a seat stands still: a crowd in the middle of system calls takes a while for that.
Who is frozen long breathes now and then: a connection asks in the background whether the other side still
lives, and a bot that thawed after a minute would find its own question unanswered and hang up.
"""

from typing import TYPE_CHECKING

from arena.botproc.host import Host
from arena.botproc.link import Link
from arena.botproc.live import LiveBot

if TYPE_CHECKING:
    from arena.botproc.table import LiveTable
    from arena.match.fault import Evidence, FaultKind

GRACE_NS = 1_000_000
"""How long a seat without an open question goes on running: freezing costs more than most seats use."""
TIDY_NS = 300_000
"""So much processor time after an answer is a bot tidying up."""
CREDIT_NS = 500_000
"""What a seat may use beyond that before it loses its grace."""
REGAIN_NS = 1_000
"""What each rest gives back of it, so that it is never lost for good."""
NEWCOMER_RESTS = 100
"""So many rests without grace follow a new process or thread: a program that starts computes for as long."""

STILL_NS = 20_000_000
"""So long a crowd may take to stop before others are asked all the same: a decision's budget."""
STILL_POLL_S = 0.000_1
"""How often it is looked at meanwhile."""
BREATH_EVERY_NS = 5_000_000_000
"""So long a seat stays frozen at most: half of the shortest time in which a library gives a connection up."""
BREATH_NS = 20_000_000
"""How long it runs then; what it uses is charged like all that it uses off turn."""


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
        self.asked = 0
        """Questions that it was sent."""
        self.surplus = 0
        """Answers to no open question, and messages while none was open."""
        self.thought_ns = 0
        """What its batches were charged."""
        self.over_ns = 0
        """What of it went beyond their budgets, out of its banks."""
        self.kept_time = True
        """False when turns of its last batch ran out of time."""
        self._frozen = self._is_stopping = self._is_pressed = False
        self._freeze_at_ns: int | None = 0
        self._frozen_at_ns = 0
        self._credit_ns = CREDIT_NS
        self._cpu_ns = self.process.cpu_ns()
        self._crowd = self.process.crowd()

    def wake(self) -> int:
        """Let the bot think; return the processor time that it used since its last batch."""
        if self._frozen:
            self.process.thaw()
            self._frozen = self._is_stopping = False
        self._freeze_at_ns = None
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
        before, self._crowd = self._crowd, max(self._crowd, self.process.crowd())
        if self._crowd > before:
            self._credit_ns = min(self._credit_ns, -NEWCOMER_RESTS * REGAIN_NS)
        self._is_pressed = self._credit_ns <= 0
        self._freeze_at_ns = now_ns if self._is_pressed else now_ns + GRACE_NS

    def freeze_when_due(self, now_ns: int) -> None:
        """Freeze a bot that has been without a question for the grace time, if it has any left.

        One that has been frozen for long is let breathe.
        """
        due_ns = self._freeze_at_ns
        if due_ns is None or self.death is not None:
            return
        if self._frozen:
            if now_ns - self._frozen_at_ns >= BREATH_EVERY_NS:
                self.process.thaw()
                self._frozen, self._freeze_at_ns = False, now_ns + BREATH_NS
        elif now_ns >= due_ns:
            self.process.freeze()
            self._frozen, self._frozen_at_ns = True, now_ns
            self._is_stopping = self._is_pressed

    def stand_still(self, host: Host) -> None:
        """Wait until one that computes on others' time has stopped.

        Who takes too long for that goes behind all others on the core.
        """
        if not self._is_stopping:
            return
        self._is_stopping = False
        until_ns = host.now_ns() + STILL_NS
        while not self.process.is_still():
            if host.now_ns() >= until_ns:
                self.process.step_back()
                return
            host.pause(STILL_POLL_S)

    @property
    def is_running(self) -> bool:
        """True while it is neither frozen nor dead nor thinking: `freeze_when_due` will have work."""
        return self._freeze_at_ns is not None and not self._frozen and self.death is None
