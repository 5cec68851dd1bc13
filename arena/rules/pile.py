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

from typing import Final

from arena.rules.cards import NO_CARD, Card
from arena.rules.keys import Shuffle

AHEAD: Final = 6
"""How many places are shuffled at once when the next one is asked for."""


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
        size = len(cards) - start
        self.cards: list[Card] = cards
        self.streams: int = streams
        self.front: list[int] = [start + seat for seat in range(streams)]
        self.rest: list[int] = [(size - seat + streams - 1) // streams for seat in range(streams)]
        self.tail: list[Card] = tail
        self.size: int = size + len(tail)
        self.order: Shuffle | None = order
        self.settled: int = len(cards) if order is None else start

    def take(self, seat: int) -> Card:
        """Take the next card for a seat; NO_CARD when the pile is empty."""
        stream = seat if self.streams > 1 else 0
        rest = self.rest[stream]
        if not rest:
            return self._take_elsewhere()
        self.rest[stream] = rest - 1
        self.size -= 1
        place = self.front[stream]
        self.front[stream] = place + self.streams
        if place >= self.settled and self.order is not None:
            self.settled = self.order.settle(place + AHEAD)
        return self.cards[place]

    def _take_elsewhere(self) -> Card:
        """Take the last card of the longest stream, or the first of the tail; NO_CARD when all are empty."""
        if self.size == 0:
            return NO_CARD
        self.size -= 1
        longest = 0
        for seat in range(1, self.streams):
            if self.rest[seat] > self.rest[longest]:
                longest = seat
        if self.rest[longest] == 0:
            return self.tail.pop(0)
        self.rest[longest] -= 1
        self.settle()
        return self.cards[self.front[longest] + self.streams * self.rest[longest]]

    def settle(self) -> None:
        """Shuffle to the end what is not shuffled yet."""
        if self.order is not None:
            self.settled = self.order.settle(len(self.cards))
            self.order = None

    def put_under(self, cards: list[Card]) -> None:
        """Put cards under the pile."""
        self.tail = self.tail + cards
        self.size += len(cards)

    def unseen(self) -> list[Card]:
        """Return every card of the pile, in an order that says nothing."""
        cards = list(self.tail)
        for seat in range(self.streams):
            for turn in range(self.rest[seat]):
                cards.append(self.cards[self.front[seat] + self.streams * turn])
        cards.sort()
        return cards

    def copy(self) -> "Pile":
        """Return a pile that goes on alone; the cards themselves are never changed and stay shared."""
        self.settle()
        twin = Pile(self.cards, 0, self.tail.copy())
        twin.streams = self.streams
        twin.front = self.front.copy()
        twin.rest = self.rest.copy()
        twin.size = self.size
        return twin
