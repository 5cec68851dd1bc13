"""A job's life in a worker's hands: claim, heartbeat, finish, hand back, fail.

Owns the rules of at-most-once results: whatever a worker does is guarded by the fence of its lease, and a
result is one transaction with everything that follows from it. Bot faults are results; failures of the
platform are retries, never results. What is played is decided in `arena.service.schedule`, how in
`arena.service.play`.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import PlatformError
from arena.match.plan import ClockSettings
from arena.service import schedule
from arena.service.messages import announce_refused
from arena.store import jobs, matches, tournaments
from arena.store.jobs import Abilities
from arena.store.matches import NewUsage, PlayedBy
from arena.store.pool import Connection, Database, back_off
from arena.store.rows import EntryRow, JobId, JobRow, MatchId, NewDeath, NewMatch, TournamentRow
from arena.store.tournaments import WHOLE_WIN, Played
from arena.tournament.planning import JOB_SECONDS, replan

FINISH_PATIENCE_S = 600.0
"""How long a worker keeps a result that the database cannot take."""
FAILURE_PAUSE_S = 1.0
"""How long a job rests after the platform failed it, times the number of failures."""


@dataclass(frozen=True, slots=True)
class Lease:
    """A job that this worker owns until its lease runs out."""

    job: JobRow
    tournament: TournamentRow
    entries: Sequence[EntryRow]
    """The entries that meet, in the pairing's order."""
    worker: str

    @property
    def clock(self) -> ClockSettings:
        """The clock of the tournament."""
        row = self.tournament
        return ClockSettings(
            budget_ms=row.budget_ms, bank_ms=row.bank_ms, hello_ms=row.hello_ms, tables_max=row.tables_max
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of playing a job."""

    matches: Sequence[NewMatch]
    """Finished matches, by deal set."""
    replanned: Sequence[int]
    """Deal sets whose match was not finished: nothing of them counts."""
    deaths: Sequence[NewDeath]
    """Processes that died or broke the protocol as a whole."""
    play_us: int
    """How long the worker played."""
    level: str
    """Isolation under which all of it was played."""
    bwrap: str = ""
    """Version of bubblewrap."""
    filter_hash: str = ""
    """Hash of the system-call filter."""
    cut: bool = False
    """The job's time was over: what is left goes into smaller jobs."""
    used: Sequence[NewUsage] = ()
    """What the bots' processes used, where somebody looked; it tells no result from another."""
    thought_us: Sequence[int] = ()
    """How long each bot thought, in the pairing's order."""

    def sha256(self) -> bytes:
        """Return a digest that tells this result from every other one."""
        told = hashlib.sha256()
        for match in self.matches:
            told.update(b"%d " % match.deal_set + match.sha256)
        told.update(
            repr((sorted(self.replanned), [(death.entry, death.kind) for death in self.deaths])).encode()
        )
        return told.digest()


def claim(
    database: Database, worker: str, abilities: Abilities, *, lease_s: float, wanted: JobId | None = None
) -> Lease | None:
    """Lease the wanted job if it is ready, else the oldest one that is; None when there is none.

    Raises:
        PlatformError: The database is unreachable or too busy.
    """

    def work(connection: Connection) -> Lease | None:
        jobs.announce(connection, jobs.take_back_expired(connection))
        job = None
        for choice in (wanted, None) if wanted is not None else (None,):
            job = job or jobs.claim(connection, worker, abilities, lease_s=lease_s, wanted=choice)
        if job is None:
            return None
        jobs.note_worker(connection, worker, "busy", job=job.id)
        pairing = tournaments.get_pairing(connection, job.tournament_id, job.pairing)
        met = tournaments.list_entries(connection, job.tournament_id, pairing.entries)
        return Lease(job, tournaments.get_by_id(connection, job.tournament_id), met, worker)

    return database.run(work)


def heartbeat(database: Database, lease: Lease, *, lease_s: float, progress: int, decisions: int) -> bool:
    """Renew a lease and tell how far its job is; False when the lease is somebody else's: stop at once."""
    return database.run(
        lambda connection: jobs.renew(
            connection,
            lease.job.id,
            lease.job.fence,
            lease_s=lease_s,
            progress=progress,
            decisions=decisions,
        )
    )


def finish(
    database: Database,
    lease: Lease,
    outcome: Outcome,
    *,
    job_seconds: float = JOB_SECONDS,
    patience_s: float = FINISH_PATIENCE_S,
) -> bool:
    """Write what came of a job, once; False when the lease is somebody else's and nothing was written.

    A reply that was lost leaves open whether the result is written. Trying again answers that: the fence lets
    the result in once, and its digest tells whether it is already there.

    Raises:
        PlatformError: The database took nothing for `patience_s`; the job will be played again.
    """
    if not outcome.matches and not outcome.deaths and not outcome.cut:
        return hand_back(database, lease, reason="stopped before any match ended")
    for pause in back_off(patience_s):
        try:
            return database.run(lambda connection: _finish(connection, lease, outcome, job_seconds))
        except PlatformError:
            if pause is None:
                raise
            time.sleep(pause)
    raise AssertionError("unreachable")


def _finish(connection: Connection, lease: Lease, outcome: Outcome, job_seconds: float) -> bool:
    job, digest = lease.job, outcome.sha256()
    ended = jobs.finish(
        connection, job.id, job.fence, state="done", sha256=digest, progress=len(outcome.matches), reason=""
    )
    if not ended:
        return jobs.is_finished(connection, job.id, job.fence, digest)
    played = PlayedBy(
        tournament_id=job.tournament_id,
        pairing=job.pairing,
        rotation=job.rotation,
        job_id=job.id,
        fence=job.fence,
        worker=lease.worker,
        level=outcome.level,
        bwrap=outcome.bwrap,
        filter_hash=outcome.filter_hash,
    )
    matches.add_matches(connection, played, outcome.matches)
    matches.add_deaths(connection, played, outcome.deaths)
    matches.add_usage(connection, played, outcome.used)
    tournaments.note_played(connection, job.tournament_id, job.pairing, _count(lease, outcome))
    _go_on(connection, lease, outcome, job_seconds)
    return True


def _count(lease: Lease, outcome: Outcome) -> Played:
    """Count what the live table shows."""
    wins = {entry.number: 0 for entry in lease.entries}
    faults = dict.fromkeys(wins, 0)
    for match in outcome.matches:
        first = [entry for entry, place in zip(match.entries, match.places, strict=True) if place == 1]
        for entry in first:
            wins[entry] += WHOLE_WIN // len(first)
        for fault in match.faults:
            faults[match.entries[fault.seat]] += 1
    return Played(len(outcome.matches), outcome.play_us, list(wins.values()), list(faults.values()))


def _go_on(connection: Connection, lease: Lease, outcome: Outcome, job_seconds: float) -> None:
    """Plan and announce what follows from a result."""
    job = lease.job
    ready = _replan(connection, lease, outcome)
    for death in outcome.deaths:
        tournaments.suspend_if_due(connection, job.tournament_id, death.entry)
    if (following := jobs.next_ready(connection, job.id)) is not None and following not in ready:
        ready.append(following)
    jobs.announce(connection, ready)
    schedule.plan(connection, job.tournament_id, job_seconds=job_seconds)
    schedule.finish_if_over(connection, job.tournament_id, job_seconds=job_seconds)
    jobs.note_worker(connection, lease.worker, "idle", done=1)
    announce_refused(connection)


def _replan(connection: Connection, lease: Lease, outcome: Outcome) -> list[JobId]:
    """Put the matches that did not end into new jobs; none of an entry that is suspended."""
    job = lease.job
    if not outcome.replanned:
        return []
    pairing = tournaments.get_pairing(connection, job.tournament_id, job.pairing)
    if not set(pairing.entries).isdisjoint(tournaments.list_suspended(connection, job.tournament_id)):
        return []
    rest = sorted(outcome.replanned)
    blocks = replan(rest, job.matches) if outcome.cut else [tuple(rest)]
    added = [
        schedule.add_job(connection, lease.tournament, lease.entries, pairing, job.rotation, block)
        for block in blocks
    ]
    if outcome.cut and not outcome.matches and not outcome.deaths:
        # Not one match in all that time: as often as for other failures of the platform, and no more.
        return jobs.note_cut(connection, added, infra=job.infra + 1, reason=_tell_cut(lease, outcome))
    return added


def _tell_cut(lease: Lease, outcome: Outcome) -> str:
    """Say whose thinking took the time of a job in which nothing was finished."""
    shares = zip(lease.entries, outcome.thought_us, strict=False)
    thought = ", ".join(f"{entry.label} thought for {spent / 1e6:.0f} s" for entry, spent in shares)
    took_s = outcome.play_us / 1e6
    return f"infra: cut after {took_s:.0f} s with no match finished; {thought or 'no bot thought'}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A fault of a bot in a written match."""

    match_id: MatchId
    bot: str
    """Its label."""
    kind: str


def verdicts(database: Database, lease: Lease) -> list[Verdict]:
    """Return the faults in what a lease wrote, for the log."""
    job, labels = lease.job, {entry.number: entry.label for entry in lease.entries}
    found = database.run(
        lambda connection: matches.list_verdicts(
            connection, job.tournament_id, job.pairing, job.rotation, job.sets
        )
    )
    return [Verdict(match_id, labels[entry], kind) for match_id, entry, kind in found]


def hand_back(database: Database, lease: Lease, *, reason: str, pause_s: float = 0.0) -> bool:
    """Give a job back unplayed; False when it is somebody else's already."""

    def work(connection: Connection) -> bool:
        job = lease.job
        given = jobs.hand_back(connection, job.id, job.fence, reason=reason, pause_s=pause_s)
        if given and not pause_s:
            jobs.announce(connection, [job.id])
        if given:
            jobs.note_worker(connection, lease.worker, "idle")
        return given

    return database.run(work)


def fail(database: Database, lease: Lease, *, reason: str) -> bool:
    """Give a job back because the platform failed it; False when it is somebody else's already."""

    def work(connection: Connection) -> bool:
        job = lease.job
        pause_s = FAILURE_PAUSE_S * (job.infra + 1)
        given = jobs.fail_lease(connection, job.id, job.fence, reason=f"infra: {reason}", pause_s=pause_s)
        if given:
            jobs.note_worker(connection, lease.worker, "idle")
        return given

    return database.run(work)
