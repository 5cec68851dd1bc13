"""What the driver needs of a bot's stream: messages out, messages in with their arrival, and how it broke.

Owns the shapes. `arena.botproc.connection` is the one over gRPC; tests have one with a script and a clock of
their own. A broken stream is a value, because it is the bot's doing.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from arena.match.fault import FaultKind


class BreakKind(StrEnum):
    """How a stream came to its end, as seen from the arena."""

    CLOSED = "closed"
    """The bot ended the stream."""
    LOST = "lost"
    """The connection went away."""
    REFUSED = "refused"
    """What came was not allowed: too large, undecodable, not the protocol."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The stream has ended; nothing more will come."""

    kind: BreakKind
    """How."""
    detail: str
    """One sentence for the evidence."""
    last_answer: str = ""
    """The answer that broke the protocol, where it was one and could be read."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """A bot to which no good hello was said."""

    kind: FaultKind
    """What it did, before its exit is looked at."""
    detail: str
    """One sentence for the evidence."""
    wall_ms: float
    """How long it was waited for."""


class Arrival(NamedTuple):
    """One message from a bot."""

    at_ns: int
    """When it came, by the monotonic clock."""
    data: bytes
    """The message, not yet decoded."""


class Link(Protocol):
    """One bot's stream. Nothing here raises for the bot's sake."""

    tables: int
    """How many tables the bot plays at once, from its hello."""
    description: str
    """What the bot said of itself."""

    def send(self, message: bytes) -> None:
        """Hand over one message; returns at once."""

    def receive(self, timeout_s: float) -> Arrival | Broken | None:
        """Wait for the next message; None when nothing came in time."""

    def finish(self, timeout_s: float) -> None:
        """Say that no more messages will be sent and wait for the bot to end the stream, at most so long."""

    def close(self) -> None:
        """Cut the stream and give everything back. Twice is as once."""
