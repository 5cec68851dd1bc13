"""`arena report`: a tournament as one HTML page."""

from pathlib import Path

import click

from arena.cli.arguments import FilePath
from arena.cli.names import TournamentName
from arena.cli.session import Session, pass_session
from arena.errors import PlatformError
from arena.files import written_whole


@click.command(epilog="Example: arena report cup --output cup.html")
@click.argument("tournament", required=False, type=TournamentName())
@click.option("-o", "--output", type=FilePath(), help="Where to write it.  [default: NAME.html]")
@pass_session
def report(session: Session, tournament: str | None, output: Path | None) -> None:
    """Write a tournament, by default the latest, as one HTML page with plots.

    The page needs no other file and no network: the standing, ratings with their intervals, how they settled,
    every bot against every other, and how the bots played.
    """
    from arena.cli.report_page import write_page
    from arena.service.habits import tournament_habits
    from arena.service.standings import tournament_report

    with session.database() as database:
        found = tournament_report(database, tournament)
        name = found.found.tournament.name
        try:
            page = write_page(found, tournament_habits(database, name))
        except PlatformError as error:  # a damaged record takes nothing from the standing
            page = write_page(found, str(error))
    path = output or Path(f"{name}.html")
    with written_whole(path) as new:
        new.write_text(page, encoding="utf-8")
    session.terminal.line(f"written: {path}")
