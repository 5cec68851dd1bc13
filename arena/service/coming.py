"""What a tournament still plays: how much of it, which pairings are under way, and which come next.

Owns the picture of the matches to come. It reads the same rows that planning goes by, in the same order, and
plans nothing. A ladder's helpings, with its scouts and secrets, are also in `arena.service.ladder`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from arena.errors import UsageError
from arena.store import tournaments
from arena.store.pool import Connection
from arena.store.rows import EntryRow, TournamentRow
from arena.tournament.plans import Plan, parse_plan
from arena.tournament.swiss import STRIDE

NAMED = 100
"""Pairings that are named at the most, of those under way and of those that are not begun."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing of which matches are still to be played."""

    bots: tuple[str, ...]
    """Who meets."""
    played: int
    """Matches that are written."""
    matches: int
    """All that it has."""


@dataclass(frozen=True, slots=True)
class Coming:
    """What is still to be played; of a Swiss, of the round that is paired."""

    matches: int
    """Matches of these pairings that are not written yet."""
    begun: int
    """Pairings under way: some of their deal sets are planned."""
    waiting: int
    """Pairings that are not begun."""
    under_way: tuple[Meeting, ...]
    """The first of those under way."""
    coming_next: tuple[Meeting, ...]
    """The first of those not begun, in the order in which they are."""
    round_number: int | None = None
    """Which round of a Swiss this is, from 1; None in every other format."""
    rounds: int | None = None
    """How many rounds a Swiss has. Who meets in the later ones follows from results."""
    pausing: tuple[str, ...] = ()
    """Entries that meet nobody in this round of a Swiss."""

    @property
    def is_round_to_come(self) -> bool:
        """Whether rounds of a Swiss are to be paired yet."""
        return self.round_number is not None and self.round_number < (self.rounds or 0)


def find_coming(connection: Connection, tournament: TournamentRow) -> Coming | None:
    """Return what is still to be played; None where nothing is, or too few entered yet."""
    plan = parse_plan(tournament.format)
    entries = tournaments.list_entries(connection, tournament.id)
    if tournament.state == "open":
        return _before(tournament, plan, entries)
    if tournament.state != "running":
        return None
    list_out = tournaments.list_resting if plan.is_ladder else tournaments.list_suspended
    out = list_out(connection, tournament.id)
    left = tournaments.count_left(connection, tournament.id, out)

    def named(*, begun: bool) -> tuple[Meeting, ...]:
        rows = tournaments.list_left(connection, tournament.id, out, begun=begun, limit=NAMED)
        return tuple(_meeting(tournament, entries, row.entries, row.matches_done) for row in rows)

    found = Coming(left.matches, left.begun, left.waiting, named(begun=True), named(begun=False))
    if plan.is_swiss:
        rows = tournaments.list_pairings(connection, tournament.id)
        now = max((row.number for row in rows), default=0) // STRIDE
        met = {entry for row in rows if row.number // STRIDE == now for entry in row.entries}
        found = _in_round(found, plan, now, entries, met | set(out))
    return found if found.matches or found.is_round_to_come else None


def _before(tournament: TournamentRow, plan: Plan, entries: Sequence[EntryRow]) -> Coming | None:
    """Return what would be played if the entries were closed now."""
    try:
        plan.check(len(entries), tournament.seats, tournament.deal_sets)
    except UsageError:
        return None
    pairings = plan.pairings(len(entries), tournament.seats)
    if not pairings:
        return None
    first = tuple(_meeting(tournament, entries, met, 0) for met in pairings[:NAMED])
    whole = tournament.deal_sets * tournament.seats
    found = Coming(whole * len(pairings), 0, len(pairings), under_way=(), coming_next=first)
    if not plan.is_swiss:
        return found
    return _in_round(found, plan, 0, entries, {number for met in pairings for number in met})


def _in_round(
    found: Coming, plan: Plan, now: int, entries: Sequence[EntryRow], met: Collection[int]
) -> Coming:
    """Add which round of a Swiss it is, from 0, and who pauses in it."""
    pausing = tuple(entry.label for entry in entries if entry.number not in met)
    return replace(found, round_number=now + 1, rounds=plan.rounds(len(entries)), pausing=pausing)


def _meeting(
    tournament: TournamentRow, entries: Sequence[EntryRow], numbers: Sequence[int], played: int
) -> Meeting:
    bots = tuple(entries[number].label for number in numbers)
    return Meeting(bots, played, tournament.deal_sets * tournament.seats)
