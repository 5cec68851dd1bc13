"""The standing of a tournament, computed anew from its matches each time somebody asks.

Owns the way from stored facts to `arena.ratings`: which matches are in scope, what was planned, who was
suspended. Stores nothing; a standing is a pure function of facts.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.errors import UsageError, nearest, quote
from arena.ratings.convergence import Step, converge
from arena.ratings.crosstable import Crosstable, make_crosstable
from arena.ratings.facts import Columns, MatchFacts, no_matches, stack
from arena.ratings.needs import counting, is_scout
from arena.ratings.online import METHODS, OnlineRow, in_groups, schedule_order
from arena.ratings.standing import MIDDLE_ELO, Anchor, Entrant, Standing, make_standing
from arena.rules.presets import parse_ruleset
from arena.store import annulments, tournaments
from arena.store import standings as facts
from arena.store.pool import Connection, Database
from arena.store.rows import EntryRow, TournamentRow
from arena.tournament.plans import parse_plan

LOW_WINS = frozenset({"own_points", "lowest", "elimination"})
"""Scorings in which points count against their owner (R83-R85)."""


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """A tournament and its standing."""

    tournament: TournamentRow
    """Whose standing it is."""
    standing: Standing
    """The rows."""
    annulled: int = 0
    """Matches that do not count: the standing is the one there would be without them."""

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is played."""
        return self.tournament.state == "finished"

    @property
    def without(self) -> str:
        """Say in a sentence what does not count; empty where everything does."""
        return f"annulled: {self.annulled:,} matches do not count" if self.annulled else ""


@dataclass(frozen=True, slots=True)
class TournamentCrosstable:
    """A tournament, its standing, and every entry against every other in the standing's order."""

    found: TournamentStanding
    """The standing."""
    crosstable: Crosstable
    """The pairs."""


@dataclass(frozen=True, slots=True)
class TournamentReport:
    """All that a page about a tournament shows."""

    found: TournamentStanding
    """The standing."""
    crosstable: Crosstable
    """The pairs, in the standing's order."""
    steps: Sequence[Step]
    """How the ratings settled."""


def tournament_report(database: Database, name: str | None = None) -> TournamentReport:
    """Compute standing, crosstable and how the ratings settled.

    Raises:
        UsageError: There is no such tournament.
    """
    scope = _read_scope(database, name)
    table = _crosstable(scope)
    return TournamentReport(
        table.found,
        table.crosstable,
        converge(scope.facts, _entrants(scope), by_pairing=parse_plan(scope.tournament.format).is_ladder),
    )


def tournament_standing(
    database: Database, name: str | None = None, *, anchor: str | None = None, anchor_elo: float = MIDDLE_ELO
) -> TournamentStanding:
    """Compute the standing of a tournament.

    Args:
        database: Where the facts are.
        name: Which tournament; the latest without one.
        anchor: A bot whose rating is fixed, as the standing writes it: `greedy` or `greedy@3`.
        anchor_elo: The rating that it keeps.

    Raises:
        UsageError: There is no such tournament, or no such entry to hold fast.
    """
    return _standing(_read_scope(database, name), anchor, anchor_elo)


@dataclass(frozen=True, slots=True)
class OnlineStanding:
    """A tournament rated online, by a method other than the joint fit."""

    tournament: TournamentRow
    """Whose matches they are."""
    method: str
    """By which method."""
    rows: tuple[OnlineRow, ...]
    """The ratings, group by group, best first."""
    names: dict[int, str]
    """What the entries are called, by number."""
    found: TournamentStanding
    """The joint fit of the same matches, which knows what cannot be known."""


def online_standing(database: Database, name: str | None, method: str) -> OnlineStanding:
    """Rate a tournament online, its matches in schedule order.

    Raises:
        UsageError: There is no such tournament.
    """
    scope = _read_scope(database, name)
    names = {entry.number: entry.label for entry in scope.entries}
    order = schedule_order(scope.facts, by_pairing=parse_plan(scope.tournament.format).is_ladder)
    rows = METHODS[method](scope.facts, list(names), order)
    found = _standing(scope, None, MIDDLE_ELO)
    return OnlineStanding(scope.tournament, method, told_in_groups(rows, found.standing), names, found)


def told_in_groups(rows: Sequence[OnlineRow], standing: Standing) -> tuple[OnlineRow, ...]:
    """Order online ratings inside the groups that the joint fit of the same matches found."""
    groups = {row.number: row.group for row in standing.rows}
    return in_groups(rows, groups, {row.number: row.note for row in standing.rows})


def tournament_crosstable(database: Database, name: str | None = None) -> TournamentCrosstable:
    """Compute every entry against every other of a tournament, the strongest first.

    Raises:
        UsageError: There is no such tournament.
    """
    return _crosstable(_read_scope(database, name))


@dataclass(frozen=True, slots=True)
class _Scope:
    """What one tournament's figures are computed from."""

    tournament: TournamentRow
    entries: Sequence[EntryRow]
    deaths: dict[int, int]
    meetings: dict[int, int] | None
    """Pairings of each entry; None where all groups meet."""
    facts: MatchFacts
    annulled: int
    annulled_of: dict[int, int]
    """How many matches of each entry do not count that would."""
    low_wins: bool


def _read_scope(database: Database, name: str | None) -> _Scope:
    """Read in one transaction, which is over before anything is computed."""

    def read(
        connection: Connection,
    ) -> tuple[_Scope, facts.MatchColumns]:
        found = find_tournament(connection, name)
        plan = parse_plan(found.format)
        scope = _Scope(
            tournament=found,
            entries=tournaments.list_entries(connection, found.id),
            deaths=facts.deaths(connection, found.id),
            meetings=None if plan.needs_all else tournaments.count_meetings(connection, found.id),
            facts=no_matches(found.seats),
            annulled=annulments.count(connection, found.id),
            annulled_of=count_annulled(connection, found),
            low_wins=parse_ruleset(found.ruleset_text).scoring in LOW_WINS,
        )
        return scope, facts.match_columns(connection, found.id, found.seats, rated=not found.unrated)

    scope, columns = database.run(read)
    played = stack(_columns(columns))
    return replace(scope, facts=counting(played) if parse_plan(scope.tournament.format).is_ladder else played)


def count_annulled(connection: Connection, tournament: TournamentRow) -> dict[int, int]:
    """Return how many matches of each entry do not count that would, had they not been annulled."""
    is_ladder = parse_plan(tournament.format).is_ladder
    counts: Counter[int] = Counter()
    rows = annulments.count_by_entry(connection, tournament.id, rated=not tournament.unrated)
    for entry, pairing, amount in rows:
        if not (is_ladder and is_scout(pairing)):
            counts[entry] += amount
    return counts


def read_facts(connection: Connection, tournament: TournamentRow) -> MatchFacts:
    """Return the matches of a tournament that are rated, a ladder's scouts among them."""
    columns = facts.match_columns(connection, tournament.id, tournament.seats, rated=not tournament.unrated)
    return stack(_columns(columns))


def _crosstable(scope: _Scope) -> TournamentCrosstable:
    """Compute the standing, and every pair in its order."""
    found = _standing(scope, None, MIDDLE_ELO)
    order = [row.number for row in found.standing.rows]
    return TournamentCrosstable(found, make_crosstable(scope.facts, order, low_wins=scope.low_wins))


def _standing(scope: _Scope, anchor: str | None, anchor_elo: float) -> TournamentStanding:
    held = None if anchor is None else Anchor(_find_entry(scope.entries, anchor).number, anchor_elo)
    standing = make_standing(
        scope.facts,
        _entrants(scope),
        anchor=held,
        low_wins=scope.low_wins,
    )
    return TournamentStanding(scope.tournament, standing, scope.annulled)


def find_tournament(connection: Connection, name: str | None) -> TournamentRow:
    """Return the tournament of that name, or the latest.

    Raises:
        UsageError: There is none.
    """
    if name is not None:
        return tournaments.get_tournament(connection, name)
    if latest := tournaments.list_tournaments(connection, limit=1):
        return latest[0]
    raise UsageError("there is no tournament yet: start one with `arena tournament run NAME BOT BOT...`")


def _find_entry(entries: Sequence[EntryRow], name: str) -> EntryRow:
    for entry in entries:
        if name.casefold() in {entry.label.casefold(), entry.bot.casefold()}:
            return entry
    known = [entry.label for entry in entries]
    raise UsageError(f"no entry is called {quote(name)}{nearest(name, known)}: one of {', '.join(known)}")


def _columns(found: facts.MatchColumns) -> Columns:
    return Columns(
        pairings=found.pairings,
        deal_sets=found.deal_sets,
        rotations=found.rotations,
        rounds=found.rounds,
        fault_bits=found.fault_bits,
        entries=found.entries,
        places=found.places,
        totals=found.totals,
        decisions=found.asked,
        wall_us=found.wall_us,
    )


def _entrants(scope: _Scope) -> list[Entrant]:
    tournament, entries = scope.tournament, scope.entries
    lively = sum(entry.suspended_at is None for entry in entries)
    entrants = []
    for entry in entries:
        suspended = entry.suspended_at is not None
        if scope.meetings is None:
            company = (len(entries) if suspended else lively) - 1
            pairings = math.comb(max(company, 0), tournament.seats - 1)
        else:
            pairings = scope.meetings.get(entry.number, 0)
        entrants.append(
            Entrant(
                number=entry.number,
                name=entry.label,
                deaths=scope.deaths.get(entry.number, 0),
                annulled=scope.annulled_of.get(entry.number, 0),
                # Before entries close nothing is planned, a cancelled plan is none, and a ladder has no end.
                planned_sets=(
                    pairings * tournament.deal_sets
                    if tournament.state in {"running", "finished"}
                    and not parse_plan(tournament.format).is_ladder
                    else None
                ),
                suspended=suspended,
                twin_of=next(
                    (one.number for one in entries if one.version_id == entry.version_id and not one.twin),
                    None,
                )
                if entry.twin
                else None,
            )
        )
    return entrants
