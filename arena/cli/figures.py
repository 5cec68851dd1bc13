"""Numbers as people read them; a missing one is a dash."""

NOTHING = "-"


def count(value: float) -> str:
    """Write an amount with thousands apart; halves only where there are some."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def complete_sets(value: int) -> str:
    """Write a number of deal sets whose matches have all been played."""
    return f"{count(value)} complete deal set{'' if value == 1 else 's'}"


def rounds(value: int) -> str:
    """Write a number of rounds."""
    return f"{count(value)} round{'' if value == 1 else 's'}"


def elo(value: float | None) -> str:
    """Write a rating."""
    return NOTHING if value is None else f"{value:.0f}"


def margin(value: float | None) -> str:
    """Write half an interval; a fixed rating has none."""
    if value is None:
        return NOTHING
    return "fixed" if value == 0 else f"{value:.0f}"


def share(value: float | None) -> str:
    """Write a part of one in percent."""
    return NOTHING if value is None else f"{100 * value:.1f}"


def signed(value: float | None) -> str:
    """Write a difference with its sign."""
    return NOTHING if value is None else f"{value:+z.2f}"


def duration_us(value: float | None) -> str:
    """Write a short time."""
    if value is None:
        return NOTHING
    if value < 1000:
        return f"{value:.0f} us"
    return f"{value / 1000:.1f} ms" if value < 1_000_000 else f"{value / 1_000_000:.1f} s"


def duration_s(value: float | None) -> str:
    """Write a long time in its two largest units."""
    if value is None:
        return NOTHING
    seconds = round(value)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    if seconds < 86400:
        return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"
    return f"{seconds // 86400} d {seconds % 86400 // 3600} h"


def rough_count(amount: int) -> str:
    """Write an estimated amount: two digits that count, so that nobody takes it for more than it is."""
    if amount > 1_000_000:
        return "> 1,000,000"
    step = 10 ** max(len(str(amount)) - 2, 0)
    return f"{-(-amount // step) * step:,}"
