"""One frozen dataclass for each shape of row that a query returns.

Owns the Python side of the schema; the meaning of a column that needs more than its name stands in
`schema.sql`. Array columns come as lists, by seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

BotId = NewType("BotId", int)
VersionId = NewType("VersionId", int)
TournamentId = NewType("TournamentId", int)
JobId = NewType("JobId", int)
MatchId = NewType("MatchId", int)


@dataclass(frozen=True, slots=True)
class BotRow:
    """A bot's name, with its newest checked version."""

    id: BotId
    name: str
    owner: str
    created_at: datetime
    versions: int
    """How many versions were submitted."""
    newest_checked: int | None
    """Number of the newest version that passed its check, which `name` alone means."""
    retired: int
    """How many versions are retired."""


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A bot version without its bytes."""

    id: VersionId
    bot_id: BotId
    bot: str
    """The bot's name."""
    owner: str
    number: int
    digest: bytes
    manifest: str
    runtime: str
    state: str
    """submitted, checked, failed or retired."""
    check_report: str
    stderr: str
    submitted_at: datetime
    checked_at: datetime | None

    @property
    def label(self) -> str:
        """The version as a person writes it: `name@3`."""
        return f"{self.bot}@{self.number}"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament without its entries."""

    id: TournamentId
    name: str
    arguments: str
    format: str
    ruleset_name: str
    ruleset_text: str
    ruleset_digest: bytes
    rules_epoch: int
    seats: int
    deal_sets: int
    budget_ms: int
    bank_ms: int
    hello_ms: int
    tables_max: int
    secret: bytes
    secret_hash: bytes
    secret_chosen: bool
    tournament_key: bytes | None
    proven: bool
    isolation: str
    unrated: bool
    open_hands: bool
    state: str
    """open, running, finished or cancelled."""
    paused: bool
    """Whether none of its jobs is claimed until it is run again."""
    created_at: datetime
    closed_at: datetime | None
    finished_at: datetime | None
    memory_mib: int
    """The most that a bot may ask for; so are the next two."""
    processes: int
    cpu_millis: int
    """Thousandths of a core."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A version in a tournament."""

    tournament_id: TournamentId
    number: int
    """Number within the tournament, from 0."""
    version_id: VersionId
    twin: int
    """1 for the second copy of a version entered with its twin."""
    suspended_at: datetime | None
    bot: str
    version: int
    digest: bytes
    runtime: str
    manifest: str

    @property
    def label(self) -> str:
        """The entry as a person reads it: `greedy@2`, `greedy@2 (twin)`."""
        return f"{self.bot}@{self.version}" + (" (twin)" if self.twin else "")


@dataclass(frozen=True, slots=True)
class PairingRow:
    """Entries that meet at a table."""

    tournament_id: TournamentId
    number: int
    entries: Sequence[int]
    sets_planned: int
    """Deal sets 0 .. sets_planned-1 are in jobs."""
    matches_done: int
    play_us: int
    """Time that its finished matches took."""


@dataclass(frozen=True, slots=True)
class LeftRow:
    """What a tournament has left to play."""

    matches: int
    """Matches that are not written."""
    begun: int
    """Pairings of which some deal sets are planned."""
    waiting: int
    """Pairings that are not begun."""


@dataclass(frozen=True, slots=True)
class JobRow:
    """One rotation of some deal sets of one pairing."""

    id: JobId
    tournament_id: TournamentId
    pairing: int
    rotation: int
    sets: Sequence[int]
    """Numbers of its deal sets, ascending."""
    matches: int
    state: str
    """queued, leased, done, failed or cancelled."""
    fence: int
    lease_until: datetime | None
    owner: str | None
    attempts: int
    infra: int
    lost: int
    rules_epoch: int
    protocol: int
    runtimes: Sequence[str]
    isolation: str
    progress: int
    decisions: int
    reason: str


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be written."""

    tournament_id: TournamentId
    pairing: int
    rotation: int
    sets: Sequence[int]
    rules_epoch: int
    protocol: int
    runtimes: Sequence[str]
    isolation: str


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A finished match to be written; arrays go by seat."""

    deal_set: int
    entries: Sequence[int]
    places: Sequence[int]
    totals: Sequence[int]
    rounds: int
    decisions: int
    ending: str
    asked: Sequence[int]
    wall_us: Sequence[int]
    cpu_us: Sequence[int]
    unasked: Sequence[int]
    dropped: Sequence[int]
    cut: Sequence[int]
    record: str
    sha256: bytes
    faults: Sequence["NewFault"]


@dataclass(frozen=True, slots=True)
class NewFault:
    """A fault to be written with its match."""

    seat: int
    kind: str
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class NewDeath:
    """A process that died in a job."""

    entry: int
    kind: str
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A finished match."""

    id: MatchId
    tournament_id: TournamentId
    tournament: str
    pairing: int
    deal_set: int
    rotation: int
    entries: Sequence[int]
    bots: Sequence[str]
    """Labels of the entries, by seat."""
    places: Sequence[int]
    totals: Sequence[int]
    rounds: int
    decisions: int
    ending: str
    asked: Sequence[int]
    wall_us: Sequence[int]
    cpu_us: Sequence[int]
    unasked: Sequence[int]
    dropped: Sequence[int]
    cut: Sequence[int]
    sha256: bytes
    job_id: JobId
    fence: int
    worker: str
    level: str
    bwrap: str
    filter_hash: str
    annulled_at: datetime | None
    played_at: datetime
    faults: Sequence[str]
    """Seat and kind of each, in order: `1 timed_out`."""

    @property
    def verdicts(self) -> list[tuple[int, str, str]]:
        """Seat, bot and kind of each fault, in order."""
        parted = [fault.split() for fault in self.faults]
        return [(int(seat), self.bots[int(seat)], kind) for seat, kind in parted]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """What verifying a match needs beside the row itself."""

    record: str
    sha256: bytes
    ruleset_text: str
    open_hands: bool
    set_done: bool
    """True when all matches of its deal set are played, so that its cards may be shown."""


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A bot's fault in a match."""

    match_id: MatchId
    seat: int
    kind: str
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class WorkerRow:
    """A worker's last heartbeat."""

    id: str
    host: str
    pid: int
    core: int | None
    arena: str
    rules_epoch: int
    protocol: int
    runtimes: Sequence[str]
    level: str
    state: str
    """idle, busy, paused or gone."""
    reason: str
    """Why it has paused; of one that plays, what whoever runs it should know."""
    job_id: JobId | None
    jobs_done: int
    started_at: datetime
    seen_s: float
    """Seconds since the heartbeat, by the server's clock."""
    up_s: float
    """Seconds since the worker started, by the same."""


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """How far a tournament is."""

    pairings: int
    matches: int
    """All matches that it will have."""
    done: int
    """Matches written."""
    cancelled: int
    """Matches that will never be played: a suspended entry's, or all that a cancelled tournament left."""
    running: int
    """Matches finished in jobs under way, not yet written."""
    jobs_queued: int
    jobs_leased: int
    jobs_failed: int
    jobs_cancelled: int
    decisions: int
    """Decisions in jobs under way."""


@dataclass(frozen=True, slots=True)
class EntryProgressRow:
    """One entry's line of the live table."""

    number: int
    label: str
    matches: int
    wins: float
    """Matches won; a shared first place counts its share."""
    faults: int
    suspended: bool
    """Its processes died too often: its open matches are cancelled, not forfeited."""
    deaths: int
    """Processes that died."""


@dataclass(frozen=True, slots=True)
class RunningJobRow:
    """A job that some worker plays now."""

    id: JobId
    tournament_id: TournamentId
    pairing: int
    bots: Sequence[str]
    """Labels of its entries."""
    rotation: int
    matches: int
    progress: int
    decisions: int
    worker: str
    running_s: float
    lease_left_s: float


@dataclass(frozen=True, slots=True)
class QueueRow:
    """The queue at a glance."""

    queued: int
    leased: int
    failed: int
    oldest_queued_s: float | None
    """Age of the oldest queued job."""
    oldest_lease_s: float | None
    """How long the oldest lease has been held."""
