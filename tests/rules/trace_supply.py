"""The random facts of the engine's trace, for the second opinion, each checked to be possible."""

from collections import Counter, deque
from typing import Any

from tests.rules.oracle.faces import sorted_cards
from tests.rules.oracle.sheet import Options

DRAWS = ("drew", "paid", "fined", "refilled")
"""The events of a trace in which cards are drawn."""


class DifferenceError(AssertionError):
    """The engine and the second opinion tell a match differently."""


def same(what: str, engine: object, oracle: object) -> None:
    """End the duel unless both say the same."""
    if engine != oracle:
        raise DifferenceError(f"{what}\n  engine: {engine}\n  oracle: {oracle}")


class TraceSupply:
    """The random facts of a trace, for the second opinion; each is used once, in order."""

    tells_high_cards = False

    def __init__(self, rules: Options) -> None:
        self.rules = rules
        self.facts: deque[dict[str, Any]] = deque()
        self.cards: deque[str] = deque()
        self.drawing: dict[str, Any] = {}

    def feed(self, steps: list[dict[str, Any]]) -> None:
        """Take in what happened after a decision."""
        words = (*DRAWS, "round_began", "first_card", "reshuffled", "hands_shuffled")
        self.facts.clear()
        self.facts.extend(step for step in steps if step["event"] in words)

    def next(self, *words: str) -> dict[str, Any]:
        """Return the next fact, which must be one of the kinds named."""
        self.skip_draws_of_nothing()
        if not self.facts or self.facts[0]["event"] not in words:
            raise DifferenceError(f"the oracle needs {words}, the trace goes on with {list(self.facts)[:2]}")
        return self.facts.popleft()

    def skip_draws_of_nothing(self) -> None:
        """Leave out the draws for which nothing was left."""
        while self.facts and self.facts[0]["event"] in DRAWS and not self.facts[0]["count"]:
            self.facts.popleft()

    def first_dealer(self, seats: list[int]) -> int:
        """Return who deals the first round."""
        assert self.facts[0]["seat"] in seats
        return int(self.facts[0]["seat"])

    def deal(self, deck: list[str], seats: list[int], size: int) -> tuple[dict[int, list[str]], list[str]]:
        """Return the hands as dealt, and the first card before a pile of unknown order."""
        hands = dict(enumerate(self.next("round_began")["hands"]))
        same("seats with a hand", [seat for seat, hand in hands.items() if hand], seats)
        same("sizes of the hands", {len(hands[seat]) for seat in seats}, {size})
        first = self.next("first_card")["card"]
        rest = Counter(deck)
        rest.subtract([first, *(card for hand in hands.values() for card in hand)])
        same("cards dealt beyond the deck", [card for card in rest if rest[card] < 0], [])
        return hands, [first, *rest.elements()]

    def reorder(self, why: str, cards: list[str]) -> list[str]:
        """Check that the engine reshuffles as many cards."""
        same(f"cards to shuffle ({why})", self.next_reshuffle(), len(cards))
        return cards

    def next_reshuffle(self) -> int:
        """Take out the next reshuffle, which stands before the draw in which it happened."""
        for i, fact in enumerate(self.facts):
            if fact["event"] == "reshuffled":
                del self.facts[i]
                return int(fact["count"])
        return 0

    def hands(self, takers: list[int], cards: list[str]) -> dict[int, list[str]]:
        """Deal what was dealt, one by one."""
        order = self.next("hands_shuffled")["cards"]
        same("cards of the shuffled hands", sorted(order), sorted(cards))
        return {taker: order[i :: len(takers)] for i, taker in enumerate(takers)}

    def lies(self, pile: list[str], tail: list[str], one_pile: bool) -> None:
        """Take note of nothing: the order of the pile is no part of a trace."""

    def under(self, cards: list[str]) -> None:
        """Take note of nothing."""

    def draw(self, seat: int, cards: list[str]) -> str:
        """Return the next card that the seat draws."""
        if not self.cards:
            # Reshuffles inside of this draw stand before it, and are asked for while it goes on.
            inside = []
            self.skip_draws_of_nothing()
            while self.facts and self.facts[0]["event"] == "reshuffled":
                inside.append(self.facts.popleft())
            self.drawing = self.next(*DRAWS)
            self.facts.extendleft(inside)
            self.cards.extend(self.drawing["cards"])
        same("who draws", self.drawing["seat"], seat)
        card = self.cards.popleft()
        if card not in cards:
            raise DifferenceError(
                f"seat {seat} draws {card}, which is not in the pile: {sorted_cards(cards)}"
            )
        return card

    def centre(self, seats: list[int]) -> int:
        """Return who draws for the centre."""
        fines = [fact["seat"] for fact in self.facts if fact["event"] == "fined"]
        same("whether the centre makes one of the others draw", fines[0] in seats if fines else False, True)
        return int(fines[0])
