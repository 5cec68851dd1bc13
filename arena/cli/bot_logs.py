"""`arena bot logs`: what a bot wrote to its standard error, as far as it is kept."""

import click

from arena.cli.names import BotName
from arena.cli.session import Session, json_option, pass_session


@click.command("logs", epilog="Example: arena bot logs greedy@2")
@click.argument("bot", type=BotName())
@json_option
@pass_session
def logs(session: Session, bot: str, as_json: bool) -> None:
    """Print what a version wrote to its standard error in its check game."""
    from arena.service import bots

    with session.database() as database:
        shown = bots.show(database, bot.partition("@")[0])
        versions = [bots.get_version(database, bot)] if "@" in bot else list(shown.versions)
    terminal = session.terminal
    if as_json:
        terminal.json([{"bot": row.label, "state": row.state, "stderr": row.stderr} for row in versions])
        return
    for row in versions:
        terminal.line(f"{row.label}, {row.state}: {'check' if row.stderr.strip() else 'wrote nothing'}")
        terminal.block(row.stderr, indent="  | ")
    terminal.hint(f"arena bot show {shown.bot.name}", "arena match list --faults")
