"""`arena backup` and `restore`: the whole arena as one file."""

from pathlib import Path

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.session import Session, json_option, pass_session


@click.command("backup", epilog="Example: arena backup arena.backup")
@click.argument("file", type=FilePath())
@click.option("--force", is_flag=True, help="Write over another file.")
@json_option
@pass_session
def backup(session: Session, file: Path, force: bool, as_json: bool) -> None:
    """Write the whole arena into one file, as it is at one moment; whoever plays plays on.

    It holds everything: bots with their programs, tournaments with their secrets, matches, and what is still
    to be played. Only you can read the file.
    """
    from arena.service.backup import backup as write

    with session.database() as database:
        size = write(database, file, is_replacing=force)
    if as_json:
        session.terminal.json({"path": str(file), "bytes": size})
        return
    session.terminal.line(f"{file}: {figures.count(size)} bytes")
    session.terminal.hint(f"arena --data-folder OTHER restore {file}")


@click.command("restore", epilog="Example: arena restore arena.backup")
@click.argument("file", type=FilePath())
@json_option
@pass_session
def restore(session: Session, file: Path, as_json: bool) -> None:
    """Fill an empty arena from a file of `arena backup`: with all of it, or nothing.

    An arena that has bots or tournaments is refused; --data-folder names another. Tournaments that were under
    way go on with `arena tournament run NAME`.
    """
    from arena.service import roster, watching
    from arena.service.backup import restore as read

    with session.database(make=True) as database:
        steps = read(database, file)
        found = len(roster.list_all(database)), len(watching.list_all(database))
    if as_json:
        session.terminal.json({"bots": found[0], "tournaments": found[1], "schema_steps": steps})
        return
    session.terminal.line(
        f"restored {figures.count(found[0])} bots and {figures.count(found[1])} tournaments"
    )
    if steps:
        session.terminal.line(f"brought up to date: {', '.join(steps)}")
    session.terminal.hint("arena tournament list", "arena standings")
