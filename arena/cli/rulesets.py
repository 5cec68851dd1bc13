"""Reading a ruleset as a person names it: a preset, or a TOML file."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.errors import UsageError
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
    from arena.rules.presets import parse_ruleset, preset

    if _is_preset(name):
        return preset(name)
    try:
        return parse_ruleset(_text_of(name))
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, tables within tables
        raise UsageError(f"{name}: the ruleset is no TOML that can be read: {error}") from error


def base_of(name: str) -> str:
    """Return the preset that a ruleset which `read_ruleset` accepts is compared with: a file's own base."""
    if _is_preset(name):
        return DEFAULT_BASE
    return str(tomllib.loads(_text_of(name)).get("base", DEFAULT_BASE))


def _is_preset(name: str) -> bool:
    """Whether a name is a preset's rather than a file's."""
    return not name.endswith(".toml") and "/" not in name


def _text_of(name: str) -> str:
    """Return the text of a ruleset file; one without a single option is the preset `DEFAULT_BASE`."""
    try:
        text = read_regular(Path(name)).decode()
    except OSError as error:
        raise UsageError(f"{error.strerror or error}; `arena rules list` names the presets") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"not a text file: {error}") from error
    except ValueError as error:
        raise UsageError(f"no name of a file: {error}") from error
    return text if "=" in text else f"{text}\nbase = {DEFAULT_BASE!r}\n"
