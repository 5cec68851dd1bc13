"""The levels of isolation: what a match was played under, and which of them count.

A level is a promise, found by attacking it: see `arena.botproc.probe`.
"""

from enum import StrEnum


class Level(StrEnum):
    """How well a bot is shut in, the best first."""

    STRICT = "strict"
    """Namespaces, seccomp and a user id per seat; the worker runs as root."""
    USERNS = "userns"
    """Namespaces and seccomp, all seats under the worker's own user id; needs no root."""
    LANDLOCK = "landlock"
    """Root in a container that forbids namespaces: Landlock, seccomp and a user id per seat."""
    NONE = "none"
    """No isolation: for one's own bots only, never rated."""

    @property
    def is_rated(self) -> bool:
        """True when matches of this level may count."""
        return self is not Level.NONE


RATED_LEVELS = tuple(level for level in Level if level.is_rated)
"""From best to worst."""
