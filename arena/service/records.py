"""A bot's record over all tournaments, for the one who looks at it.

Owns what belongs to it. Stores nothing; ratings are `arena.service.standings`'s, for they need a scope.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.store import bots, records
from arena.store.pool import Connection, Database
from arena.store.records import BotRecordRow, FaultCountRow, RivalRow, UsageRow


@dataclass(frozen=True, slots=True)
class BotRecord:
    """What a bot did so far."""

    total: BotRecordRow
    """Its sums."""
    rivals: Sequence[RivalRow]
    """Whom it met, the most frequent first."""
    faults: Sequence[FaultCountRow]
    """By what it lost matches, the most frequent first."""
    deaths: int
    """How often a process of it died; one death can end many matches."""
    usage: Sequence[UsageRow]
    """What its processes used, by version, the newest first."""


def read_record(database: Database, name: str, *, rivals: int = 20) -> BotRecord:
    """Return the record of a bot, over all its versions.

    Args:
        database: Where it is.
        name: Which bot.
        rivals: How many of those that it met, at most.

    Raises:
        UsageError: There is no such bot.
    """

    def work(connection: Connection) -> BotRecord:
        bot = bots.get_bot(connection, name)
        return BotRecord(
            records.bot_record(connection, bot.id),
            records.rivals(connection, bot.id, rivals),
            records.fault_counts(connection, bot.id),
            records.death_count(connection, bot.id),
            records.usage(connection, bot.id),
        )

    return database.run(work)
