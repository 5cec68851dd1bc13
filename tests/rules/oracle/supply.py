"""Where random facts come from: a script for the examples, a lottery for games of the oracle with itself.

A supply answers these questions; the table checks that each answer is possible:

    first_dealer(seats)              who deals first (R13 random)
    high_card(seat, cards)           which card the seat draws for the deal (R13 high_card)
    deal(deck, seats, size)          the hands, and the pile from the top
    reorder(why, cards)              the cards in a new order: "first" (R16), "reshuffle" (R26)
    hands(takers, cards)             the hands that the takers get of the shuffled cards (R70)
    lies(pile, tail, one_pile)       nothing: it is told what the draw pile is once it is settled
    under(cards)                     nothing: it is told that cards went under the pile
    draw(seat, cards)                which card the seat draws
    centre(seats)                    who draws for the centre (R54)
"""

import random
from typing import Any


class Lottery:
    """Random facts by lot; the pile is drawn from the top."""

    def __init__(self, seed: int) -> None:
        self.lot = random.Random(seed)

    def first_dealer(self, seats: list[int]) -> int:
        """Draw one of the seats."""
        return self.lot.choice(seats)

    def high_card(self, seat: int, cards: list[str]) -> str:
        """Draw one of the cards."""
        assert seat >= 0
        return self.lot.choice(cards)

    def deal(self, deck: list[str], seats: list[int], size: int) -> tuple[dict[int, list[str]], list[str]]:
        """Shuffle and deal."""
        cards = self.reorder("deal", deck)
        hands = {seat: cards[i * size : (i + 1) * size] for i, seat in enumerate(seats)}
        return hands, cards[len(seats) * size :]

    def reorder(self, why: str, cards: list[str]) -> list[str]:
        """Shuffle."""
        assert why
        return self.lot.sample(cards, len(cards))

    def hands(self, takers: list[int], cards: list[str]) -> dict[int, list[str]]:
        """Shuffle, and deal one by one."""
        order = self.reorder("hands", cards)
        return {taker: order[i :: len(takers)] for i, taker in enumerate(takers)}

    def lies(self, pile: list[str], tail: list[str], one_pile: bool) -> None:
        """Take note of nothing."""

    def under(self, cards: list[str]) -> None:
        """Take note of nothing."""

    def draw(self, seat: int, cards: list[str]) -> str:
        """Take the top card."""
        assert seat >= 0
        return cards[0]

    def centre(self, seats: list[int]) -> int:
        """Draw one of the seats."""
        return self.lot.choice(seats)


class Script(Lottery):
    """Chosen hands, first card and pile for the first round; below lies the rest of the deck.

    Later rounds are dealt by lot. `more` holds lists of answers that are used up, by the question: "high"
    cards, "centre" seats, and orders of cards for "first", "reshuffle" and "hands".
    """

    def __init__(
        self,
        hands: list[str],
        first: str,
        pile: str = "",
        dealer: int = 0,
        more: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(0)
        self.dealt = [hand.split() for hand in hands]
        self.top = [first, *pile.split()]
        self.dealer = dealer
        self.more = {key: list(answers) for key, answers in (more or {}).items()}
        self.rounds = 0

    def first_dealer(self, seats: list[int]) -> int:
        """Return the chosen dealer."""
        assert self.dealer in seats
        return self.dealer

    def high_card(self, seat: int, cards: list[str]) -> str:
        """Return the next chosen card."""
        assert seat >= 0
        assert cards
        return str(self.more["high"].pop(0))

    def deal(self, deck: list[str], seats: list[int], size: int) -> tuple[dict[int, list[str]], list[str]]:
        """Deal the chosen hands in the first round."""
        self.rounds += 1
        if self.rounds > 1:
            return super().deal(deck, seats, size)
        rest = list(deck)
        for card in [card for hand in self.dealt for card in hand] + self.top:
            rest.remove(card)
        return {seat: list(self.dealt[i]) for i, seat in enumerate(seats)}, self.top + rest

    def reorder(self, why: str, cards: list[str]) -> list[str]:
        """Return the chosen order, else keep the cards as they are."""
        if self.rounds > 1:
            return super().reorder(why, cards)
        chosen = self.more.get(why)
        return chosen.pop(0).split() if chosen else list(cards)

    def centre(self, seats: list[int]) -> int:
        """Return the next chosen seat."""
        assert seats
        return int(self.more["centre"].pop(0))
