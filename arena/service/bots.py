"""Bots and their versions: take a name, submit a bundle, write down how its check game went.

Owns what makes a submission acceptable before anything is stored. The same bytes are the same version;
another version needs the owner of the first. The check itself is `arena.service.check`'s and needs no
database; looking at what is stored is `arena.service.roster`'s.
"""

from dataclasses import dataclass
from pathlib import Path

from arena.botproc.limits import DEFAULT_CEILING, Limits, grant_limits
from arena.botproc.runtimes import get_kind
from arena.bundle.archive import check_contents, read_entries
from arena.bundle.extract import read_manifest_text
from arena.bundle.manifest import check_name, parse_manifest
from arena.bundle.named import named
from arena.bundle.pack import Bundle, digest_of, pack_folder
from arena.bundle.rules import DEFAULT_BUNDLE_LIMITS, BundleLimits
from arena.errors import UsageError
from arena.files import read_regular
from arena.service.check import CheckReport
from arena.store import bots
from arena.store.pool import Connection, Database
from arena.store.rows import BotRow, VersionRow


@dataclass(frozen=True, slots=True)
class Submission:
    """What came of storing a bundle."""

    version: VersionRow
    is_new: bool
    """False when these very bytes were stored before."""


def read_bundle(path: Path, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> Bundle:
    """Return the bundle of a bot's folder, or the one in a zip.

    Raises:
        UsageError: There is nothing, or it is not a bundle that is allowed.
    """
    with named(path):
        if path.is_dir():
            return pack_folder(path, limits)
        try:
            return open_bundle(read_regular(path, limits.upload_bytes), limits)
        except OSError as error:
            raise UsageError(
                f"{path}: cannot be read: {error.strerror}; give a bot's folder or zip"
            ) from error


def open_bundle(data: bytes, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> Bundle:
    """Return the bundle that some bytes are, all of them looked at.

    Raises:
        UsageError: They are no bundle, not one that is allowed, or damaged anywhere.
    """
    text, files = read_manifest_text(data, limits)
    check_contents(data, read_entries(data, limits))
    return Bundle(parse_manifest(text), data, digest_of(data), files)


def register(database: Database, name: str, owner: str) -> BotRow:
    """Take a bot's name for an owner; the same owner's name again changes nothing.

    Raises:
        UsageError: The name is not allowed, or somebody else's.
    """
    check_name(name)
    return database.run(lambda connection: bots.add_bot(connection, name, owner))


def submit_version(
    database: Database, data: bytes, owner: str, *, ceiling: Limits = DEFAULT_CEILING
) -> Submission:
    """Store a bundle as a version of the bot that its manifest names.

    Raises:
        UsageError: The bundle is not allowed, asks for too much or for a runtime that nobody knows, or the
            name is somebody else's. Nothing was stored.
    """
    bundle = open_bundle(data)
    manifest = bundle.manifest
    get_kind(manifest.runtime)
    grant_limits(manifest.limits, ceiling)
    text, _ = read_manifest_text(data)

    def store(connection: Connection) -> Submission:
        bot = bots.add_bot(connection, manifest.name, owner)
        version, is_new = bots.add_version(
            connection, bot.id, bytes.fromhex(bundle.digest), text, manifest.runtime, data
        )
        return Submission(version, is_new)

    return database.run(store)


def record_check(database: Database, version: VersionRow, report: CheckReport) -> VersionRow:
    """Write down how a version's check game went; a passed one makes it playable."""

    def store(connection: Connection) -> VersionRow:
        bots.set_checked(
            connection, version.id, passed=report.passed, report=str(report), stderr=report.stderr
        )
        return bots.get_version(connection, version.label)

    return database.run(store)


def load_bundle(database: Database, digest: bytes) -> bytes:
    """Return the bytes of a stored bundle.

    Raises:
        UsageError: They are not kept.
    """
    return database.run(lambda connection: bots.get_bundle(connection, digest))
