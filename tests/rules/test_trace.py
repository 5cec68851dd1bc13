"""A trace tells enough to follow every card, and its JSON says what its text says."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import EventKind, Match, format_card, record_of
from arena.rules.trace import trace
from tests.rules.lots import played_by_lot

DRAWING = ("drew", "paid", "fined", "refilled")


class Hands:
    """The hands of a table, followed by nothing but the steps of a trace."""

    def __init__(self) -> None:
        self.hands: list[Counter[str]] = []
        self.inside: list[bool] = []
        self.direction = 1

    def follow(self, step: dict[str, object]) -> None:
        """Let a step change the hands."""
        event, seat, cards = step["event"], step.get("seat", -1), step.get("cards", [])
        assert isinstance(seat, int)
        assert isinstance(cards, list)
        if event == "round_began":
            hands = step["hands"]
            assert isinstance(hands, list)
            self.hands = [Counter(hand) for hand in hands]
        elif event in DRAWING:
            self.hands[seat] += Counter(cards)
        elif event in ("played", "jumped_in"):
            self.hands[seat] -= Counter([step["card"]])
        elif event == "returned":
            self.hands[seat] += Counter([step["card"]])
        elif event == "left":
            self.hands[seat] = Counter()
        elif event in ("swapped", "exchanged"):
            self._change(seat, step["other"], cards)

    def _change(self, seat: int, other: object, cards: list[str]) -> None:
        """Let two seats change hands, or a card each."""
        assert isinstance(other, int)
        if cards:
            gone, got = Counter(cards[:1]), Counter(cards[1:])
            self.hands[seat] += got - Counter()
            self.hands[seat] -= gone
            self.hands[other] += gone
            self.hands[other] -= got
        else:
            self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]


def hands_of(match: Match) -> list[Counter[str]]:
    """Return the hands as the engine knows them."""
    return [Counter(format_card(card) for card in match.round.hand(seat)) for seat in range(match.seats)]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_every_card_can_be_followed(data: st.DataObject):
    """From the hands as dealt and the cards of each event the hands at the end are known."""
    match = played_by_lot(data)
    steps = [json.loads(step.json) for step in trace(record_of(match), match.ruleset)]
    table = Hands()
    for step in steps:
        if step["step"] == "event":
            table.follow(step)
            if step["event"] in ("rotated", "hands_shuffled"):
                return

    if not match.over:
        assert table.hands == hands_of(match)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_a_trace_holds_every_decision_and_every_event(data: st.DataObject):
    """One step for each entry of the record and each event; every decision's move is in its list."""
    match = played_by_lot(data)
    steps = [json.loads(step.json) for step in trace(record_of(match), match.ruleset)]
    events = [step["event"] for step in steps if step["step"] == "event"]
    decisions = [step for step in steps if step["step"] == "decision"]

    assert events == [EventKind(event.kind).name.lower() for event in match.events]
    assert len([step for step in steps if step["step"] in ("decision", "leave")]) == len(match.history)
    assert all(step["move"] in step["legal"] or step["move"] == "misplay" for step in decisions)
    assert steps[0] == {"step": "match", "seats": match.seats, "ruleset": match.ruleset.options()}
