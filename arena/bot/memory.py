"""Card counting: what has been played at a table since its round began, kept up to date from the events.

It refuses to guess: everything here follows from public events and the deck. When it is brought up to date is
the table's matter.
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
_KINDS_OF_CARDS: Final = 61
_NO_CARD: Final = -1


class Memory:
    """What has been laid open in one table's round. Both lists are indexed by card code."""

    __slots__ = ("pile", "played", "top", "under")

    def __init__(self) -> None:
        self.played = [0] * _KINDS_OF_CARDS
        """How many of each card were laid open since the round began, the first card included."""
        self.pile = [0] * _KINDS_OF_CARDS
        """How many of each card lie in the discard pile now."""
        self.top = _NO_CARD
        """The card laid last."""
        self.under = _NO_CARD
        """The card below it."""

    def read(self, events: Iterable[Any]) -> None:
        """Follow the `Event` messages of one turn."""
        for event in events:
            kind = event.kind
            if kind == _PLAYED or kind == _JUMPED_IN:  # noqa: PLR1714, SIM109 (hot: no tuple)
                self._lay(event.card - 1)
            elif kind == _ROUND_BEGAN:
                self.__init__()  # type: ignore[misc]
            elif kind == _FIRST_CARD:
                self._lay(event.card - 1)
            elif kind == _RESHUFFLED:
                self._reshuffle(event.count)
            elif kind == _RETURNED:
                self._take_back()

    def _lay(self, card: int) -> None:
        self.played[card] += 1
        self.pile[card] += 1
        self.under, self.top = self.top, card

    def _reshuffle(self, count: int) -> None:
        """Keep the top card; and the one below it when the new pile's size says that it stayed too (R35)."""
        kept = sum(self.pile) - count
        self.pile = [0] * _KINDS_OF_CARDS
        for card in (self.top, self.under)[:kept]:
            self.pile[card] += 1

    def _take_back(self) -> None:
        """Undo the play that a challenge sent back to its hand."""
        self.played[self.top] -= 1
        self.pile[self.top] -= 1
        self.top, self.under = self.under, _NO_CARD
