"""`arena bot build`: run a bot's own build command, and look at what came of it."""

from pathlib import Path

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.session import Session, json_option, pass_session
from arena.errors import PlatformError, UsageError


@click.command("build", epilog="Example: arena bot build mybot")
@click.argument("folder", metavar="DIR", type=FilePath())
@json_option
@pass_session
def build(session: Session, folder: Path, as_json: bool) -> None:
    """Run the build command of a bot's bot.toml here, and look at what is to be shipped.

    `arena bot check` and `arena bot submit` do the same first.
    """
    bundle = session.build(folder, plays=False)
    try:
        session.admit(bundle.manifest)
    except (PlatformError, UsageError) as error:
        session.terminal.note(f"note: {folder}: it is built, and cannot be played here: {error}")
    if as_json:
        session.terminal.json(
            {"name": bundle.manifest.name, "digest": bundle.digest, "files": list(bundle.files)}
        )
        return
    size = figures.count(len(bundle.data))
    session.terminal.line(
        f"{bundle.manifest.name}  {bundle.digest[:12]}  {len(bundle.files)} files, {size} bytes"
    )
    session.terminal.hint(f"arena bot check {folder}")
