"""What is to be played: one plan a table, and the clock that holds at all of them.

Owns values only. Who sits where and with which keys is decided by `arena.tournament`; names of bots, matches
and tournaments are unknown here on purpose, so that they cannot reach a bot.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One match to be played: a deal set in one of its rotations."""

    deal_set: int
    """Number of the deal set within its pairing."""
    rotation: int
    """Which rotation of the seats, 0 .. seats-1."""
    set_key: bytes
    """The key that everything random in the deal set comes from, 32 bytes."""
    order: tuple[int, ...]
    """For each seat, the index of its bot in the job's list of bots."""
    seeds: tuple[int, ...]
    """For each seat, 64 bits of randomness for the bot's own use."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How long bots may think."""

    budget_ms: int = 20
    """For one decision; a batch of k turns has k of these."""
    bank_ms: int = 10_000
    """Beyond the budgets, for a whole match."""
    hello_ms: int = 5_000
    """From the start of the process to a good hello."""
    farewell_ms: int = 1_000
    """For reading the last message of a job; nothing is lost by ignoring it."""
    job_s: float = 600.0
    """When a job is cut: what is finished is kept, the rest is planned again."""
    charges_cut: bool = False
    """Whether a bot whose banks took more than half of a job that was cut loses what is open then."""
    stop_s: float = 5.0
    """How long open matches are played on after somebody asked to stop."""
    tables_max: int = 256
    """The most tables that are open at once, whatever the bots offer."""
