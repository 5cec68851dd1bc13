"""Facts: matches, faults, deaths; written once, read in many ways.

Owns the one bulk write of a job's results and the listings. Refuses to change a fact. It never commits.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from psycopg.types.json import Jsonb

from arena.errors import UsageError
from arena.store.fetch import execute, fetch_all, fetch_numbers, fetch_one
from arena.store.pool import Connection
from arena.store.rows import (
    BotId,
    FaultRow,
    JobId,
    MatchId,
    MatchRow,
    NewDeath,
    NewMatch,
    RecordRow,
    TournamentId,
    VersionId,
)
from arena.store.sql import query


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """Under which lease, where and how shut in the matches of a job were played."""

    tournament_id: TournamentId
    pairing: int
    rotation: int
    job_id: JobId
    fence: int
    worker: str
    level: str
    bwrap: str
    filter_hash: str


@dataclass(frozen=True, slots=True)
class NewUsage:
    """What the processes of an entry used in a job."""

    entry: int
    memory_bytes: int
    """The most at one time."""
    memory_limit: int
    """How much was granted, in bytes."""
    memory_source: str
    """How that is known."""
    processes_refused: int
    """How many processes and threads were refused to it, as far as that was counted."""


def add_matches(connection: Connection, played: PlayedBy, matches: Sequence[NewMatch]) -> None:
    """Write the matches of one job with their records and faults, and who played them.

    Raises:
        psycopg.errors.UniqueViolation: One of them is written already; the transaction is lost.
    """
    values = {name: getattr(played, name) for name in ("job_id", "fence", "tournament_id")}
    told = {"worker": played.worker, "bwrap": played.bwrap, "filter_hash": played.filter_hash}
    execute(connection, "insert_play", values | told)
    ids = fetch_numbers(connection, "reserve_match_ids", count=len(matches))
    with connection.cursor() as cursor, cursor.copy(query("copy_matches")) as copy:
        for number, match in zip(ids, matches, strict=True):
            copy.write_row(_match_row(number, played, match))
    with connection.cursor() as cursor, cursor.copy(query("copy_records")) as copy:
        for number, match in zip(ids, matches, strict=True):
            copy.write_row((number, match.record))
    faults = [
        {
            "match_id": number,
            "seat": fault.seat,
            "place": place,
            "kind": fault.kind,
            "evidence": Jsonb(fault.evidence),
        }
        for number, match in zip(ids, matches, strict=True)
        for place, fault in enumerate(match.faults)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(query("insert_fault"), faults)


def _match_row(number: int, played: PlayedBy, match: NewMatch) -> tuple[object, ...]:
    return (
        number,
        played.tournament_id,
        played.pairing,
        match.deal_set,
        played.rotation,
        list(match.entries),
        list(match.places),
        list(match.totals),
        match.rounds,
        match.decisions,
        match.ending,
        list(match.asked),
        list(match.wall_us),
        list(match.cpu_us),
        list(match.unasked),
        list(match.dropped),
        list(match.cut),
        match.sha256,
        played.job_id,
        played.fence,
        played.level,
    )


def add_usage(connection: Connection, played: PlayedBy, used: Sequence[NewUsage]) -> None:
    """Write what the bots' processes used in a job whose play is written."""
    where = {"job_id": played.job_id, "tournament_id": played.tournament_id}
    with connection.cursor() as cursor:
        cursor.executemany(query("insert_usage"), [asdict(one) | where for one in used])


def add_deaths(connection: Connection, played: PlayedBy, deaths: Sequence[NewDeath]) -> None:
    """Write which processes died in a job."""
    for death in deaths:
        values = {
            "job_id": played.job_id,
            "fence": played.fence,
            "tournament_id": played.tournament_id,
            "entry": death.entry,
            "kind": death.kind,
            "evidence": Jsonb(death.evidence),
        }
        execute(connection, "insert_death", values)


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are wanted; None stands for any."""

    tournament_id: TournamentId | None = None
    bot_id: BotId | None = None
    """A bot that played in them."""
    version_id: VersionId | None = None
    """Beside `bot_id`: this version of it."""
    ending: str | None = None
    """What they ended by."""
    with_faults: bool = False
    """Whether a bot was at fault in them: the bot of `bot_id`, where one is named."""
    verdict: str | None = None
    """Beside `with_faults`: of this kind."""


def find_match(connection: Connection, match_id: MatchId) -> MatchRow | None:
    """Return a match, None when there is none of that number."""
    return fetch_one(connection, MatchRow, "select_matches", ids=[match_id])


def list_matches(
    connection: Connection, wanted: MatchFilter, *, limit: int, before: MatchId | None = None
) -> list[MatchRow]:
    """Return matches, newest first, those with smaller numbers than `before` alone where that is given.

    Which ones is asked first, in the way that has an index for it: a million matches are not looked at.
    """
    if wanted.with_faults:
        name = "select_newest_with_fault" if wanted.bot_id is None else "select_newest_with_fault_of_bot"
    else:
        name = "select_newest" if wanted.bot_id is None else "select_newest_of_bot"
    ids = fetch_numbers(connection, name, **asdict(wanted), before=before, limit=limit)
    return fetch_all(connection, MatchRow, "select_matches", ids=ids)


def get_record(connection: Connection, match_id: MatchId) -> RecordRow:
    """Return what verifying a match needs.

    Raises:
        UsageError: There is no such match.
    """
    found = fetch_one(connection, RecordRow, "select_record", id=match_id)
    if found is None:
        raise UsageError(f"no match has the number {match_id}; see `arena match list`")
    return found


def list_verdicts(
    connection: Connection, tournament_id: TournamentId, pairing: int, rotation: int, sets: Sequence[int]
) -> list[tuple[MatchId, int, str]]:
    """Return match, entry and kind of each fault in one rotation of some deal sets."""
    values = {"tournament_id": tournament_id, "pairing": pairing, "rotation": rotation, "sets": list(sets)}
    rows = connection.execute(query("select_verdicts"), values).fetchall()
    return [(MatchId(int(str(match))), int(str(entry)), str(kind)) for match, entry, kind in rows]


def list_faults(connection: Connection, match_id: MatchId) -> list[FaultRow]:
    """Return the faults of a match in the order in which they happened."""
    return fetch_all(connection, FaultRow, "select_faults", id=match_id)
