"""`arena bot show`: a bot's versions, its record, whom it met, and by what it lost."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli import figures, last_words
from arena.cli.bot import version_facts
from arena.cli.names import BotName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.cli.terminal import Terminal
    from arena.service.records import BotRecord
    from arena.store.rows import VersionRow


@click.command("show", epilog="Example: arena bot show greedy")
@click.argument("name", type=BotName())
@click.option(
    "--rivals", type=click.IntRange(0, 10_000), default=20, show_default=True, help="So many opponents."
)
@json_option
@pass_session
def show(session: Session, name: str, rivals: int, as_json: bool) -> None:
    """Show a bot's versions, its record, its opponents, its faults, and how its newest check went."""
    from arena.service import records, roster

    with session.database() as database:
        shown = roster.show(database, name)
        record = records.read_record(database, name, rivals=rivals)
    terminal = session.terminal
    if as_json:
        facts = {"versions": [version_facts(row) for row in shown.versions]} | asdict(record)
        terminal.json(asdict(shown.bot) | {"is_retired": shown.is_retired} | facts)
        return
    terminal.line(f"{shown.bot.name}, owned by {shown.bot.owner}" + (", retired" if shown.is_retired else ""))
    _show_versions(terminal, shown.versions)
    _show_record(terminal, record)
    if shown.versions and (newest := shown.versions[0]).check_report:
        terminal.line(f"check of {newest.label}:")
        terminal.block(newest.check_report)
        last_words.show(terminal, newest.stderr, f"arena bot logs {newest.label}")
    if record.faults:
        terminal.hint(f"arena match list --bot {shown.bot.name} --faults")
    elif record.total.matches:
        terminal.hint(f"arena match list --bot {shown.bot.name}")


def _show_versions(terminal: "Terminal", versions: "Sequence[VersionRow]") -> None:
    terminal.table(
        [
            Column("version", keep=True),
            Column("state"),
            Column("runtime"),
            Column("digest", whole=True, drop=2),
            Column("submitted", whole=True, drop=1),
        ],
        [
            (
                row.label,
                row.state,
                row.runtime,
                row.digest.hex()[:12],
                f"{row.submitted_at:%Y-%m-%d %H:%M}",
            )
            for row in versions
        ],
    )


def _show_usage(terminal: "Terminal", record: "BotRecord") -> None:
    """Print how near its limits the newest version came that has played."""
    from arena.match.fault import say_memory

    for used in record.usage[:1]:
        refused = f", {figures.count(used.processes_refused)} processes or threads refused"
        terminal.line(
            f"memory: {used.label} had {say_memory(asdict(used))} in {figures.count(used.jobs)} "
            f"{'job' if used.jobs == 1 else 'jobs'}{refused if used.processes_refused else ''}"
        )


def _show_record(terminal: "Terminal", record: "BotRecord") -> None:
    """Print what it did so far; nothing of a bot that has not played."""
    total = record.total
    if total.annulled:
        amount = f"{figures.count(total.annulled)} of its matches" if total.matches else "all its matches"
        terminal.line(f"annulled: {amount} do not count; `arena match annulments` says why")
    if not total.matches:
        return
    terminal.line(
        f"record: {figures.count(total.matches)} matches in {figures.count(total.tournaments)} "
        f"{'tournament' if total.tournaments == 1 else 'tournaments'}, "
        f"{figures.count(total.wins)} won ({figures.share(total.wins / total.matches)} %), "
        f"{figures.count(total.faults)} lost by a fault, "
        f"{figures.count(record.deaths)} {'process' if record.deaths == 1 else 'processes'} died"
    )
    _show_usage(terminal, record)
    for fault in record.faults:
        terminal.line(f"  {fault.kind} in {figures.count(fault.matches)} matches")
    if record.rivals:
        terminal.table(
            [
                Column("against", keep=True),
                Column("matches", right=True),
                Column("won", right=True),
                Column("lost", right=True),
                Column("win %", right=True),
            ],
            [
                (
                    rival.bot,
                    figures.count(rival.matches),
                    figures.count(rival.wins),
                    figures.count(rival.losses),
                    figures.share(rival.wins / rival.matches),
                )
                for rival in record.rivals
            ],
        )
