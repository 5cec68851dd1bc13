"""What each fact of a prospect is worth, in points of the round (made by bench/veteran_worth.py)."""

from prospect import Prospect

DUEL = Prospect(
    points=-0.15,
    cards=-4.0,
    one_left=4.0,
    again=6.0,
    stranded=-6.0,
    follow=1.5,
    symbol=0.5,
    wilds=12.0,
    fours=14.0,
    ready=8.0,
    mover=2.0,
    mover_one=-15.0,
    mover_two=-5.0,
    starved=5.0,
    starved_one=10.0,
)
TABLE = DUEL
