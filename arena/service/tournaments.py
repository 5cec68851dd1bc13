"""Tournaments: create, enter, start or go on, pause, cancel.

Owns what "the same tournament" means and the moment at which its deals are fixed. Refuses what could not be
played before anything is stored. What is to be played comes from `arena.tournament`, job by job through
`arena.service.schedule`; who only looks asks `arena.service.watching`.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.botproc.limits import DEFAULT_CEILING, Limits
from arena.bundle.manifest import check_name
from arena.errors import UsageError
from arena.match.plan import ClockSettings
from arena.rules.match import RULES_EPOCH
from arena.rules.options import Ruleset
from arena.rules.presets import PRESETS, preset
from arena.service import schedule
from arena.service.ceilings import ceiling_values, check_asked
from arena.service.reference import get_stored
from arena.store import jobs
from arena.store import tournaments as store
from arena.store.pool import Connection, Database
from arena.store.rows import EntryRow, TournamentRow, VersionRow
from arena.tournament.planning import JOB_SECONDS, check_clock
from arena.tournament.plans import COMPARE, ROUND_ROBIN, parse_plan
from arena.tournament.seeds import SECRET_BYTES, hash_secret, make_tournament_key

DEAL_SETS_MAX = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """What an organiser asks for."""

    name: str
    """Name, unique without regard to case."""
    ruleset: Ruleset
    """What is played."""
    bots: tuple[str, ...] = ()
    """The bots by reference; none leaves the entries open."""
    twins: tuple[str, ...] = ()
    """Those of them that are entered twice."""
    seats: int = 2
    """Table size."""
    deal_sets: int = 100
    """Deal sets of each pairing in one fold; each is as many matches as there are seats."""
    clock: ClockSettings = field(default_factory=ClockSettings)
    """How long bots may think."""
    secret: bytes | None = None
    """Repeats the deals of the tournament that had it; None draws one."""
    isolation: str = "landlock"
    """The weakest level in which a match may be played; none makes the tournament unrated."""
    unrated: bool = False
    """Its matches enter no wider standing."""
    open_hands: bool = False
    """Cards may be shown before their deal set is done; recorded for ever."""
    format: str = ROUND_ROBIN
    """Who meets whom, as `arena.tournament.plans` writes it."""
    ceiling: Limits = DEFAULT_CEILING
    """The most memory, processes and processor time that a bot may ask for."""
    most: Limits = DEFAULT_CEILING
    """What the platform grants in a check at most; no argument of the tournament."""

    def arguments(self) -> str:
        """Return all of it in one canonical text."""
        told = {
            "bots": self.bots,
            "twins": sorted(self.twins),
            "ruleset": self.ruleset.digest.hex(),
            "seats": self.seats,
            # A comparison that is asked again with more deal sets goes on where it was.
            "deal_sets": None if self.format == COMPARE else self.deal_sets,
            "budget_ms": self.clock.budget_ms,
            "bank_ms": self.clock.bank_ms,
            "hello_ms": self.clock.hello_ms,
            "tables_max": self.clock.tables_max,
            "secret": self.secret.hex() if self.secret else None,
            "isolation": self.isolation,
            "unrated": self.unrated,
            "open_hands": self.open_hands,
        }
        if self.format != ROUND_ROBIN:
            told["format"] = self.format
        if self.ceiling != DEFAULT_CEILING:
            told |= ceiling_values(self.ceiling)
        return json.dumps(told, sort_keys=True)


def create(database: Database, spec: TournamentSpec) -> TournamentRow:
    """Create a tournament, or return the one that the same arguments made.

    Raises:
        UsageError: Something of it cannot be played, or other arguments made one of this name; nothing is
            stored.
    """
    _check(spec)
    return database.run(lambda connection: _create(connection, spec))


def _check(spec: TournamentSpec) -> None:
    check_name(spec.name, what="tournament name")
    plan = parse_plan(spec.format)
    if not 1 <= spec.deal_sets * plan.folds <= DEAL_SETS_MAX:
        total = spec.deal_sets * plan.folds
        folds = "" if plan.folds == 1 else f" ({plan.folds:,} folds of {spec.deal_sets:,})"
        raise UsageError(f"deal sets of a pairing: 1 to {DEAL_SETS_MAX:,} are possible, not {total:,}{folds}")
    spec.ruleset.check_table(spec.seats)
    check_clock(spec.ruleset.max_decisions, spec.clock.budget_ms, spec.clock.bank_ms, spec.seats)
    if strange := [name for name in spec.twins if name not in spec.bots]:
        raise UsageError(f"a twin was asked for {strange[0]!r}, which is not entered")
    if spec.secret is not None and len(spec.secret) != SECRET_BYTES:
        raise UsageError(f"a secret has {SECRET_BYTES} bytes, not {len(spec.secret)}")
    if spec.bots:
        plan.check(len(spec.bots) + len(spec.twins), spec.seats, spec.deal_sets)


def _create(connection: Connection, spec: TournamentSpec) -> TournamentRow:
    secret = spec.secret or secrets.token_bytes(SECRET_BYTES)
    values = {
        "name": spec.name,
        "arguments": spec.arguments(),
        "format": spec.format,
        "ruleset_name": _name_ruleset(spec.ruleset),
        "ruleset_text": spec.ruleset.canonical_text(),
        "ruleset_digest": spec.ruleset.digest,
        "rules_epoch": RULES_EPOCH,
        "seats": spec.seats,
        "deal_sets": spec.deal_sets * parse_plan(spec.format).folds,
        "budget_ms": spec.clock.budget_ms,
        "bank_ms": spec.clock.bank_ms,
        "hello_ms": spec.clock.hello_ms,
        "tables_max": spec.clock.tables_max,
        "secret": secret,
        "secret_hash": hash_secret(secret),
        "secret_chosen": spec.secret is not None,
        "proven": not spec.bots and spec.secret is None,
        "isolation": spec.isolation,
        "unrated": spec.unrated or spec.isolation == "none",
        "open_hands": spec.open_hands,
        **ceiling_values(spec.ceiling),
    }
    created = store.add_tournament(connection, values)
    if created is None:
        existing = store.get_tournament(connection, spec.name)
        if existing.arguments != spec.arguments():
            raise UsageError(
                f"tournament {existing.name!r} exists with other arguments; `arena tournament run "
                f"{existing.name}` goes on with it, or choose another name"
            )
        return existing
    _enter(connection, created, spec.bots, spec.twins, spec.most)
    return created


def _name_ruleset(ruleset: Ruleset) -> str:
    for name in PRESETS:
        if preset(name).digest == ruleset.digest:
            return name
    return "custom"


def enter(
    database: Database,
    name: str,
    bots: Sequence[str],
    twins: Sequence[str] = (),
    most: Limits = DEFAULT_CEILING,
) -> list[EntryRow]:
    """Enter bots into a tournament whose entries are open, and return all entries.

    Raises:
        UsageError: The entries are closed, or a bot is unknown, has no checked version or is entered already.
    """

    def work(connection: Connection) -> list[EntryRow]:
        tournament = store.get_tournament(connection, name)
        store.lock(connection, tournament.id)
        now = store.get_by_id(connection, tournament.id)
        is_season = now.state == "running" and parse_plan(now.format).is_ladder
        if now.state != "open" and not is_season:
            raise UsageError(f"tournament {tournament.name!r} has begun: its entries are closed")
        _enter(connection, tournament, bots, twins, most)
        return store.list_entries(connection, tournament.id)

    return database.run(work)


def _enter(
    connection: Connection,
    tournament: TournamentRow,
    references: Sequence[str],
    twins: Sequence[str],
    most: Limits,
) -> None:
    for reference in references:
        version = get_stored(connection, reference)
        _check_version(version)
        check_asked(version, tournament, most)
        for twin in (0, 1) if reference in twins else (0,):
            if not store.add_entry(connection, tournament.id, version.id, twin):
                raise UsageError(f"bot {version.label} is entered twice; --twin enters a second copy")


def _check_version(version: VersionRow) -> None:
    if version.state == "retired":
        raise UsageError(
            f"bot {version.label} is retired and enters no tournament; "
            f"`arena bot retire {version.label} --undo` brings it back"
        )
    if version.state != "checked":
        raise UsageError(
            f"bot {version.label} has not passed its check ({version.state}); "
            f"see `arena bot show {version.bot}`"
        )


def start(
    database: Database, name: str, *, workers: int = 1, job_seconds: float = JOB_SECONDS
) -> TournamentRow:
    """Start a tournament or go on with it: close the entries, take failed jobs up again, plan the next ones.

    Args:
        database: Where it is.
        name: Which tournament.
        workers: How many workers will play, where they are not yet known by their heartbeats.
        job_seconds: How long a job should play.

    Raises:
        UsageError: There are too few entries, or it was cancelled.
    """

    def work(connection: Connection) -> TournamentRow:
        tournament = store.get_tournament(connection, name)
        store.lock(connection, tournament.id)
        tournament = store.get_by_id(connection, tournament.id)
        _refuse_start(connection, tournament)
        if tournament.state == "open":
            _close(connection, tournament)
        if tournament.state != "finished":
            store.set_paused(connection, tournament.id, paused=False)
            jobs.announce(connection, jobs.retry_failed(connection, tournament.id))
            if tournament.paused:
                jobs.wait_from_now(connection, tournament.id)
                # The messages of these were refused meanwhile, and nobody waits until they count as lost.
                jobs.announce(connection, jobs.list_ready(connection, tournament.id))
            schedule.plan(connection, tournament.id, workers=workers, job_seconds=job_seconds)
        return store.get_by_id(connection, tournament.id)

    return database.run(work)


def check_start(database: Database, name: str) -> None:
    """Refuse a tournament that cannot be started, before anybody starts workers for it; changes nothing.

    Raises:
        UsageError: There are too few entries, or it was cancelled.
    """
    database.run(lambda connection: _refuse_start(connection, store.get_tournament(connection, name)))


def _refuse_start(connection: Connection, tournament: TournamentRow) -> None:
    """Raise an error where nothing could be played."""
    if tournament.state == "cancelled":
        raise UsageError(f"tournament {tournament.name!r} was cancelled; create another one")
    plan = parse_plan(tournament.format)
    entries = len(store.list_entries(connection, tournament.id))
    if tournament.state == "open":
        plan.check(entries, tournament.seats, tournament.deal_sets)
        return
    if not plan.is_ladder or jobs.count_unfinished(connection, tournament.id):
        return
    if entries - len(store.list_resting(connection, tournament.id)) < tournament.seats:
        raise UsageError(
            f"ladder {tournament.name!r} has fewer than {tournament.seats} entries that play on: "
            f"`arena tournament enter {tournament.name} BOT` adds one"
        )


def pause(database: Database, name: str) -> None:
    """Let nobody claim jobs of a running tournament until it is started again; what is played stays.

    For the one who interrupts a run whose workers were started for it: the next tournament must not wait for
    what was left.

    Raises:
        UsageError: There is none of that name.
    """

    def work(connection: Connection) -> None:
        store.set_paused(connection, store.get_tournament(connection, name).id, paused=True)

    database.run(work)


def _close(connection: Connection, tournament: TournamentRow) -> None:
    """Close the entries: from here on everything random is fixed."""
    entries = store.list_entries(connection, tournament.id)
    plan = parse_plan(tournament.format)
    key = make_tournament_key(
        tournament.secret, tournament.ruleset_digest, (entry.digest for entry in entries)
    )
    store.close_entries(connection, tournament.id, key)
    store.add_pairings(connection, tournament.id, plan.pairings(len(entries), tournament.seats))


def cancel(database: Database, name: str) -> TournamentRow:
    """Stop a tournament for good; what was played stays.

    Raises:
        UsageError: It is over already.
    """

    def work(connection: Connection) -> TournamentRow:
        tournament = store.get_tournament(connection, name)
        store.lock(connection, tournament.id)
        if not store.cancel(connection, tournament.id):
            raise UsageError(f"tournament {tournament.name!r} is {tournament.state} already")
        return store.get_by_id(connection, tournament.id)

    return database.run(work)
