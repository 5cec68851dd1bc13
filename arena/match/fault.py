"""A bot's misbehaviour as a value: what it did wrong, at which seat, and what proves it.

Owns the verdicts and the sentence derived from them. Refuses to judge: `arena.match.referee` and the driver
of live bots do, and a failure of the platform is an exception (`arena.errors.PlatformError`), never a fault.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FaultKind(StrEnum):
    """What a bot did wrong; the values are written to the database and to the wire under these names."""

    NEVER_STARTED = "never_started"
    """The process ended or said nothing before its hello was good."""
    WRONG_VERSION = "wrong_version"
    """The hello named a protocol version that the arena does not speak."""
    CRASHED = "crashed"
    """The process ended while it was needed."""
    DISCONNECTED = "disconnected"
    """The process lives, but closed the stream."""
    TIMED_OUT = "timed_out"
    """No answer within the budgets of a message and what the banks allow beyond them."""
    ILLEGAL_MOVE = "illegal_move"
    """The answer named a move that is not legal."""
    PROTOCOL_ERROR = "protocol_error"
    """A message or an answer that the protocol does not allow."""
    OUT_OF_MEMORY = "out_of_memory"
    """The process was ended because it passed its memory limit."""


MEANINGS: dict[FaultKind, str] = {
    FaultKind.NEVER_STARTED: "never started",
    FaultKind.WRONG_VERSION: "speaks another version of the protocol",
    FaultKind.CRASHED: "crashed",
    FaultKind.DISCONNECTED: "closed the stream",
    FaultKind.TIMED_OUT: "ran out of time",
    FaultKind.ILLEGAL_MOVE: "made an illegal move",
    FaultKind.PROTOCOL_ERROR: "broke the protocol",
    FaultKind.OUT_OF_MEMORY: "ran out of memory",
}
"""How a fault is said to a person."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves a fault. A field that does not apply is None or empty."""

    limit_ms: int | None = None
    """The limit that was passed: budget and bank of a decision, or the time for the hello."""
    wall_ms: float | None = None
    """What was charged against it."""
    cpu_ms: float | None = None
    """Processor time that the bot used meanwhile."""
    bank_left_ms: float | None = None
    """What was left of the table's bank."""
    last_question: str = ""
    """The question in text form: number, kind, legal moves."""
    last_answer: str = ""
    """What the bot answered, in text form, as far as it could be read."""
    exit_signal: int | None = None
    """The signal that ended the process."""
    exit_code: int | None = None
    """The exit status of the process."""
    stderr_tail: str = ""
    """The end of what is kept of its standard error."""
    detail: str = ""
    """One sentence about what happened."""
    memory_bytes: int | None = None
    """The most memory that all processes of the bot had at one time so far in the job."""
    memory_limit: int | None = None
    """How much is granted, in bytes."""
    memory_source: str = ""
    """How that is known: "control group", which counts pages of files too, or "looks" every 25 ms."""
    processes_refused: int | None = None
    """How often it was refused a new process or thread so far in the job, where that was counted."""
    processes_most: int | None = None
    """Where no refusal was counted: how many processes and threads it had at once, if all that it may."""
    process_limit: int | None = None
    """How many are granted; told when one of the two former is."""

    @property
    def spent(self) -> str:
        """Say which processes were refused; empty when none was, as far as is known."""
        return say_processes(
            {name: getattr(self, name) for name in ("processes_refused", "processes_most", "process_limit")}
        )


MIB: Final = 1 << 20
TELLS_CARDS: Final = frozenset({"last_question", "last_answer", "stderr_tail", "detail"})
"""Fields of the evidence that may name hidden cards: shown when the deal set is done, like the cards."""


def say_processes(evidence: Mapping[str, object]) -> str:
    """Say of evidence, by the names of its fields, which processes were refused; empty without any."""
    limit = evidence.get("process_limit")
    if refused := evidence.get("processes_refused"):
        return f"it was refused at least {refused:,} new processes or threads: limit {limit}"
    if most := evidence.get("processes_most"):
        return f"it had {most} processes and threads at once: limit {limit}"
    return ""


def say_memory(evidence: Mapping[str, object]) -> str:
    """Say of evidence, by the names of its fields, how much memory was used; empty where nobody knows."""
    used, limit = evidence.get("memory_bytes"), evidence.get("memory_limit")
    if not isinstance(used, int) or not isinstance(limit, int):
        return ""
    return f"{used / MIB:,.0f} of {limit / MIB:,.0f} MiB at most (by {evidence.get('memory_source')})"


@dataclass(frozen=True, slots=True)
class Fault:
    """One bot's fault at one table."""

    kind: FaultKind
    """What it did wrong."""
    seat: int
    """Whose it is."""
    evidence: Evidence = Evidence()
    """What proves it."""

    def __str__(self) -> str:
        """Say it in one sentence, as a standing or an error message prints it."""
        said = f"seat {self.seat} {MEANINGS[self.kind]}"
        told = "; ".join(part for part in (self.evidence.detail, self.evidence.spent) if part)
        return f"{said}: {told}" if told else said
