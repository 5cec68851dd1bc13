"""Finds what each fact of the veteran's prospects is worth, by regression on rounds that it plays itself.

    python bench/veteran_worth.py --seats 2 --matches 400     # prints DUEL for bots/veteran/worth.py
    python bench/veteran_worth.py --seats 4 --matches 200     # prints TABLE

A veteran plays against itself, greedy and colour keeper and makes one move in twelve at random. Each prospect
it chose is noted, and what the round then brought: the points won, or minus the points that another won,
shared among the losers. A linear fit gives the worth of each fact; the next step plays by it.
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
from arena.rules.presets import preset

BOTS = Path(__file__).resolve().parents[1] / "bots"
VETERAN: Any = load_bot(BOTS / "veteran" / "bot.py")
BOT: dict[str, Any] = VETERAN.best.__globals__
LINES: dict[str, Any] = BOT["worth_of_play"].__globals__
FACTS: tuple[str, ...] = BOT["Prospect"]._fields
ASTRAY = 12
"""One move in so many is made at random."""
RIDGE = 30.0
"""Keeps facts that hardly ever occur near nought."""

TRACE = 0.5
"""How far what comes later counts for a prospect beyond the next one."""

Round = tuple[list[tuple[float, ...]], float]
"""The prospects that a seat chose in a round, and what the round brought it."""


class Learner(VETERAN):  # type: ignore[misc]
    """A veteran that strays and takes notes."""

    rounds: ClassVar[list[Round]] = []

    def opened(self) -> None:
        """Begin a page."""
        super().opened()
        self.page: list[tuple[float, ...]] = []
        self.totals: Sequence[int] = [0] * self.seats

    def event(self, event: Event) -> None:
        """Close a round's page when it is scored."""
        super().event(event)
        if event.kind is EventKind.SCORED and event.amount:
            self.close_round(event.seat, event.amount)
        elif event.kind is EventKind.ROUND_BEGAN:
            self.page = []

    def close_round(self, winner: int, points: int) -> None:
        """Note what the round brought for each of its prospects."""
        brought = points if winner == self.seat else -points / (self.seats - 1)
        if self.page:
            self.rounds.append((self.page, brought))
        self.page = []

    def best(self, view: View) -> Move:
        """Choose as a veteran, or at random, and note the prospect when the turn passes on."""
        self.totals = view.totals
        move: Move = super().best(view)
        if view.random.randrange(ASTRAY) == 0:
            lazy = [m for m in view.legal if m.action in (Action.DRAW, Action.KEEP)]
            move = view.random.choice([*view.plays, *lazy])
        position, again = BOT["position_of"](view), False
        if move.card is not None:
            position, again = LINES["lay"](position, move.card, move.colour, skips=True)
        if position.hand and not again:
            drew = move.action is Action.DRAW
            self.page.append(tuple(BOT["look"](position, view, self.reading, drew=drew)))
        return move

    def closed(self, result: Result) -> None:
        """Close the last round's page: no question comes after it."""
        winner = max(range(self.seats), key=lambda seat: result.totals[seat])
        self.close_round(winner, result.totals[winner] - self.totals[winner])


def play_some(worth: Sequence[float], seats: int, step: int, matches: Sequence[int]) -> list[Round]:
    """Play some matches by these worths and return the rounds."""
    Learner.rounds = []
    Learner.duel = Learner.table = BOT["Prospect"](*worth)
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
    return Learner.rounds


def fit(rounds: Sequence[Round], trace: float = TRACE) -> list[float]:
    """Return the worth of each fact by least squares on temporal differences.

    Each prospect is asked to be worth what the next one of the round is, the last one what the round brought;
    with a trace, also what later ones are. With a trace of 1 this is the plain regression on what the round
    brought, which is true to the end but needs many more rounds.
    """
    size = len(FACTS) + 1
    normal, right = RIDGE * np.eye(size), np.zeros(size)
    normal[-1, -1] = 0
    for facts, brought in rounds:
        rows = np.column_stack([np.array(facts, dtype=float), np.ones(len(facts))])
        following = np.vstack([rows[1:], np.zeros(size)])
        seen = np.zeros(size)
        for row, after in zip(rows, following, strict=True):
            seen = trace * seen + row
            normal += np.outer(seen, row - after)
        right += brought * seen
    return [round(float(worth), 2) for worth in np.linalg.solve(normal, right)[:-1]]


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
    rounds: list[Round] = []
    pieces = [range(start, min(start + 10, given.matches)) for start in range(0, given.matches, 10)]
    with ProcessPoolExecutor(given.jobs) as pool:
        for step in range(given.steps):
            for piece in pool.map(partial(play_some, worth, given.seats, step), pieces):
                rounds += piece
            worth = fit(rounds)
            lines = [f"    {name}={value},\n" for name, value in zip(FACTS, worth, strict=True)]
            sys.stdout.write(f"# step {step + 1}, {len(rounds)} rounds\n{''.join(lines)}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
