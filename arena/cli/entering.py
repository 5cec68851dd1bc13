"""The bots of a command that plays at once: folders, zips, those of the store, those of the project itself.

Owns the order: whatever can be refused at once, of a manifest, of a zip, of the store, is looked at before
anything is built, which may take minutes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.session import Session
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.bundle.cache import BundleCache
    from arena.service.seats import Entrant


def enter_all(session: Session, names: Sequence[str], *, tried: Path | None = None) -> "list[Entrant]":
    """Make ready the bots of folders, which are built, of zips, of the store, or of the project itself.

    Args:
        session: Whose settings hold.
        names: The bots.
        tried: A folder or zip before them, which nobody looks for in the store.

    Raises:
        UsageError: One of them is unknown, or cannot be played.
    """
    cache = session.bundles()
    own = [] if tried is None else [tried]
    for path in (*own, *(Path(name) for name in names if _lies_here(name))):
        _look_at(path)
    stored = {name: _enter_stored(session, cache, name) for name in names if not _lies_here(name)}
    return [
        *(_enter_folder(session, cache, path) for path in own),
        *(stored.get(name) or _enter_folder(session, cache, Path(name)) for name in names),
    ]


def _lies_here(name: str) -> bool:
    """Say whether a name is a folder's or a zip's."""
    path = Path(name)
    return path.is_file() or (path / "bot.toml").is_file()


def _look_at(path: Path) -> None:
    """Refuse a zip that is none, or a folder whose manifest is wrong."""
    from arena.bundle.named import named
    from arena.bundle.pack import load_manifest
    from arena.service import bots

    if path.is_dir():
        with named(path):
            load_manifest(path)
    else:
        bots.read_bundle(path)


def _enter_stored(session: Session, cache: "BundleCache", name: str) -> "Entrant":
    """Make ready a bot of the store, or one that the project brings."""
    from arena.service import bots, roster
    from arena.service.reference import find_reference
    from arena.service.seats import enter_bundle

    with session.database() as database:
        try:
            version = roster.get_version(database, name)
        except UsageError:
            if (brought := find_reference(name)) is None:
                raise
            session.terminal.note(f"{name}: none is submitted; the project's own plays, from {brought}")
            return _enter_folder(session, cache, brought)
        return enter_bundle(
            cache,
            version.label,
            version.digest.hex(),
            lambda: bots.load_bundle(database, version.digest),
            session.ceiling,
        )


def _enter_folder(session: Session, cache: "BundleCache", path: Path) -> "Entrant":
    """Make ready the bot of a folder or zip."""
    from arena.service.seats import enter_bundle

    bundle = session.build(path)
    return enter_bundle(cache, bundle.manifest.name, bundle.digest, lambda: bundle.data, session.ceiling)
