"""The names that a shell completes, from whichever database the settings mean.

Owns the way to them without the driver of the database and without a single process: that is what makes
completion quick. Refuses to start a server.
"""

from arena.config import Settings
from arena.embedded.folder import POSTGRES_SOCKET, DataFolder
from arena.store.names import fetch_names


def known_names(settings: Settings, query: str) -> list[str]:
    """Return the names that a query of the store gives.

    Raises:
        PlatformError: The database does not answer.
        OSError: It does not run.
    """
    if settings.database_url:
        return fetch_names(settings.database_url, query)
    socket = DataFolder(settings.data_folder).sockets / POSTGRES_SOCKET
    return fetch_names(socket, query, user="arena", database="arena")
