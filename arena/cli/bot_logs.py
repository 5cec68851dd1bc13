"""`arena bot logs`: what a bot wrote to its standard error, as far as it is kept."""

from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.names import BotName
from arena.cli.session import Session, json_option, pass_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.service.matches import ShownMatch
    from arena.store.pool import Database

MOST: Final = 1_000
"""Matches that can be asked for."""


@click.command("logs", epilog="Example: arena bot logs greedy@1")
@click.argument("bot", type=BotName())
@click.option(
    "--matches",
    type=click.IntRange(0, MOST),
    default=5,
    show_default=True,
    help="So many of its newest faults.",
)
@json_option
@pass_session
def logs(session: Session, bot: str, matches: int, as_json: bool) -> None:
    """Print what a bot wrote to its standard error: in its check, and at the end of what it lost by a fault.

    Nothing is kept of a match in which it was not at fault.
    """
    from arena.service import roster

    with session.database() as database:
        shown = roster.show(database, bot.partition("@")[0])
        versions = [roster.get_version(database, bot)] if "@" in bot else list(shown.versions)
        faults = list(_read_faults(database, bot, [row.label for row in versions], matches))
    terminal = session.terminal
    if as_json:
        terminal.json(
            [
                {
                    "bot": row.label,
                    "state": row.state,
                    "stderr": row.stderr,
                    "matches": [fault for fault in faults if fault["bot"] == row.label],
                }
                for row in versions
            ]
        )
        return
    for row in versions:
        terminal.line(f"{row.label}, {row.state}: {'check' if row.stderr.strip() else 'wrote nothing'}")
        terminal.block(row.stderr, indent="  | ")
        for fault in (fault for fault in faults if fault["bot"] == row.label):
            terminal.line(f"{row.label}, match {fault['match']}, {fault['kind']}: {_say(fault)}")
            terminal.block(fault["processes"])
            terminal.block(fault["stderr"], indent="  | ")
    hints = [f"arena match why {faults[0]['match']}"] if faults else []
    terminal.hint(*hints, f"arena bot show {shown.bot.name}")


def _read_faults(database: "Database", bot: str, labels: list[str], limit: int) -> "Iterator[dict[str, Any]]":
    """Yield the faults of a bot, or of a version of it, in the newest matches that have one."""
    from arena.service import matches

    if not limit:
        return
    for found in matches.list_some(database, bot=bot, with_faults=True, limit=limit):
        yield from _of_match(matches.show(database, found.id), labels)


def _of_match(shown: "ShownMatch", labels: list[str]) -> "Iterator[dict[str, Any]]":
    from arena.match.fault import say_processes

    for fault in shown.faults:
        # A twin is the same version: what it wrote is told under the version's name.
        label = shown.match.bots[fault.seat].partition(" ")[0]
        if label in labels:
            yield {
                "bot": label,
                "match": shown.match.id,
                "kind": fault.kind,
                "processes": say_processes(fault.evidence),
                "stderr": str(fault.evidence.get("stderr_tail") or ""),
                "open": shown.record is None,
            }


def _say(fault: "dict[str, Any]") -> str:
    if fault["open"]:
        return "shown when all matches of its deal set are played"
    return "its stderr ends" if fault["stderr"].strip() else "wrote nothing"
