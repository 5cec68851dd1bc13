"""What each fact that a `Player` looks at is worth, in points of the round (by bench/player_worth.py)."""

from typing import Final

DUEL: Final = (
    0.0, -7.79, -7.63, -3.18, 1.23, 1.38, 9.73, -2.49, 7.24, 37.41, 5.9, -5.04, 25.03,
    4.76, 4.06, 11.03, 0.0, -0.31, 4.33, -2.95, 9.76, -14.92, 11.13, 4.21, 2.67,
)  # fmt: skip
"""Against one opponent."""
TABLE: Final = (
    -0.07, -7.7, 7.01, 3.14, 0.07, -2.44, 2.67, -4.78, 13.19, 25.79, 15.1, -6.38, 38.08,
    2.61, -13.91, -2.07, 3.56, -0.16, -3.31, 0.0, 0.0, 0.2, 0.0, 0.66, 20.53,
)  # fmt: skip
"""Against several."""
