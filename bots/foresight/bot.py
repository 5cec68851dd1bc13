"""Foresight: tries its moves in worlds that the question allows, and plays the one that brought most.

`search.py` looks ahead with the arena's own engine, `habits.py` counts who bluffs and who doubts. How strong
it is stands in docs/bots/strength.md.
"""

from time import perf_counter

from habits import Habits
from search import Search

from arena.bot import Action, Bot, Event, Move, View, serve
from arena.bot.simulate import Player

BUDGET_MS = 20
"""Stands for a budget that is not told."""


class Foresight(Bot):
    """Looks ahead at every question that leaves a choice."""

    description = "foresight"
    tables = 32
    trials_per_ms = 15.0
    """Trials for each millisecond of the budget. A part of it is used, so that a match can be repeated."""
    turns = 4
    """Own turns that a trial plays on."""
    doubt = 0.33
    """The chance of a bluff from which on it challenges."""

    def opened(self) -> None:
        """Begin to look."""
        self.player = Player(self.random.getrandbits(30))
        self.habits = Habits(self.seats)

    def event(self, event: Event) -> None:
        """Follow who bluffs and who doubts."""
        self.habits.follow(event)

    def move(self, view: View) -> Move:
        """Challenge by what is known, and look ahead for all else."""
        moves = view.legal
        challenge = view.legal_by(Action.CHALLENGE)
        if challenge is not None:
            if self.habits.chance_of_bluff(view) > self.doubt:
                return challenge
            moves = tuple([move for move in moves if move is not challenge])
        if len(moves) == 1 or not view.opponents:
            return moves[0]
        begin = perf_counter()
        self.player.doubts = int(100 * self.habits.chance_of_doubt(view.next_seat))
        budget_ms = view.rules.limits.budget_ms or BUDGET_MS
        # A two-hundredth of what the bank still holds can be spent again and again.
        end = begin + (budget_ms * 0.8 + view.bank_ms / 200) / 1000
        trials = int(self.trials_per_ms * budget_ms)
        return Search(view, moves, self.player).best(trials, self.turns, lambda: perf_counter() > end)


serve(Foresight)
