"""`bot.toml`, the page on which an author says what a bot is; read strictly, written nowhere.

Owns the keys, their types and the sentence for each mistake: an unknown key is refused with the nearest known
one, never ignored. Refuses to know which runtimes a machine has and which limits a tournament grants: both
are decided where a bot is started (`arena.botproc.runtimes`, `arena.botproc.limits`).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.errors import UsageError, nearest, quote
from arena.toml import read_toml

MANIFEST_NAME = "bot.toml"
NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
NAME_RULE = "1 to 32 of A-Z a-z 0-9 _ -, the first a letter or a digit"
MOST_PATTERNS = 200
PATTERN_CHARS = 255
WORD_PATTERN = re.compile(r"[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True, slots=True)
class AskedLimits:
    """What a bot asks for beyond the defaults; None asks for nothing special."""

    memory_mib: int | None = None
    """Memory of the whole process tree in MiB."""
    processes: int | None = None
    """Processes and threads at one time."""
    cores: float | None = None
    """Processor cores, 1.0 is one whole core."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A parsed `bot.toml`."""

    name: str
    """The bot's name, unique without regard to case."""
    runtime: str
    """What the sandbox must hold beside the bundle: "python", "native", "node", …"""
    run: tuple[str, ...]
    """The command inside the sandbox; the working directory is the bundle."""
    include: tuple[str, ...]
    """Patterns of the files that are shipped, `**` crossing folders; `bot.toml` is always shipped."""
    build: tuple[str, ...] = ()
    """The command that makes what is shipped, run on the author's machine only; empty for none."""
    limits: AskedLimits = field(default_factory=AskedLimits)
    """What the bot asks for beyond the defaults."""
    needs_proc: bool = False
    """True asks for a /proc of its own (Java, .NET)."""
    needs_tmp: bool = False
    """True asks for a writable /tmp, small and in memory."""


def parse_manifest(text: str, *, source: str = MANIFEST_NAME) -> Manifest:
    """Read a manifest; `source` names it in messages.

    Raises:
        UsageError: Not TOML, an unknown or missing key, a wrong type or a value that cannot be.
    """
    try:
        table = read_toml(text)
    except ValueError as error:
        raise UsageError(f"{source}: not valid TOML: {error}") from error
    known = _read_table(table, _KEYS, source)
    for key in _REQUIRED:
        if key not in known:
            raise UsageError(f"{source}: the key {key!r} is missing; needed are {', '.join(_REQUIRED)}")
    return Manifest(**known)


def check_name(name: str, *, what: str = "bot name") -> str:
    """Return `name` when it is allowed.

    Raises:
        UsageError: It is not; the message says what is allowed.
    """
    if not NAME_PATTERN.fullmatch(name):
        raise UsageError(f"{what} {quote(name)} is not allowed: {NAME_RULE}")
    return name


_Reader = Callable[[Any, str], Any]


def _read_table(table: Mapping[str, Any], keys: Mapping[str, _Reader], source: str) -> dict[str, Any]:
    """Read every key of a table with its reader; no key may be unknown."""
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in keys:
            known = ", ".join(sorted(keys))
            raise UsageError(f"{source}: unknown key {quote(key)}{nearest(key, keys)}; known are {known}")
        values[key] = keys[key](value, f"{source}: {key}")
    return values


def _read_name(value: Any, where: str) -> str:
    return check_name(_read_text(value, where), what=f"{where}:")


def _read_text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{where} must be a text, not {_kind(value)}")
    if not value or "\0" in value:
        raise UsageError(f"{where} must be a text that is not empty and holds no NUL")
    return value


def _read_word(value: Any, where: str) -> str:
    if not WORD_PATTERN.fullmatch(_read_text(value, where)):
        raise UsageError(
            f"{where}: {quote(value)} is not a runtime's name (lower-case letters, digits, hyphens)"
        )
    return str(value)


def _read_texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise UsageError(f'{where} must be a list of texts such as ["a", "b"], not {_kind(value)}')
    if not value:
        raise UsageError(f"{where} must not be empty")
    return tuple(_read_text(part, f"{where}[{place}]") for place, part in enumerate(value))


def _read_patterns(value: Any, where: str) -> tuple[str, ...]:
    patterns = _read_texts(value, where)
    if len(patterns) > MOST_PATTERNS:
        raise UsageError(
            f"{where} has {len(patterns):,} patterns; {MOST_PATTERNS} at most are allowed: name folders"
        )
    for place, pattern in enumerate(patterns):
        if len(pattern) > PATTERN_CHARS or pattern.count("**") > 2:
            raise UsageError(
                f"{where}[{place}]: {quote(pattern)} is not allowed: "
                f"{PATTERN_CHARS} characters and two ** at most"
            )
    return patterns


def _read_flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{where} must be true or false, not {_kind(value)}")
    return value


def _read_count(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise UsageError(f"{where} must be a whole number, not {_kind(value)}")
    if value < 1:
        raise UsageError(f"{where} must be at least 1, not {quote(value)}")
    return value


def _read_cores(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise UsageError(f"{where} must be a number, not {_kind(value)}")
    if not 0 < value <= 1024:
        raise UsageError(f"{where} must be above 0 and at most 1024, not {quote(value)}")
    return float(value)


def _read_limits(value: Any, where: str) -> AskedLimits:
    if not isinstance(value, dict):
        raise UsageError(f"{where} must be a table [limits], not {_kind(value)}")
    return AskedLimits(**_read_table(value, _LIMIT_KEYS, where))


def _kind(value: Any) -> str:
    """Name a TOML value's type as an author would."""
    names = {bool: "true/false", int: "a whole number", float: "a number", str: "a text", list: "a list"}
    return names.get(type(value), "a table" if isinstance(value, dict) else "a date or time")


_LIMIT_KEYS: dict[str, _Reader] = {
    "memory_mib": _read_count,
    "processes": _read_count,
    "cores": _read_cores,
}
_KEYS: dict[str, _Reader] = {
    "name": _read_name,
    "runtime": _read_word,
    "run": _read_texts,
    "include": _read_patterns,
    "build": _read_texts,
    "limits": _read_limits,
    "needs_proc": _read_flag,
    "needs_tmp": _read_flag,
}
_REQUIRED = ("name", "runtime", "run", "include")
