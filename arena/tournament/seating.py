"""Who sits where: one circular order for each deal set, turned by one seat for each of its matches.

In the n matches of a set every bot has every seat once, so each plays each hand that was dealt. The circle is
drawn anew for every set, so that nobody has the same neighbour for a whole tournament.
"""

from arena.rules.keys import Stream, derive


def draw_circle(set_key: bytes, bots: int) -> tuple[int, ...]:
    """Return a circular order of the bots, as places in the pairing; each order is equally likely."""
    circle = list(range(bots))
    Stream(derive(set_key, "circular order")).shuffle(circle)
    return tuple(circle)


def seat_bots(set_key: bytes, bots: int, rotation: int) -> tuple[int, ...]:
    """Return for each seat of the match `rotation` of a deal set the place in the pairing of its bot.

    Raises:
        ValueError: there is no such rotation.
    """
    if not 0 <= rotation < bots:
        raise ValueError(f"rotation {rotation} of {bots}")
    circle = draw_circle(set_key, bots)
    return circle[rotation:] + circle[:rotation]
