"""A whole match step by step, with everything that was hidden: for people, and for programs that check it.

Owns the trace, made by playing a record again. Each step is one line of text and one JSON object;
`docs/trace.md` describes both. Refuses to be shown to a bot: it names every card.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from arena.rules.cards import COLOUR_LETTERS, NO_CARD, NO_COLOUR, format_card
from arena.rules.dealers import draw_for_dealer
from arena.rules.decision import ADVICE, LEAVES, TALKS, UNO, leaving_of, move_of
from arena.rules.events import (
    DREW,
    EXCHANGED,
    FINED,
    FIRST_CARD,
    HANDS_SHUFFLED,
    PAID,
    REFILLED,
    ROUND_BEGAN,
    SAID,
    Event,
    EventKind,
    format_event,
)
from arena.rules.match import Match
from arena.rules.moves import NO_SEAT, format_move
from arena.rules.options import Ruleset
from arena.rules.questions import QuestionKind
from arena.rules.record import Record, apply_item, begin_replay


class Step(NamedTuple):
    """One step of a trace."""

    text: str
    """The step for people: one line, or for a deal one line more a hand."""
    json: str
    """The step as a line of JSON."""


class _Sealed:
    """The cards that moved unseen, read in the order in which they moved."""

    def __init__(self, match: Match) -> None:
        self._cards: list[int] = match.sealed
        self._next = 0

    def take(self, count: int) -> list[str]:
        """Return the texts of the next cards."""
        cards = self._cards[self._next : self._next + count]
        self._next += count
        return [format_card(card) for card in cards]

    def in_vain(self, count: int) -> list[list[str]]:
        """Return the deals of so many cards that left no legal first card, and were dealt anew (R15)."""
        deals = []
        while self._is_marked():
            self._next += 1
            deals.append(self.take(count))
        return deals

    def refused(self) -> list[str]:
        """Return the first cards that were refused, in the order in which they were turned (R16)."""
        if not self._is_marked():
            return []
        end = self._cards.index(NO_CARD, self._next + 1)
        cards = self._cards[self._next + 1 : end]
        self._next = end + 1
        return [format_card(card) for card in cards]

    def _is_marked(self) -> bool:
        return self._next < len(self._cards) and self._cards[self._next] == NO_CARD


class Tracer:
    """Follows a match through records of it that grow, and tells the steps of every entry once."""

    def __init__(self, record: Record, ruleset: Ruleset) -> None:
        """Deal the match of a record.

        Raises:
            NotationError: The record belongs to another ruleset or rules epoch.
        """
        self.match: Match = begin_replay(record, ruleset)
        self._sealed = _Sealed(self.match)
        self._entries = 0
        self._lines = 0
        self._told = 0

    def opening(self) -> list[Step]:
        """Tell what is played and how it was dealt; to be asked first."""
        return [_match_step(self.match), *self._news()]

    def follow(self, record: Record) -> Iterator[list[Step]]:
        """Play the entries that this record has more than the last one, and tell the steps of each.

        Raises:
            IllegalMoveError: A move of the record is not legal: the record is forged or damaged.
        """
        for item in record.history[self._entries :]:
            step = _leave_step(item) if item & LEAVES else _decision_step(self.match, item)
            apply_item(self.match, item, iter(record.lines[self._lines :]))
            self._entries += 1
            self._lines += bool(item & TALKS)
            yield [step, *self._news()]

    def _news(self) -> list[Step]:
        events = self.match.events[self._told :]
        self._told += len(events)
        return [_event_step(self.match, event, self._sealed) for event in events]


def trace(record: Record, ruleset: Ruleset) -> Iterator[Step]:
    """Play a record again and tell every step.

    Raises:
        NotationError: The record belongs to another ruleset or rules epoch.
        IllegalMoveError: A move of the record is not legal: the record is forged or damaged.
    """
    tracer = Tracer(record, ruleset)
    yield from tracer.opening()
    for steps in tracer.follow(record):
        yield from steps


def _match_step(match: Match) -> Step:
    """Tell what is played."""
    fields = {"step": "match", "seats": match.seats, "ruleset": match.ruleset.options()}
    return Step(
        f"match of {match.seats} seats, ruleset {match.ruleset.digest.hex()[:12]}", json.dumps(fields)
    )


def _leave_step(item: int) -> Step:
    """Tell that seats leave."""
    seats = leaving_of(item)
    text = "leave " + " ".join(map(str, seats))
    return Step(text, json.dumps({"step": "leave", "seats": seats}))


def _decision_step(match: Match, item: int) -> Step:
    """Tell a decision: who was asked what, what was legal, and the answer."""
    legal = [format_move(move) for move in match.legal_moves()]
    bluffs = match.bluffs()
    question = QuestionKind(match.question).name.lower()
    move = format_move(move_of(item))
    fields = {
        "step": "decision",
        "seat": match.seat,
        "question": question,
        "legal": legal,
        "bluffs": bluffs,
        "move": move,
        "uno": bool(item & UNO),
        "talks": bool(item & TALKS),
        "advice": bool(item & ADVICE),
    }
    flags = "!" * bool(item & UNO) + "~" * bool(item & TALKS) + "+" * bool(item & ADVICE)
    listed = ", ".join(text + "?" * (index in bluffs) for index, text in enumerate(legal))
    return Step(f"  seat {match.seat} {question}: {move}{flags}   of {listed}", json.dumps(fields))


def _event_step(match: Match, event: Event, sealed: _Sealed) -> Step:
    """Tell what happened, with the cards that nobody else saw."""
    fields: dict[str, object] = {"step": "event", "event": EventKind(event.kind).name.lower()}
    if event.seat != NO_SEAT:
        fields["seat"] = event.seat
    if event.card != NO_CARD:
        fields["card"] = format_card(event.card)
    if event.colour != NO_COLOUR:
        fields["colour"] = COLOUR_LETTERS[event.colour]
    if event.other != NO_SEAT:
        fields["other"] = event.other
    fields["count"] = event.count
    text = format_event(event)
    if event.kind == ROUND_BEGAN:
        text += "".join(f"\n  {line}" for line in _add_deal(fields, match, event, sealed))
    elif event.kind == FIRST_CARD and (refused := sealed.refused()):
        fields["refused"] = refused
        text += ": refused " + " ".join(refused)
    elif event.kind == SAID:
        fields["line"] = match.lines[event.count]
        text += ": " + json.dumps(match.lines[event.count])
    elif cards := sealed.take(_hidden_cards(event)):
        fields["cards"] = cards
        text += ": " + " ".join(cards)
    return Step(text, json.dumps(fields))


def _add_deal(fields: dict[str, object], match: Match, event: Event, sealed: _Sealed) -> list[str]:
    """Add what was drawn for the dealer, the deals in vain, and the hands; return the lines for people."""
    lines = []
    if event.count == 1 and match.ruleset.first_dealer == "high_card":
        draws: list[tuple[int, int]] = []
        draw_for_dealer(match.variant, match.seats, match.set_key, draws)
        fields["dealer_draws"] = [{"seat": seat, "card": format_card(card)} for seat, card in draws]
        lines.append("for the dealer: " + ", ".join(f"{seat} {format_card(card)}" for seat, card in draws))
    count = match.standing.remaining() * match.ruleset.hand_size
    if in_vain := [_hands(match, cards) for cards in sealed.in_vain(count)]:
        fields["in_vain"] = in_vain
        lines += ["in vain: " + " | ".join(" ".join(hand) for hand in hands if hand) for hands in in_vain]
    fields["hands"] = hands = _hands(match, sealed.take(count))
    return lines + [f"seat {seat}: {' '.join(hand)}" for seat, hand in enumerate(hands) if hand]


def _hidden_cards(event: Event) -> int:
    """Return how many sealed cards were drawn or dealt in an event."""
    if event.kind in (DREW, PAID, FINED, REFILLED, HANDS_SHUFFLED):
        return event.count
    return 2 if event.kind == EXCHANGED else 0


def _hands(match: Match, cards: list[str]) -> list[list[str]]:
    """Return the hands that were dealt: a card to each seat in turn, from the lowest; none to who is out."""
    dealt = iter(range(match.standing.remaining()))
    step = match.standing.remaining()
    return [cards[next(dealt) :: step] if there else [] for there in match.standing.in_match]
