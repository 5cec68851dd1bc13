"""Reading a ruleset as a person names it: a preset, or a TOML file; what is neither is told what was near."""

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.errors import UsageError, nearest, quote
from arena.files import read_regular

if TYPE_CHECKING:
    from arena.rules.options import Ruleset

DEFAULT_BASE: Final = "mattel"
"""The preset that a file changes unless it names another."""


def read_ruleset(name: str) -> "Ruleset":
    """Return the ruleset of a preset's name, or of the TOML file of that path.

    Raises:
        UsageError: There is no such preset and no such file, or the file is no ruleset.
    """
    from arena.rules.presets import PRESETS, parse_ruleset, preset

    if name in PRESETS:
        return preset(name)
    is_folder = os.path.isdir(name)  # noqa: PTH112 (Path.is_dir raises where a name is too long for a file)
    if _is_preset(name) or is_folder or not os.path.lexists(name):
        raise UsageError(_say_unknown(name, list(PRESETS)))
    try:
        return parse_ruleset(_text_of(name))
    except UsageError as error:
        # What the file system refuses names the file already.
        raise UsageError(f"{name}: {str(error).removeprefix(f'{Path(name)}: ')}") from error


def base_of(name: str) -> str:
    """Return the preset that a ruleset which `read_ruleset` accepts is compared with: a file's own base."""
    from arena.toml import read_toml

    if _is_preset(name):
        return DEFAULT_BASE
    return str(read_toml(_text_of(name)).get("base", DEFAULT_BASE))


def _is_preset(name: str) -> bool:
    """Whether a name is a preset's rather than a file's."""
    return not name.endswith(".toml") and "/" not in name


def _say_unknown(name: str, presets: list[str]) -> str:
    """Say that there is no such ruleset, what it may have been meant for, and what can be given."""
    allowed = f"give one of {', '.join(presets)}, or a TOML file"
    try:
        path = Path(name)
        if path.is_dir():
            return f"{quote(name)} is a folder, not a ruleset: {allowed}"
        if path.exists():  # without a slash or .toml a name is a preset's
            return f"unknown ruleset {quote(name)} (did you mean {f'./{name}'!r}?): {allowed}"
        beside = [
            str(path.with_name(file.name)) for file in itertools.islice(path.parent.glob("*.toml"), 1000)
        ]
    except (OSError, ValueError):  # no name that a file could have
        beside = []
    what = "unknown ruleset" if _is_preset(name) else "there is no file"
    return f"{what} {quote(name)}{nearest(name, [*presets, *beside])}: {allowed}"


def _text_of(name: str) -> str:
    """Return the text of a ruleset file; one without a single option is the preset `DEFAULT_BASE`."""
    from arena.toml import decode

    try:
        text = decode(read_regular(Path(name)))
    except OSError as error:
        raise UsageError(f"{error.strerror or error}; `arena rules list` names the presets") from error
    except ValueError as error:
        raise UsageError(f"cannot be read: {error}") from error
    return text if "=" in text else f"{text}\nbase = {DEFAULT_BASE!r}\n"
