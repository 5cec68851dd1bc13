"""Finds what each fact that the simulator's player looks at is worth, by regression on rounds that it plays.

    python bench/player_worth.py                    # prints DUEL for arena/bot/simulate/worth.py
    python bench/player_worth.py --seats 3 4 6      # prints TABLE

The player sits in every seat and makes one move in eight at random. For each turn's move that was chosen the
facts are noted, and what the round brought that seat. A linear fit on all of it gives the worth of each fact;
the next step plays by it. In later steps it strays less.
"""

import argparse
import sys

import numpy as np
import numpy.typing as npt

from arena.bot.simulate.facts import FACTS
from arena.bot.simulate.gains import gain_of
from arena.bot.simulate.player import Player
from arena.rules.keys import derive
from arena.rules.moves import NO_SEAT
from arena.rules.presets import preset
from arena.rules.questions import DRAWN, TURN
from arena.rules.round import Round
from arena.rules.variant import Variant

Matrix = npt.NDArray[np.float64]

ASTRAY = (8, 8, 16, 24)
"""One move in so many is made at random, by step; the last holds for all steps that follow."""
RIDGE = 100.0
"""Keeps facts that hardly ever occur near nought."""


def play_round(player: Player, round_: Round) -> tuple[list[list[int]], list[float]]:
    """Play a round; return the facts of each turn's move, and what the round brought its seat."""
    noted: list[list[int]] = []
    seats: list[int] = []
    while round_.kind:
        seat, kind = round_.seat, round_.kind
        move = player.choose(round_)
        if kind in (TURN, DRAWN):
            player.look(round_, move)
            noted.append(player.facts.copy())
            seats.append(seat)
        player.do(round_, move)
    gains = [gain_of(round_, seat) for seat in range(round_.seats)]
    return noted, [gains[seat] for seat in seats]


def learn(player: Player, sizes: list[int], step: int, rounds: int) -> tuple[Matrix, Matrix]:
    """Play some rounds; return the normal equations of the fit."""
    variant = Variant(preset("mattel"))
    normal = RIDGE * np.eye(len(FACTS))
    right = np.zeros(len(FACTS))
    for number in range(rounds):
        seats = sizes[number % len(sizes)]
        key = derive(b"player's worth", step, number)
        round_ = Round(variant, seats, key, 1)
        round_.begin(number % seats, NO_SEAT)
        noted, gains = play_round(player, round_)
        facts = np.array(noted, dtype=float)
        normal += facts.T @ facts
        right += facts.T @ np.array(gains)
    return normal, right


def main() -> None:
    """Read the arguments, learn, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seats", type=int, nargs="+", default=[2], help="sizes of table")
    parser.add_argument("--rounds", type=int, default=20_000, help="rounds of each step")
    parser.add_argument("--steps", type=int, default=4)
    given = parser.parse_args()
    player = Player(7)
    for step in range(given.steps):
        player.astray = ASTRAY[min(step, len(ASTRAY) - 1)]
        normal, right = learn(player, given.seats, step, given.rounds)
        worth = [round(float(value), 2) for value in np.linalg.solve(normal, right)]
        if given.seats == [2]:
            player.duel = worth
        else:
            player.table = worth
        lines = [f"    {value},  # {name}\n" for name, value in zip(FACTS, worth, strict=True)]
        sys.stdout.write(f"# step {step + 1}\n{''.join(lines)}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
