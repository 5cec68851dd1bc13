"""A hand of cards: a mask of the kinds held, and the copies beyond the first of each.

Owns what enters and leaves a hand. The mask makes legality a few bit operations. Refuses to know what a card
may do.
"""

from typing import TYPE_CHECKING

from arena.rules.cards import Card
from arena.rules.variant import BITS

if TYPE_CHECKING:
    from mypy_extensions import i64


class Hand:
    """The cards of one seat."""

    def __init__(self) -> None:
        self.kinds: i64 = 0
        self.size: i64 = 0
        self.spare: list[Card] = []

    def add(self, card: Card) -> None:
        """Let a card enter."""
        bit = BITS[card]
        if self.kinds & bit:
            self.spare.append(card)
        else:
            self.kinds |= bit
        self.size += 1

    def add_all(self, cards: list[Card]) -> None:
        """Let several cards enter."""
        kinds = self.kinds
        for card in cards:
            bit = BITS[card]
            if kinds & bit:
                self.spare.append(card)
            kinds |= bit
        self.kinds = kinds
        self.size += len(cards)

    def remove(self, card: Card) -> None:
        """Let a card leave."""
        if self.spare and card in self.spare:
            self.spare.remove(card)
        else:
            self.kinds ^= BITS[card]
        self.size -= 1

    def cards(self) -> list[Card]:
        """Return the cards in order, one entry per copy."""
        cards = self.spare.copy()
        kinds: int = self.kinds
        while kinds:
            card = kinds.bit_length() - 1
            kinds ^= BITS[card]
            cards.append(card)
        cards.sort()
        return cards

    def copy(self) -> "Hand":
        """Return a hand that goes on alone."""
        twin = Hand()
        twin.kinds = self.kinds
        twin.size = self.size
        twin.spare = self.spare.copy()
        return twin


def hand_of(cards: list[Card]) -> Hand:
    """Return a hand that holds the given cards."""
    hand = Hand()
    hand.add_all(cards)
    return hand
