"""Promises of the seats."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.seating import draw_circle, seat_bots

KEYS = st.binary(min_size=32, max_size=32)
BOTS = st.integers(2, 10)


@given(KEYS, BOTS)
def test_every_bot_has_every_seat_once(key: bytes, bots: int) -> None:
    """Over the rotations of a deal set each seat sees all bots, and each match seats everybody."""
    seatings = [seat_bots(key, bots, rotation) for rotation in range(bots)]

    assert all(sorted(seating) == list(range(bots)) for seating in seatings)
    assert all(sorted(seat) == list(range(bots)) for seat in zip(*seatings, strict=True))


@given(KEYS, BOTS)
def test_neighbours_stay_neighbours_within_a_set(key: bytes, bots: int) -> None:
    """A rotation turns the circle and changes nobody's neighbours."""
    circle = draw_circle(key, bots)
    left_of = {circle[i]: circle[(i + 1) % bots] for i in range(bots)}

    for rotation in range(bots):
        seating = seat_bots(key, bots, rotation)
        assert all(seating[(seat + 1) % bots] == left_of[bot] for seat, bot in enumerate(seating))


def test_neighbours_change_from_set_to_set() -> None:
    """Over many sets every bot meets every left neighbour."""
    pairs = set()
    for number in range(200):
        circle = draw_circle(number.to_bytes(32, "big"), 5)
        pairs |= {(circle[i], circle[(i + 1) % 5]) for i in range(5)}

    assert len(pairs) == 20


@pytest.mark.parametrize("rotation", [-1, 3])
def test_there_is_no_other_rotation(rotation: int) -> None:
    """A table of three has the rotations 0, 1 and 2."""
    with pytest.raises(ValueError, match="rotation"):
        seat_bots(bytes(32), 3, rotation)
