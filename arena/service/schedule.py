"""Which jobs a running tournament has: planned lazily, a few more than there are workers to take them.

Owns the moment at which blocks of deal sets become job rows, and the end of a tournament. Sizes and keys are
decided by `arena.tournament`. Every function works inside its caller's transaction.
"""

from collections.abc import Sequence

from arena.protocol.version import NEWEST
from arena.store import jobs, tournaments
from arena.store.pool import Connection
from arena.store.rows import EntryRow, JobId, NewJob, PairingRow, TournamentId, TournamentRow
from arena.tournament.planning import (
    JOB_MATCHES_MAX,
    JOB_SECONDS,
    Progress,
    cut,
    first_sets,
    plan_blocks,
    plan_jobs,
)
from arena.tournament.plans import is_last_round, parse_plan
from arena.tournament.swiss import STRIDE, Scored, pair_round

SPARE = 2
"""Ready jobs that are kept for each worker, so that none waits for a plan."""
CLOSE_TO_THE_END = 100
"""Unfinished jobs below which every finished one looks whether it was the last."""


def plan(
    connection: Connection, tournament_id: TournamentId, *, workers: int = 1, job_seconds: float = JOB_SECONDS
) -> list[JobId]:
    """Plan jobs until every worker has some to take; announce those that can be taken at once."""
    workers = max(workers, jobs.count_workers(connection), 1)
    wanted = SPARE * workers - jobs.count_ready(connection, tournament_id)
    if wanted <= 0:
        return []
    tournament = tournaments.get_by_id(connection, tournament_id)
    planned: list[JobId] = []
    for pairing in _pairings_to_plan(connection, tournament, workers, wanted):
        if len(planned) >= wanted:
            break
        planned += _plan_pairing(connection, tournament, pairing, workers, job_seconds)
    jobs.announce(connection, planned)
    return planned


def _pairings_to_plan(
    connection: Connection, tournament: TournamentRow, workers: int, wanted: int
) -> list[PairingRow]:
    """Return the pairings to go on with; a ladder whose helpings come to an end gets new ones."""
    is_ladder = parse_plan(tournament.format).is_ladder
    list_out = tournaments.list_resting if is_ladder else tournaments.list_suspended
    suspended = list_out(connection, tournament.id)
    found = tournaments.pairings_to_plan(connection, tournament.id, suspended, limit=wanted)
    if len(found) < wanted and is_ladder:
        # Only who chooses for a ladder needs arrays, and a worker has better use for the memory.
        from arena.service.ladder import choose_helpings  # noqa: PLC0415

        choose_helpings(connection, tournament.id, workers=workers, wanted=wanted)
        found = tournaments.pairings_to_plan(connection, tournament.id, suspended, limit=wanted)
    return found


def _blocks(
    connection: Connection, tournament: TournamentRow, pairing: PairingRow, workers: int, job_seconds: float
) -> list[range]:
    """Return the next blocks of a pairing's deal sets."""
    chosen = parse_plan(tournament.format)
    if chosen.is_ladder:
        # A helping is small, and is chosen to be played at once.
        left = tournament.deal_sets - pairing.sets_planned
        return cut(pairing.sets_planned, left, -(-left // JOB_MATCHES_MAX))
    # Nobody begins the next fold of the schedule in a block of this one.
    fold = tournament.deal_sets // chosen.folds
    due = (pairing.sets_planned // fold + 1) * fold
    first = first_sets(tournament.budget_ms, tournament.bank_ms, len(pairing.entries))
    known = Progress(due, pairing.sets_planned, _match_seconds(connection, pairing), first)
    pairings = tournaments.count_unfinished(connection, tournament.id, at_most=workers)
    return plan_blocks(known, workers, pairings=pairings, job_seconds=job_seconds)


def _match_seconds(connection: Connection, pairing: PairingRow) -> float | None:
    """Return what a match of these bots takes: measured, else as with the slowest of their opponents."""
    if pairing.matches_done:
        return pairing.play_us / pairing.matches_done / 1_000_000
    known = tournaments.match_us_of(connection, pairing.tournament_id, pairing.entries)
    if not known.keys() >= set(pairing.entries):
        return None  # One that nobody has seen may be as slow as the clock allows.
    return max(known.values()) / 1_000_000


def _plan_pairing(
    connection: Connection,
    tournament: TournamentRow,
    pairing: PairingRow,
    workers: int,
    job_seconds: float,
) -> list[JobId]:
    """Plan the next blocks of one pairing; return the jobs of their first rotations."""
    entries = tournaments.list_entries(connection, tournament.id, pairing.entries)
    first: list[JobId] = []
    planned = pairing.sets_planned
    for block in _blocks(connection, tournament, pairing, workers, job_seconds):
        rotations = [
            add_job(connection, tournament, entries, pairing, job.rotation, job.sets)
            for job in plan_jobs(block, tournament.seats)
        ]
        first.append(rotations[0])
        planned = block.stop
    tournaments.note_planned(connection, tournament.id, pairing.number, planned)
    return first


def add_job(
    connection: Connection,
    tournament: TournamentRow,
    entries: Sequence[EntryRow],
    pairing: PairingRow,
    rotation: int,
    sets: Sequence[int],
) -> JobId:
    """Write one job of the pairing between `entries`, with all that a worker must be able to do for it."""
    runtimes = sorted({entry.runtime for entry in entries})
    return jobs.add_job(
        connection,
        NewJob(
            tournament_id=tournament.id,
            pairing=pairing.number,
            rotation=rotation,
            sets=sets,
            rules_epoch=tournament.rules_epoch,
            protocol=NEWEST,
            runtimes=runtimes,
            isolation=tournament.isolation,
        ),
    )


def finish_if_over(
    connection: Connection, tournament_id: TournamentId, *, job_seconds: float = JOB_SECONDS
) -> bool:
    """End the tournament when nothing of it is left to play, or begin the next round of a Swiss.

    A ladder is never over.

    Two jobs that end at the same moment do not see each other's end. Close to the end of a tournament each
    therefore waits for the other's transaction before it looks.
    """
    if jobs.count_unfinished(connection, tournament_id) >= CLOSE_TO_THE_END:
        return False
    if parse_plan(tournaments.get_by_id(connection, tournament_id).format).is_ladder:
        return False
    tournaments.lock(connection, tournament_id)
    if _begin_round(connection, tournament_id):
        plan(connection, tournament_id, job_seconds=job_seconds)
        return False
    return tournaments.finish_if_over(connection, tournament_id)


def _begin_round(connection: Connection, tournament_id: TournamentId) -> bool:
    """Pair the next round of a Swiss whose former one is played; False where there is none to come."""
    tournament = tournaments.get_by_id(connection, tournament_id)
    chosen = parse_plan(tournament.format)
    if tournament.state != "running" or not chosen.is_swiss:
        return False
    if not tournaments.is_played_out(connection, tournament_id):
        return False
    entries = tournaments.entry_progress(connection, tournament_id)
    pairings = tournaments.list_pairings(connection, tournament_id)
    if is_last_round(chosen, len(entries), [pairing.number for pairing in pairings]):
        return False
    scored = [
        Scored(entry.number, entry.wins / entry.matches if entry.matches else 0.5)
        for entry in entries
        if not entry.suspended
    ]
    pairs = pair_round(scored, [(pairing.entries[0], pairing.entries[1]) for pairing in pairings])
    first = (max(pairing.number for pairing in pairings) // STRIDE + 1) * STRIDE
    return tournaments.add_pairings(connection, tournament_id, pairs, first=first) > 0
