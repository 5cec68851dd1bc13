"""Reading a ruleset as a person names it: a preset, or a TOML file."""

from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import UsageError
from arena.files import read_regular

if TYPE_CHECKING:
    from arena.rules.options import Ruleset


def read_ruleset(name: str) -> "Ruleset":
    """Return the ruleset of a preset's name, or of the TOML file of that path.

    Raises:
        UsageError: There is no such preset and no such file, or the file is no ruleset.
    """
    from arena.rules.options import parse_ruleset, preset

    if not name.endswith(".toml") and "/" not in name:
        return preset(name)
    path = Path(name)
    try:
        text = read_regular(path).decode()
    except OSError as error:
        raise UsageError(f"{name}: {error.strerror or error}") from error
    except ValueError as error:
        raise UsageError(f"{name}: not a text file: {error}") from error
    try:
        # A file without a single option is the preset it is based on by default.
        return parse_ruleset(text if "=" in text else f"{text}\nbase = 'mattel'\n")
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error
