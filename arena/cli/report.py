"""`arena report`: a tournament as one HTML page."""

import os
from pathlib import Path

import click

from arena.cli.arguments import FilePath
from arena.cli.names import TournamentName
from arena.cli.session import Session, pass_session
from arena.errors import PlatformError, UsageError
from arena.files import refuse_to_write, written_whole


@click.command(epilog="Example: arena report cup --output cup.html")
@click.argument("tournament", required=False, type=TournamentName())
@click.option("-o", "--output", type=FilePath(), help="Where to write it.  [default: NAME.html]")
@click.option("--force", is_flag=True, help="Write over a file that is no report.")
@pass_session
def report(session: Session, tournament: str | None, output: Path | None, force: bool) -> None:
    """Write a tournament, by default the latest, as one HTML page with plots.

    The page needs no other file and no network: the standing, ratings with their intervals, how they settled,
    every bot against every other, and how the bots played. An earlier report of that name is written over, no
    other file is.
    """
    from arena.cli.report_page import MARK, write_page
    from arena.service.habits import tournament_habits
    from arena.service.standings import tournament_report

    with session.database() as database:
        found = tournament_report(database, tournament)
        name = found.found.tournament.name
        path = output or Path(f"{name}.html")
        if not force and os.path.lexists(path) and not _begins_with(path, MARK):
            raise UsageError(
                f"{path} is there and is no report: choose --output, or --force writes over a file"
            )
        try:
            page = write_page(found, tournament_habits(database, name))
        except PlatformError as error:  # a damaged record takes nothing from the standing
            page = write_page(found, str(error))
    with written_whole(path) as new:
        new.write_text(page, encoding="utf-8")
    session.terminal.line(f"written: {path}")


def _begins_with(path: Path, mark: str) -> bool:
    """Say whether a mark stands at the beginning of a regular file."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return mark.encode() in file.read(1000)
    except OSError as error:
        raise refuse_to_write(path, error) from error
