"""Which shape of sandbox reaches what must be mounted: root passes closed folders, a seat's user does not."""

import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from arena.botproc.policy import Shape
from arena.errors import PlatformError


def choose_shape(shapes: Sequence[Shape], sources: Sequence[Path]) -> Shape:
    """Return the first proved shape whose setting-up user can reach everything that is mounted.

    Raises:
        PlatformError: None can.
    """
    for shape in shapes:
        if shape is not Shape.SEAT or all(is_open_to_all(source) for source in sources):
            return shape
    closed = next((str(source) for source in sources if not is_open_to_all(source)), "nothing")
    raise PlatformError(f"no user of a seat can read {closed}; move it out of closed folders")


@lru_cache(maxsize=4096)
def _is_passable(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def is_open_to_all(path: Path) -> bool:
    """True when any user can read `path` and pass every folder above it."""
    mode = path.stat().st_mode
    wanted = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & wanted == wanted and all(_is_passable(folder) for folder in path.parents)
