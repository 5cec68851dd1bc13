"""What a worker's child does with a message: claim, play, write.

Owns the life of one job in the process that plays it. A message is only a hint, so whatever happens here ends
in a row or in nothing, never in a message that comes again and again. Bot faults are results; only the
platform's failures give a job back.
"""

import logging
import mmap
from collections.abc import Callable
from dataclasses import dataclass, field

from arena.config import Settings
from arena.errors import ArenaError, PlatformError
from arena.service import jobs, messages
from arena.service.disk import why_full
from arena.service.jobs import Lease, Outcome
from arena.service.play import JobPlayer, SandboxLostError
from arena.store.jobs import Abilities
from arena.store.pool import Database, StoreFullError
from arena.store.rows import JobId
from arena.worker.lease import FencedError, LeaseKeeper
from arena.worker.logs import about
from arena.worker.metrics import Meters

log = logging.getLogger("arena.worker")

FULL_PAUSE_S = 10.0
"""How long a job rests that a full disk, or a sandbox that no longer holds, gave back."""
SANDBOX_LOST = "its sandbox does not hold any more"
"""Why a worker has paused that plays no bot without the walls it was started with."""

PASSED_ON = "passed on"
"""What came of a message that is another worker's."""


class SharedFlag:
    """One byte that the worker's processes share."""

    def __init__(self) -> None:
        self._byte = mmap.mmap(-1, 1)

    def set(self, *, to: bool = True) -> None:
        """Set it, or take it back."""
        self._byte[0] = int(to)

    def is_set(self) -> bool:
        """Return whether it is set."""
        return self._byte[0] != 0


@dataclass(slots=True)
class Desk:
    """What the child works with; made in the main process, so it holds nothing that a fork would break."""

    name: str
    """The worker's name in rows and messages."""
    settings: Settings
    database: Database
    """The child's connection, opened after the fork."""
    renewals: Database
    """The connection of the thread that keeps the lease."""
    abilities: Abilities
    player: JobPlayer
    meters: Meters = field(default_factory=Meters)
    stop: SharedFlag = field(default_factory=SharedFlag)
    """Set in the main process: the child is to stop playing."""
    is_open: SharedFlag = field(default_factory=SharedFlag)
    """Set in the child: the sandbox has been seen not to hold, and no job is taken until it does."""
    still_holds: Callable[[], bool] = lambda: True
    """Attacks the sandbox anew."""
    has_job: SharedFlag = field(default_factory=SharedFlag)
    """Set in the child while it has a job in hand: so its next one knows what was lost with it."""


def serve(desk: Desk, wanted: JobId) -> str:
    """Do what a message asks for; return in one word what came of it."""
    if desk.stop.is_set():
        return "stopping"
    if full := why_full(desk.settings.data_folder):
        log.warning("paused job=%s reason=%s", wanted, full)
        return "paused"
    if desk.is_open.is_set():
        if not desk.still_holds():
            log.warning("paused job=%s reason=%s", wanted, SANDBOX_LOST)
            return "paused"
        log.info("sandbox_holds_again")
        desk.is_open.set(to=False)
    try:
        lease = jobs.claim(
            desk.database, desk.name, desk.abilities, lease_s=desk.settings.lease_s, wanted=wanted
        )
    except PlatformError as error:
        # The message is gone, the job is not: the reconciler sends it again.
        log.warning("claim_failed job=%s error=%s", wanted, error)
        return "unclaimed"
    if lease is None:
        return _do_without(desk, wanted)
    bots = ",".join(entry.label for entry in lease.entries)
    with about(job=lease.job.id, fence=lease.job.fence, tournament=lease.tournament.name, bots=bots):
        desk.has_job.set()
        try:
            return _play(desk, lease)
        finally:
            desk.has_job.set(to=False)


def count_lost_job(desk: Desk) -> None:
    """Count the job that the child before this one had in hand, if it ended with it."""
    if desk.has_job.is_set():
        desk.has_job.set(to=False)
        log.warning("child_lost reason=it ended with a job in hand, which is played again")
        desk.meters.failed()


def _do_without(desk: Desk, wanted: JobId) -> str:
    """See to a message whose job this worker cannot play: another one may be able to."""
    try:
        if messages.pass_on(desk.database, wanted, desk.abilities):
            log.info("passed_on job=%s reason=it needs what this worker has not", wanted)
            return PASSED_ON
    except PlatformError as error:
        log.warning("pass_on_failed job=%s error=%s", wanted, error)
    log.info("nothing_ready job=%s", wanted)
    return "nothing"


def _play(desk: Desk, lease: Lease) -> str:
    """Play a leased job and write what came of it."""
    job = lease.job
    log.info("job_claimed job=%s fence=%s matches=%s", job.id, job.fence, job.matches)
    try:
        with LeaseKeeper(desk.renewals, lease, desk.settings.lease_s) as keeper:
            outcome = desk.player(lease, on_progress=keeper.note, should_stop=desk.stop.is_set)
            keeper.write_now()
            written = jobs.finish(desk.database, lease, outcome, job_seconds=desk.settings.job_target_s)
    except FencedError:
        desk.meters.lost_lease()
        return "fenced"
    except Exception as error:  # noqa: BLE001 (whatever it was, the job must not stay ours)
        return _give_back(desk, lease, error)
    if not written:
        log.warning("fenced job=%s fence=%s", job.id, job.fence)
        desk.meters.lost_lease()
        return "fenced"
    _tell(desk, lease, outcome)
    return "finished"


def _tell(desk: Desk, lease: Lease, outcome: Outcome) -> None:
    """Say and count what a written job brought."""
    matches = outcome.matches
    log.info(
        "job_finished job=%s matches=%s replanned=%s", lease.job.id, len(matches), len(outcome.replanned)
    )
    verdicts = [fault.kind for match in matches for fault in match.faults]
    desk.meters.played(len(matches), sum(match.decisions for match in matches), verdicts)
    if not verdicts:
        return
    try:
        told = jobs.verdicts(desk.database, lease)
    except PlatformError as error:
        log.warning("verdicts_untold job=%s error=%s", lease.job.id, error)
        return
    for verdict in told:
        log.info("verdict match=%s bot=%s kind=%s", verdict.match_id, verdict.bot, verdict.kind)


def _give_back(desk: Desk, lease: Lease, error: Exception) -> str:
    """Give a job back that could not be played, and say why."""
    expected = isinstance(error, ArenaError)
    desk.meters.failed()
    log.log(
        logging.WARNING if expected else logging.ERROR,
        "job_failed job=%s error=%s",
        lease.job.id,
        error,
        exc_info=None if expected else error,
    )
    try:
        if isinstance(error, StoreFullError) or why_full(desk.settings.data_folder):
            jobs.hand_back(desk.database, lease, reason=f"disk full: {error}", pause_s=FULL_PAUSE_S)
        elif isinstance(error, SandboxLostError):
            desk.is_open.set()
            reason = " ".join(f"{SANDBOX_LOST}: {error}".split())[:500]
            jobs.hand_back(desk.database, lease, reason=reason, pause_s=FULL_PAUSE_S)
        else:
            jobs.fail(desk.database, lease, reason=" ".join(str(error).split())[:500])
    except PlatformError as unreachable:
        log.warning("give_back_failed job=%s error=%s", lease.job.id, unreachable)
    return "failed"
