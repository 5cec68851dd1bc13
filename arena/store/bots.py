"""Bots, their versions and their bundles.

Owns what `name`, `name@3` and `name@1a2b3c` mean. Refuses a name that somebody else owns and a reference that
names nothing or two things. It never commits.
"""

import re

from arena.errors import UsageError, nearest, quote
from arena.store.fetch import execute, fetch_all, fetch_number, fetch_one
from arena.store.pool import Connection
from arena.store.rows import BotId, BotRow, VersionId, VersionRow
from arena.store.sql import query

_DIGEST = re.compile(r"[0-9a-f]{4,64}")


def list_bots(connection: Connection) -> list[BotRow]:
    """Return all bots by name."""
    return fetch_all(connection, BotRow, "select_bots", name=None)


def find_bot(connection: Connection, name: str) -> BotRow | None:
    """Return the bot of that name, without regard to case."""
    return fetch_one(connection, BotRow, "select_bots", name=name)


def get_bot(connection: Connection, name: str) -> BotRow:
    """Return the bot of that name.

    Raises:
        UsageError: There is none; the message names the nearest.
    """
    if (bot := find_bot(connection, name)) is not None:
        return bot
    raise _unknown(connection, name)


def bot_names(connection: Connection) -> list[str]:
    """Return all names."""
    return [str(row[0]) for row in connection.execute(query("select_bot_names"))]


def add_bot(connection: Connection, name: str, owner: str) -> BotRow:
    """Return the bot of that name, made now if it is new.

    Raises:
        UsageError: It belongs to another owner, or its name is spelt with other capitals.
    """
    execute(connection, "insert_bot", {"name": name, "owner": owner})
    bot = get_bot(connection, name)
    if bot.owner != owner:
        raise UsageError(
            f"bot {bot.name!r} belongs to {bot.owner!r}, not to {owner!r}; "
            "choose another name, or give --owner"
        )
    if bot.name != name:
        raise UsageError(f"bot {name!r} exists as {bot.name!r}; spell it so, or choose another name")
    return bot


def add_version(
    connection: Connection, bot_id: BotId, digest: bytes, manifest: str, runtime: str, content: bytes
) -> tuple[VersionRow, bool]:
    """Store a bundle as the next version of a bot and return it, with whether it is new.

    The same bytes are the same version: storing them again changes nothing.
    """
    execute(connection, "lock_bot", {"bot_id": bot_id})
    execute(connection, "insert_bundle", {"digest": digest, "content": content})
    values = {"bot_id": bot_id, "digest": digest, "manifest": manifest, "runtime": runtime}
    created = fetch_number(connection, "insert_version", **values) is not None
    return _select(connection, bot_id=bot_id, digest=digest.hex())[0], created


def set_checked(
    connection: Connection, version_id: VersionId, *, passed: bool, report: str, stderr: str
) -> None:
    """Write down how a version's check game went."""
    state = "checked" if passed else "failed"
    # PostgreSQL's text holds anything but NUL, and a bot writes what it likes.
    values = {"report": report.replace("\0", "\\0"), "stderr": stderr.replace("\0", "\\0")}
    execute(connection, "update_version_checked", {"version_id": version_id, "state": state, **values})


def set_retired(connection: Connection, bot_id: BotId, version_id: VersionId | None, *, retired: bool) -> int:
    """Retire a bot's checked versions, or one, or bring retired ones back; return how many changed."""
    before, after = ("checked", "retired") if retired else ("retired", "checked")
    values = {"bot_id": bot_id, "version_id": version_id, "before": before, "after": after}
    return execute(connection, "update_versions_retired", values)


def list_versions(connection: Connection, bot_id: BotId) -> list[VersionRow]:
    """Return all versions of a bot, newest first."""
    return _select(connection, bot_id=bot_id)


def get_version(connection: Connection, reference: str) -> VersionRow:
    """Return the version that a reference names.

    Args:
        connection: An open transaction.
        reference: `name` is the newest version that passed its check; `name@3` and `name@1a2b3c` name a
            version by its number or the beginning of its digest, whatever its state.

    Raises:
        UsageError: It names nothing, or more than one version.
    """
    name, at, version = reference.partition("@")
    bot = get_bot(connection, name)
    if not at:
        if bot.newest_checked is None and bot.retired:
            raise UsageError(
                f"bot {bot.name!r} is retired; `arena bot retire {bot.name} --undo` brings it back"
            )
        if bot.newest_checked is None:
            raise UsageError(
                f"bot {bot.name!r} has no version that passed its check; see `arena bot show {bot.name}`"
            )
        return _select(connection, bot_id=bot.id, number=bot.newest_checked)[0]
    found: list[VersionRow] = []
    if version.isdecimal() and len(version) <= 9:
        found = _select(connection, bot_id=bot.id, number=int(version))
    if not found and _DIGEST.fullmatch(version.lower()):
        found = _select(connection, bot_id=bot.id, digest=version.lower())
    if len(found) != 1:
        what = "names no version" if not found else "names more than one version"
        newest = max((row.number for row in list_versions(connection, bot.id)), default=0)
        there = {0: "no version", 1: "version 1"}.get(newest, f"versions 1 to {newest}")
        raise UsageError(
            f"{quote(reference)} {what}; {bot.name!r} has {there}, see `arena bot show {bot.name}`"
        )
    return found[0]


def get_bundle(connection: Connection, digest: bytes) -> bytes:
    """Return the bytes of a bundle.

    Raises:
        UsageError: They are not kept, or not any more.
    """
    row = connection.execute(query("select_bundle"), {"digest": digest}).fetchone()
    if row is None:
        raise UsageError(f"no bundle with digest {digest.hex()[:12]} is kept here")
    return bytes(row[0])  # type: ignore[call-overload,no-any-return]


def _select(
    connection: Connection, *, bot_id: BotId, number: int | None = None, digest: str | None = None
) -> list[VersionRow]:
    values = {"name": None, "bot_id": bot_id, "number": number, "digest": digest, "state": None}
    return fetch_all(connection, VersionRow, "select_versions", **values)


def _unknown(connection: Connection, name: str) -> UsageError:
    if "/" in name or name.endswith(".zip"):
        return UsageError(
            f"{quote(name)} is a path, and a name is wanted here;"
            " `arena bot submit PATH` stores a bot, `arena bot list` names what is stored"
        )
    hint = nearest(name, bot_names(connection))
    return UsageError(f"no bot is named {quote(name)}{hint}; see `arena bot list`")
