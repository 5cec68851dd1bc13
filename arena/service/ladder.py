"""A ladder: a season without an end, whose next tables are chosen from what its scouts said.

Owns the way from stored facts to `arena.ratings.needs` and back to pairings, who plays on, and what is
published of the secret. A helping is a pairing row: its number is its place in the season.
"""

from dataclasses import dataclass, replace

from arena.ratings.needs import Season, choose, is_scout
from arena.service.standings import read_facts, tournament_standing
from arena.store import tournaments
from arena.store.pool import Connection, Database
from arena.store.rows import TournamentId, TournamentRow
from arena.tournament.seeds import hash_secret, make_part_secret, part_of

AHEAD = 20
"""Helpings that are chosen at a time, by worker, once there are many."""
SHARE = 20
"""And at the most one part in so many of the season so far: what is chosen late is chosen better."""


def choose_helpings(connection: Connection, tournament_id: TournamentId, *, workers: int, wanted: int) -> int:
    """Choose the next helpings of a ladder and write them as pairings; return how many."""
    # Two that end a job at the same moment must not both choose.
    tournaments.lock(connection, tournament_id)
    tournament = tournaments.get_by_id(connection, tournament_id)
    if tournament.state != "running":
        return 0
    resting = set(tournaments.list_resting(connection, tournament_id))
    season = Season(
        active=[
            entry.number
            for entry in tournaments.list_entries(connection, tournament_id)
            if entry.number not in resting
        ],
        seats=tournament.seats,
        sets=tournament.deal_sets,
        helpings=[tuple(row.entries) for row in tournaments.list_pairings(connection, tournament_id)],
    )
    amount = max(wanted, min(len(season.helpings) // SHARE, AHEAD * workers))
    chosen = choose(read_facts(connection, tournament), season, amount)
    return tournaments.add_pairings(connection, tournament_id, chosen, first=len(season.helpings))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a ladder's secret."""

    number: int
    """Which, from 0."""
    secret_hash: bytes
    """What was published before its first deal."""
    secret: bytes | None
    """The secret, once all of the part is played."""


@dataclass(frozen=True, slots=True)
class Helping:
    """A table that a ladder has chosen and not begun."""

    number: int
    """Its place in the season."""
    bots: tuple[str, ...]
    """Who meets."""
    is_scout: bool
    """Whether it only tells where to look."""


@dataclass(frozen=True, slots=True)
class SeasonView:
    """What can be seen of a ladder beside its standing."""

    helpings: int
    """Helpings chosen so far."""
    begun: tuple[Helping, ...]
    """Those of which matches are still to be played."""
    coming: tuple[Helping, ...]
    """Those that are not begun."""
    resting: tuple[str, ...]
    """Entries that play no more: suspended, or of a retired version."""
    parts: tuple[Part, ...]
    """Parts of the secret, the last one under way."""
    neighbours: int = 0
    """Pairs of rows that follow each other in the standing and can be compared."""
    untold: int = 0
    """Those of them that are not told apart yet."""


def look(database: Database, tournament: TournamentRow) -> SeasonView:
    """Return what is to come of a ladder, who rests, what is told, and what may be known of its secret."""

    def read(connection: Connection) -> SeasonView:
        labels = {entry.number: entry.label for entry in tournaments.list_entries(connection, tournament.id)}
        resting = tournaments.list_resting(connection, tournament.id)
        rows = tournaments.list_pairings(connection, tournament.id)
        whole = tournament.deal_sets * tournament.seats
        over = tournament.state == "cancelled"
        unfinished = [row for row in rows if row.matches_done < whole and not set(row.entries) & set(resting)]
        open_numbers = [row.number for row in unfinished]
        now = part_of(len(rows), tournament.deal_sets)
        oldest_open = part_of(min(open_numbers, default=len(rows)), tournament.deal_sets)
        secrets = [make_part_secret(tournament.secret, part) for part in range(now + 1)]

        def told(*, planned: bool) -> tuple[Helping, ...]:
            return tuple(
                Helping(row.number, tuple(labels[entry] for entry in row.entries), is_scout(row.number))
                for row in unfinished
                if bool(row.sets_planned) is planned
            )

        return SeasonView(
            helpings=len(rows),
            begun=told(planned=True),
            coming=told(planned=False),
            resting=tuple(labels[number] for number in resting),
            parts=tuple(
                Part(part, hash_secret(secret), secret if over or part < min(now, oldest_open) else None)
                for part, secret in enumerate(secrets)
            ),
        )

    rows = tournament_standing(database, tournament.name).standing.rows
    to_next = [row.sets_to_next for row in rows if row.sets_to_next is not None]
    return replace(database.run(read), neighbours=len(to_next), untold=sum(more > 0 for more in to_next))
