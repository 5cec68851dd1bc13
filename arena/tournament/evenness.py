"""How even tables of k can be at best: what counting proves, so that no search looks for what cannot be.

Owns lower bounds and claims nothing else: a design within a bound need not exist.
"""

import math


def least_spread(entries: int, seats: int, tables: int) -> int:
    """Return 0, 1 or 2: below this no design gets the difference of the most and the fewest meetings.

    Appearances are taken to be even to within one, as a design's are. Three counts decide: the meetings of
    one entry, which must share out evenly among all others; the members that two tables have in common; and
    with as many tables as entries, the determinant. Meetings as a matrix, N Nᵀ with N who sits where, and
    common members, Nᵀ N, have the same sum of squares; where the common members alone, shared out evenly,
    have more than even meetings would, these cannot be. With N square, the determinant of N Nᵀ is a square.
    """
    pairs, meetings = math.comb(entries, 2), tables * math.comb(seats, 2)
    fewest, more = divmod(meetings, pairs)
    plays, oftener = divmod(tables * seats, entries)
    if not more and oftener:
        return 2  # all meetings equal, and appearances not: an entry's meetings would have to differ
    if plays * (seats - 1) < fewest * (entries - 1):
        return 2
    if oftener and (plays + 1) * (seats - 1) > (fewest + 1) * (entries - 1):
        return 2
    degree = plays * (seats - 1) - fewest * (entries - 1)
    if not _can_be_drawn(entries, seats - 1, degree, oftener):
        return 2
    if tables == entries and not _has_square_determinant(entries, seats - fewest, degree):
        return 2
    squares = (entries - oftener) * plays**2 + oftener * (plays + 1) ** 2
    even = squares + 2 * _even_squares(meetings, pairs)
    common = (entries - oftener) * math.comb(plays, 2) + oftener * math.comb(plays + 1, 2)
    if even < tables * seats**2 + 2 * _even_squares(common, math.comb(tables, 2)):
        return 2
    return 1 if more else 0


def least_squares(entries: int, seats: int, tables: int) -> int:
    """Return the sum of the squared meetings of all pairs where they are even to within one."""
    return _even_squares(tables * math.comb(seats, 2), math.comb(entries, 2))


def _even_squares(amount: int, places: int) -> int:
    """Return the sum of squares of an amount that is shared out to within one."""
    if places == 0:
        return 0
    each, more = divmod(amount, places)
    return places * each**2 + more * (2 * each + 1)


def _can_be_drawn(entries: int, step: int, degree: int, oftener: int) -> bool:
    """Say whether some graph has `oftener` points of `degree + step` edges and all others of `degree`.

    Its edges are the pairs that meet once more than others. This is the test of Erdős and Gallai; with two
    degrees it can only fail at the end of the higher ones.
    """
    most = oftener * (oftener - 1) + (entries - oftener) * min(degree, oftener)
    return oftener * (degree + step) <= most


def _has_square_determinant(entries: int, level: int, degree: int) -> bool:
    """Say whether even meetings, as a matrix, can be N Nᵀ with N square (as Bruck, Ryser and Chowla ask).

    Looked at are those whose graph of pairs that meet once more is known from its degree: none, partners, and
    all but partners. `level` is by how much an entry plays more often than it meets the others at least.
    """
    half = entries // 2
    if degree == 0:
        values = {level: entries - 1}
    elif degree == 1:
        values = {level + 1: half - 1, level - 1: half}
    elif degree == entries - 2:
        values = {level - 2: half - 1, level: half}
    else:
        return True
    odd = math.prod(value for value, times in values.items() if times % 2)
    return odd >= 0 and math.isqrt(odd) ** 2 == odd
