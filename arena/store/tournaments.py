"""Tournaments, their entries and pairings.

Owns the rows of what is to be played; which pairings and keys there are is decided by `arena.tournament`. It
never commits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.errors import UsageError, nearest, quote
from arena.store.fetch import execute, fetch_all, fetch_number, fetch_numbers, fetch_one
from arena.store.pool import Connection
from arena.store.rows import (
    EntryProgressRow,
    EntryRow,
    LeftRow,
    PairingRow,
    ProgressRow,
    TournamentId,
    TournamentRow,
    VersionId,
)
from arena.store.sql import query

MANY = 1_000_000_000
WHOLE_WIN = 2520
"""A win in the counters of a pairing: divisible by every number of bots that may share a place."""


def add_tournament(connection: Connection, values: Mapping[str, object]) -> TournamentRow | None:
    """Write a tournament and return it; None when its name is taken."""
    number = fetch_number(connection, "insert_tournament", **values)
    return None if number is None else get_by_id(connection, TournamentId(number))


def find_tournament(connection: Connection, name: str) -> TournamentRow | None:
    """Return the tournament of that name, without regard to case."""
    return fetch_one(
        connection, TournamentRow, "select_tournaments", name=name, id=None, unlisted=True, limit=1
    )


def get_tournament(connection: Connection, name: str) -> TournamentRow:
    """Return the tournament of that name.

    Raises:
        UsageError: There is none; the message names the nearest.
    """
    if (found := find_tournament(connection, name)) is not None:
        return found
    hint = nearest(name, (row.name for row in list_tournaments(connection)))
    raise UsageError(f"no tournament is named {quote(name)}{hint}; see `arena tournament list`")


def get_by_id(connection: Connection, tournament_id: TournamentId) -> TournamentRow:
    """Return the tournament of that number, which exists."""
    values = {"name": None, "id": tournament_id, "unlisted": True, "limit": 1}
    found = fetch_one(connection, TournamentRow, "select_tournaments", **values)
    if found is None:
        raise UsageError(f"no tournament has the number {tournament_id}")
    return found


def list_tournaments(
    connection: Connection, limit: int = MANY, *, unlisted: bool = False
) -> list[TournamentRow]:
    """Return tournaments, newest first; those of comparisons only where they are asked for."""
    values = {"name": None, "id": None, "unlisted": unlisted, "limit": limit}
    return fetch_all(connection, TournamentRow, "select_tournaments", **values)


def lock(connection: Connection, tournament_id: TournamentId) -> None:
    """Make everybody else who changes this tournament's state wait for this transaction."""
    execute(connection, "lock_tournament", {"tournament_id": tournament_id})


def add_entry(
    connection: Connection, tournament_id: TournamentId, version_id: VersionId, twin: int = 0
) -> bool:
    """Enter a version; False when it is entered already."""
    values = {"tournament_id": tournament_id, "version_id": version_id, "twin": twin}
    return execute(connection, "insert_entry", values) == 1


def list_entries(
    connection: Connection, tournament_id: TournamentId, numbers: Sequence[int] | None = None
) -> list[EntryRow]:
    """Return all entries by number, or those of these numbers."""
    given = None if numbers is None else list(numbers)
    return fetch_all(connection, EntryRow, "select_entries", tournament_id=tournament_id, numbers=given)


def list_suspended(connection: Connection, tournament_id: TournamentId) -> list[int]:
    """Return the numbers of the suspended entries."""
    return fetch_numbers(connection, "select_suspended", tournament_id=tournament_id)


def list_resting(connection: Connection, tournament_id: TournamentId) -> list[int]:
    """Return the numbers of the entries that are suspended or of a retired version."""
    return fetch_numbers(connection, "select_resting", tournament_id=tournament_id)


def add_pairings(
    connection: Connection, tournament_id: TournamentId, pairings: Iterable[Sequence[int]], *, first: int = 0
) -> int:
    """Write pairings, numbered from `first` on, and return how many."""
    number = 0
    with connection.cursor() as cursor, cursor.copy(query("copy_pairings")) as copy:
        copy.set_types(["int4", "int4", "int2[]"])
        for number, entries in enumerate(pairings, start=1):
            copy.write_row((tournament_id, first + number - 1, list(entries)))
    return number


def close_entries(connection: Connection, tournament_id: TournamentId, key: bytes) -> bool:
    """Close the entries and set the key; False when they were closed already."""
    return execute(connection, "update_tournament_closed", {"tournament_id": tournament_id, "key": key}) == 1


def set_paused(connection: Connection, tournament_id: TournamentId, *, paused: bool) -> None:
    """Keep a running tournament's jobs from being claimed, or let them be claimed again."""
    execute(connection, "update_tournament_paused", {"tournament_id": tournament_id, "paused": paused})


def extend(connection: Connection, tournament_id: TournamentId, deal_sets: int) -> None:
    """Let a comparison play up to so many deal sets; it keeps what it was promised before."""
    values = {"tournament_id": tournament_id, "deal_sets": deal_sets}
    execute(connection, "update_tournament_extended", values)


def interrupt_all(connection: Connection) -> Sequence[str]:
    """Pause every tournament that is under way; return their names."""
    return [str(name) for (name,) in connection.execute(query("interrupt_tournaments"))]


def list_paused(connection: Connection, *, ladders: bool) -> Sequence[str]:
    """Return the names of the tournaments that wait to be run again: the ladders, or all others."""
    return [str(name) for (name,) in connection.execute(query("select_paused"), {"ladders": ladders})]


def finish_if_over(connection: Connection, tournament_id: TournamentId) -> bool:
    """End a tournament that has nothing left to play; False when it has, or was ended already."""
    return execute(connection, "update_tournament_finished", {"tournament_id": tournament_id}) == 1


def cancel(connection: Connection, tournament_id: TournamentId) -> bool:
    """Stop a tournament and its jobs; False when it was over."""
    values = {"tournament_id": tournament_id}
    if execute(connection, "update_tournament_cancelled", values) == 0:
        return False
    execute(connection, "cancel_jobs", values)
    execute(connection, "cancel_leases", values)
    return True


def pairings_to_plan(
    connection: Connection, tournament_id: TournamentId, suspended: Sequence[int], limit: int
) -> list[PairingRow]:
    """Return the pairings that are least far planned, locked until the transaction ends."""
    values = {"tournament_id": tournament_id, "suspended": list(suspended), "limit": limit}
    return fetch_all(connection, PairingRow, "select_pairings_to_plan", **values)


def list_pairings(connection: Connection, tournament_id: TournamentId) -> list[PairingRow]:
    """Return all pairings by number: of formats that have few."""
    return fetch_all(connection, PairingRow, "select_pairings", tournament_id=tournament_id)


def count_left(connection: Connection, tournament_id: TournamentId, resting: Sequence[int]) -> LeftRow:
    """Return how much is left to play without the entries `resting`."""
    values = {"tournament_id": tournament_id, "resting": list(resting)}
    found = fetch_one(connection, LeftRow, "count_matches_left", **values)
    return found or LeftRow(0, 0, 0)


def list_left(
    connection: Connection, tournament_id: TournamentId, resting: Sequence[int], *, begun: bool, limit: int
) -> list[PairingRow]:
    """Return the first pairings with matches left, of those that are begun or of the others."""
    values = {"tournament_id": tournament_id, "resting": list(resting), "begun": begun, "limit": limit}
    return fetch_all(connection, PairingRow, "select_pairings_left", **values)


def count_meetings(connection: Connection, tournament_id: TournamentId) -> dict[int, int]:
    """Return of each entry in how many pairings it is that no suspended opponent stopped."""
    rows = connection.execute(query("count_meetings"), {"tournament_id": tournament_id}).fetchall()
    return {int(str(entry)): int(str(count)) for entry, count in rows}


def count_unfinished(connection: Connection, tournament_id: TournamentId, *, at_most: int) -> int:
    """Return how many pairings have something left to plan or to play, counted to `at_most`."""
    values = {"tournament_id": tournament_id, "at_most": at_most}
    return fetch_number(connection, "count_unfinished_pairings", **values) or 0


def match_us_of(
    connection: Connection, tournament_id: TournamentId, entries: Sequence[int]
) -> dict[int, float]:
    """Return what a match took the slowest pairing of each entry, of those that were planned last."""
    values = {"tournament_id": tournament_id, "entries": list(entries)}
    found = connection.execute(query("select_match_us"), values).fetchall()
    return {int(str(entry)): float(str(match_us)) for entry, match_us in found}


def is_played_out(connection: Connection, tournament_id: TournamentId) -> bool:
    """Say whether nothing that was planned or paired is left to play."""
    return bool(fetch_number(connection, "count_left", tournament_id=tournament_id) == 0)


def get_pairing(connection: Connection, tournament_id: TournamentId, number: int) -> PairingRow:
    """Return a pairing, which exists."""
    values = {"tournament_id": tournament_id, "number": number}
    found = fetch_one(connection, PairingRow, "select_pairing", **values)
    if found is None:
        raise UsageError(f"tournament {tournament_id} has no pairing {number}")
    return found


def note_planned(connection: Connection, tournament_id: TournamentId, number: int, sets_planned: int) -> None:
    """Note how many deal sets of a pairing are in jobs."""
    values = {"tournament_id": tournament_id, "number": number, "sets_planned": sets_planned}
    execute(connection, "update_pairing_planned", values)


@dataclass(frozen=True, slots=True)
class Played:
    """What a job adds to the counters of its pairing."""

    matches: int
    """Matches that ended."""
    play_us: int
    """Time that they took the worker."""
    wins: Sequence[int]
    """Wins of each entry of the pairing, in parts of `WHOLE_WIN`."""
    faults: Sequence[int]
    """Faults of each entry of the pairing."""


def note_played(connection: Connection, tournament_id: TournamentId, number: int, played: Played) -> None:
    """Add what a job played to the counters of its pairing."""
    values = {
        "tournament_id": tournament_id,
        "number": number,
        "matches": played.matches,
        "play_us": played.play_us,
        "wins": list(played.wins),
        "faults": list(played.faults),
    }
    execute(connection, "update_pairing_played", values)


def suspend_if_due(connection: Connection, tournament_id: TournamentId, entry: int) -> bool:
    """Suspend an entry that died too often and cancel its jobs; False when it is not due, or was done."""
    values = {"tournament_id": tournament_id, "entry": entry}
    if not fetch_numbers(connection, "suspend_entry", **values):
        return False
    execute(connection, "cancel_jobs_of_entry", values)
    return True


def progress(connection: Connection, tournament_id: TournamentId) -> ProgressRow:
    """Return how far a tournament is."""
    found = fetch_one(connection, ProgressRow, "select_progress", tournament_id=tournament_id)
    if found is None:
        raise UsageError(f"no tournament has the number {tournament_id}")
    return found


def entry_progress(connection: Connection, tournament_id: TournamentId) -> list[EntryProgressRow]:
    """Return matches, wins and faults of each entry."""
    return fetch_all(connection, EntryProgressRow, "select_entry_progress", tournament_id=tournament_id)
