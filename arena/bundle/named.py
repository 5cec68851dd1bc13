"""The name of the file in front of what is wrong with it.

Owns how a message about a bot says which of many it is about: what reads a bundle knows bytes, what reads a
manifest knows text, and whoever was given a path by a person reads it within `named`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena.bundle.manifest import MANIFEST_NAME
from arena.errors import ArenaError

_OWN: Final = ("bundle: ", f"{MANIFEST_NAME}: ")
"""How messages begin that do not know where what they speak of lies."""


@contextmanager
def named(source: Path) -> Iterator[None]:
    """Let every error within begin with the path of the folder or zip that it is about."""
    try:
        yield
    except ArenaError as error:
        said = str(error)
        if said.startswith(str(source)):
            raise
        of_bundle, of_manifest = map(said.startswith, _OWN)
        place = str(source / MANIFEST_NAME) if of_manifest and source.is_dir() else str(source)
        if of_bundle or (of_manifest and source.is_dir()):
            said = said.partition(": ")[2]
        raise type(error)(f"{place}: {said}", output=error.output) from error
