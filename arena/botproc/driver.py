"""Plays many tables of live bots at once: batches out, answers in, one bot thinking at a time.

Owns the order of things: who gets the next batch, what a death means for the open matches, when the job ends.
The bot with the most waiting turns is next, so that batches are large; one that let turns run out of time is
last, so that its silence costs few waits. While a bot thinks, the tables that it has answered go on. Answers
are read by `arena.botproc.batch`, the game is led by the referees, verdicts on dead processes are given by
`arena.botproc.verdict`. See docs/decisions/0005-driver.md.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from arena.botproc.batch import Batch, Reading, look_at, unanswered_tables
from arena.botproc.cut import find_culprit
from arena.botproc.hall import Hall
from arena.botproc.host import Host
from arena.botproc.link import Arrival, BreakKind, Broken
from arena.botproc.live import Death, PlayedTables, Progress
from arena.botproc.player import GRACE_NS, Player
from arena.botproc.table import LiveTable
from arena.botproc.verdict import judge_break
from arena.match.fault import Evidence, Fault, FaultKind
from arena.match.plan import ClockSettings, TablePlan
from arena.match.referee import Reply, describe_question
from arena.protocol.codec import turns_message
from arena.rules.options import Ruleset

LOOK_NS = 50_000_000
"""How often, while a bot thinks, its process is looked at and the caller is asked whether to stop."""
LAST_WORDS_S = 0.2
"""How long the stream of a process that has ended is read on."""
TICK_TABLES = 16
"""After so many tables advanced the clock is read, for the freezing of idle bots."""
REPORT_NS = 250_000_000
"""How often progress is reported."""


class JobDriver:
    """Plays the plans of one job to the end, or as far as deaths, time and the caller allow."""

    def __init__(
        self,
        players: Sequence[Player],
        plans: Sequence[TablePlan],
        clock: ClockSettings,
        ruleset: Ruleset,
        on_progress: Callable[[Progress], None],
        should_stop: Callable[[], bool],
        host: Host | None = None,
        on_batch: Callable[[Sequence[LiveTable]], None] = lambda _: None,
    ) -> None:
        """Prepare a job; players without a link never started and are absent from every match."""
        self.players = players
        self.plans = plans
        self.clock = clock
        self.deaths: list[Death] = []
        self.cut = False
        self.stopped = False
        self._on_progress = on_progress
        self._should_stop = should_stop
        self._on_batch = on_batch
        self._host = host if host is not None else Host()
        self._now = self._host.now_ns
        self._hall = Hall(players, plans, clock, ruleset)
        self._decisions = 0
        self._began_ns = self._looked_ns = self._reported_ns = self._over_asked_ns = self._now()
        self._stop_at_ns: int | None = None

    def run(self) -> PlayedTables:
        """Play until nothing is left to be asked, and tell every living bot how it ended."""
        self._note_absent()
        self._play()
        if self.cut and (culprit := find_culprit(self.players, self.clock)) is not None:
            self._charge_cut(*culprit)
            self._play()
        play_us = (self._now() - self._began_ns) // 1000
        self._farewell()
        finished, replanned = self._hall.outcome()
        return PlayedTables(
            finished=finished,
            replanned=replanned,
            deaths=self.deaths,
            cut=self.cut,
            stopped=self.stopped,
            play_us=play_us,
            thought_us=[player.thought_ns // 1000 for player in self.players],
            answered=[player.answered for player in self.players],
            descriptions=[player.link.description if player.link else "" for player in self.players],
        )

    def _play(self) -> None:
        """Ask and be answered until the job is over or nobody is to be asked."""
        self._hall.begin_tables()
        while not self._is_over() and (player := self._next_player()) is not None:
            self._play_batch(player)
            # No question is open now: whatever this takes, no bot's clock runs.
            self._on_batch(self._hall.open_tables())
            self._hall.begin_tables()

    def _next_player(self) -> Player | None:
        """Return the bot with the most waiting turns, None when nobody is to be asked."""
        waiting = [player for player in self.players if player.waiting]
        return max(waiting, key=lambda player: (player.kept_time, len(player.waiting)), default=None)

    def _play_batch(self, player: Player) -> None:
        """Write one batch and see it answered, timed out, or the bot dead."""
        link = player.link
        if link is None:
            raise AssertionError("a bot that never started has no turn")
        broken = self._look_at_idle(player)
        if broken is not None:
            self._bury(player, broken, None)
            return
        tables, player.waiting = player.waiting, {}
        if not tables:
            # What it sent unasked has ended the last of its tables.
            return
        player.asked += len(tables)
        batch = Batch(player, tables, self.clock, self._host)
        message = turns_message([*player.news, *batch.turns()])
        player.news = []
        self._freeze_idle(spared=player)
        for other in self.players:
            other.stand_still(self._host)
        carried_ns = player.wake()
        batch.begin(self._now(), carried_ns)
        link.send(message)
        self._collect(player, batch)
        self._end_bomb(player)

    def _look_at_idle(self, player: Player) -> Broken | None:
        """Read what a bot sent while it had no question; say how it broke, if it did."""
        link = player.link
        if link is None:
            return None
        while (got := link.receive(0)) is not None:
            if isinstance(got, Broken):
                return got
            reading = Batch(player, {}, self.clock, self._host).read(got.data, got.at_ns, self._hall.tables)
            if reading.refusal:
                return Broken(BreakKind.REFUSED, reading.refusal, reading.last_answer)
            self._deliver(reading.replies, charged_to=None)
        return None

    def _collect(self, player: Player, batch: Batch) -> None:
        """Take answers until no question of the batch is open."""
        link = player.link
        while link is not None and not batch.is_answered and not self._ends_within(batch):
            now = self._now()
            wait_ns = self._wait_ns(batch, now)
            got = link.receive(wait_ns / 1e9)
            batch.note_wait(now + wait_ns, got.at_ns if isinstance(got, Arrival) else self._now())
            if got is None and self._look(player):
                # What it sent before it died counts; the end of its stream comes last.
                got = link.receive(LAST_WORDS_S) or Broken(BreakKind.LOST, "the process has ended")
            if isinstance(got, Broken):
                self._finish_reading(batch.pass_time(self._now()), batch)
                self._bury(player, got, batch)
                return
            if got is None:
                reading = batch.pass_time(self._now())
            else:
                reading = batch.read(got.data, got.at_ns, self._hall.tables)
                self._decisions += len(reading.replies)
                player.answered += len(reading.replies)
            if reading.refusal:
                self._finish_reading(reading, batch)
                refused = Broken(BreakKind.REFUSED, reading.refusal, reading.last_answer)
                self._bury(player, refused, batch)
                return
            self._finish_reading(reading, batch)
        batch.settle()
        player.kept_time = batch.kept_time

    def _finish_reading(self, reading: Reading, batch: Batch) -> None:
        """Let the tables of a reading go on; the bot rests when nothing of its batch is open."""
        if batch.is_answered:
            batch.player.rest(self._now())
            self._deliver(reading.replies, charged_to=None)
        elif reading.replies:
            self._deliver(reading.replies, charged_to=batch)

    def _wait_ns(self, batch: Batch, now: int) -> int:
        """Return how long to wait for the next message before something else has to be done."""
        wait = min(LOOK_NS, batch.until_timeout_ns(now))
        if any(other.is_running for other in self.players):
            wait = min(wait, GRACE_NS)
        return max(0, wait)

    # ------------------------------------------------------------------------------ while waiting

    def _look(self, player: Player) -> bool:
        """Freeze who is idle; now and then look whether the thinking bot's process has ended."""
        now = self._now()
        self._freeze_idle()
        if now - self._looked_ns < LOOK_NS:
            return False
        self._looked_ns = now
        return player.process.poll() is not None

    def _freeze_idle(self, *, spared: Player | None = None) -> None:
        now = self._now()
        for player in self.players:
            if player is not spared:
                player.freeze_when_due(now)

    def _is_over(self) -> bool:
        """Report, ask whether to stop, and say whether the job must end with matches still open."""
        now = self._now()
        if now - self._reported_ns >= REPORT_NS:
            self._reported_ns = now
            hall = self._hall
            self._on_progress(Progress(hall.finished, hall.open, len(self.plans), self._decisions))
            if self._stop_at_ns is None and self._should_stop():
                self.stopped = True
                self._hall.is_closed = True
                self._stop_at_ns = now + int(self.clock.stop_s * 1e9)
        if not self.cut and now - self._began_ns > self.clock.job_s * 1e9:
            self.cut = True
            self._stop_at_ns = now
        return self._stop_at_ns is not None and now >= self._stop_at_ns

    def _ends_within(self, batch: Batch) -> bool:
        """Say whether the job ends in the middle of a batch, also of a bot that never pauses in answering."""
        asked_at = self._now()
        if asked_at - self._over_asked_ns < LOOK_NS:
            return False
        self._over_asked_ns = asked_at
        is_over = self._is_over()
        batch.excuse(self._now() - asked_at)
        return is_over

    def _deliver(self, replies: Iterable[tuple[LiveTable, Reply]], *, charged_to: Batch | None) -> None:
        """Hand replies to their referees; what that takes while a bot thinks is not charged to it."""
        began = self._now()
        deliver = self._hall.deliver
        for count, (table, reply) in enumerate(replies, 1):
            deliver(table, reply)
            if count % TICK_TABLES == 0:
                self._freeze_idle()
        if charged_to is not None:
            charged_to.excuse(self._now() - began)

    # ------------------------------------------------------------------------------ deaths and the end

    def _note_absent(self) -> None:
        """Write down the bots that never started: they leave every match of the job."""
        for player in self.players:
            if player.death is not None:
                kind, evidence = player.death
                self.deaths.append(Death(player.index, Fault(kind, -1, evidence), len(self.plans)))

    def _bury(self, player: Player, broken: Broken, batch: Batch | None) -> None:
        """Give the verdict on a dead bot; it leaves the matches it was asked in, the others are replanned.

        Whoever is found dead in the same moment leaves what remains open, too: nobody wins by dying second.
        """
        others = [other for other in self.players if other is not player and other.death is None]
        fallen = [(other, seen) for other in others if (seen := self._look_for_end(other)) is not None]
        self._hall.is_closed = True
        leaving = {table.number: [fault] for table, fault in self._end(player, broken, batch)}
        # Where its seat has left before, the others play on: what it did there stands.
        for table in self._hall.open_tables():
            if table.number not in leaving and table.is_played_by(player.index):
                self._hall.drop(table)
        for other, seen in fallen:
            for table, fault in self._end(other, seen, None):
                leaving.setdefault(table.number, []).append(fault)
        replies = [(self._hall.tables[number], tuple(faults)) for number, faults in leaving.items()]
        self._deliver(replies, charged_to=None)

    def _end_bomb(self, player: Player) -> None:
        """End who asks for processes without end, before others are to think beside so many."""
        if player.death is None and player.process.is_bomb():
            player.process.kill()
            used = player.process.usage()
            asked = f"asked in vain for {used.refused:,} processes beyond its limit of {used.process_limit}"
            self._bury(player, Broken(BreakKind.LOST, f"it {asked}, and was ended for it"), None)

    def _look_for_end(self, player: Player) -> Broken | None:
        """Say how a bot that is not asked anything has ended, if it has."""
        broken = self._look_at_idle(player)
        if broken is None and player.link is not None and player.process.poll() is not None:
            return Broken(BreakKind.LOST, "the process has ended")
        return broken

    def _end(self, player: Player, broken: Broken, batch: Batch | None) -> list[tuple[LiveTable, Fault]]:
        """Kill one bot and write its death down; return the matches that it leaves, and why."""
        return self._retire(player, *judge_break(player.process, broken), batch)

    def _charge_cut(self, player: Player, evidence: Evidence) -> None:
        """Let who used the job up lose what is open; the others have a moment to play on without it.

        Nobody wins by playing won matches to their end and lost ones until the job is cut and they are dealt
        anew.
        """
        self._hall.is_closed = True
        self._deliver(
            [(table, (fault,)) for table, fault in self._retire(player, FaultKind.TIMED_OUT, evidence, None)],
            charged_to=None,
        )
        self._stop_at_ns = self._now() + int(self.clock.stop_s * 1e9)

    def _retire(
        self, player: Player, kind: FaultKind, evidence: Evidence, batch: Batch | None
    ) -> list[tuple[LiveTable, Fault]]:
        """Kill one bot for a fault and write that down; return the matches that it leaves."""
        player.death = kind, evidence
        player.process.kill()
        player.news = []
        player.waiting = {}
        if player.link is not None:
            player.link.close()
        theirs = [table for table in self._hall.open_tables() if table.is_played_by(player.index)]
        left = (unanswered_tables(batch) if batch is not None else []) or theirs
        faults = [_fault_at(table, player, kind, evidence, batch) for table in left]
        self.deaths.append(Death(player.index, faults[0] if faults else Fault(kind, -1, evidence), len(left)))
        return list(zip(left, faults, strict=True))

    def _farewell(self) -> None:
        """Close what is open as replanned; give every living bot its last message and time to read it."""
        for table in self._hall.open_tables():
            self._hall.drop(table)
        for player in self.players:
            if player.death is None and player.link is not None:
                player.wake()
                if player.news:
                    player.link.send(turns_message(player.news))
                player.link.finish(self.clock.farewell_ms / 1000)
        self._on_progress(Progress(self._hall.finished, 0, len(self.plans), self._decisions))


def _fault_at(
    table: LiveTable, player: Player, kind: FaultKind, evidence: Evidence, batch: Batch | None
) -> Fault:
    """Return a death as a fault at one table, with what is known of its question there."""
    question = table.question
    is_open = batch is not None and table.number in batch.clock.banks_ns
    if is_open or kind is FaultKind.PROTOCOL_ERROR:
        measured = table.proof(table.seat_of(player.index), look_at(player))
        evidence = replace(
            evidence,
            limit_ms=measured.limit_ms,
            wall_ms=measured.wall_ms,
            cpu_ms=measured.cpu_ms,
            bank_left_ms=measured.bank_left_ms,
            last_question=measured.last_question,
        )
    elif question is not None and table.order[question.seat] == player.index:
        evidence = replace(evidence, last_question=describe_question(question))
    return Fault(kind, table.seat_of(player.index), evidence)
