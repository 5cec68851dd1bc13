"""The standing over all rated matches of one ruleset, rules epoch and table size, version by version.

Owns what may be put together. Unrated tournaments and comparisons stay out, and a ladder's scouts. Of
tournaments that repeat each other's deals (`--secret`) the first alone counts: the same cards tell nothing
twice. Nor does a table at which a version met its own twin. Entries of one version are one row.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from arena.errors import UsageError, quote
from arena.ratings.facts import Ints, MatchFacts, no_matches
from arena.ratings.needs import counting
from arena.ratings.online import METHODS, OnlineRow, schedule_order
from arena.ratings.standing import MIDDLE_ELO, Anchor, Entrant, Standing, make_standing
from arena.rules.match import RULES_EPOCH
from arena.rules.options import Ruleset
from arena.rules.presets import parse_ruleset
from arena.service.standings import LOW_WINS, count_annulled, read_facts, told_in_groups
from arena.store import annulments, tournaments
from arena.store import standings as stored
from arena.store.pool import Connection, Database
from arena.store.rows import TournamentRow
from arena.tournament.plans import parse_plan


@dataclass(frozen=True, slots=True)
class OverallStanding:
    """A standing over tournaments."""

    ruleset_name: str
    """What is played."""
    ruleset_digest: bytes
    """Exactly."""
    rules_epoch: int
    """In which epoch of the rules."""
    tournaments: tuple[str, ...]
    """Whose matches are in it, the oldest first."""
    repeated: tuple[str, ...]
    """Tournaments left out because another one had the same deals."""
    standing: Standing
    """The rows, one a version."""
    annulled: int
    """Matches of these tournaments that do not count."""


@dataclass(frozen=True, slots=True)
class _Lot:
    """One tournament's part."""

    row: TournamentRow
    facts: MatchFacts
    versions: dict[int, str]
    """The version of each entry, by number."""
    deaths: dict[int, int]
    annulled: int
    annulled_of: dict[int, int]


@dataclass(frozen=True, slots=True)
class _Scope:
    """All tournaments that count together."""

    lots: Sequence[_Lot]
    """The oldest first."""
    repeated: Sequence[str]

    @property
    def numbers(self) -> dict[str, int]:
        """Every version by its label, numbered by name and version."""
        labels = {label for lot in self.lots for label in lot.versions.values()}
        return {label: place for place, label in enumerate(sorted(labels, key=_by_version))}


def overall_standing(
    database: Database,
    ruleset: Ruleset | None = None,
    seats: int | None = None,
    *,
    anchor: str | None = None,
    anchor_elo: float = MIDDLE_ELO,
) -> OverallStanding:
    """Compute the standing over all rated matches of a ruleset and table size.

    Args:
        database: Where the facts are.
        ruleset: What is played; without it, and without `seats`, that of the latest rated tournament.
        seats: The table size.
        anchor: A version whose rating is fixed: `greedy@3`, or `greedy` for its newest one in scope.
        anchor_elo: The rating that it keeps.

    Raises:
        UsageError: There is no such tournament, or no such version to hold fast.
    """
    return _stand(database.run(lambda connection: _read(connection, ruleset, seats)), anchor, anchor_elo)


@dataclass(frozen=True, slots=True)
class OverallOnline:
    """All rated matches of one kind rated online, tournament after tournament."""

    rows: tuple[OnlineRow, ...]
    """The ratings, group by group, best first."""
    names: dict[int, str]
    """What the versions are called, by number."""
    found: OverallStanding
    """The joint fit of the same matches, which knows what cannot be known."""


def overall_online(
    database: Database, ruleset: Ruleset | None, seats: int | None, method: str
) -> OverallOnline:
    """Rate all matches of a kind online: the tournaments as they were made, each in its schedule order.

    Raises:
        UsageError: There is no such tournament.
    """
    scope = database.run(lambda connection: _read(connection, ruleset, seats))
    number = scope.numbers
    parts = [_renamed(lot, number) for lot in scope.lots]
    orders, first = [np.zeros(0, dtype=np.int64)], 0
    for lot, part in zip(scope.lots, parts, strict=True):
        orders.append(first + schedule_order(part, by_pairing=parse_plan(lot.row.format).is_ladder))
        first += part.matches
    facts = _join(parts, scope.lots[-1].row.seats)
    rows = METHODS[method](facts, list(number.values()), np.concatenate(orders))
    names = {place: label for label, place in number.items()}
    found = _stand(scope, None, MIDDLE_ELO)
    return OverallOnline(told_in_groups(rows, found.standing), names, found)


def _stand(scope: "_Scope", anchor: str | None, anchor_elo: float) -> OverallStanding:
    """Compute the standing of what was read."""
    lots, repeated, number = scope.lots, scope.repeated, scope.numbers
    first = lots[-1].row
    deaths: Counter[str] = Counter()
    annulled: Counter[str] = Counter()
    for lot in lots:
        for counts, of_entries in ((deaths, lot.deaths), (annulled, lot.annulled_of)):
            for entry, amount in of_entries.items():
                counts[lot.versions[entry]] += amount
    held = None if anchor is None else Anchor(_find(anchor, list(number)), anchor_elo)
    standing = make_standing(
        _join([_renamed(lot, number) for lot in lots], first.seats),
        [Entrant(place, label, deaths[label], annulled=annulled[label]) for label, place in number.items()],
        anchor=held,
        low_wins=parse_ruleset(first.ruleset_text).scoring in LOW_WINS,
    )
    return OverallStanding(
        ruleset_name=first.ruleset_name,
        ruleset_digest=first.ruleset_digest,
        rules_epoch=first.rules_epoch,
        tournaments=tuple(lot.row.name for lot in lots),
        repeated=tuple(repeated),
        standing=standing,
        annulled=sum(lot.annulled for lot in lots),
    )


def _read(connection: Connection, ruleset: Ruleset | None, seats: int | None) -> _Scope:
    rated = [
        row
        for row in tournaments.list_tournaments(connection)
        if not row.unrated and row.tournament_key is not None
    ]
    if ruleset is not None:
        rated = [row for row in rated if row.ruleset_digest == ruleset.digest]
    if seats is not None:
        rated = [row for row in rated if row.seats == seats]
    if ruleset is not None or seats is not None:
        rated = [row for row in rated if row.rules_epoch == RULES_EPOCH]
    if not rated:
        raise UsageError("no rated tournament of that kind has begun; `arena tournament list` names them all")
    like = rated[0]
    lots: list[_Lot] = []
    repeated, known = [], set()
    for row in reversed(rated):
        if (row.ruleset_digest, row.rules_epoch, row.seats) != (
            like.ruleset_digest,
            like.rules_epoch,
            like.seats,
        ):
            continue
        deals = row.secret if parse_plan(row.format).is_ladder else row.tournament_key
        if deals in known:
            repeated.append(row.name)
            continue
        known.add(deals)
        entries = tournaments.list_entries(connection, row.id)
        played = read_facts(connection, row)
        lots.append(
            _Lot(
                row=row,
                facts=counting(played) if parse_plan(row.format).is_ladder else played,
                versions={entry.number: f"{entry.bot}@{entry.version}" for entry in entries},
                deaths=stored.deaths(connection, row.id),
                annulled=annulments.count(connection, row.id),
                annulled_of=count_annulled(connection, row),
            )
        )
    return _Scope(lots, repeated)


def _renamed(lot: _Lot, number: dict[str, int]) -> MatchFacts:
    """Return a tournament's matches with versions for entries, without those of a version against itself."""
    table: Ints = np.zeros(max(lot.versions, default=0) + 1, dtype=np.int64)
    for entry, label in lot.versions.items():
        table[entry] = number[label]
    entries = table[lot.facts.entries]
    ordered = np.sort(entries, axis=1)
    differ = np.all(ordered[:, 1:] != ordered[:, :-1], axis=1)
    values = {each.name: getattr(lot.facts, each.name) for each in fields(MatchFacts)}
    return MatchFacts(**{name: array[differ] for name, array in (values | {"entries": entries}).items()})


def _join(lots: Sequence[MatchFacts], seats: int) -> MatchFacts:
    """Put tournaments together; the deal sets of each get numbers of their own."""
    parts, first = [no_matches(seats)], 0
    for facts in lots:
        _, numbers = np.unique(facts.deal_sets, return_inverse=True)
        values = {each.name: getattr(facts, each.name) for each in fields(MatchFacts)}
        parts.append(MatchFacts(**(values | {"deal_sets": first + numbers.astype(np.int64)})))
        first += int(numbers.max(initial=-1)) + 1
    names = [each.name for each in fields(MatchFacts)]
    return MatchFacts(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


def _by_version(label: str) -> tuple[str, int]:
    bot, _, version = label.rpartition("@")
    return bot.casefold(), int(version)


def _find(name: str, labels: Sequence[str]) -> int:
    """Return the number of a version, or of a bot's newest one."""
    for place in range(len(labels) - 1, -1, -1):
        if name.casefold() in {labels[place].casefold(), labels[place].rpartition("@")[0].casefold()}:
            return place
    raise UsageError(f"no version in this standing is called {quote(name)}: one of {', '.join(labels)}")
