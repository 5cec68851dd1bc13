"""The bots there are: look at them, and take one out of new tournaments.

Owns what is shown of a bot, and who may retire it. Imports nothing that plays or reads bundles, so that a
listing answers at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import UsageError
from arena.store import bots
from arena.store.pool import Connection, Database
from arena.store.rows import BotRow, VersionRow


@dataclass(frozen=True, slots=True)
class ShownBot:
    """A bot and all its versions, newest first."""

    bot: BotRow
    versions: Sequence[VersionRow]

    @property
    def is_retired(self) -> bool:
        """Whether it has retired versions and none that can be entered."""
        return self.bot.newest_checked is None and self.bot.retired > 0


def get_version(database: Database, reference: str) -> VersionRow:
    """Return the version that `name`, `name@3` or `name@1a2b3c` means.

    Raises:
        UsageError: It means nothing, or more than one.
    """
    return database.run(lambda connection: bots.get_version(connection, reference))


def show(database: Database, name: str) -> ShownBot:
    """Return a bot with all its versions.

    Raises:
        UsageError: There is none of that name, or it names a version: versions are shown all together.
    """

    def load(connection: Connection) -> ShownBot:
        if "@" in name:
            shown, _, _ = bots.get_version(connection, name).label.partition("@")
            raise UsageError(f"{name!r} is one version, and all are shown: `arena bot show {shown}`")
        bot = bots.get_bot(connection, name)
        return ShownBot(bot, bots.list_versions(connection, bot.id))

    return database.run(load)


def retire(database: Database, reference: str, owner: str, *, undo: bool = False) -> ShownBot:
    """Take a bot, or one version of it, out of every new tournament, or bring it back, and return it.

    What it played stays, and what it is entered in is played. A later version is not retired.

    Raises:
        UsageError: It is unknown, somebody else's, or has no version that passed its check.
    """

    def work(connection: Connection) -> ShownBot:
        name, at, _ = reference.partition("@")
        version = bots.get_version(connection, reference) if at else None
        bot = bots.get_bot(connection, name)
        if bot.owner != owner:
            raise UsageError(f"bot {bot.name!r} belongs to {bot.owner!r}, not to {owner!r}; give --owner")
        chosen = [version] if version else bots.list_versions(connection, bot.id)
        if not any(row.state in {"checked", "retired"} for row in chosen):
            raise UsageError(
                f"{version.label if version else bot.name}: only what passed its check can be retired; "
                f"see `arena bot show {bot.name}`"
            )
        bots.set_retired(connection, bot.id, version.id if version else None, retired=not undo)
        return ShownBot(bots.get_bot(connection, name), bots.list_versions(connection, bot.id))

    return database.run(work)


def list_all(database: Database) -> list[BotRow]:
    """Return all bots by name."""
    return database.run(bots.list_bots)
