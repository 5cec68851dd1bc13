"""A tournament as one HTML page that needs nothing else: table, plots and crosstable.

Owns the markup and the drawings, made here as SVG. It loads nothing from anywhere and runs no script, so it
can be mailed and kept. What the figures are is decided by `arena.ratings`.
"""

import math
from collections.abc import Iterable, Sequence
from html import escape
from statistics import median
from typing import TYPE_CHECKING, Final

from arena.cli import figures, habit_columns
from arena.cli.crosstable import write_cell
from arena.cli.standing_columns import lay_out
from arena.cli.standings import tell_floors

if TYPE_CHECKING:
    from arena.cli.terminal import Column
    from arena.ratings.convergence import Step
    from arena.ratings.standing import Row
    from arena.service.habits import TournamentHabits
    from arena.service.standings import TournamentReport

COLOURS: Final = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e", "#16a085", "#7f8c8d", "#d35400")
WIDTH, LINE, LEFT, RIGHT = 760, 26, 190, 70
HEIGHT: Final = 340
CUT: Final = 5
"""An interval so many times as wide as the middle one is cut: who lost all leaves room for the others."""
STYLE: Final = """
body{font:15px/1.45 system-ui,sans-serif;color:#222;background:#fff;max-width:75rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .45rem;text-align:right}
th,td{white-space:nowrap}
th{border-bottom:2px solid #bbb;font-weight:600}td{border-bottom:1px solid #e6e6e6}
.text{text-align:left}
.better{background:#d7efdc}.worse{background:#f7d9d6}.open{color:#666}
svg{max-width:100%;min-width:36rem;height:auto}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#161616}td{border-color:#333}
.better{background:#1e4a2a}
.worse{background:#5a2420}.open{color:#999}svg text{fill:#ddd}}
"""
MARK: Final = '<meta name="generator" content="Wildcard Arena"/>'
"""What stands at the beginning of every page, by which an earlier one is known."""
LEGEND: Final = (
    "Share of matches (%) in which the bot of the row was placed before that of the column; green with + is "
    "better, red with - is worse, each surely at 95 %; the rest may be luck."
)


def write_page(found: "TournamentReport", habits: "TournamentHabits | str") -> str:
    """Return the whole page; where nobody knows how the bots played, `habits` says why."""
    row, standing = found.found.tournament, found.found.standing
    rest = "" if found.found.complete else " It is incomplete: not all was played."
    told = (
        f"Ruleset {row.ruleset_name}, tables of {row.seats}, {figures.count(standing.matches)} matches in "
        f"{figures.complete_sets(standing.complete_sets)}.{rest}"
    )
    said = [*standing.notes, *tell_floors(standing), *filter(None, [found.found.without])]
    notes = "".join(f"<p>{escape(note)}</p>" for note in said)
    parts = [
        f"<h1>{escape(row.name)}</h1><p>{escape(told)}</p>{notes}",
        f"<h2>Standing</h2>{_standing(standing.rows)}",
        f"<h2>Ratings with 95 % intervals</h2>{draw_ratings(standing.rows)}",
        f"<h2>How the ratings settled</h2>{draw_convergence(found.steps, standing.rows)}",
        f"<h2>Every bot against every other</h2>{_crosstable(found)}",
        f"<p>{LEGEND}</p>",
        f"<h2>How the bots played</h2>{_habits(standing.rows, habits)}",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"{MARK}<title>{escape(row.name)}</title><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def _standing(rows: Sequence["Row"]) -> str:
    return _lay_out(*lay_out(None, rows))


def _habits(rows: Sequence["Row"], habits: "TournamentHabits | str") -> str:
    if isinstance(habits, str):
        return f"<p>This is not known: {escape(habits)}.</p>"
    if not habits.matches:
        return "<p>Nothing is known yet.</p>"
    told = f"Of the newest {figures.count(habits.matches)} matches, {habit_columns.LEGEND}."
    columns = ["rank", "bot", *habit_columns.HABITS, "time"]
    return f"{_lay_out(*lay_out(columns, rows, habits.by_number))}<p>{escape(told)}</p>"


def _lay_out(columns: Sequence["Column"], cells: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th{'' if c.right else _TEXT}>{escape(c.title)}</th>" for c in columns)
    body = "".join(
        f"<tr>{''.join(_cell(text, right=c.right) for c, text in zip(columns, line, strict=True))}</tr>"
        for line in cells
    )
    return _table(head, body)


_TEXT: Final = ' class="text"'


def _cell(text: str, *, right: bool) -> str:
    return f"<td{'' if right else _TEXT}>{escape(text)}</td>"


def _table(head: str, body: str) -> str:
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _crosstable(found: "TournamentReport") -> str:
    names = {row.number: row.name for row in found.found.standing.rows}
    table = found.crosstable
    head = f"<th>#</th><th{_TEXT}>bot</th>" + "".join(f"<th>{n + 1}</th>" for n in range(len(table.entries)))
    lines = []
    for number, (entry, cells) in enumerate(zip(table.entries, table.cells, strict=True), start=1):
        shown = "".join(
            "<td></td>"
            if cell is None
            else f'<td class="{("worse", "open", "better")[cell.verdict + 1]}">'
            f"{escape(write_cell(cell, 'score'))}</td>"
            for cell in cells
        )
        lines.append(f"<tr><td>{number}</td><td{_TEXT}>{escape(names[entry])}</td>{shown}</tr>")
    return _table(head, "".join(lines))


def draw_ratings(rows: Sequence["Row"]) -> str:
    """Draw each rating as a dot with its interval as a line; one much wider than most ends in an arrow."""
    known = [(row.name, row.elo, row.plus_minus or 0.0) for row in rows if row.elo is not None]
    if not known:
        return "<p>Nothing is known yet.</p>"
    reach = CUT * median(more for _, _, more in known)
    low, high = _range(
        [elo - min(more, reach) for _, elo, more in known], [elo + min(more, reach) for _, elo, more in known]
    )
    height = LINE * len(known) + 30
    drawn = [_grid(low, high, height)]
    for place, (name, elo, more) in enumerate(known):
        y = LINE * place + LINE / 2
        left, middle, right = (_across(value, low, high) for value in (elo - more, elo, elo + more))
        drawn.append(_text(LEFT - 10, y + 5, _short(name), "end"))
        for end, tip, is_cut in ((LEFT, 8, left < LEFT), (WIDTH - RIGHT, -8, right > WIDTH - RIGHT)):
            if is_cut:
                drawn.append(f'<path d="M{end} {y}l{tip} -5v10z" fill="{COLOURS[0]}"/>')
        left, right = max(left, LEFT), min(right, WIDTH - RIGHT)
        drawn.append(f'<path d="M{left:.1f} {y}H{right:.1f}" stroke="{COLOURS[0]}" stroke-width="3"/>')
        drawn.append(f'<circle cx="{middle:.1f}" cy="{y}" r="5" fill="{COLOURS[0]}"/>')
    return _svg(height, drawn, "Ratings with intervals")


def draw_convergence(steps: Sequence["Step"], rows: Sequence["Row"]) -> str:
    """Draw each rating over the matches of ever longer beginnings; of many bots the first eight."""
    names = {row.number: row.name for row in rows if row.elo is not None}
    shown = list(names)[: len(COLOURS)]
    lines = {
        number: [
            (step.matches, row.elo)
            for step in steps
            for row in step.rows
            if row.number == number and row.elo is not None
        ]
        for number in shown
    }
    points = [point for line in lines.values() for point in line]
    if not points:
        return "<p>Nothing is known yet.</p>"
    low, high = _range([elo for _, elo in points], [elo for _, elo in points])
    most = max(matches for matches, _ in points)
    bottom = HEIGHT - 30

    def place(matches: int, elo: float) -> str:
        x = 60 + (WIDTH - 60 - LEFT) * matches / most
        return f"{x:.1f} {bottom - (bottom - 15) * (elo - low) / (high - low):.1f}"

    drawn = []
    for value in round_values(low, high):
        y = float(place(0, value).split()[1])
        drawn.append(f'<path d="M60 {y}H{WIDTH - LEFT}" stroke="#ccc" stroke-width="1"/>')
        drawn.append(_text(52, y + 4, str(value), "end"))
    drawn += [
        _text(60, HEIGHT - 8, "0", "start"),
        _text(WIDTH - LEFT, HEIGHT - 8, f"{most:,} matches", "end"),
    ]
    drawn.append(f'<path d="M60 15V{bottom}H{WIDTH - LEFT}" stroke="#999" fill="none"/>')
    for order, number in enumerate(shown):
        colour = COLOURS[order]
        line = lines[number]
        drawn.append(
            f'<path d="M{"L".join(place(*point) for point in line)}" stroke="{colour}" fill="none"/>'
        )
        drawn += [
            f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'
            for x, y in (place(*point).split() for point in line)
        ]
        y = 22 + 22 * order
        drawn.append(f'<circle cx="{WIDTH - LEFT + 20}" cy="{y - 5}" r="5" fill="{colour}"/>')
        drawn.append(_text(WIDTH - LEFT + 32, y, _short(names[number]), "start"))
    return _svg(HEIGHT, drawn, "Ratings over matches")


def _range(lows: Iterable[float], highs: Iterable[float]) -> tuple[float, float]:
    low, high = min(lows), max(highs)
    room = max((high - low) * 0.05, 5.0)
    return low - room, high + room


def _across(value: float, low: float, high: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - low) / (high - low)


def _grid(low: float, high: float, height: int) -> str:
    """Draw the scale below, with a line at each round value."""
    drawn = []
    for value in round_values(low, high):
        x = _across(value, low, high)
        drawn.append(f'<path d="M{x:.1f} 0V{height - 22}" stroke="#ccc" stroke-width="1"/>')
        drawn.append(_text(x, height - 6, f"{value:.0f}", "middle"))
    return "".join(drawn)


def round_values(low: float, high: float) -> list[int]:
    """Return the round values between two ratings, at most seven."""
    step = 1
    while (high - low) / step > 6:
        first, zeros = int(str(step)[0]), 10 ** (len(str(step)) - 1)
        step = {1: 2, 2: 5, 5: 10}[first] * zeros
    return list(range(math.ceil(low / step) * step, math.floor(high) + 1, step))


def _short(name: str) -> str:
    return name if len(name) <= 24 else name[:23] + "…"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(height: int, drawn: Sequence[str], title: str) -> str:
    return (
        f'<div class="scroll"><svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" '
        f'aria-label="{title}" font-family="system-ui,sans-serif">{"".join(drawn)}</svg></div>'
    )
