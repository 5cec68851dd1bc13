"""What follows from the public events of a round: cards laid open, and what a seat can hold at most.

It refuses to guess: everything here follows from public events and the deck, but for one reading of play that
the rules do not force: who draws instead of playing has no card of the colour in force. When it is brought up
to date is the table's matter.
"""

from collections.abc import Iterable
from typing import Any, Final

from arena.bot.events import EventKind

_ROUND_BEGAN: Final = int(EventKind.ROUND_BEGAN)
_FIRST_CARD: Final = int(EventKind.FIRST_CARD)
_PLAYED: Final = int(EventKind.PLAYED)
_JUMPED_IN: Final = int(EventKind.JUMPED_IN)
_RESHUFFLED: Final = int(EventKind.RESHUFFLED)
_RETURNED: Final = int(EventKind.RETURNED)
_DREW: Final = int(EventKind.DREW)
_REFILLED: Final = int(EventKind.REFILLED)
_TOOK: Final = frozenset({int(EventKind.PAID), int(EventKind.FINED), _REFILLED})
_COLOUR_NAMED: Final = int(EventKind.COLOUR_NAMED)
_SWAPPED: Final = int(EventKind.SWAPPED)
_MIXED: Final = frozenset({int(EventKind.ROTATED), int(EventKind.HANDS_SHUFFLED)})
_EXCHANGED: Final = int(EventKind.EXCHANGED)
_WENT_OUT: Final = int(EventKind.WENT_OUT)
_KINDS_OF_CARDS: Final = 61
_NO_CARD: Final = -1
_COLOURED: Final = 56
_RANKS: Final = 14
_SEATS: Final = 10
MANY: Final = 99
"""More cards than a hand holds: nothing is known of it."""


class Memory:
    """What one table's round has shown. Lists of cards are indexed by card code, seats by their number."""

    __slots__ = (
        "colour", "colour_before", "exits", "finishes", "most", "named", "pile", "played", "player",
        "refills", "top", "under",
    )  # fmt: skip

    def __init__(self) -> None:
        self.played = [0] * _KINDS_OF_CARDS
        """How many of each card were laid open since the round began, the first card included."""
        self.pile = [0] * _KINDS_OF_CARDS
        """How many of each card lie in the discard pile now."""
        self.top = _NO_CARD
        """The card laid last."""
        self.under = _NO_CARD
        """The card below it."""
        self.player = -1
        """Who laid it, -1 for the first card."""
        self.named = -1
        """The seat that was named with it, -1 for none."""
        self.colour = -1
        """The colour in force."""
        self.colour_before = -1
        """The colour in force before the card was laid."""
        self.most = [[MANY] * 4 for _ in range(_SEATS)]
        """For each seat and colour, how many cards of it the seat can hold at most."""
        self.exits: list[int] = []
        """The seats that emptied their hands, in order."""
        self.finishes: list[int] = []
        """The cards they did it with."""
        self.refills = [0] * _SEATS
        """How often each seat's empty hand was filled again."""

    def read(self, events: Iterable[Any]) -> None:
        """Follow the `Event` messages of one turn."""
        for event in events:
            kind = event.kind
            if kind == _PLAYED or kind == _JUMPED_IN:  # noqa: PLR1714, SIM109 (hot: no tuple)
                self.player, self.named = event.seat_plus_one - 1, event.other_plus_one - 1
                self._lay(event.card - 1, event.colour - 1)
            elif kind == _DREW:
                if event.count and self.colour >= 0:
                    self.most[event.seat_plus_one - 1][self.colour] = 0
                self._take(event.seat_plus_one - 1, event.count)
            elif kind in _TOOK:
                self._take(event.seat_plus_one - 1, event.count)
                self.refills[event.seat_plus_one - 1] += kind == _REFILLED
            elif kind == _ROUND_BEGAN:
                self.__init__()  # type: ignore[misc]
            elif kind == _FIRST_CARD:
                self._lay(event.card - 1, event.colour - 1)
            elif kind == _COLOUR_NAMED:
                self.colour = event.colour - 1
            elif kind == _RESHUFFLED:
                self._reshuffle(event.count)
            elif kind == _RETURNED:
                self._take_back(event.colour - 1)
            elif kind == _WENT_OUT:
                self.exits.append(event.seat_plus_one - 1)
                self.finishes.append(self.top)
            else:
                self._mix(event)

    def _lay(self, card: int, named: int) -> None:
        self.played[card] += 1
        self.pile[card] += 1
        self.under, self.top = self.top, card
        self.colour_before = self.colour
        if card < _COLOURED:
            self.colour = card // _RANKS
            if self.player >= 0:
                held = self.most[self.player]
                held[self.colour] = max(held[self.colour] - 1, 0)
        elif named >= 0:
            self.colour = named

    def _take(self, seat: int, count: int) -> None:
        """A seat took cards that nobody saw: each may be of any colour."""
        self.most[seat] = [held + count for held in self.most[seat]]

    def _mix(self, event: Any) -> None:
        """Hands, or cards of them, changed their owners."""
        most = self.most
        one, other = event.seat_plus_one - 1, event.other_plus_one - 1
        if event.kind == _SWAPPED:
            most[one], most[other] = most[other], most[one]
        elif event.kind == _EXCHANGED:
            self._take(one, 1)
            self._take(other, 1)
        elif event.kind in _MIXED:
            self.most = [[MANY] * 4 for _ in range(_SEATS)]

    def _reshuffle(self, count: int) -> None:
        """Keep the top card; and the one below it when the new pile's size says that it stayed too (R35)."""
        kept = sum(self.pile) - count
        self.pile = [0] * _KINDS_OF_CARDS
        for card in (self.top, self.under)[:kept]:
            self.pile[card] += 1

    def _take_back(self, colour: int) -> None:
        """Undo the play that a challenge sent back to its hand."""
        self.played[self.top] -= 1
        self.pile[self.top] -= 1
        self.top, self.under = self.under, _NO_CARD
        self.colour = colour
