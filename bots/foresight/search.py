"""Looks ahead: each move is tried in many worlds that the question allows, and played on for some own turns.

All moves are tried in the same worlds, so that luck is the same for all of them, and a move that is clearly
behind is tried no further: the trials go where the choice is close. What a `Player` promises a move counts as
some trials that were already made: with few trials the search plays like that player, with many it overrules
it.
"""

from collections.abc import Callable, Sequence
from math import inf, sqrt

from arena.bot import Move, View
from arena.bot.simulate import Player, Worlds
from arena.bot.simulate.world import number_of

BELIEF = 12.0
"""How many trials a promise counts for."""
TRIED = 8
"""After so many trials of each move it is looked which ones are behind."""
BEHIND = 2.0
"""How many standard errors behind the best a move is given up."""


class Branch:
    """One move and what its trials brought."""

    def __init__(self, move: Move, promise: float) -> None:
        self.move = move
        self.number = number_of(move)
        """The move as the engine writes it."""
        self.promise = promise
        self.trials = 0
        self.total = 0.0
        self.squares = 0.0

    def add(self, gain: float) -> None:
        """Count a trial."""
        self.trials += 1
        self.total += gain
        self.squares += gain * gain

    def worth(self) -> float:
        """Return what the move is worth, promise and trials together."""
        return (self.promise * BELIEF + self.total) / (BELIEF + self.trials)

    def error(self) -> float:
        """Return the standard error of the trials' mean."""
        if self.trials < 2:
            return inf
        mean = self.total / self.trials
        return sqrt(max(self.squares / self.trials - mean * mean, 0.0) / self.trials)


class Search:
    """All moves of one question."""

    def __init__(self, view: View, moves: Sequence[Move], player: Player) -> None:
        self.worlds = Worlds(view)
        self.player = player
        """Plays every seat once the move is made."""
        self.seat = view.seat
        first = self.worlds.deal().round
        self.alive = [Branch(move, player.promise(first, number_of(move))) for move in moves]

    def best(self, trials: int, turns: int, is_late: Callable[[], bool]) -> Move:
        """Return the move worth most.

        Args:
            trials: How often moves are tried, all of them together.
            turns: How many own turns are played on; 0 plays to the end of the round.
            is_late: Says that time is up.
        """
        while trials > 0 and len(self.alive) > 1 and not is_late():
            self.try_all(turns)
            trials -= len(self.alive)
            if self.alive[0].trials % TRIED == 0:
                self.give_up()
        return max(self.alive, key=Branch.worth).move

    def try_all(self, turns: int) -> None:
        """Try each move that is still in question in one more world, with the same luck."""
        world = self.worlds.deal().round
        luck = self.player.number
        for branch in self.alive:
            self.player.number = luck
            trial = world.copy()
            self.player.do(trial, branch.number)
            branch.add(self.player.roll(trial, self.seat, turns))

    def give_up(self) -> None:
        """Try no further what is clearly behind."""
        best = max(self.alive, key=Branch.worth)
        least, error = best.worth(), best.error()
        self.alive = [
            branch for branch in self.alive if branch.worth() + BEHIND * max(branch.error(), error) >= least
        ]
