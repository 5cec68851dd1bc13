"""A match: a series of rounds until the scoring, a limit or the leaving of seats ends it.

Owns the public face of the engine: who must decide, what is legal, what a move does, the news, the places.
One mutable object, advanced only through `apply` and `leave`. Refuses to show hidden cards: that is what
`View` is for.
"""

from arena.rules.dealers import first_dealer, next_dealer, next_starter
from arena.rules.decision import pack_decision, pack_leaving
from arena.rules.events import (
    ELIMINATED,
    MATCH_OVER,
    PLACED,
    SCORED,
    Event,
    pack_event,
    unpack_event,
)
from arena.rules.moves import NO_SEAT
from arena.rules.options import Ruleset
from arena.rules.questions import OVER
from arena.rules.round import Round
from arena.rules.standing import DECISIONS, ENDINGS, LAST_SEAT, NOT_OVER, ROUNDS, TARGET, Standing
from arena.rules.variant import Variant

RULES_EPOCH = 1
"""Grows whenever the same moves could lead to another result; every record carries it."""


class Match:
    """One match at one table."""

    def __init__(self, ruleset: Ruleset, seats: int, set_key: bytes, variant: Variant | None = None) -> None:
        """Begin a match.

        Args:
            ruleset: The rules.
            seats: How many seats the table has.
            set_key: 32 bytes from which everything random in the match comes.
            variant: The ruleset's `Variant` if the caller has it already; tables of one job share it.

        Raises:
            RulesetError: The ruleset is not played by so many seats, or its deck cannot deal to them.
        """
        if variant is None:
            variant = Variant(ruleset)
        ruleset.check_table(seats)
        self.ruleset: Ruleset = ruleset
        self.variant: Variant = variant
        self.seats: int = seats
        self.set_key: bytes = set_key
        self.standing: Standing = Standing(variant, seats)
        self.max_decisions: int = ruleset.max_decisions
        self.decisions: int = 0
        self.ending: str = NOT_OVER
        self.places: tuple[int, ...] = ()
        self.lines: list[str] = []
        self.history: list[int] = []
        self.log: list[int] = []
        self.sealed: list[int] = []
        self._events: list[Event] = []
        self.dealer: int = first_dealer(variant, seats, set_key)
        self.starter: int = NO_SEAT
        self.round_number: int = 0
        self.round: Round = Round(variant, seats, set_key, 0)
        self._deal()

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.ending != NOT_OVER

    @property
    def seat(self) -> int:
        """The seat that must decide now, -1 when the match is over."""
        return self.round.seat

    @property
    def question(self) -> int:
        """What it is asked: a `QuestionKind`."""
        return self.round.kind

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat (`lazy`: won less lost rounds)."""
        return tuple(self.standing.totals)

    @property
    def events(self) -> list[Event]:
        """All public news of the match, oldest first; only ever appended to."""
        for index in range(len(self._events), len(self.log)):
            self._events.append(unpack_event(self.log[index]))
        return self._events

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves of the seat that is asked, sorted."""
        return self.round.legal_moves()

    def bluffs(self) -> list[int]:
        """Return the indices of the legal moves that are bluffs (R33)."""
        return self.round.bluffs()

    def is_forced(self) -> bool:
        """Whether there is nothing to decide: one legal move, and no flag that belongs to it."""
        return self.round.is_forced()

    def apply(self, move: int, uno: bool = False, say: str = "", advice: bool = False) -> None:
        """Do the move of the seat that must decide; after too many decisions the leader wins (R91).

        Args:
            move: One of the legal moves.
            uno: The UNO flag (R50); ignored where it means nothing.
            say: A line to the table, empty for none.
            advice: Whether the line is advice to another player (R68).

        Raises:
            IllegalMoveError: The move is not legal and that is no misplay (R53); nothing was changed.
        """
        round_ = self.round
        done = round_.apply(move, uno, say, advice)
        self.history.append(pack_decision(done, uno, bool(say), advice))
        self.decisions += 1
        if round_.kind == OVER:
            self._finish_round()
        elif self.decisions >= self.max_decisions:
            self._end(DECISIONS)

    def leave(self, seats: list[int]) -> None:
        """Let seats leave the match in one moment (R92); seats that are out of it already are ignored."""
        leaving = [seat for seat in sorted(set(seats)) if self.standing.in_match[seat]]
        if not leaving or self.over:
            return
        self.history.append(pack_leaving(leaving))
        self.standing.leave(leaving)
        self.round.leave(leaving)
        if self.standing.remaining() <= 1:
            self._end(LAST_SEAT)
        elif self.round.kind == OVER:
            self._finish_round()

    def copy(self) -> "Match":
        """Return a match that goes on alone from here, with its own news."""
        twin = Match(self.ruleset, self.seats, self.set_key, self.variant)
        twin.standing = self.standing.copy()
        twin.decisions = self.decisions
        twin.ending = self.ending
        twin.places = self.places
        twin.lines = self.lines.copy()
        twin.log = self.log.copy()
        twin.sealed = self.sealed.copy()
        twin.history = self.history.copy()
        twin.dealer = self.dealer
        twin.starter = self.starter
        twin.round_number = self.round_number
        twin.round = self.round.copy()
        twin.round.log = twin.log
        twin.round.sealed = twin.sealed
        twin.round.lines = twin.lines
        return twin

    def _deal(self) -> None:
        """Deal the next round."""
        self.round_number += 1
        round_ = Round(self.variant, self.seats, self.set_key, self.round_number)
        round_.log = self.log
        round_.sealed = self.sealed
        round_.lines = self.lines
        round_.inside = self.standing.in_match.copy()
        round_.left = self.standing.remaining()
        round_.link()
        self.round = round_
        round_.begin(self.dealer, self.starter)

    def _finish_round(self) -> None:
        """Count a finished round; end the match or deal the next one."""
        standing = self.standing
        for seat, points in enumerate(standing.count_round(self.round)):
            if standing.in_match[seat]:
                self.log.append(pack_event(SCORED, seat, count=points))
        for seat in standing.drop_out():
            self.log.append(pack_event(ELIMINATED, seat))
        if standing.reached_target():
            self._end(TARGET)
        elif self.round_number >= self.ruleset.most_rounds:
            self._end(ROUNDS)
        elif self.decisions >= self.max_decisions:
            self._end(DECISIONS)
        else:
            self.dealer = next_dealer(self.round, self.dealer, standing.in_match)
            self.starter = next_starter(self.round, self.starter, standing.in_match)
            self._deal()

    def _end(self, ending: str) -> None:
        """The match is over."""
        self.ending = ending
        self.round.ask(OVER, NO_SEAT)
        self.round.legal = None
        self.places = self.standing.places(ending)
        self.log.append(pack_event(MATCH_OVER, count=ENDINGS.index(ending)))
        for seat, place in enumerate(self.places):
            self.log.append(pack_event(PLACED, seat, count=place))
