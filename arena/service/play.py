"""Plays one leased job with real bots, each in its own sandbox, and says what came of it.

Owns the way from a lease to a played job: bundles from the cache, keys and seats from `arena.tournament`,
processes from `arena.botproc`, results as rows. Refuses to write anything: that is `arena.service.jobs`'.
Must be called from the main thread of its process, whose end is the bots' end.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from arena.botproc.limits import Limits
from arena.botproc.live import LiveBot, PlayedTables, Progress
from arena.botproc.probe import still_holds
from arena.botproc.sandbox import Sandbox
from arena.botproc.seat import SeatProcess
from arena.bundle.cache import BundleCache
from arena.errors import PlatformError, UsageError
from arena.match.fault import Fault
from arena.match.plan import TablePlan
from arena.match.result import MatchResult
from arena.rules.presets import parse_ruleset
from arena.service.ceilings import ceiling_of
from arena.service.deals import find_deals
from arena.service.jobs import Lease, Outcome
from arena.service.seats import Entrant, enter_bundle, running
from arena.store.matches import NewUsage
from arena.store.rows import EntryRow, NewDeath, NewFault, NewMatch
from arena.tournament.seating import seat_bots


class JobPlayer(Protocol):
    """Whatever plays a leased job; `Arena.play` with real bots, or a test's own."""

    def __call__(
        self, lease: Lease, *, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
    ) -> Outcome:
        """Play until the end or until told to stop; what `on_progress` raises ends the job with nothing kept.

        Raises:
            PlatformError: The platform failed; nothing was played.
        """


class SandboxLostError(PlatformError):
    """The sandbox that was proved when the worker started does not hold any more; no bot is to blame."""


@dataclass(frozen=True, slots=True)
class Arena:
    """What a worker plays with."""

    sandbox: Sandbox
    """The isolation that was proved on this machine."""
    bundles: BundleCache
    """Extracted bundles."""
    load_bundle: Callable[[bytes], bytes]
    """Fetches a bundle's bytes by digest."""
    core: int | None = None
    """The core that the bots are pinned to."""
    job_s: float = 600.0
    """When a job is cut."""
    stop_s: float = 5.0
    """How long open matches are played on when the worker is told to stop."""
    on_start: Callable[[int], object] = lambda _: None
    """Told how many sandboxes are started for a job, before they are."""

    def play(
        self, lease: Lease, *, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
    ) -> Outcome:
        """Play a job; see `JobPlayer`.

        Raises:
            SandboxLostError: The machine's sandbox has broken meanwhile.
        """
        try:
            return self._play(lease, on_progress, should_stop)
        except PlatformError as error:
            if self.still_holds():
                raise
            raise SandboxLostError(str(error)) from error

    def still_holds(self) -> bool:
        """Attack the sandbox anew; False when it does not withstand."""
        return still_holds(self.sandbox)

    def _play(
        self, lease: Lease, on_progress: Callable[[Progress], None], should_stop: Callable[[], bool]
    ) -> Outcome:
        # gRPC must not be loaded before a worker's last fork.
        from arena.botproc.tables import play_tables  # noqa: PLC0415

        plans = plan_tables(lease)
        clock = replace(lease.clock, job_s=self.job_s, stop_s=self.stop_s, charges_cut=True)
        with self.bots(lease) as bots:
            played = play_tables(
                bots,
                plans,
                clock,
                parse_ruleset(lease.tournament.ruleset_text),
                on_progress=on_progress,
                should_stop=should_stop,
                probe_starts=self.still_holds,
            )
            used = [_use(entry, bot.process) for entry, bot in zip(lease.entries, bots, strict=True)]
        return replace(
            make_outcome(lease, played, level=self.sandbox.level.value),
            used=used,
            bwrap=self.sandbox.bwrap_version,
            filter_hash=self.sandbox.filter_hash,
        )

    @contextmanager
    def bots(self, lease: Lease) -> Iterator[list[LiveBot]]:
        """Start fresh processes of the job's bots; all are gone at the end, with their folders."""
        try:
            ceiling = ceiling_of(lease.tournament)
            entrants = [self._enter(entry, ceiling) for entry in lease.entries]
        except UsageError as error:
            # It was accepted once, so it is this machine that cannot, not the bot.
            raise PlatformError(f"cannot start the bots of job {lease.job.id}: {error}") from error
        self.on_start(len(entrants))
        with running(self.sandbox, entrants, self.core) as started:
            yield started

    def _enter(self, entry: EntryRow, ceiling: Limits) -> Entrant:
        """Return the bot of an entry, ready to be started."""
        return enter_bundle(
            self.bundles,
            entry.label,
            entry.digest.hex(),
            lambda: self.load_bundle(entry.digest),
            ceiling,
        )


def plan_tables(lease: Lease) -> list[TablePlan]:
    """Return the tables of a job, deal set by deal set."""
    deals = find_deals(lease.tournament, [entry.digest for entry in lease.entries], lease.job.pairing)
    assert deals is not None
    pairing = [entry.number for entry in lease.entries]
    plans = []
    for deal_set in lease.job.sets:
        set_key = deals.set_key(pairing, deal_set)
        order = seat_bots(set_key, len(pairing), lease.job.rotation)
        seeds = tuple(
            deals.bot_seed(pairing, deal_set, lease.job.rotation, pairing[place]) for place in order
        )
        plans.append(TablePlan(deal_set, lease.job.rotation, set_key, order, seeds))
    return plans


def make_outcome(lease: Lease, played: PlayedTables, *, level: str) -> Outcome:
    """Turn played tables into rows."""
    finished = [_match(lease.entries, plan, result) for plan, result in played.finished]
    return Outcome(
        matches=sorted(finished, key=lambda match: match.deal_set),
        replanned=sorted(plan.deal_set for plan in played.replanned),
        deaths=[
            NewDeath(lease.entries[death.bot].number, death.fault.kind.value, _evidence(death.fault))
            for death in played.deaths
        ],
        play_us=played.play_us,
        level=level,
        cut=played.cut,
        thought_us=played.thought_us,
    )


def _use(entry: EntryRow, process: SeatProcess) -> NewUsage:
    used = process.usage()
    return NewUsage(entry.number, used.memory_bytes, used.memory_limit, used.memory_source, used.refused)


def _match(entries: Sequence[EntryRow], plan: TablePlan, result: MatchResult) -> NewMatch:
    seats = result.seats
    return NewMatch(
        deal_set=plan.deal_set,
        entries=[entries[bot].number for bot in plan.order],
        places=result.places,
        totals=result.totals,
        rounds=result.rounds,
        decisions=result.decisions,
        ending=result.ending,
        asked=[seat.decisions for seat in seats],
        wall_us=[seat.wall_us for seat in seats],
        cpu_us=[seat.cpu_us for seat in seats],
        unasked=[seat.unasked for seat in seats],
        dropped=[seat.dropped_answers for seat in seats],
        cut=[seat.dropped_output for seat in seats],
        record=result.record,
        sha256=bytes.fromhex(result.sha256()),
        faults=[NewFault(fault.seat, fault.kind.value, _evidence(fault)) for fault in result.faults],
    )


def _evidence(fault: Fault) -> dict[str, object]:
    """Return the evidence of a fault without what does not apply; JSON in PostgreSQL holds no NUL."""
    told = {name: value for name, value in asdict(fault.evidence).items() if value not in (None, "")}
    return {name: v.replace("\0", "\\0") if isinstance(v, str) else v for name, v in told.items()}
