"""The check game: before a version may play it plays a few matches in the sandbox; its author is told all.

Owns the promises that a bot must keep and the sentence for each one broken. It runs in the calling process,
without database and queue; its matches are never stored and never rated. The opponent is the house's own bot.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from arena.botproc.limits import DEFAULT_CEILING, Limits
from arena.botproc.live import PlayedTables
from arena.botproc.probe import still_holds
from arena.botproc.runtimes import find_runtime
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import StderrCapture
from arena.botproc.verdict import add_usage
from arena.bundle.cache import BundleCache
from arena.bundle.pack import Bundle
from arena.errors import PlatformError
from arena.match.fault import Evidence, Fault, FaultKind, say_memory
from arena.match.plan import ClockSettings, TablePlan
from arena.match.result import SeatStats
from arena.rules import preset
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from arena.service.lacking import (
    ended_at_start,
    find_lacking,
    find_named,
    find_read_only,
    find_spent,
    never_listened,
)
from arena.service.seats import enter_bundle, house_bot, running

MATCHES = 8
"""How many are played, all at once, the bot sitting first in half of them."""
CLOCK = ClockSettings(bank_ms=2_500, job_s=25.0)
"""A tournament's clock with smaller banks: who uses all of them is still asked enough to be judged by it."""
DECISIONS_MIN = 50
"""Without so many answers a check that was cut says nothing; a bot that empties all its banks gives more."""

PROMISES: tuple[tuple[str, frozenset[FaultKind]], ...] = (
    ("starts and says hello in time", frozenset({FaultKind.NEVER_STARTED})),
    ("speaks this arena's protocol", frozenset({FaultKind.WRONG_VERSION})),
    ("keeps to the protocol", frozenset({FaultKind.PROTOCOL_ERROR})),
    ("plays legal moves only", frozenset({FaultKind.ILLEGAL_MOVE})),
    ("answers in time", frozenset({FaultKind.TIMED_OUT})),
    ("stays within its memory", frozenset({FaultKind.OUT_OF_MEMORY})),
    ("stays alive and connected to the end", frozenset({FaultKind.CRASHED, FaultKind.DISCONNECTED})),
)
"""What a bot promises, and the faults that break it; each fault breaks one promise."""


UNKNOWN = Evidence()


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise and whether it was kept."""

    name: str
    failure: str = ""
    """What went wrong; empty when the promise was kept."""
    was_tried: bool = True
    """False when the check never came so far, or another broken promise has answered it."""

    def __str__(self) -> str:
        """Say it in one line."""
        if self.failure:
            return f"FAILED  {self.name}: {self.failure}"
        return f"{'ok' if self.was_tried else '-':<8}{self.name}"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """How a check went, for the author."""

    promises: Sequence[Promise]
    stderr: str
    """The first part of what the bot wrote to its standard error."""
    matches: int
    """Matches played to the end."""
    decisions: int
    """Questions that the bot answered in time, those of matches that did not end too."""
    questions: int
    """Questions that it was asked in the matches that ended."""
    wall_us: int
    """What it was charged for those, answered or not."""
    was_cut: bool = False
    """True when its time was over before its matches were."""
    notes: Sequence[str] = ()
    """What is no fault, but worth knowing."""
    memory: str = ""
    """The most memory that it had at one time, beside its limit; empty where nobody knows."""

    @property
    def passed(self) -> bool:
        """True when every promise was kept."""
        return not any(promise.failure for promise in self.promises)

    def __str__(self) -> str:
        """One line for each promise, then what was measured."""
        lines = [str(promise) for promise in self.promises]
        if self.questions or self.decisions:
            lines.append(f"{self.matches} matches, {self._say_decisions()}")
        if self.memory:
            lines.append(f"memory: {self.memory}")
        return "\n".join([*lines, *self.notes])

    def _say_decisions(self) -> str:
        """Say how many were made; how long one took is known where none is missing."""
        if self.decisions < self.questions:
            return f"{self.decisions} decisions in answer to {self.questions} questions"
        if not self.questions:
            return f"{self.decisions} decisions"
        return f"{self.decisions} decisions, {self.wall_us / self.questions / 1000:.2f} ms a decision"


def check_bundle(
    sandbox: Sandbox,
    cache: BundleCache,
    bundle: Bundle,
    *,
    clock: ClockSettings | None = None,
    ruleset: Ruleset | None = None,
    ceiling: Limits = DEFAULT_CEILING,
) -> CheckReport:
    """Play the check game of a bundle; from the main thread only.

    Raises:
        UsageError: The bundle asks for what is not allowed.
        PlatformError: This machine cannot run it, or failed itself; nothing is known about the bot.
    """
    # gRPC is loaded here only: commands that play nothing start without it.
    from arena.botproc.tables import play_tables  # noqa: PLC0415

    find_runtime(bundle.manifest.runtime, sandbox.settings.cache_dir)
    bot = enter_bundle(cache, bundle.manifest.name, bundle.digest, lambda: bundle.data, ceiling)
    clock = clock if clock is not None else CLOCK
    ruleset = ruleset if ruleset is not None else preset("mattel")
    with running(sandbox, [bot, house_bot(cache)]) as live:
        played = play_tables(
            live,
            plan_matches(bundle.digest),
            clock,
            ruleset,
            probe_starts=lambda: still_holds(sandbox),
        )
        live[0].process.kill()
        capture = live[0].process.stderr()
        used = add_usage(Evidence(), live[0].process)
    report = judge(played, capture, used)
    if report.passed:
        return report
    notes = find_spent(bot.limits, capture.text)
    deaths = [death.fault for death in played.deaths if death.bot == 0]
    if any(ended_at_start(fault) for fault in deaths):
        # A socket that it tried to make in /tmp is told with its failure.
        notes += find_lacking(sandbox, bot, clock, ruleset) or find_named(
            sandbox.level, bot.manifest, capture.text, looks_for_tmp=False
        )
    elif any(never_listened(fault) for fault in deaths) and not notes:
        notes += find_lacking(sandbox, bot, clock, ruleset, waits=True)
    elif any(fault.kind is FaultKind.CRASHED for fault in deaths):
        notes += find_named(sandbox.level, bot.manifest, capture.text)
    notes = notes or find_read_only(sandbox.level, capture.text)
    return replace(report, notes=[*report.notes, *notes])


def plan_matches(digest: str) -> list[TablePlan]:
    """Plan the matches, each of a deal set of its own, so that no deal is met twice."""
    plans = []
    for number in range(MATCHES):
        key = derive(bytes.fromhex(digest), "check", str(number))
        order = (0, 1) if number % 2 == 0 else (1, 0)
        seeds = tuple(int.from_bytes(derive(key, "seed", str(seat))[:8], "big") for seat in range(2))
        plans.append(TablePlan(number, number % 2, key, order, seeds))
    return plans


def judge(played: PlayedTables, capture: StderrCapture, used: Evidence = UNKNOWN) -> CheckReport:
    """Say of each promise whether it was kept; `used` is what the bot's processes have used to the end.

    Raises:
        PlatformError: The house's own bot was at fault.
    """
    faults, stats = _faults_and_stats(played)
    broken = {kind: _say(fault) for fault in reversed(faults) for kind in [fault.kind]}
    if played.cut and not faults and (answered := sum(played.answered[:1])) < DECISIONS_MIN:
        broken[FaultKind.TIMED_OUT] = (
            f"it kept each limit, but in the {_play_s(played)} s of the check it answered {answered} "
            f"questions, and {DECISIONS_MIN} is the least to judge by; if this machine was busy, check again"
        )
    was_asked = any(played.answered[:1]) or any(fault.evidence.last_question for fault in faults)
    promises: list[Promise] = []
    for name, kinds in PROMISES:
        failure = next((broken[kind] for kind in kinds if kind in broken), "")
        # A bot that did not get past its hello was never asked for the rest, and nobody knows of the hello.
        never_came = bool(faults) and not was_asked
        # One that was killed for its memory did not stay to the end, and that is told already.
        never_came |= FaultKind.CRASHED in kinds and FaultKind.OUT_OF_MEMORY in broken
        promises.append(Promise(name, failure, was_tried=bool(failure) or not never_came))
    if not faults and not played.cut and len(played.finished) < MATCHES:
        raise PlatformError(f"only {len(played.finished)} of {MATCHES} check matches came to an end")
    notes = [f"note: {used.spent}"] if used.spent else []
    if played.cut and not faults:
        notes.append(
            f"note: the check ends after {_play_s(played)} s; {len(played.finished)} of "
            f"{MATCHES} matches were over, in the others no promise was broken so far"
        )
    if late := sum(stat.dropped_answers for stat in stats):
        notes.append(f"note: {late} answers came after their question was closed and were dropped")
    if capture.truncated:
        notes.append(
            f"note: it wrote {capture.total_bytes:,} bytes to its standard error; the first part is kept"
        )
    return CheckReport(
        promises,
        capture.text,
        len(played.finished),
        sum(played.answered[:1]),
        sum(stat.decisions for stat in stats),
        sum(stat.wall_us for stat in stats),
        played.cut,
        notes,
        say_memory(asdict(used)),
    )


def _play_s(played: PlayedTables) -> str:
    return f"{played.play_us / 1_000_000:.0f}"


def _faults_and_stats(played: PlayedTables) -> tuple[list[Fault], list[SeatStats]]:
    """Collect what the bot (index 0) did; the house must have done nothing."""
    faults, stats = [], []
    for death in played.deaths:
        if death.bot != 0:
            raise PlatformError(f"the house's own bot failed: {death.fault}")
        faults.append(death.fault)
    for plan, result in played.finished:
        seat = plan.order.index(0)
        stats.append(result.seats[seat])
        for fault in result.faults:
            if fault.seat != seat:
                raise PlatformError(f"the house's own bot failed: {fault}")
            faults.append(fault)
    return faults, stats


def _say(fault: Fault) -> str:
    """Say what happened and what proves it, in one line."""
    return "; ".join(
        part
        for part in (fault.evidence.detail or fault.kind.value, *_proof(fault.kind, fault.evidence))
        if part
    )


def _proof(kind: FaultKind, evidence: Evidence) -> list[str]:
    """List what was measured and exchanged."""
    proof = []
    is_timed = kind is not FaultKind.OUT_OF_MEMORY and evidence.limit_ms is not None
    if is_timed and evidence.wall_ms is not None:
        proof.append(f"limit {evidence.limit_ms} ms, took {evidence.wall_ms:.1f} ms")
    if evidence.last_question:
        proof.append(f"asked: {evidence.last_question}")
    if evidence.last_answer:
        proof.append(f"answered: {evidence.last_answer}")
    if evidence.exit_signal is not None:
        proof.append(f"ended by signal {evidence.exit_signal}")
    if evidence.exit_code is not None:
        proof.append(f"exit status {evidence.exit_code}")
    if evidence.spent:
        proof.append(evidence.spent)
    return [text.replace("\n", " ")[:300] for text in proof]
