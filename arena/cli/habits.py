"""`arena habits`: how the bots of a tournament play."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from arena.cli import figures
from arena.cli.columns import Shown
from arena.cli.habit_columns import HABITS, LEGEND
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.service.habits import Behaviour


@click.command(epilog="Example: arena habits cup --sets 2000")
@click.argument("tournament", required=False, type=TournamentName())
@click.option(
    "--sets",
    type=click.IntRange(1, 1_000_000),
    default=500,
    show_default=True,
    help="The newest complete deal sets.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: the counts, unrounded.")
@pass_session
def habits(session: Session, tournament: str | None, sets: int, as_json: bool, as_csv: bool) -> None:
    """Print how each bot plays: draws, bluffs, challenges, missed calls, catches, think time.

    The records of the newest complete deal sets are played again; by default of the latest tournament.
    """
    from arena.match.habits import NAMES
    from arena.service.habits import tournament_habits

    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other: choose one")
    with session.database() as database:
        found = tournament_habits(database, tournament, sets=sets)
    terminal, name = session.terminal, found.tournament.name
    if as_json:
        rows = [
            {"bot": row.name} | asdict(row.habits) | {"us_per_decision": row.us_per_decision}
            for row in found.rows
        ]
        terminal.json({"tournament": name, "matches": found.matches, "rows": rows})
        return
    if as_csv:
        titles = ["bot", *NAMES, "us_per_decision"]
        terminal.csv(
            titles,
            [
                [row.name, *(getattr(row.habits, each) for each in NAMES), row.us_per_decision]
                for row in found.rows
            ],
        )
        return
    terminal.line(f"{name}: how the bots played in {figures.count(found.matches)} matches")
    terminal.table(
        [shown.column for shown in COLUMNS], [[shown.cell(row) for shown in COLUMNS] for row in found.rows]
    )
    terminal.line(LEGEND)
    if not found.matches:
        terminal.line("no complete deal set with records: nothing is known")
    terminal.hint(f"arena standings {name}", f"arena habits {name} --json")


COLUMNS: "Final[list[Shown[Behaviour]]]" = [
    Shown(Column("bot", keep=True), lambda row: row.name, lambda row: row.name),
    Shown(
        Column("rounds", right=True, drop=7),
        lambda row: figures.count(row.habits.rounds),
        lambda row: row.habits.rounds,
    ),
    *HABITS.values(),
    Shown(
        Column("time/decision", right=True, drop=6),
        lambda row: figures.duration_us(row.us_per_decision),
        lambda row: row.us_per_decision,
    ),
]
"""What is shown of each bot."""
