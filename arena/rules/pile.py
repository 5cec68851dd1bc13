"""The draw pile, cut into one stream a seat.

Owns the order in which seats take cards. A uniformly shuffled pile of cards nobody has seen is the same
game in law whichever unseen place a seat takes, as long as the choice depends on the past alone. So seat s
of n owns places s, s+n, s+2n, ...: in the matches of a deal set each seat keeps its luck however often the
others draw.

* A seat whose stream is empty takes the last card of the longest stream, the lowest seat's first.
* Cards that were put under the pile (R16 bottom, R92) are the tail: taken in order when all streams are
  empty.
* A pile that holds a card whose place is public (R16 middle) has a single stream: it is played from the
  top.
"""

from typing import TYPE_CHECKING, Final

from arena.rules.cards import NO_CARD, Card
from arena.rules.keys import Shuffle

if TYPE_CHECKING:
    from mypy_extensions import i64

AHEAD: Final = 6
"""How many cards of each stream are shuffled at once when the next one is asked for."""
MOST_SEATS: Final = 10
"""Enough for every table (R10)."""


class Pile:
    """A draw pile in play."""

    def __init__(
        self, cards: list[Card], streams: int, tail: list[Card], start: int = 0, order: Shuffle | None = None
    ) -> None:
        """Cut cards into streams.

        Args:
            cards: The cards, in order.
            streams: How many streams there are: one a seat, or a single one.
            tail: The cards under the pile.
            start: Where in `cards` the pile begins.
            order: Set while `cards` is not shuffled to its end: it settles the places that are looked at.
        """
        self.streams: list[list[Card]] = [[] for _stream in range(streams)]
        """What is left of each stream, as far as it is known, the next card last."""
        self.by_seat: list[list[Card]] = self.streams
        """The stream of each seat; look into it before calling `take`."""
        self.tail: list[Card] = tail
        self._count: i64 = streams
        self._cards: list[Card] = cards
        self._cut: i64 = start
        self._order: Shuffle | None = order
        self.share()

    def take(self, seat: int) -> Card:
        """Take the next card for a seat; NO_CARD when the pile is empty."""
        stream = self.by_seat[seat]
        if not stream:
            if self._cut == len(self._cards):
                return self._take_elsewhere()
            self._cut_on(AHEAD * self._count)
            return self.take(seat)
        return stream.pop()

    def _take_elsewhere(self) -> Card:
        """Take the last card of the longest stream, or the first of the tail; NO_CARD when all are empty."""
        longest = self.streams[0]
        for stream in self.streams:
            if len(stream) > len(longest):
                longest = stream
        if longest:
            return longest.pop(0)
        return self.tail.pop(0) if self.tail else NO_CARD

    @property
    def size(self) -> int:
        """How many cards the pile has."""
        size = len(self._cards) - self._cut + len(self.tail)
        for stream in self.streams:
            size += len(stream)
        return size

    def settle(self) -> None:
        """Shuffle to the end what is not shuffled yet, and cut it all."""
        if self._cut < len(self._cards):
            self._cut_on(len(self._cards))

    def _cut_on(self, count: int) -> None:
        """Give the streams their cards of the next places; until the pile ends, as many to each."""
        begin = self._cut
        end = min(begin + count, len(self._cards))
        if self._order is not None:
            self._order.settle(end)
        for seat in range(self._count):
            known = self._cards[begin + seat : end : self._count]
            known.reverse()
            self.streams[seat] = known + self.streams[seat]
        self._cut = end
        self.share()

    def share(self) -> None:
        """Note who takes from which stream."""
        self.by_seat = self.streams if self._count > 1 else self.streams * MOST_SEATS

    def put_under(self, cards: list[Card]) -> None:
        """Put cards under the pile."""
        self.tail = self.tail + cards

    def unseen(self) -> list[Card]:
        """Return every card of the pile, in an order that says nothing."""
        cards = self.tail + self._cards[self._cut :]
        for stream in self.streams:
            cards.extend(stream)
        cards.sort()
        return cards

    def copy(self) -> "Pile":
        """Return a pile that goes on alone."""
        self.settle()
        return pile_of([stream.copy() for stream in self.streams], self.tail.copy())


def pile_of(streams: list[list[Card]], tail: list[Card]) -> Pile:
    """Return a pile of the given streams, each with its next card last, and the cards under it."""
    pile = Pile([], len(streams), tail)
    pile.streams = streams
    pile.share()
    return pile
