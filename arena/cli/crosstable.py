"""`arena crosstable`: every bot against every other, shaded by what is sure."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from arena.cli import figures
from arena.cli.arguments import OneOf
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal

if TYPE_CHECKING:
    from arena.ratings.crosstable import Cell
    from arena.service.standings import TournamentCrosstable

SHADES: Final = {1: "bold green", 0: "dim", -1: "red"}
"""How a cell looks by what is sure of it."""
MARKS: Final = {1: "+", 0: "", -1: "-"}
"""The same where there is no colour."""
SHOWN: Final = ("score", "points", "sure")
"""What the cells can hold."""


@click.command(epilog="Example: arena crosstable cup --show points")
@click.argument("tournament", required=False, type=TournamentName())
@click.option(
    "--show",
    type=OneOf(SHOWN),
    default="score",
    help="score: share of matches placed before the other; points: points a round; sure: how likely it is "
    "that the bot is better.",
    show_default=True,
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: one line a pair, unrounded.")
@json_option
@pass_session
def crosstable(session: Session, tournament: str | None, show: str, as_csv: bool, as_json: bool) -> None:
    """Print every bot against every other, by default of the latest tournament.

    A bot's row says how it did against the bot of the column. Bold green with + is better and red with - is
    worse, each surely at 95 %; the rest may be luck.
    """
    from arena.service.standings import tournament_crosstable

    with session.database() as database:
        found = tournament_crosstable(database, tournament)
    terminal = session.terminal
    if as_json:
        terminal.json(_facts(found))
    elif as_csv:
        pairs = _pairs(found)
        titles = list(pairs[0]) if pairs else ["bot", "against"]
        terminal.csv(titles, [list(pair.values()) for pair in pairs])
    else:
        show_crosstable(terminal, found, show)
        name = found.found.tournament.name
        terminal.hint(f"arena standings {name}", f"arena crosstable {name} --show points")


def show_crosstable(terminal: Terminal, found: "TournamentCrosstable", show: str) -> None:
    """Print a crosstable: shaded on a terminal, with signs everywhere."""
    row, standing = found.found.tournament, found.found.standing
    rest = "" if found.found.complete else "; incomplete: not all is played"
    terminal.line(f"{row.name}: {_TITLES[show]}, {figures.count(standing.complete_sets)} deal sets{rest}")
    names = {line.number: line.name for line in standing.rows}
    numbers = range(1, len(found.crosstable.entries) + 1)
    columns = [
        Column("#", right=True),
        Column("bot", keep=True),
        *(Column(str(n), right=True) for n in numbers),
    ]
    cells = [
        [
            str(number),
            names[entry],
            *(figures.NOTHING if cell is None else write_cell(cell, show) for cell in line),
        ]
        for number, entry, line in zip(numbers, found.crosstable.entries, found.crosstable.cells, strict=True)
    ]
    shades = [
        ["", "", *("" if cell is None else SHADES[_verdict(cell, show)] for cell in line)]
        for line in found.crosstable.cells
    ]
    terminal.table(columns, cells, shades=shades)
    terminal.line("+ better, - worse: surely at 95 %; the rest may be luck")
    for note in (*standing.notes, *filter(None, [found.found.without])):
        terminal.line(note)


_TITLES: Final = {
    "score": "share of matches (%) in which the row's bot is placed before the column's",
    "points": "points a round of the row's bot over the column's",
    "sure": "how likely it is (%) that the row's bot is better than the column's",
}


def write_cell(cell: "Cell", show: str) -> str:
    """Write what a cell says."""
    mark = MARKS[_verdict(cell, show)]
    if show == "points":
        return figures.signed(cell.points_per_round) + mark
    return figures.share(cell.score if show == "score" else cell.superiority) + mark


def _verdict(cell: "Cell", show: str) -> int:
    """Return what is sure of the figure that is shown."""
    if show == "score":
        return cell.verdict
    if show == "sure":
        likely = 0.5 if cell.superiority is None else cell.superiority
        return (likely >= 0.975) - (likely <= 0.025)
    if cell.points_per_round is None or cell.points_plus_minus is None:
        return 0
    over = cell.points_per_round
    return (over > cell.points_plus_minus) - (over < -cell.points_plus_minus)


def _pairs(found: "TournamentCrosstable") -> list[dict[str, object]]:
    """Return one dictionary a pair and side."""
    names = {line.number: line.name for line in found.found.standing.rows}
    table = found.crosstable
    return [
        {"bot": names[entry], "against": names[other]} | asdict(cell)
        for entry, line in zip(table.entries, table.cells, strict=True)
        for other, cell in zip(table.entries, line, strict=True)
        if cell is not None
    ]


def _facts(found: "TournamentCrosstable") -> dict[str, object]:
    """Return a crosstable as JSON has it."""
    standing = found.found.standing
    return {
        "tournament": found.found.tournament.name,
        "state": found.found.tournament.state,
        "seats": standing.seats,
        "complete_sets": standing.complete_sets,
        "notes": standing.notes,
        "pairs": _pairs(found),
    }
