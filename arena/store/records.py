"""What a bot did in all its tournaments: its record, whom it met, and by what it lost.

Owns sums over a bot's versions. They come from the counters that the finishing transaction of each job keeps,
so that they cost the same after a million matches. Refuses to rate: a rating belongs to a scope. It never
commits.
"""

from dataclasses import dataclass

from arena.store.fetch import fetch_all, fetch_number, fetch_one
from arena.store.pool import Connection
from arena.store.rows import BotId


@dataclass(frozen=True, slots=True)
class BotRecordRow:
    """A bot's sums over all tournaments and versions."""

    tournaments: int
    """Tournaments that it was entered in."""
    matches: int
    wins: float
    """Matches won; a shared first place counts its share."""
    faults: int
    """Matches that it left by a fault."""
    annulled: int
    """Matches that it played beside these and that do not count."""


@dataclass(frozen=True, slots=True)
class RivalRow:
    """A bot against another one, from the first one's side."""

    bot: str
    """The other one."""
    matches: int
    """Matches in which both sat."""
    wins: float
    losses: float
    """Those that the other one won; at tables of three and more the rest went to others."""


@dataclass(frozen=True, slots=True)
class FaultCountRow:
    """One kind of fault of a bot."""

    kind: str
    matches: int
    """Matches lost by it."""


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What the processes of a version used in all of its jobs."""

    label: str
    """Which version."""
    jobs: int
    """Jobs in which somebody looked."""
    memory_bytes: int
    """The most at one time in any of them."""
    memory_limit: int
    """How much was granted in that one, in bytes."""
    memory_source: str
    """How it is known there."""
    processes_refused: int
    """Processes and threads that were refused to it in all of them."""


def bot_record(connection: Connection, bot_id: BotId) -> BotRecordRow:
    """Return a bot's sums."""
    found = fetch_one(connection, BotRecordRow, "select_bot_record", bot_id=bot_id)
    if found is None:
        raise AssertionError("a sum without groups has one row")
    return found


def rivals(connection: Connection, bot_id: BotId, limit: int) -> list[RivalRow]:
    """Return the bots that a bot met most often."""
    return fetch_all(connection, RivalRow, "select_rivals", bot_id=bot_id, limit=limit)


def fault_counts(connection: Connection, bot_id: BotId) -> list[FaultCountRow]:
    """Return a bot's faults by kind, the most frequent first."""
    return fetch_all(connection, FaultCountRow, "select_faults_of_bot", bot_id=bot_id)


def usage(connection: Connection, bot_id: BotId) -> list[UsageRow]:
    """Return what each version of a bot used, the newest first; none of those that nobody looked at."""
    return fetch_all(connection, UsageRow, "select_usage_of_bot", bot_id=bot_id)


def death_count(connection: Connection, bot_id: BotId) -> int:
    """Return how often a process of a bot died."""
    return fetch_number(connection, "count_deaths_of_bot", bot_id=bot_id) or 0
