"""What one seat may know: the only door by which information reaches a bot.

Owns the line between public and hidden (R34, R93). A view is a window, not a copy: it answers from the match
as it stands when it is asked. Whatever is not here, a bot does not learn.
"""

from typing import NamedTuple

from arena.rules.cards import NO_CARD, Card, Colour
from arena.rules.events import Event
from arena.rules.match import Match
from arena.rules.moves import Move
from arena.rules.questions import DRAWN, NOTHING, OVER


class Penalty(NamedTuple):
    """What is pending."""

    kind: int
    """A `PenaltyKind`."""
    amount: int
    """Cards to draw; 0 for a skip."""
    source: int
    """The seat that it comes from."""
    victim: int
    """The seat that is to suffer it."""
    card: Card
    """The card that caused it."""


class View:
    """A match through the eyes of one seat (R93)."""

    def __init__(self, match: Match, seat: int) -> None:
        self._match: Match = match
        self.seat: int = seat

    @property
    def hand(self) -> list[Card]:
        """The own cards, sorted, one entry per copy."""
        return self._match.round.hand(self.seat)

    @property
    def kind(self) -> int:
        """What this seat is asked, a `QuestionKind`; OVER while it is not asked anything."""
        return self._match.round.kind if self._match.round.seat == self.seat else OVER

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of this seat, sorted; empty while it is not asked."""
        return self._match.round.legal_moves() if self._match.round.seat == self.seat else ()

    @property
    def bluffs(self) -> list[int]:
        """Which of the legal moves, by index, are bluffs."""
        return self._match.round.bluffs() if self._match.round.seat == self.seat else []

    @property
    def drawn(self) -> Card:
        """The card just drawn that may be played now, else NO_CARD."""
        return self._match.round.drawn if self.kind == DRAWN else NO_CARD

    @property
    def shown_hand(self) -> list[Card]:
        """The hand shown to this seat because it challenged (R34); until it answers a real question."""
        return list(self._match.round.shown[self.seat])

    @property
    def shown_seat(self) -> int:
        """Whose hand it is, NO_SEAT when none is shown."""
        return self._match.round.shown_of[self.seat]

    @property
    def top(self) -> Card:
        """The top card of the discard pile."""
        return self._match.round.top

    @property
    def colour(self) -> Colour:
        """The active colour."""
        return self._match.round.colour

    @property
    def discard(self) -> list[Card]:
        """The discard pile, the top card last."""
        return list(self._match.round.discard)

    @property
    def direction(self) -> int:
        """1 clockwise, -1 the other way."""
        return self._match.round.direction

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return self._match.seats

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(self._match.round.sizes)

    @property
    def in_round(self) -> tuple[bool, ...]:
        """Which seats are in the round."""
        return tuple(self._match.round.inside)

    @property
    def draw_pile_size(self) -> int:
        """How many cards the draw pile has."""
        return self._match.round.pile.size

    @property
    def penalty(self) -> Penalty | None:
        """What is pending, or None."""
        round_ = self._match.round
        if round_.pending == NOTHING:
            return None
        return Penalty(round_.pending, round_.amount, round_.source, round_.victim, round_.pending_card)

    @property
    def player(self) -> int:
        """The seat that had the last turn; play goes on after it."""
        return self._match.round.player

    @property
    def dealer(self) -> int:
        """Who dealt this round."""
        return self._match.dealer

    @property
    def round_number(self) -> int:
        """The number of the round, from 1."""
        return self._match.round_number

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each seat."""
        return self._match.totals

    @property
    def scoring(self) -> str:
        """The scoring system by name."""
        return self._match.ruleset.scoring

    @property
    def places(self) -> tuple[int, ...]:
        """The places when the match is over, else empty."""
        return self._match.places

    def news(self, since: int) -> list[Event]:
        """Return the public events from the given number on."""
        return self._match.events[since:]

    def line(self, number: int) -> str:
        """Return a line that was said, by the number that its event carries."""
        return self._match.lines[number]
