"""`arena doctor`: what this machine can do, and what is in the way."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli.names import LevelName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal
from arena.errors import PlatformError

if TYPE_CHECKING:
    from arena.service.doctor import Examination


@click.command(epilog="Example: arena doctor")
@click.option(
    "--sandbox", metavar="LEVEL", type=LevelName(), help="Examine this level; auto takes the best there is."
)
@json_option
@pass_session
def doctor(session: Session, sandbox: str | None, as_json: bool) -> None:
    """Attack this machine's sandbox and say how well it holds, and why.

    Ends with exit code 4 where no sandbox can be proved: matches would be unrated.
    """
    from arena.service.doctor import examine

    session.set(sandbox=sandbox)
    session.check_level()
    found = examine(*session.sandbox_settings())
    if as_json:
        session.terminal.json(asdict(found))
    else:
        _show(session.terminal, found)
    if found.level is None:
        what = (
            "no sandbox"
            if session.settings.sandbox == "auto"
            else f"no sandbox of level {session.settings.sandbox}"
        )
        raise PlatformError(f"{what} could be proved here; --sandbox none plays your own bots, unrated")


def _show(terminal: Terminal, found: "Examination") -> None:
    terminal.line(f"level: {found.level or 'none can be proved'}")
    terminal.line(f"because: {found.reason}")
    if found.bwrap:
        terminal.line(f"bubblewrap: {found.bwrap} {found.bwrap_version}")
    if found.filter_hash:
        terminal.line(f"filter of system calls: {found.filter_hash[:12]}")
    for what, why in found.refused.items():
        terminal.line(f"refused: {what}: {why}")
    if found.remedy:
        terminal.line(f"do: {found.remedy}")
    if found.cgroups:
        terminal.line(
            "control groups: " + ", ".join(f"{name} {where}" for name, where in found.cgroups.items())
        )
    terminal.table(
        [Column("runtime", keep=True), Column("here"), Column("for")],
        [(line.name, line.missing or line.version or "yes", line.about) for line in found.runtimes],
    )
    for warning in found.warnings:
        terminal.line(f"warning: {warning}")
    if found.level is not None:
        terminal.hint("arena bot submit DIR", "arena tournament run NAME BOT BOT...")
