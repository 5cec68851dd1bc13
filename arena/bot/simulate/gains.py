"""What a round brings a seat, in points, whatever the way of scoring. Compiled with the engine."""

from typing import Final

from arena.rules.moves import NO_SEAT
from arena.rules.scoring import POINTS
from arena.rules.state import State

WINNER_SCORES: Final = ("winner_takes", "lazy", "single_round")
"""The ways of scoring in which only the winner, or only winning, counts."""


def hand_worth(s: State, seat: int) -> int:
    """Return the points of a hand."""
    points = 0
    for card in s.hands[seat].cards():
        points += POINTS[card]
    return points


def points_of_others(s: State, seat: int) -> float:
    """Return the points in all other hands."""
    points = 0
    for other in range(s.seats):
        if other != seat and s.inside[other]:
            points += hand_worth(s, other)
    return float(points)


def gain_of(s: State, seat: int) -> float:
    """Return what a finished round brought a seat, in points: what it won, or its part of what another won.

    Where everybody records the own hand, it is what the others have left on average, less what is left here.
    """
    if s.stalemate and s.winner == NO_SEAT:
        return 0.0
    others = points_of_others(s, seat)
    rivals = max(s.seats - 1, 1)
    if s.variant.ruleset.scoring not in WINNER_SCORES:
        return others / rivals - hand_worth(s, seat)
    if s.winner == seat or not s.inside[seat]:
        return others
    return -(others + hand_worth(s, seat)) / rivals
