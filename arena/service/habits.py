"""How the bots of a tournament play: draws, bluffs, challenges, calls, think time, from the records.

Owns which matches are looked at: those of the newest complete deal sets, so that nobody learns anything of
cards that are still to be played, and a long tournament is not played again as a whole. Stores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import PlatformError
from arena.match.habits import Habits, watch
from arena.rules.cards import NotationError
from arena.rules.moves import IllegalMoveError
from arena.rules.presets import parse_ruleset
from arena.rules.record import parse_record
from arena.service.standings import find_tournament
from arena.store import standings, tournaments
from arena.store.pool import Connection, Database
from arena.store.rows import TournamentRow

NEWEST_SETS = 500
"""Deal sets that are looked at unasked: some seconds of replaying."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How one entry plays."""

    number: int
    """The entry's number in the tournament."""
    name: str
    """What it is called."""
    habits: Habits
    """What it did."""
    us_per_decision: float | None
    """Mean time of an answer in these matches."""


@dataclass(frozen=True, slots=True)
class TournamentHabits:
    """How all entries of a tournament play."""

    tournament: TournamentRow
    """Which."""
    rows: Sequence[Behaviour]
    """One an entry, by number."""
    matches: int
    """Matches that were played again."""

    @property
    def by_number(self) -> dict[int, Behaviour]:
        """The rows by their entry's number."""
        return {row.number: row for row in self.rows}


def tournament_habits(
    database: Database, name: str | None = None, *, sets: int = NEWEST_SETS
) -> TournamentHabits:
    """Count how the entries of a tournament, by default of the latest, played in its newest deal sets.

    Raises:
        UsageError: There is no such tournament.
        PlatformError: A record does not replay.
    """

    def read(
        connection: Connection,
    ) -> tuple[TournamentRow, dict[int, str], list[standings.RecordedRow]]:
        found = find_tournament(connection, name)
        return (
            found,
            {entry.number: entry.label for entry in tournaments.list_entries(connection, found.id)},
            standings.newest_records(
                connection, found.id, seats=found.seats, sets=sets, rated=not found.unrated
            ),
        )

    row, names, played = database.run(read)
    ruleset = parse_ruleset(row.ruleset_text)
    habits = {number: Habits() for number in names}
    asked, wall_us = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for match in played:
        try:
            seen = watch(parse_record(match.line), ruleset)
        except (NotationError, IllegalMoveError) as error:
            raise PlatformError(
                f"a record of {row.name} does not replay: {error}; see `arena match verify`"
            ) from error
        for seat, entry in enumerate(match.entries):
            habits[entry].add(seen[seat])
            asked[entry] += match.asked[seat]
            wall_us[entry] += match.wall_us[seat]
    return TournamentHabits(
        tournament=row,
        rows=[
            Behaviour(
                number, label, habits[number], wall_us[number] / asked[number] if asked[number] else None
            )
            for number, label in names.items()
        ],
        matches=len(played),
    )
