"""A hand of cards: how many of each kind, and a mask of the kinds held.

Owns what enters and leaves a hand. The mask makes legality a few bit operations; the counts tell the copies.
Refuses to know what a card may do.
"""

from arena.rules.cards import KINDS, Card
from arena.rules.variant import BITS


class Hand:
    """The cards of one seat."""

    def __init__(self) -> None:
        self.counts: list[int] = [0] * KINDS
        self.kinds: int = 0
        self.size: int = 0

    def add(self, card: Card) -> None:
        """Let a card enter."""
        copies = self.counts[card]
        self.counts[card] = copies + 1
        if not copies:
            self.kinds |= BITS[card]
        self.size += 1

    def add_all(self, cards: list[Card]) -> None:
        """Let several cards enter."""
        counts = self.counts
        for card in cards:
            counts[card] += 1
            self.kinds |= BITS[card]
        self.size += len(cards)

    def remove(self, card: Card) -> None:
        """Let a card leave."""
        copies = self.counts[card] - 1
        self.counts[card] = copies
        if not copies:
            self.kinds ^= BITS[card]
        self.size -= 1

    def cards(self) -> list[Card]:
        """Return the cards in order, one entry per copy."""
        cards: list[Card] = []
        kinds = self.kinds
        while kinds:
            low = kinds & -kinds
            card = low.bit_length() - 1
            kinds ^= low
            for _copy in range(self.counts[card]):
                cards.append(card)
        return cards

    def copy(self) -> "Hand":
        """Return a hand that goes on alone."""
        twin = Hand()
        twin.counts = self.counts.copy()
        twin.kinds = self.kinds
        twin.size = self.size
        return twin


def hand_of(cards: list[Card]) -> Hand:
    """Return a hand that holds the given cards."""
    hand = Hand()
    hand.add_all(cards)
    return hand
