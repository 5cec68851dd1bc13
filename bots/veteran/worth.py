"""What each fact of a prospect is worth, in points of the round (found by bench/veteran_worth.py)."""

from prospect import Prospect

DUEL = Prospect(
    points=-0.11,
    cards=-2.77,
    one_left=3.52,
    two_left=2.81,
    follow=1.45,
    symbol=0.57,
    actions=4.79,
    actions_late=0.4,
    wilds=6.92,
    fours=27.65,
    wild_late=12.89,
    colours=-1.92,
    ready=9.59,
    mover=2.6,
    mover_one=-23.68,
    mover_two=-14.96,
    starved=8.32,
    starved_late=24.62,
    points_late=-0.14,
    drew=0.29,
)
TABLE = DUEL
