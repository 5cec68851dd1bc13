"""Replays a stored record and says whether the stored result is what it leads to.

The pure half of `arena match verify`: record, ruleset and stored facts come in, a list of differences
goes out. An empty list is the proof; fetching the rows and printing is done elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arena.rules.cards import NotationError
from arena.rules.decision import leaving_of
from arena.rules.match import Match
from arena.rules.moves import IllegalMoveError
from arena.rules.options import Ruleset
from arena.rules.record import parse_record, record_of, replay


@dataclass(frozen=True, slots=True)
class Claim:
    """What is stored about a match and can be computed again from its record."""

    record: str
    """The record, one line."""
    places: tuple[int, ...]
    """Each seat's place."""
    totals: tuple[int, ...]
    """Each seat's points."""
    rounds: int
    """Rounds that were begun."""
    decisions: int
    """Decisions taken."""
    ending: str
    """Why it ended."""
    left: tuple[int, ...] = ()
    """The seats that left by a fault, in any order."""
    set_key: bytes | None = None
    """The deal set's key, where the plan is known too: the record must have been dealt from it."""


def verify(claim: Claim, ruleset: Ruleset) -> Sequence[str]:
    """Return one sentence for each difference between the claim and its replay."""
    try:
        record = parse_record(claim.record)
        match = replay(record, ruleset)
    except (NotationError, IllegalMoveError, ValueError) as error:
        return [f"the record does not replay: {error}"]
    found = [] if claim.set_key in (None, record.set_key) else ["the record was dealt from another key"]
    if str(record_of(match)) != claim.record:
        found.append("the record is not in its canonical form")
    if not match.over:
        found.append("the record ends before the match does")
    for name, claimed, replayed in (
        ("places", claim.places, tuple(match.places)),
        ("totals", claim.totals, tuple(match.totals)),
        ("rounds", claim.rounds, match.round_number),
        ("decisions", claim.decisions, match.decisions),
        ("ending", claim.ending, match.ending),
        ("seats that left", tuple(sorted(claim.left)), _left(match)),
    ):
        if claimed != replayed:
            found.append(f"{name}: stored {claimed}, replayed {replayed}")
    return found


def _left(match: Match) -> tuple[int, ...]:
    """Return the seats that left the match, sorted."""
    seats = [seat for item in match.history for seat in leaving_of(item)]
    return tuple(sorted(seats))
