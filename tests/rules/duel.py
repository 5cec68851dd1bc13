"""The engine and the second opinion play the same match; whatever they tell differently ends the duel.

The engine is driven through what everybody may use: `Match`, `View`, records and traces. The second opinion
is told the random facts of the engine's trace, checks that each is possible, and works out all else itself.
"""

import json
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from arena.rules.cards import NO_CARD, format_card, format_colour
from arena.rules.events import format_event
from arena.rules.match import Match
from arena.rules.moves import IllegalMoveError, format_move, parse_move
from arena.rules.options import Ruleset
from arena.rules.presets import ruleset_of
from arena.rules.questions import OVER, QuestionKind
from arena.rules.record import record_of
from arena.rules.trace import trace
from arena.rules.view import View
from tests.rules.oracle.faces import EVERY_CARD, in_order, sorted_cards
from tests.rules.oracle.match import FaultError, OracleMatch
from tests.rules.oracle.news import line
from tests.rules.oracle.rulesets import as_given
from tests.rules.oracle.sheet import Options, deck_of, options_of_texts
from tests.rules.oracle.table import check_cards
from tests.rules.trace_supply import DRAWS, DifferenceError, TraceSupply, same

QUIET = ("draw", "keep", "accept", "no")


@dataclass
class Manners:
    """How the players of a duel behave, drawn anew for each."""

    plays: float = 0.8
    """How often they play rather than draw, keep, accept or let pass."""
    calls: float = 0.9
    """How often the UNO flag is right."""
    talks: float = 0.0
    """How often a line comes with a move; half of the lines are advice."""
    errs: float = 0.0
    """How often they try a move that is mostly illegal."""
    leaves: float = 0.0
    """How often somebody leaves."""

    @classmethod
    def by_lot(cls, lot: random.Random) -> "Manners":
        """Draw the manners of a match."""
        return cls(
            lot.choice([0.3, 0.8, 0.97]),
            lot.choice([0.2, 0.9, 1]),
            lot.choice([0, 0, 0.1]),
            lot.choice([0, 0, 0.02, 0.1]),
            lot.choice([0, 0, 0, 0.003, 0.02, 0.1]),
        )


@dataclass
class Duel:
    """One match of both."""

    ruleset: Ruleset
    seats: int
    key: bytes
    lot: random.Random
    manners: Manners
    done: list[str] = field(default_factory=list)
    """What both have done, for the report of a difference."""

    def fight(self) -> OracleMatch:
        """Play the match with the engine, then walk through its trace with the second opinion."""
        played = self.play()
        steps = [json.loads(step.json) for step in trace(record_of(played), self.ruleset)]
        return Walk(self.ruleset, self.seats, self.key, steps, self.lot, self.done).to_the_end()

    def play(self) -> Match:
        """Let random players play the engine."""
        match = Match(self.ruleset, self.seats, self.key)
        while not match.over:
            if self.lot.random() < self.manners.leaves:
                self.somebody_leaves(match)
            elif self.lot.random() < self.manners.errs:
                self.somebody_errs(match)
            else:
                self.somebody_moves(match)
        return match

    def somebody_moves(self, match: Match) -> None:
        """Apply a legal move."""
        texts = [format_move(move) for move in match.legal_moves()]
        loud = [text for text in texts if text not in QUIET]
        quiet = [text for text in texts if text in QUIET]
        chosen = self.lot.choice(
            loud if loud and (not quiet or self.lot.random() < self.manners.plays) else quiet
        )
        leaves_one = len(View(match, match.seat).hand) == 2 and match.question != QuestionKind.EXCHANGE
        right = self.lot.random() < self.manners.calls
        self.apply(match, chosen, uno=leaves_one == right)

    def somebody_errs(self, match: Match) -> None:
        """Try a move out of the blue; where it costs nothing it must change nothing."""
        text = self.lot.choice(EVERY_MOVE)
        before = (match.seat, match.question, match.legal_moves(), len(match.events))
        try:
            self.apply(match, text, uno=self.lot.random() < 0.5)
        except IllegalMoveError:
            same(
                "after a refusal",
                (match.seat, match.question, match.legal_moves(), len(match.events)),
                before,
            )

    def apply(self, match: Match, text: str, uno: bool) -> None:
        """Apply a move, perhaps with a line."""
        talks = self.lot.random() < self.manners.talks and not match.is_forced()
        say, advice = ("a line", self.lot.random() < 0.5) if talks else ("", False)
        match.apply(parse_move(text), uno, say, advice)

    def somebody_leaves(self, match: Match) -> None:
        """Let one or two seats leave."""
        seats = self.lot.sample(range(self.seats), self.lot.choice([1, 1, 2]))
        match.leave(seats)


EVERY_MOVE = in_order(
    [
        action + card + name
        for action in ("", "jump ", "give ")
        for card in EVERY_CARD
        for name in ("", ":R", ":1")
        if not (action == "give " and name)
    ]
    + ["draw", "keep", "accept", "challenge", "catch", "no", "ready", "colour B"]
)


class Walk:
    """Both walk through a trace, step by step, and are compared at each."""

    def __init__(
        self,
        ruleset: Ruleset,
        seats: int,
        key: bytes,
        steps: list[dict[str, Any]],
        lot: random.Random,
        done: list[str],
    ) -> None:
        self.lot, self.done = lot, done
        self.steps = deque(steps)
        head = self.steps.popleft()
        same("the head of the trace", (head["step"], head["seats"]), ("match", seats))
        same("the ruleset of the trace", head["ruleset"], ruleset.options())
        self.rules = options_of_texts(head["ruleset"])
        self.supply = TraceSupply(self.rules)
        self.engine = Match(ruleset, seats, key)
        self.told = 0
        events = self.events_that_follow()
        self.oracle = OracleMatch(self.rules, seats, self.supply)
        self.compare(events)

    def events_that_follow(self) -> list[dict[str, Any]]:
        """Take the events up to the next decision, and let the second opinion have their random facts."""
        events = []
        while self.steps and self.steps[0]["step"] == "event":
            events.append(self.steps.popleft())
        self.supply.feed(events)
        return events

    def to_the_end(self) -> OracleMatch:
        """Walk to the end of the match."""
        while self.steps:
            step = self.steps.popleft()
            self.done.append(as_told(step))
            if step["step"] == "leave":
                seats = [seat for seat in step["seats"] if seat in self.oracle.table["match"]]
                self.engine.leave(step["seats"])
                events = self.events_that_follow()
                if seats:
                    self.oracle.leave(*seats)
            else:
                events = self.decide(step)
            self.compare(events)
        same("over", self.engine.over, True)
        self.supply.check_unseen(self.oracle.table["log"])
        return self.oracle

    def decide(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        """Compare a decision with both, try what is illegal, and do the move."""
        oracle, bluffs = self.oracle, [step["legal"][i] for i in step["bluffs"]]
        same("who decides what (trace)", (step["seat"], step["question"].upper()), (oracle.seat, oracle.kind))
        same("legal moves (trace)", step["legal"], oracle.moves)
        same("bluffs (trace)", bluffs, oracle.bluffs)
        self.both_refuse(self.lot.choice(EVERY_MOVE))
        move = step["move"]
        misplay = move == "misplay"
        if misplay:
            move = next(text for text in EVERY_MOVE if text not in oracle.moves)
        say = "a line" if step["talks"] else ""
        self.engine.apply(parse_move(move), step["uno"], say, step["advice"])
        events = self.events_that_follow()
        same("misplay", misplay, move not in oracle.moves)
        oracle.tell(move, step["uno"], say, step["advice"])
        return events

    def both_refuse(self, text: str) -> None:
        """Where an illegal move is a fault, both refuse it."""
        if text in self.oracle.moves or self.rules["misplay_penalty"]:
            return
        for refuse in (lambda: self.engine.apply(parse_move(text)), lambda: self.oracle.tell(text)):
            try:
                refuse()
            except (IllegalMoveError, FaultError):
                continue
            raise DifferenceError(f"{text} was not refused")

    def compare(self, events: list[dict[str, Any]]) -> None:
        """Compare what both tell after a step, and the trace's events with both."""
        oracle = self.oracle
        news = oracle.events[self.told :]
        same("events", [format_event(event) for event in self.engine.events[self.told :]], news)
        same("events (trace)", [as_line(event) for event in events], news)
        self.told += len(news)
        same("over", self.engine.over, oracle.over)
        if oracle.over:
            same("ending", self.engine.ending, oracle.ending)
            same("places", list(self.engine.places), oracle.places)
        else:
            same(
                "facts left over", [f for f in self.supply.facts if f["count"] or f["event"] not in DRAWS], []
            )
            self.compare_question()
            self.compare_table()
        if self.rules["scoring"] not in ("lazy", "single_round"):
            same("totals", list(self.engine.totals), list(oracle.table["totals"].values()))
        check_cards(oracle.table)

    def compare_question(self) -> None:
        """Compare who is asked what, and may answer what."""
        engine, oracle = self.engine, self.oracle
        legal = [format_move(move) for move in engine.legal_moves()]
        same(
            "who decides what", (engine.seat, QuestionKind(engine.question).name), (oracle.seat, oracle.kind)
        )
        same("legal moves", legal, oracle.moves)
        same("bluffs", [legal[i] for i in engine.bluffs()], oracle.bluffs)
        leaves_one = len(oracle.table["hands"][oracle.seat]) == 2 and oracle.moves[0] not in QUIET
        asks_anyway = oracle.kind in ("READY", "EXCHANGE") or leaves_one
        if oracle.kind != "EXCHANGE":
            same("forced", engine.is_forced(), len(oracle.moves) == 1 and not asks_anyway)

    def compare_table(self) -> None:
        """Compare what each seat sees with what the second opinion knows."""
        t = self.oracle.table
        for seat in range(t["seats"]):
            view = View(self.engine, seat)
            same(f"hand of {seat}", cards(view.hand), sorted_cards(t["hands"][seat]))
        asked = View(self.engine, self.oracle.seat)
        same("hand sizes", list(asked.hand_sizes), [len(t["hands"][seat]) for seat in range(t["seats"])])
        same("draw pile", asked.draw_pile_size, len(t["pile"]) + len(t["tail"]))
        same("discard pile", cards(asked.discard), t["discard"])
        same("direction", asked.direction, t["direction"])
        same("round, dealer", (asked.round_number, asked.dealer), (t["round"], t["dealer"]))
        if t["colour"]:
            same("colour", format_colour(asked.colour), t["colour"])
        same(
            "in the round",
            [bool(asked.in_round[s]) for s in range(t["seats"])],
            [s in t["ring"] for s in range(t["seats"])],
        )
        self.compare_penalty(asked)
        self.compare_secrets()

    def compare_penalty(self, view: View) -> None:
        """Compare what is pending."""
        pending, penalty = self.oracle.table["pending"], view.penalty
        same("something is pending", penalty is not None, pending is not None)
        if penalty is not None and pending is not None:
            same(
                "penalty",
                (penalty.amount, penalty.source, penalty.victim, format_card(penalty.card)),
                tuple(pending[name] for name in ("amount", "source", "victim", "card")),
            )

    def compare_secrets(self) -> None:
        """Compare what one seat alone may see: the card just drawn, the hand that was shown (R25, R34)."""
        t = self.oracle.table
        for seat in range(t["seats"]):
            view = View(self.engine, seat)
            drawn = [t["drawn"]] if self.oracle.kind == "DRAWN" and seat == self.oracle.seat else []
            same(f"card just drawn by {seat}", cards([view.drawn]), drawn)
            shown = sorted_cards(t["shown"].get(seat, []))
            same(f"hand shown to {seat}", cards(view.shown_hand), shown)
            same(f"question to {seat}", view.kind != OVER, seat == self.oracle.seat)


def cards(codes: Any) -> list[str]:
    """Return cards as texts."""
    return [format_card(card) for card in codes if card != NO_CARD]


def as_told(step: dict[str, Any]) -> str:
    """Return a decision or a leave as a line of a report."""
    if step["step"] == "leave":
        return f"leave {step['seats']}"
    flags = [name for name in ("uno", "talks", "advice") if step[name]]
    return " ".join([str(step["seat"]), step["question"], step["move"], *flags, "of", *step["legal"]])


def as_line(step: dict[str, Any]) -> str:
    """Return an event of a trace as its public line, and check that the cards are as many as it says."""
    if "cards" in step and step["event"] != "exchanged":
        same("cards of an event", len(step["cards"]), step["count"])
    return line(
        step["event"],
        step.get("seat"),
        card=step.get("card"),
        colour=step.get("colour"),
        count=step["count"],
        other=step.get("other"),
    )


def fight(rules: Options, seats: int, seed: int, manners: Manners | None = None) -> OracleMatch:
    """Let both play a match; a difference names the ruleset, the seed and the last moves.

    Raises:
        DifferenceError: They differ.
    """
    lot = random.Random(seed)
    ruleset = ruleset_of(as_given(rules))
    assert sum(ruleset.deck_copies) == len(deck_of(rules))
    duel = Duel(ruleset, seats, lot.randbytes(32), lot, manners or Manners.by_lot(lot))
    try:
        return duel.fight()
    except (AssertionError, IllegalMoveError) as error:
        usual = Ruleset().options()
        changed = {name: text for name, text in ruleset.options().items() if text != usual[name]}
        last = "\n  ".join(duel.done[-8:])
        raise DifferenceError(
            f"seed {seed}, {seats} seats, {changed}\nafter {len(duel.done)} moves:\n  {last}\n{error}"
        ) from error
