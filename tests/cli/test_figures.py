"""Promises of numbers as people read them."""

from collections.abc import Callable

import pytest

from arena.cli import figures


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (figures.count, 1234567, "1,234,567"),
        (figures.count, 12.5, "12.5"),
        (figures.count, 0.0, "0"),
        (figures.elo, 1499.6, "1500"),
        (figures.elo, None, "-"),
        (figures.margin, 12.4, "12"),
        (figures.margin, 0.0, "fixed"),
        (figures.margin, None, "-"),
        (figures.share, 0.8333, "83.3"),
        (figures.share, None, "-"),
        (figures.signed, 0.004, "+0.00"),
        (figures.signed, -3.456, "-3.46"),
        (figures.signed, None, "-"),
        (figures.duration_us, 999.4, "999 us"),
        (figures.duration_us, 1000, "1.0 ms"),
        (figures.duration_us, 2_500_000, "2.5 s"),
        (figures.duration_us, None, "-"),
        (figures.duration_s, 59.4, "59 s"),
        (figures.duration_s, 59.6, "1 min 00 s"),
        (figures.duration_s, 3599, "59 min 59 s"),
        (figures.duration_s, 3660, "1 h 01 min"),
        (figures.duration_s, 200_000, "2 d 7 h"),
        (figures.duration_s, None, "-"),
    ],
)
def test_a_figure_is_written_so(write: Callable[[float | None], str], value: float | None, text: str) -> None:
    """Thousands apart, the two largest units, a dash for what is not known."""
    assert write(value) == text
