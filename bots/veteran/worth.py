"""What each fact of a prospect is worth, in points of the round (found by bench/veteran_worth.py)."""

from prospect import Prospect

DUEL = Prospect(
    points=-0.02,
    cards=-3.9,
    one_left=3.2,
    two_left=3.9,
    follow=1.8,
    symbol=1.4,
    actions=4.3,
    wilds=4.1,
    fours=23.6,
    wild_late=8.2,
    colours=-3.3,
    ready=20.8,
    mover=3.1,
    mover_one=-19.6,
    mover_two=-10.9,
    starved=10.2,
    starved_late=16.8,
    points_late=-0.1,
    drew=1.9,
)
TABLE = DUEL
