"""Finds what each fact of the veteran's prospects is worth, by regression on rounds that it plays itself.

    python bench/veteran_worth.py --seats 2 --matches 400     # prints DUEL for bots/veteran/worth.py
    python bench/veteran_worth.py --seats 4 --matches 200     # prints TABLE

A veteran plays against itself, greedy and colour keeper and makes one move in twelve at random. Each prospect
it chose is noted with what the round then brought: the points won, or minus the points that another won,
shared among the losers. A linear fit of the second on the first gives the worth of each fact; the next step
plays by it. Three steps are enough: the numbers then move within their errors.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from arena.bot import Action, Bot, Event, EventKind, Move, Result, View
from arena.bot.local import load_bot
from arena.bot.session import Session
from arena.protocol.hello import ruleset_message
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.options import preset

BOTS = Path(__file__).resolve().parents[1] / "bots"
VETERAN: Any = load_bot(BOTS / "veteran" / "bot.py")
MODULE: dict[str, Any] = VETERAN.best.__globals__
FACTS: tuple[str, ...] = MODULE["Prospect"]._fields
ASTRAY = 12
"""One move in so many is made at random."""
RIDGE = 30.0
"""Keeps facts that hardly ever occur near nought."""

Note = tuple[list[tuple[float, ...]], list[float]]
"""Prospects, and what the round brought after each."""


class Learner(VETERAN):  # type: ignore[misc]
    """A veteran that strays and takes notes."""

    notes: ClassVar[Note] = ([], [])

    def opened(self) -> None:
        """Begin a page."""
        super().opened()
        self.round_s: list[tuple[float, ...]] = []
        self.totals: Sequence[int] = [0] * self.seats

    def event(self, event: Event) -> None:
        """Close a round's page when it is scored."""
        super().event(event)
        if event.kind is EventKind.SCORED and event.amount:
            self.close_round(event.seat, event.amount)
        elif event.kind is EventKind.ROUND_BEGAN:
            self.round_s = []

    def close_round(self, winner: int, points: int) -> None:
        """Note what the round brought for each of its prospects."""
        brought = points if winner == self.seat else -points / (self.seats - 1)
        self.notes[0].extend(self.round_s)
        self.notes[1].extend([brought] * len(self.round_s))
        self.round_s = []

    def best(self, view: View) -> Move:
        """Choose as a veteran, or at random, and note the prospect."""
        self.totals = view.totals
        move: Move = super().best(view)
        if view.random.randrange(ASTRAY) == 0:
            lazy = [m for m in view.legal if m.action in (Action.DRAW, Action.KEEP)]
            move = view.random.choice([*view.plays, *lazy])
        if not (move.is_play and len(view.hand) == 1):
            self.round_s.append(tuple(MODULE["foresee"](move, view, self.reading)))
        return move

    def closed(self, result: Result) -> None:
        """Close the last round's page: no question comes after it."""
        winner = max(range(self.seats), key=lambda seat: result.totals[seat])
        self.close_round(winner, result.totals[winner] - self.totals[winner])


def play_some(worth: Sequence[float], seats: int, step: int, matches: Sequence[int]) -> Note:
    """Play some matches by these worths and return the notes."""
    Learner.notes = ([], [])
    Learner.duel = Learner.table = MODULE["Prospect"](*worth)
    classes: list[type[Bot]] = [Learner, load_bot(BOTS / "colour-keeper" / "bot.py")]
    classes.append(load_bot(BOTS / "greedy" / "bot.py"))
    ruleset = preset("mattel")
    hello = pb.HelloRequest(ruleset=ruleset_message(ruleset))
    for number in matches:
        seated: list[Callable[[Any], Any]] = []
        for seat in range(seats):
            session = Session(classes[0 if seat == 0 else (number + seat) % len(classes)])
            session.hello(hello)
            seated.append(session.play)
        play_messages(ruleset, derive(b"veteran's worth", step, number), seated)
    return Learner.notes


def fit(notes: Sequence[Note]) -> tuple[Any, Any]:
    """Return the worth of each fact and its standard error, as if a round had eight independent notes."""
    facts = np.array([row for note in notes for row in note[0]], dtype=float)
    brought = np.array([value for note in notes for value in note[1]])
    facts = np.column_stack([facts, np.ones(len(facts))])
    penalty = RIDGE * np.eye(facts.shape[1])
    penalty[-1, -1] = 0
    normal = facts.T @ facts + penalty
    worth = np.linalg.solve(normal, facts.T @ brought)
    spread = (brought - facts @ worth).var() * 8
    return worth[:-1], np.sqrt(np.diag(np.linalg.inv(normal))[:-1] * spread)


def main() -> None:
    """Read the arguments, learn, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--matches", type=int, default=400, help="matches of each step")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    worth = list(VETERAN.duel if given.seats == 2 else VETERAN.table)
    notes: list[Note] = []
    pieces = [range(start, min(start + 10, given.matches)) for start in range(0, given.matches, 10)]
    with ProcessPoolExecutor(given.jobs) as pool:
        for step in range(given.steps):
            notes += pool.map(partial(play_some, worth, given.seats, step), pieces)
            found, error = fit(notes)
            worth = [round(float(value), 2) for value in found]
            lines = [
                f"    {name}={value},  # ±{e:.2f}\n"
                for name, value, e in zip(FACTS, worth, error, strict=True)
            ]
            sys.stdout.write(f"# step {step + 1}, {sum(len(n[1]) for n in notes)} notes\n{''.join(lines)}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
