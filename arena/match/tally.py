"""What matches under a ruleset come to: their length, the advantage of beginning, what fires how often.

Owns the figures of a trial. Pure: records come in, counts go out; who plays them is `arena.service.trial`.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from arena.match.firing import SPECIAL_RULES, Moment
from arena.rules.cards import rank_of_card
from arena.rules.decision import leaving_of, move_of
from arena.rules.events import Event, EventKind
from arena.rules.match import Match
from arena.rules.moves import MOVE_KEEP, PLAY, action_of, card_of
from arena.rules.options import Ruleset
from arena.rules.questions import QuestionKind
from arena.rules.record import Record, apply_item, begin_replay
from arena.rules.view import View

Z_95: Final = 1.959964
_STUDENT_95: Final = (12.7062, 4.3027)
_FIRST_ACTS: Final = (EventKind.PLAYED, EventKind.DREW, EventKind.MISPLAYED)


class Spread(NamedTuple):
    """A mean with half of its 95 % interval."""

    mean: float
    """The mean."""
    half_width: float | None
    """Half of the interval; None where there are too few matches."""


def spread(matches: Sequence[Sequence[float]]) -> Spread:
    """Return the mean of the values of some matches and half of its 95 % interval.

    The matches are independent, the rounds of one are not: its bots sit in the same seats, and who deals
    follows from the round before. So a match counts as one cluster (the sandwich for a ratio), and Student's
    quantile allows for few of them.
    """
    clusters = [values for values in matches if values]
    n = len(clusters)
    size = sum(map(len, clusters))
    if not n:
        return Spread(0.0, None)
    mean = sum(map(sum, clusters)) / size
    if n == 1:
        return Spread(mean, None)
    squares = sum((sum(values) - len(values) * mean) ** 2 for values in clusters)
    return Spread(mean, student_95(n - 1) * math.sqrt(squares * n / (n - 1)) / size)


def student_95(freedom: int) -> float:
    """Return Student's 97.5 % quantile, to a hundredth of itself (Cornish and Fisher's expansion)."""
    if freedom <= len(_STUDENT_95):
        return _STUDENT_95[freedom - 1]
    z = Z_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


@dataclass
class Tally:
    """What some matches under one ruleset came to."""

    ruleset: Ruleset
    """What was played."""
    rounds_a_match: list[list[float]] = field(default_factory=list)
    """The rounds of each match."""
    decisions: list[list[float]] = field(default_factory=list)
    """For each match the decisions of each of its rounds, asked or not."""
    starters: list[list[float]] = field(default_factory=list)
    """For each match and round won by somebody, 1 if the seat that began won it, else 0, less its share."""
    stalemates: list[list[float]] = field(default_factory=list)
    """For each match and round, 1 if it could not end (R27), else 0."""
    endings: Counter[str] = field(default_factory=Counter)
    """How often a match ended why."""
    fired: Counter[str] = field(default_factory=Counter)
    """How often each special rule fired, by id."""

    def __post_init__(self) -> None:
        self.rules = [special for special in SPECIAL_RULES if special.in_force(self.ruleset)]
        self._began = 0
        self._starter: int | None = None
        self._seats = 0

    @property
    def rounds(self) -> int:
        """The rounds of all matches."""
        return sum(map(len, self.decisions))

    def add(self, record: Record) -> None:
        """Play a record again and count what happens in it."""
        match = begin_replay(record, self.ruleset)
        lines = iter(record.lines)
        for figures in (self.decisions, self.starters, self.stalemates):
            figures.append([])
        told = self._follow(match, 0, 0)
        for item in record.history:
            moment = _before(match, item)
            apply_item(match, item, lines)
            moment = moment._replace(events=match.events[told:])
            for special in self.rules:
                self.fired[special.rule] += int(special.fired(moment))
            told = self._follow(match, told, match.decisions)
        self.rounds_a_match.append([match.round_number])
        self.endings[match.ending] += 1

    def _follow(self, match: Match, told: int, decisions: int) -> int:
        """Count rounds as they begin and end; return how many events were told."""
        for event in match.events[told:]:
            if event.kind == EventKind.ROUND_BEGAN:
                self._starter, self._began = None, decisions
                self._seats = match.standing.remaining()
            elif self._starter is None and event.kind in _FIRST_ACTS:
                self._starter = event.seat
            elif event.kind == EventKind.ROUND_OVER:
                self._end_round(event, decisions)
        return len(match.events)

    def _end_round(self, event: Event, decisions: int) -> None:
        """Count a round that is over."""
        self.decisions[-1].append(decisions - self._began)
        self.stalemates[-1].append(event.count)
        if event.seat >= 0:
            self.starters[-1].append((event.seat == self._starter) - 1 / self._seats)


def _before(match: Match, item: int) -> Moment:
    """Return what there is to know before an entry of a history is done."""
    penalty, answer = 0, -1
    if match.question == QuestionKind.PENALTY and not leaving_of(item):
        pending = View(match, match.seat).penalty
        penalty = pending.kind if pending is not None else 0
        move = move_of(item)
        answer = card_of(move) if action_of(move) == PLAY else -1
    zeros: list[int] = []
    if match.ruleset.lone_zero:
        for seat, size in enumerate(match.round.sizes):
            if size == 1 and rank_of_card(match.round.hand(seat)[0]) == 0:
                zeros.append(seat)
    forced = match.question == QuestionKind.DRAWN and MOVE_KEEP not in match.legal_moves()
    return Moment(match.ruleset, penalty, match.round.player, answer, forced, tuple(zeros), ())
