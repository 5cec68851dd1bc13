"""What may be thrown away: said first, and done when it is asked for.

Owns what counts as spare: what is needed for no standing, no proof, no check and no match to come. Refuses to
touch a fact, a tournament that is not over, and what somebody may be using: what is younger than a day.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bundle.cache import remove_tree
from arena.store import prune as store
from arena.store.pool import Connection, Database

DAY_S: Final = 86_400.0
ROWS: Final = {
    "jobs": "jobs of tournaments that are over",
    "bundles": "programs of versions that failed their check over a day ago",
}
UNPACKED: Final = "unpacked bundles that no version needs, over a day old"
_CACHED = re.compile(r"[0-9a-f]{64}|extract-\w+")


@dataclass(frozen=True, slots=True)
class Spare:
    """One kind of what may be thrown away."""

    what: str
    """In words."""
    count: int
    """How many there are."""
    size: int
    """How many bytes they have."""


def prune(database: Database, bundles: Path, *, is_done: bool = False) -> list[Spare]:
    """Return what is spare, and remove it when `is_done` is asked for.

    Args:
        database: Whose rows.
        bundles: The folder of unpacked bundles.
        is_done: Whether it is removed, or only counted.
    """

    def work(connection: Connection) -> tuple[list[Spare], set[str]]:
        found = [Spare(words, *store.count_spare(connection, what)) for what, words in ROWS.items()]
        if is_done:
            for what in ROWS:
                store.delete_spare(connection, what)
        return found, store.list_needed(connection)

    found, needed = database.run(work)
    folders = list(_spare_folders(bundles, needed))
    found.append(Spare(UNPACKED, len(folders), sum(map(_size, folders))))
    if is_done:
        for folder in folders:
            remove_tree(folder)
    return found


def _spare_folders(bundles: Path, needed: set[str]) -> Iterator[Path]:
    if not bundles.is_dir():
        return
    for folder in sorted(bundles.iterdir()):
        if not _CACHED.fullmatch(folder.name) or folder.name in needed or folder.is_symlink():
            continue
        if time.time() - folder.stat().st_mtime > DAY_S:
            yield folder


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
