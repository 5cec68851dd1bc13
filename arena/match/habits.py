"""How a bot plays, counted over records: what it draws, dares, doubts and forgets.

Owns the figures of behaviour, each a count of occasions and of what was made of them. Pure: records come in,
counts go out. What a match was worth is `arena.ratings`'.
"""

from dataclasses import dataclass, fields
from typing import Final

from arena.rules.cards import WILD_FOUR
from arena.rules.decision import leaving_of, move_of
from arena.rules.events import (
    CHALLENGED,
    DREW,
    FALSE_CATCH,
    FALSE_UNO,
    HANDS_SHUFFLED,
    JUMPED_IN,
    KIND_SHIFT,
    PLAYED,
    REFILLED,
    ROTATED,
    ROUND_OVER,
    SEAT_SHIFT,
    SWAPPED,
    UNO_CALLED,
    UNO_CAUGHT,
    unpack_event,
)
from arena.rules.match import Match
from arena.rules.moves import PLAY, Move, action_of, card_of
from arena.rules.options import Ruleset
from arena.rules.record import Record, apply_item, begin_replay


@dataclass(slots=True)
class Habits:
    """What one bot did in some matches."""

    matches: int = 0
    """Matches."""
    rounds: int = 0
    """Rounds that ended."""
    decisions: int = 0
    """Decisions, those without a choice too."""
    plays: int = 0
    """Cards put down."""
    draws: int = 0
    """Times it drew instead of playing."""
    bluffs: int = 0
    """Wild +4 that it played as a bluff."""
    bluffs_caught: int = 0
    """Those that were doubted."""
    challenges: int = 0
    """Times it doubted a wild +4."""
    challenges_won: int = 0
    """Those that were bluffs."""
    uno_due: int = 0
    """Times one card was left to it after a play."""
    uno_missed: int = 0
    """Those without a call."""
    uno_false: int = 0
    """Calls that were punished, because not one card was left."""
    catches: int = 0
    """Times it caught somebody who had not called."""
    false_catches: int = 0
    """Times it pointed at somebody who had."""

    def add(self, other: "Habits") -> None:
        """Add what was done in other matches."""
        for name in NAMES:
            setattr(self, name, getattr(self, name) + getattr(other, name))


NAMES: Final = tuple(each.name for each in fields(Habits))
"""All figures."""
MOVES_HANDS: Final = frozenset((ROUND_OVER, SWAPPED, ROTATED, HANDS_SHUFFLED, REFILLED))
"""After these a hand of one card is not what the play left."""
KINDS: Final = 31
SEATS: Final = 15


def watch(record: Record, ruleset: Ruleset) -> list[Habits]:
    """Play a record again and return what each seat did.

    Raises:
        NotationError: The record belongs to another ruleset or rules epoch.
        IllegalMoveError: It cannot be played.
    """
    match = begin_replay(record, ruleset)
    seen = [Habits(matches=1) for _ in range(record.seats)]
    lines = iter(record.lines)
    at = 0
    for item in record.history:
        seat, move = match.seat, move_of(item)
        is_decision = not leaving_of(item)
        is_bluff = is_decision and _is_bluff(match, move)
        apply_item(match, item, lines)
        # Events stay packed: most of them are plays and draws, and a match has thousands.
        news, at = match.log[at:], len(match.log)
        kinds = [packed >> KIND_SHIFT & KINDS for packed in news]
        for kind, packed in zip(kinds, news, strict=True):
            _note(seen, kind, packed)
        if is_decision:
            did = seen[seat]
            did.decisions += 1
            did.bluffs += is_bluff
            called = UNO_CALLED in kinds
            did.uno_due += called or _owes_call(match, seat, kinds)
            did.uno_missed += not called and _owes_call(match, seat, kinds)
    return seen


def _is_bluff(match: Match, move: Move) -> bool:
    """Say whether a move is a wild +4 that the hand does not allow."""
    if action_of(move) != PLAY or card_of(move) != WILD_FOUR:
        return False
    moves = match.legal_moves()
    return any(moves[index] == move for index in match.bluffs())


def _owes_call(match: Match, seat: int, kinds: list[int]) -> bool:
    """Say whether a play left one card; a hand that was moved afterwards owes no call (R55)."""
    return (
        match.round.sizes[seat] == 1
        and (PLAYED in kinds or JUMPED_IN in kinds)
        and MOVES_HANDS.isdisjoint(kinds)
    )


def _note(seen: list[Habits], kind: int, packed: int) -> None:
    """Count one event."""
    if kind == ROUND_OVER:
        for each in seen:
            each.rounds += 1
        return
    did = seen[(packed >> SEAT_SHIFT & SEATS) - 1]
    if kind in (PLAYED, JUMPED_IN):
        did.plays += 1
    elif kind == DREW:
        did.draws += 1
    elif kind == CHALLENGED:
        event = unpack_event(packed)
        did.challenges += 1
        did.challenges_won += event.count
        seen[event.other].bluffs_caught += event.count
    elif kind == UNO_CAUGHT:
        did.catches += 1
    elif kind == FALSE_CATCH:
        did.false_catches += 1
    elif kind == FALSE_UNO:
        did.uno_false += 1
