"""What each fact of a prospect is worth, in points of the round (found by bench/veteran_worth.py)."""

from prospect import Prospect

DUEL = Prospect(
    points=-0.08,
    cards=-2.49,
    one_left=2.42,
    two_left=1.98,
    again=7.62,
    stranded=-7.74,
    follow=1.76,
    symbol=0.72,
    actions=4.54,
    wilds=6.21,
    fours=16.52,
    colours=-3.34,
    ready=8.47,
    mover=2.57,
    mover_one=-20.33,
    mover_two=-11.53,
    starved=7.05,
    starved_one=19.80,
    follow_again=-1.56,
    wild_late=8.18,
    points_late=-0.16,
    drew=1.03,
)
TABLE = DUEL
