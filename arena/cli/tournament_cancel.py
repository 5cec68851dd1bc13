"""`arena tournament cancel`: stop a tournament for good."""

import click

from arena.cli import figures
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.tournament_look import count_matches, tournament_facts
from arena.errors import UsageError


@click.command("cancel", epilog="Example: arena tournament cancel cup --yes")
@click.argument("name", type=TournamentName())
@click.option("--yes", is_flag=True, help="Do it; without this it is only said what would be lost.")
@json_option
@pass_session
def cancel(session: Session, name: str, yes: bool, as_json: bool) -> None:
    """Stop a tournament for good: what is played stays and counts, the rest never will be.

    An interrupt (Ctrl-C) only pauses; this cannot be undone, so it asks for --yes.
    """
    from arena.service import tournaments, watching

    with session.database() as database:
        watched = watching.progress(database, name)
        totals = watched.totals
        if not yes:
            raise UsageError(
                f"nothing is cancelled: {figures.count(totals.done)} of {figures.count(totals.matches)} "
                f"matches of {watched.tournament.name} are played and would stay, the others never be "
                "played; --yes does it"
            )
        row = tournaments.cancel(database, name)
        watched = watching.progress(database, row.name)
    if as_json:
        session.terminal.json(tournament_facts(row))
        return
    session.terminal.line(f"{row.name}: cancelled; {count_matches(watched)}")
    session.terminal.hint(f"arena standings {row.name}", f"arena tournament export {row.name}")
