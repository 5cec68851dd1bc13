"""The names that a shell completes, from whichever database the settings mean.

Owns the way to them without the driver of the database and without a single process: that is what makes
completion quick. Refuses to start a server.
"""

from arena.config import Settings
from arena.embedded.folder import POSTGRES_SOCKET, DataFolder
from arena.store import names


def known_bots(settings: Settings) -> list[str]:
    """Return the names of all bots.

    Raises:
        PlatformError: The database does not answer.
        OSError: It does not run.
    """
    return _fetch(settings, names.BOTS)


def known_versions(settings: Settings) -> list[str]:
    """Return the versions of all bots, as `name@3`.

    Raises:
        PlatformError: The database does not answer.
        OSError: It does not run.
    """
    return _fetch(settings, names.VERSIONS)


def known_tournaments(settings: Settings) -> list[str]:
    """Return the names of the newest tournaments.

    Raises:
        PlatformError: The database does not answer.
        OSError: It does not run.
    """
    return _fetch(settings, names.TOURNAMENTS)


def _fetch(settings: Settings, query: str) -> list[str]:
    if settings.database_url:
        return names.fetch_names(settings.database_url, query)
    socket = DataFolder(settings.data_folder).sockets / POSTGRES_SOCKET
    return names.fetch_names(socket, query, user="arena", database="arena")
