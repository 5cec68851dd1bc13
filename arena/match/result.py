"""What came of a match: places, points, faults, the record that replays it, and how the seats behaved.

Owns the value and its digest. The record and the places are facts that replay bit for bit; times are not and
stay out of the digest.
"""

import hashlib
from dataclasses import dataclass

from arena.match.fault import Fault


@dataclass(frozen=True, slots=True)
class SeatStats:
    """How one seat behaved in one match."""

    decisions: int = 0
    """Questions that it was asked."""
    unasked: int = 0
    """Decisions with one legal move that were taken for it."""
    wall_us: int = 0
    """Charged wall time of its decisions, a batch shared evenly among its tables."""
    cpu_us: int = 0
    """Processor time of its decisions, shared likewise."""
    dropped_answers: int = 0
    """Answers to a question that was no longer open."""
    dropped_output: int = 0
    """Characters cut from what it said to the table."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One finished match."""

    places: tuple[int, ...]
    """Each seat's place; 1 is best, places may be shared."""
    totals: tuple[int, ...]
    """Each seat's points at the end (under lazy scoring: rounds won)."""
    rounds: int
    """Rounds that were begun."""
    decisions: int
    """Decisions taken, asked or not."""
    ending: str
    """Why it ended: "target", "rounds", "decisions" or "last_seat"."""
    faults: tuple[Fault, ...]
    """In the order in which they happened; at most one a seat."""
    record: str
    """The match record, one line: it replays to this result on any machine."""
    seats: tuple[SeatStats, ...]
    """How each seat behaved."""

    def sha256(self) -> str:
        """Return the digest of what is reproducible: record, places, totals, ending and who was at fault."""
        facts = [self.record, " ".join(map(str, self.places)), " ".join(map(str, self.totals)), self.ending]
        facts += [f"{fault.seat} {fault.kind}" for fault in sorted(self.faults, key=lambda fault: fault.seat)]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()
