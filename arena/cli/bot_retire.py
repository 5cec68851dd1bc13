"""`arena bot retire`: no new tournaments for a bot, until it is brought back."""

import click

from arena.cli.arguments import Label
from arena.cli.names import BotName
from arena.cli.session import Session, json_option, pass_session


@click.command("retire", epilog="Example: arena bot retire greedy@1")
@click.argument("bot", type=BotName())
@click.option("--undo", is_flag=True, help="Bring it back.")
@click.option("--owner", type=Label(), help="Owner label of the bot.  [default: the login name]")
@json_option
@pass_session
def retire(session: Session, bot: str, undo: bool, owner: str | None, as_json: bool) -> None:
    """Let a bot, or one version of it, enter no more tournaments.

    What it played stays, and what it is entered in is played to the end. A version that is submitted later
    competes again.
    """
    from arena.service import roster

    session.set(owner=owner)
    with session.database() as database:
        shown = roster.retire(database, bot, session.owner, undo=undo)
    if as_json:
        session.terminal.json(
            {
                "name": shown.bot.name,
                "is_retired": shown.is_retired,
                "versions": [{"label": row.label, "state": row.state} for row in shown.versions],
            }
        )
        return
    for row in shown.versions:
        session.terminal.line(f"{row.label}  {row.state}")
    if undo:
        session.terminal.hint(f"arena bot show {shown.bot.name}")
    else:
        session.terminal.hint(f"arena bot retire {bot} --undo", f"arena bot show {shown.bot.name}")
