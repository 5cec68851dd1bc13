"""The settings of a process: defaults, then `arena.toml`, then the environment, then flags.

Owns every name, type and range that can be set, and where each value came from. Refuses what it does not
know, with the nearest known name. Only the shells (`cli`, `worker`) read settings; everything below gets
values.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from arena.addresses import SCHEMES, check_address
from arena.errors import UsageError, nearest, quote
from arena.files import read_regular

CONFIG_NAME = "arena.toml"
PREFIX = "ARENA_"
LEVELS = ("auto", "strict", "userns", "landlock", "none")
LOG_FORMATS = ("text", "json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set. In `arena.toml` by these names, in the environment as `ARENA_NAME`."""

    data_folder: Path = Path(".arena")
    """Where the embedded servers keep their data, and workers their caches."""
    database_url: str = ""
    """PostgreSQL to use instead of the embedded one, such as postgresql://user@host/name."""
    broker_url: str = ""
    """Redis, Valkey or RabbitMQ to use instead of the embedded one, such as redis://host/0."""
    workers: int = 0
    """Workers that `arena up` starts; 0 means one a core."""
    sandbox: str = "auto"
    """Level of isolation: auto takes the best that the machine gives, and fails rather than take none."""
    lease_s: float = 30.0
    """How long a worker owns a job without renewing it; it renews three times as often."""
    reconcile_s: float = 5.0
    """How often lost leases are taken back and lost messages sent again."""
    job_s: float = 600.0
    """When a running job is cut and what is left of it planned again."""
    job_target_s: float = 10.0
    """How long a job should play, at the measured speed of its bots."""
    stop_s: float = 5.0
    """How long a worker that was told to stop plays on to finish open matches."""
    tables_max: int = 256
    """The most tables of one job that are open at once."""
    memory_mib_max: int = 512
    """The most memory that a bot may ask for here, in MiB; a tournament may grant less."""
    processes_max: int = 64
    """The most processes and threads that a bot may ask for here; a tournament may grant less."""
    uid_first: int = 200_000
    """First of the user ids that seats get where the worker is root."""
    uid_count: int = 65_536
    """How many of them."""
    log_format: str = "text"
    """How workers write what they do: text for people, json for programs, one object a line."""
    metrics_port: int = 0
    """Port where a worker answers Prometheus, 0 for none; those of `arena up` take this and the next ones."""
    metrics_host: str = "127.0.0.1"
    """The address it answers at."""
    owner: str = ""
    """Owner label of submitted bots; empty means the login name."""
    origins: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where each value came from: "default", the file, the environment variable, or "flag"."""

    def __post_init__(self) -> None:
        _check_ranges(self)

    @property
    def silent_s(self) -> float:
        """Without a heartbeat for so long, some periods and a rest after a failure, a worker is gone."""
        return 4 * self.reconcile_s + 15


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str],
    file: Path | None = None,
) -> Settings:
    """Merge defaults, the file (when it exists), the environment and flags, the later winning.

    Args:
        flags: Values given on the command line; None stands for "not given".
        environment: Usually `os.environ`.
        file: `arena.toml`; one named explicitly must exist, the default one need not.

    Raises:
        UsageError: An unknown name, a wrong type, or a value out of range; says where it stands.
    """
    values: dict[str, Any] = {}
    origins = dict.fromkeys(_known(), "default")
    for origin, layer in (_from_file(file), _from_environment(environment), _from_flags(flags or {})):
        for name, value in layer.items():
            where = f"{PREFIX}{name.upper()}" if origin == "environment" else origin
            values[name] = _convert(name, value, where)
            origins[name] = where
    return Settings(**values, origins=origins)


def _known() -> dict[str, Field[Any]]:
    return {spec.name: spec for spec in fields(Settings) if spec.name != "origins"}


def _from_file(file: Path | None) -> tuple[str, dict[str, Any]]:
    from arena.toml import decode, read_toml  # noqa: PLC0415 (most commands find no file)

    path = file if file is not None else Path(CONFIG_NAME)
    try:
        table = read_toml(decode(read_regular(path)))
    except FileNotFoundError:
        if file is not None:
            raise UsageError(f"{path}: no such file; leave --config out to use the defaults") from None
        return str(path), {}
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # no UTF-8 or no TOML
        raise UsageError(f"{path}: cannot be read: {error}") from error
    for name in table:
        if name not in _known():
            known = ", ".join(sorted(_known()))
            hint = nearest(name, _known())
            raise UsageError(f"{path}: unknown setting {quote(name)}{hint}; known are {known}")
    return str(path), table


def _from_environment(environment: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    layer: dict[str, Any] = {}
    for variable, value in environment.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or variable in NOT_SETTINGS:
            continue
        if name in _known():
            layer[name] = value
        elif nearest(name, _known()):
            # Other programs may own names that begin like ours; a near miss is a slip of the pen.
            hint = nearest(variable, [PREFIX + known.upper() for known in _known()])
            raise UsageError(f"environment: unknown setting {quote(variable)}{hint}; unset or correct it")
    return "environment", layer


NOT_SETTINGS = frozenset({"ARENA_ADDRESS", "ARENA_BUILD_CORE", "ARENA_PURE", "ARENA_TYPED"})
"""Variables that are no settings: a bot's address, the switches of the build, what was typed for a script."""


def _from_flags(flags: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    for name in flags:
        if name not in _known():
            raise UsageError(f"unknown setting {quote(name)}{nearest(name, _known())}")
    return "flag", {name: value for name, value in flags.items() if value is not None}


def _convert(name: str, value: Any, where: str) -> Any:
    """Give a raw value the type of the setting's default; environment values come as text."""
    default = _known()[name].default
    wanted = type(default)
    if isinstance(default, Path):
        wanted = Path
    # A file writes a number without quotes; the environment has nothing but texts.
    is_number = not isinstance(value, bool | str) or where.startswith(PREFIX)
    try:
        if wanted is int and is_number and int(value) == float(value):
            return int(value)
        if wanted is float and is_number:
            return float(value)
        if wanted is Path and isinstance(value, str | Path) and str(value):
            return Path(_check_text(name, str(value), where))
        if wanted is str and isinstance(value, str):
            return _check_text(name, value, where)
    except OverflowError:
        low, high = RANGES[name]
        raise UsageError(f"{where}: {name} must lie between {low:,} and {high:,}") from None
    except (TypeError, ValueError):
        pass
    kinds = {int: "a whole number", float: "a number", str: "a text", Path: "a path that is not empty"}
    raise UsageError(f"{where}: {name} must be {kinds[wanted]}, not {quote(value)}")


def _check_text(name: str, text: str, where: str) -> str:
    """Refuse what neither a database nor a file system takes as text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UsageError(f"{where}: {name} must be UTF-8, not {quote(text)}") from None
    if len(text) > LONGEST_TEXT or any(char < " " or char == "\x7f" for char in text):
        raise UsageError(
            f"{where}: {name} must hold no control characters and at most {LONGEST_TEXT:,} characters"
        )
    return text


def _check_ranges(settings: Settings) -> None:
    for name, choices in CHOICES.items():
        value = getattr(settings, name)
        if value not in choices:
            known = ", ".join(choices)
            where = _where(settings, name)
            raise UsageError(f"{where}{name}: {quote(value)} is none of {known}{nearest(value, choices)}")
    for name, (low, high) in RANGES.items():
        value = getattr(settings, name)
        if not low <= value <= high:
            where = _where(settings, name)
            raise UsageError(f"{where}{name} must lie between {low:,} and {high:,}, not {quote(value)}")
    for name in SCHEMES:
        check_address(name, getattr(settings, name), settings.origins.get(name, name))


def _where(settings: Settings, name: str) -> str:
    """Say which file or variable a value came from; a flag was typed a moment ago."""
    origin = settings.origins.get(name, "default")
    return "" if origin in {"default", "flag"} else f"{origin}: "


CHOICES = {"sandbox": LEVELS, "log_format": LOG_FORMATS}
"""What a setting of few values may be."""
LONGEST_TEXT = 4095
"""The longest text of a setting: that of a path."""

RANGES: dict[str, tuple[float, float]] = {
    "workers": (0, 1024),
    "lease_s": (0.5, 3600),
    "reconcile_s": (0.1, 600),
    "job_s": (1, 1400),  # RabbitMQ gives up on a message unacknowledged for 30 minutes
    "job_target_s": (0.1, 600),
    "stop_s": (0, 60),
    "tables_max": (1, 1024),
    "metrics_port": (0, 65_535),
    "memory_mib_max": (16, 1_048_576),
    "processes_max": (1, 65_536),
    "uid_first": (1000, 2_000_000_000),
    "uid_count": (16, 1_000_000_000),
}
"""The least and the most of each number."""
