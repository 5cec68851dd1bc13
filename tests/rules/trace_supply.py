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


class Seen(str):
    """A card of the pile that everybody has seen, so that its place is known while the pile lies."""

    __slots__ = ()


class TraceSupply:
    """The random facts of a trace, for the second opinion; each is used once, in order."""

    def __init__(self, rules: Options) -> None:
        self.rules = rules
        self.facts: deque[dict[str, Any]] = deque()
        self.cards: deque[str] = deque()
        self.drawing: dict[str, Any] = {}
        self.for_the_dealer: deque[dict[str, Any]] = deque()
        self.in_vain: deque[list[list[str]]] = deque()
        self.turned: deque[str] = deque()
        self.refused: list[str] = []
        self.exchanged: list[list[str]] = []
        self.places: deque[str | None] = deque()
        self.tail: deque[list[str]] = deque()

    def feed(self, steps: list[dict[str, Any]]) -> None:
        """Take in what happened after a decision."""
        words = (*DRAWS, "round_began", "first_card", "reshuffled", "hands_shuffled")
        self.facts.clear()
        self.facts.extend(step for step in steps if step["event"] in words)
        for step in steps:
            if step["event"] == "round_began":
                self.for_the_dealer.extend(step.get("dealer_draws", ()))
                self.in_vain.extend(step.get("in_vain", ()))
            if step["event"] == "first_card":
                self.refused += step.get("refused", [])
                self.turned = deque([*step.get("refused", ()), step["card"]])
            if step["event"] == "exchanged":
                self.exchanged.append(step["cards"])
            if step["event"] == "said":
                same("a line of the right length (R68)", 0 < len(step["line"]) <= 200, True)

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

    def high_card(self, seat: int, cards: list[str]) -> str:
        """Return the card that the seat drew for the dealer (R13)."""
        if not self.for_the_dealer:
            raise DifferenceError(f"seat {seat} draws for the dealer, and the trace does not say what")
        draw = self.for_the_dealer.popleft()
        same("who draws for the dealer", draw["seat"], seat)
        same("whether the card drawn for the dealer is there", draw["card"] in cards, True)
        return str(draw["card"])

    def deal(self, deck: list[str], seats: list[int], size: int) -> tuple[dict[int, list[str]], list[str]]:
        """Return the hands as dealt, also in vain (R15), and the pile as far as it was turned (R16)."""
        in_vain = bool(self.in_vain)
        dealt = self.in_vain.popleft() if in_vain else self.next("round_began")["hands"]
        hands = dict(enumerate(dealt))
        same("seats with a hand", [seat for seat, hand in hands.items() if hand], seats)
        same("sizes of the hands", {len(hands[seat]) for seat in seats}, {size})
        rest = Counter(deck)
        rest.subtract([card for hand in dealt for card in hand])
        same("cards dealt beyond the deck", [card for card in rest if rest[card] < 0], [])
        if in_vain:
            return hands, list(rest.elements())
        self.next("first_card")
        return hands, self.as_turned(list(rest.elements()))

    def as_turned(self, pile: list[str]) -> list[str]:
        """Return a pile with the cards on top that were turned first, before one of them comes up again."""
        how, rest, top = self.rules["first_card_return"], Counter(pile), []
        fresh = {"shuffle": 1, "middle": (len(pile) - 1) // 2 + 1, "bottom": len(pile)}[how]
        for card in list(self.turned)[:fresh]:
            same(f"whether the card turned first ({card}) is in the pile", rest[card] > 0, True)
            rest[card] -= 1
            top.append(Seen(card))
        return [*top, *rest.elements()]

    def reorder(self, why: str, cards: list[str]) -> list[str]:
        """Check that the engine reshuffles as many cards; before the first card, turn the next ones."""
        if why == "first":
            done = 1 if self.rules["first_card_return"] == "shuffle" else len(cards)
            self.turned = deque(list(self.turned)[done:])
            return self.as_turned([str(card) for card in cards])
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
        """Note the places that everybody has seen: all others are no part of a trace."""
        self.places = deque(card if one_pile and isinstance(card, Seen) else None for card in pile)
        self.tail = deque([card] for card in tail)

    def under(self, cards: list[str]) -> None:
        """Note the cards that go under the pile together."""
        if cards:
            self.tail.append(list(cards))

    def take(self, card: str, cards: list[str]) -> None:
        """Check that a card which is drawn does not lie elsewhere (R16, R92)."""
        if not self.places:
            same(f"whether {card} is the next from under the pile", card in self.tail[0], True)
            self.tail[0].remove(card)
            if not self.tail[0]:
                self.tail.popleft()
            return
        place = self.places.popleft()
        if place is not None:
            same("the card at a place that was seen", card, place)
        elif any(self.places):
            unseen = Counter(cards) - Counter(card for card in self.places if card is not None)
            same(f"whether {card} may lie on top", unseen[card] > 0, True)

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
        self.take(card, cards)
        return card

    def check_unseen(self, log: list[tuple[str, dict[str, Any]]]) -> None:
        """Check at the end what no event tells: the cards shown before a first turn, and those exchanged."""
        refused = [str(facts["card"]) for what, facts in log if what == "refused"]
        same("refused first cards", self.refused, refused)
        given = [[f["given"][f["seat"]], f["given"][f["other"]]] for what, f in log if what == "exchange"]
        same("cards that were exchanged", self.exchanged, given)
        same("deals in vain that were none", list(self.in_vain), [])
        same("cards drawn for the dealer beyond need", list(self.for_the_dealer), [])

    def centre(self, seats: list[int]) -> int:
        """Return who draws for the centre."""
        fines = [fact["seat"] for fact in self.facts if fact["event"] == "fined"]
        same("whether the centre makes one of the others draw", fines[0] in seats if fines else False, True)
        return int(fines[0])
