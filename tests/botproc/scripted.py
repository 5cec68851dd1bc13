"""Bots without processes for the driver: scripts for streams, a clock that moves when it is waited for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.botproc.counts import MOST_REFUSALS
from arena.botproc.driver import JobDriver
from arena.botproc.host import Host
from arena.botproc.link import Arrival, BreakKind, Broken
from arena.botproc.live import LiveBot, PlayedTables, Progress
from arena.botproc.player import Player
from arena.botproc.seat import Exit, StderrCapture, Usage
from arena.botproc.table import LiveTable
from arena.match.fault import Evidence, FaultKind
from arena.match.plan import ClockSettings, TablePlan
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.options import Ruleset

MS = 1_000_000
ONE_ROUND = Ruleset(scoring="single_round")
CLOCK = ClockSettings(budget_ms=10, bank_ms=100, job_s=600, tables_max=64)


class FakeHost(Host):
    """A clock that stands still until somebody waits."""

    def __init__(self) -> None:
        self.at_ns = 1_000 * MS
        self.taken = 0

    def now_ns(self) -> int:
        """Return the time."""
        return self.at_ns

    def pause(self, seconds: float) -> None:
        """Let the time pass."""
        self.at_ns += round(seconds * 1e9)

    def mark(self, now_ns: int) -> None:
        """Nothing to remember."""

    def taken_ns(self) -> int:
        """Return what a test says was taken."""
        return self.taken


class FakeProcess:
    """A process that exists in the test's mind only."""

    def __init__(self) -> None:
        self.socket_path = Path("/nowhere")
        self.owner_uid = 0
        self.history: list[str] = []
        self.cpu = 0
        self.takes_looks = 0
        """How often one must look until it stands still."""
        self.moves_on = 0
        self.ended: Exit | None = None
        self.used = Usage()
        self.threads = 0

    def freeze(self) -> None:
        """Note it."""
        self.history.append("freeze")
        self.moves_on = self.takes_looks

    def is_still(self) -> bool:
        """Stand still when one has looked as often as a test says."""
        self.moves_on -= 1
        return self.moves_on < 0

    def crowd(self) -> int:
        """Return what a test says."""
        return self.threads

    def is_bomb(self) -> bool:
        """Return whether it asks without end by what a test says."""
        return self.used.refused > MOST_REFUSALS

    def step_back(self) -> None:
        """Note it."""
        self.history.append("step back")

    def thaw(self) -> None:
        """Note it."""
        self.history.append("thaw")

    def cpu_ns(self) -> int:
        """Return what a test says was used."""
        return self.cpu

    def poll(self) -> Exit | None:
        """Return what a test says."""
        return self.ended

    def kill(self) -> Exit:
        """End it."""
        self.history.append("kill")
        if self.ended is None:
            self.ended = Exit(None, 9)
        return self.ended

    def stderr(self) -> StderrCapture:
        """Return one line."""
        return StderrCapture("last words\n", 11, truncated=False)

    def usage(self) -> Usage:
        """Return what a test says was used."""
        return self.used

    def living(self) -> set[int]:
        """Return none: it is a script."""
        return set()

    def close(self) -> None:
        """Nothing to give back."""


Sent = tuple[float, "bytes | Broken"]
"""After so many milliseconds the bot sends this."""
Script = Callable[["ScriptedLink", pb.Turns], Sequence[Sent]]
"""What a bot does with a batch."""


@dataclass
class ScriptedLink:
    """A stream whose other end is a function."""

    script: Script
    host: FakeHost
    process: FakeProcess = field(default_factory=FakeProcess)
    tables: int = 64
    description: str = "scripted"
    received: list[pb.Turns] = field(default_factory=list)
    queue: list[tuple[int, "bytes | Broken"]] = field(default_factory=list)
    others: list["ScriptedLink"] = field(default_factory=list)
    open_turns: int = 0
    stall_ms: int = 0
    """For so long the arena is stopped while it waits for the next answer."""
    finished: bool = False
    closed: bool = False

    def send(self, message: bytes) -> None:
        """Let the script answer."""
        assert not self.finished
        turns = pb.Turns.FromString(message)
        if turns.turns:
            assert self.process.history[-1:] != ["freeze"], "a frozen bot was asked"
        self.received.append(turns)
        for after_ms, sent in self.script(self, turns):
            self.queue.append((self.host.at_ns + int(after_ms * MS), sent))
        self.queue.sort(key=lambda item: item[0])

    def receive(self, timeout_s: float) -> Arrival | Broken | None:
        """Move the clock to what comes next, or to the end of the wait."""
        until = self.host.at_ns + int(timeout_s * 1e9)
        if self.stall_ms and self.queue:
            # Who stamps the arrival is stopped as well.
            until = self.host.at_ns = until + self.stall_ms * MS
            self.queue[0] = (max(self.queue[0][0], until), self.queue[0][1])
            self.stall_ms = 0
        if not self.queue or self.queue[0][0] > until:
            self.host.at_ns = until
            return None
        at_ns, sent = self.queue[0]
        self.host.at_ns = max(self.host.at_ns, at_ns)
        if isinstance(sent, Broken):
            return sent
        self.queue.pop(0)
        return Arrival(at_ns, sent)

    def finish(self, timeout_s: float) -> None:
        """Note that the stream was ended in good order."""
        del timeout_s
        self.finished = True

    def close(self) -> None:
        """Note it."""
        self.closed = True


def answers(turns: Sequence[pb.Turn], **fields: object) -> bytes:
    """Return one message that answers each turn with the first legal move."""
    said = [
        pb.Answer(**{"table": turn.table, "question": turn.question, "index": 0, "uno": True, **fields})  # type: ignore[arg-type]
        for turn in turns
    ]
    return pb.Answers(answers=said).SerializeToString()


def sound(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
    """Answer everything after a millisecond."""
    del link
    return [(1, answers(turns.turns))] if turns.turns else []


def at_turn(number: int, act: Callable[[Sequence[pb.Turn], int], Sequence[Sent]]) -> Script:
    """Return a script that is sound but for the batch that holds its `number`-th turn."""
    seen = 0

    def script(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        nonlocal seen
        first, seen = seen + 1, seen + len(turns.turns)
        if first <= number <= seen:
            return act(list(turns.turns), number - first)
        return sound(link, turns)

    return script


LOST = Broken(BreakKind.LOST, "the connection went away")


class Job:
    """A job of scripted bots."""

    def __init__(self, *scripts: Script | None, matches: int = 6, tables: int = 64) -> None:
        """Seat the scripts; None is a bot that never started. Every match has all of them, in turn."""
        self.host = FakeHost()
        self.links = [ScriptedLink(script or sound, self.host, tables=tables) for script in scripts]
        self.players = []
        for index, (script, link) in enumerate(zip(scripts, self.links, strict=True)):
            bot = LiveBot(f"bot {index}", link.process)
            player = Player(index, bot, link if script is not None else None)
            if script is None:
                player.death = FaultKind.NEVER_STARTED, Evidence(detail="made no socket")
            self.players.append(player)
        seats = len(scripts)
        self.plans = [
            TablePlan(
                number,
                number % seats,
                number.to_bytes(32, "big"),
                tuple((seat + number) % seats for seat in range(seats)),
                tuple(range(seats)),
            )
            for number in range(matches)
        ]
        self.progress: list[Progress] = []

    def play(
        self,
        clock: ClockSettings = CLOCK,
        ruleset: Ruleset = ONE_ROUND,
        should_stop: Callable[[], bool] = lambda: False,
        on_batch: Callable[[Sequence[LiveTable]], None] = lambda _: None,
    ) -> PlayedTables:
        """Play it."""
        driver = JobDriver(
            *(self.players, self.plans, clock, ruleset, self.progress.append, should_stop, self.host),
            on_batch=on_batch,
        )
        return driver.run()

    def news(self, bot: int) -> tuple[list[int], dict[int, pb.Closed]]:
        """Return the tables that a bot was told of, in order, and how each ended."""
        received = self.links[bot].received
        opened = [table.table for turns in received for table in turns.opened]
        return opened, {table.table: table for turns in received for table in turns.closed}
