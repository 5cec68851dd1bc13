"""How a table gets onto a terminal of any width: which columns there is room for, and how wide each is.

Owns the promise that a number, an id or a place is there whole or its column is named as left out; only names
and texts go on in the next line. Refuses to know what the columns mean.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.table import Table

    from arena.cli.terminal import Column

GAP: Final = 2
"""Spaces between two columns."""
FOLD: Final = 12
"""A name is not folded narrower than this while another column can go instead."""
EDGE: Final = 2
"""One space at each side."""

_VERSION: Final = re.compile(r"@\w+,?$")


def fit_columns(columns: "Sequence[Column]", cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return which columns stay so that the table fits a width.

    First those go that say so, until nothing need be folded; then, from the right, those without which the
    rest still has its names, until nothing need be cut.
    """
    full = [_longest(column, cells, i) for i, column in enumerate(columns)]
    least = [_least(column, cells, i) for i, column in enumerate(columns)]
    kept = list(range(len(columns)))
    for i in sorted(kept, key=lambda i: -columns[i].drop):
        if _sum(full, kept) <= width or not columns[i].drop:
            break
        kept.remove(i)
    for i in sorted(kept[1:], key=lambda i: (columns[i].keep and not columns[i].right, -i)):
        if _sum(least, kept) <= width:
            break
        kept.remove(i)
    return kept


def _make_widths(columns: "Sequence[Column]", cells: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return how wide each column is in a table that has room for the least of each."""
    full = [_longest(column, cells, i) for i, column in enumerate(columns)]
    widths = [min(_least(column, cells, i), max(1, width - EDGE)) for i, column in enumerate(columns)]
    room = width - _sum(widths, range(len(widths)))
    while room > 0 and (short := [i for i in range(len(widths)) if widths[i] < full[i]]):
        # The narrowest first, so that of two long names neither starves.
        narrowest = min(short, key=lambda i: widths[i])
        widths[narrowest] += 1
        room -= 1
    return widths


def _longest(column: "Column", cells: Sequence[Sequence[str]], place: int) -> int:
    from rich.cells import cell_len

    return max([cell_len(column.title), *(cell_len(row[place]) for row in cells)])


def _least(column: "Column", cells: Sequence[Sequence[str]], place: int) -> int:
    """Return how narrow a column can be: a number never narrower than it is, a name folds, a text wraps."""
    longest = _longest(column, cells, place)
    return longest if column.right or column.whole else min(longest, FOLD)


def _sum(widths: Sequence[int], kept: Iterable[int]) -> int:
    """Return the width of a table of these columns."""
    each = [widths[i] for i in kept]
    return EDGE + sum(each) + GAP * max(0, len(each) - 1)


def fitting_table(
    columns: "Sequence[Column]",
    cells: Sequence[Sequence[str]],
    width: int,
    *,
    title: str = "",
    shades: Sequence[Sequence[str]] | None = None,
) -> "tuple[Table, str]":
    """Return a rich table of cells that are escaped already, and a line that names what had no room."""
    kept = fit_columns(columns, cells, width)
    table = _make_table(
        [columns[i] for i in kept],
        [[row[i] for i in kept] for row in cells],
        title=title,
        shades=None if shades is None else [[row[i] for i in kept] for row in shades],
        width=width,
    )
    left_out = [column.title for i, column in enumerate(columns) if i not in kept]
    return table, f"no room for: {', '.join(left_out)}" if left_out else ""


def _make_table(
    columns: "Sequence[Column]",
    cells: Iterable[Sequence[str]],
    *,
    title: str = "",
    shades: Sequence[Sequence[str]] | None = None,
    width: int,
) -> "Table":
    """Return a rich table of cells that are escaped already, of columns that fit a width."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from arena.cli.terminal import escape

    rows = [list(row) for row in cells]
    widths = _make_widths(columns, rows, width)
    table = Table(
        box=box.SIMPLE_HEAD,
        title=Text(escape(title)) if title else None,
        title_justify="left",
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
    )
    for column, wide in zip(columns, widths, strict=True):
        table.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            no_wrap=column.right or column.whole,
            overflow="fold",
            width=wide,
        )
    for number, row in enumerate(rows):
        styles = [""] * len(row) if shades is None else shades[number]
        folded = [fold(cell, wide) for cell, wide in zip(row, widths, strict=True)]
        table.add_row(*(Text(cell, style=style) for cell, style in zip(folded, styles, strict=True)))
    return table


def fold(text: str, width: int) -> str:
    """Break each word that is wider than a column so that a version's number, at its end, stays whole."""
    return " ".join(word if len(word) <= width else _fold_word(word, width) for word in text.split(" "))


def _fold_word(word: str, width: int) -> str:
    found = _VERSION.search(word)
    head, tail = (word[: found.start()], found[0]) if found and len(found[0]) <= width else (word, "")
    lines = [head[at : at + width] for at in range(0, len(head), width)]
    if lines and len(lines[-1]) + len(tail) <= width:
        lines[-1] += tail
    elif tail:
        lines.append(tail)
    return "\n".join(lines)
