"""The bots that the project brings, by name: an opponent for whoever has stored none yet.

Owns where they lie: in the wheel, which carries those in Python, or in a checkout. Refuses to stand in for a
bot of the store: whoever submitted one of the same name means that one.
"""

from pathlib import Path
from typing import Final

import arena
from arena.bundle.manifest import MANIFEST_NAME
from arena.errors import UsageError
from arena.store import bots
from arena.store.pool import Connection
from arena.store.rows import VersionRow

_PACKAGE: Final = Path(arena.__file__).parent
FOLDERS: Final = (_PACKAGE / "reference", _PACKAGE.parent / "bots")
"""Where they are looked for."""


def find_reference(name: str) -> Path | None:
    """Return the folder of a bot that the project brings, None where it brings none of that name."""
    for folder in FOLDERS:
        for found in sorted(folder.glob(f"*/{MANIFEST_NAME}")):
            if found.parent.name == name:
                return found.parent
    return None


def get_stored(connection: Connection, reference: str) -> VersionRow:
    """Return the version that a reference names, to be entered in a tournament.

    Raises:
        UsageError: It names none; of a bot that the project brings the message says how it is stored.
    """
    name = reference.partition("@")[0]
    try:
        return bots.get_version(connection, reference)
    except UsageError as error:
        brought = find_reference(name)
        if brought is None or bots.find_bot(connection, name) is not None:
            raise
        raise UsageError(
            f"no bot named {name!r} is submitted; `arena bot submit {brought}` stores the project's own"
        ) from error
