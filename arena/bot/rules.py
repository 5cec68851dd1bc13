"""What the handshake tells a bot: the rules in force and the limits that hold.

Values only. A bot that plays by the legal moves needs neither; a strong one asks `rules.option("challenge")`
or counts with `rules.deck`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Limits(NamedTuple):
    """What the bot may use; 0 where no limit holds."""

    budget_ms: int = 0
    """Time for one decision."""
    bank_ms: int = 0
    """What a match may take beyond its budgets in all."""
    memory_bytes: int = 0
    """Memory of the sandbox."""
    processes: int = 0
    """Processes and threads in the sandbox."""
    cpu_millis: int = 0
    """Share of one core in thousandths."""
    hello_ms: int = 0
    """Time from the start of the process to a good hello."""
    message_bytes: int = 0
    """The largest message that the arena accepts."""
    stderr_bytes: int = 0
    """How much of the standard error is kept."""


class Rules(NamedTuple):
    """The ruleset that is played, the same for every table of a session."""

    name: str = ""
    """The preset's name, or the name its file gives it."""
    digest: bytes = b""
    """SHA-256 of `text`."""
    text: str = ""
    """The canonical text."""
    options: Mapping[str, str] = MappingProxyType({})
    """Each option of the rule sheet and its value in text form."""
    deck: tuple[int, ...] = (0,) * 61
    """How many of each card are in the deck, by card code."""
    limits: Limits = Limits()
    """What the bot may use."""

    def option(self, name: str, default: str = "") -> str:
        """Return the value in force of the option `name`, in text form."""
        return self.options.get(name, default)


def read_rules(hello: Any) -> Rules:
    """Return the rules and limits of a `HelloRequest` message."""
    ruleset = hello.ruleset
    deck = [0] * 61
    for entry in ruleset.deck:
        deck[entry.card - 1] += entry.count
    return Rules(
        name=ruleset.name,
        digest=ruleset.digest,
        text=ruleset.text,
        options=MappingProxyType(dict(ruleset.options)),
        deck=tuple(deck),
        limits=Limits(*(getattr(hello.limits, name) for name in Limits._fields)),
    )
