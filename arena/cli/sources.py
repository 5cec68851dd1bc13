"""What `submit` was given: which bots a folder stands for, which of them share a name, and whose each is.

Owns what can be known of sources before any of them is stored. Refuses to judge a bot: one that cannot be
read is a source all the same, so that a table can say why.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.errors import UsageError
from arena.files import cure_reading

MANIFEST: Final = "bot.toml"


def find_bots(source: Path) -> list[Path]:
    """Return the bots that a source stands for: itself, or all zips and bots' folders in it, by name.

    Whatever is called a zip is one of them, be it a pipe or a link that leads nowhere.

    Raises:
        UsageError: It is a folder in which there is none.
    """
    if not source.is_dir() or os.path.lexists(source / MANIFEST):
        return [source]
    try:
        inside = sorted(source.iterdir())
    except OSError as error:
        raise UsageError(
            f"{source}: cannot be read: {error.strerror or error}; {cure_reading(error)}"
        ) from error
    bots = [path for path in inside if path.suffix.lower() == ".zip" or os.path.lexists(path / MANIFEST)]
    if not bots:
        raise UsageError(f"{source}: no {MANIFEST} here, and no zip or bot's folder in it")
    return bots


def named_twice(sources: Iterable[Path]) -> dict[Path, str]:
    """Return, for each source that shares its bot's name with another one of other bytes, what to say of it.

    The second would become the next version of the first one's bot, which then would not play.
    """
    sharing: dict[str, list[tuple[Path, str]]] = {}
    for source in sources:
        if name := _name_in(source):
            sharing.setdefault(name.casefold(), []).append((source, name))
    refused: dict[Path, str] = {}
    for group in sharing.values():
        if len(group) > 1 and len({_digest_of(source) for source, _ in group}) > 1:
            for source, name in group:
                others = ", ".join(str(other.name) for other, _ in group if other != source)
                refused[source] = (
                    f"{source}: the bot {name!r} is in {others} too: let one author choose another name, "
                    "or of two versions submit the older one first, by itself"
                )
    return refused


def refuse_clash(source: Path, clashes: Mapping[Path, str]) -> None:
    """Refuse a source that `named_twice` found.

    Raises:
        UsageError: It is one of those.
    """
    if source in clashes:
        raise UsageError(clashes[source])


def owner_from(source: Path) -> str:
    """Return the owner label that a file's name gives: `anna` for `anna.zip`."""
    return source.stem if source.suffix.lower() == ".zip" else source.resolve().name


def _name_in(source: Path) -> str:
    """Return the name of the bot in a source, or an empty text where it cannot be read."""
    from arena.bundle.pack import load_manifest
    from arena.service.bots import read_bundle

    try:
        return load_manifest(source).name if source.is_dir() else read_bundle(source).manifest.name
    except UsageError:
        return ""


def _digest_of(source: Path) -> str:
    """Return the digest of what a source is now; one that is still to be built has none but its own."""
    from arena.service.bots import read_bundle

    try:
        return read_bundle(source).digest
    except UsageError:
        return str(source)
