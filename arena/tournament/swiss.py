"""Swiss: in every round those meet who scored alike so far and have not met yet.

Owns one round's pairs, from scores and from who met before. Nobody meets twice, so that no deals come twice:
that is always possible for up to half as many rounds as there are entries, and more are refused. With an odd
number one entry pauses, the last in order who has not paused yet. The order among equal scores is by number.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.errors import UsageError

STRIDE = 100_000
"""Pairing number of a round's first table: the round, from 0, times this."""


@dataclass(frozen=True)
class Scored:
    """What an entry has come to before a round."""

    entry: int
    """Its number."""
    score: float
    """Share of its matches won, one half where it has played none."""


def most_rounds(entries: int) -> int:
    """Return how many rounds can be played without anybody meeting twice, whatever the results."""
    return (entries + 1) // 2


def check_rounds(entries: int, rounds: int) -> None:
    """Refuse more rounds than can be promised.

    Raises:
        UsageError: There are too many or none.
    """
    most = most_rounds(entries)
    if not 1 <= rounds <= most:
        raise UsageError(
            f"a Swiss of {entries} entries has 1 to {most} rounds, not {rounds}: with more somebody might "
            "have to meet twice"
        )


def pair_round(scored: Sequence[Scored], met: Collection[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs of the next round, from the top of the table down.

    Args:
        scored: The entries that go on.
        met: Pairs that met before, the smaller number first.
    """
    order: list[int | None] = [each.entry for each in sorted(scored, key=lambda e: (-e.score, e.entry))]
    known: set[frozenset[int | None]] = {frozenset(pair) for pair in met}
    if len(order) % 2:
        # Who pauses meets nobody: as if the last in order were an entry that each meets once at the most.
        paused = _paused(scored, met)
        known |= {frozenset((entry, None)) for entry in paused}
        order.append(None)
    pairs: list[tuple[int | None, int | None]] = []
    while order:
        first = order.pop(0)
        other = next((each for each in order if frozenset((first, each)) not in known), None)
        if other is None and (None not in order or frozenset((first, None)) in known):
            if not order:
                break
            _mend(pairs, (first, order.pop(0)), known)
            continue
        order.remove(other)
        pairs.append((first, other))
    return [(min(a, b), max(a, b)) for a, b in pairs if a is not None and b is not None]


def _paused(scored: Sequence[Scored], met: Collection[tuple[int, int]]) -> set[int]:
    """Return those who met fewer opponents than others, having paused."""
    meetings = {each.entry: sum(each.entry in pair for pair in met) for each in scored}
    most = max(meetings.values(), default=0)
    return {entry for entry, count in meetings.items() if count < most}


def _mend(
    pairs: list[tuple[int | None, int | None]],
    left: tuple[int | None, int | None],
    known: Collection[frozenset[int | None]],
) -> None:
    """Seat two that must not meet by taking apart the nearest pair with which both can change."""
    a, b = left
    for place in range(len(pairs) - 1, -1, -1):
        c, d = pairs[place]
        for one, two in (((a, c), (b, d)), ((a, d), (b, c))):
            if frozenset(one) not in known and frozenset(two) not in known:
                pairs[place : place + 1] = [one, two]
                return
    raise AssertionError(f"{a} and {b} meet again")
