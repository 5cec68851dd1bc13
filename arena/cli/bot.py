"""`arena bot`: pack, submit, list."""

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.group import Commands
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import UsageError
from arena.files import read_regular, refuse_to_write, written_whole

if TYPE_CHECKING:
    from arena.store.rows import BotRow, VersionRow


class BotCommands(Commands):
    """The commands of a bot; most are in files of their own."""

    lazy = {  # noqa: RUF012 (never changed)
        "submit": "bot_submit:submit",
        "new": "bot_new:new",
        "build": "bot_build:build",
        "check": "bot_check:check",
        "try": "bot_try:try_bot",
        "conform": "bot_conform:conform",
        "debug": "bot_debug:debug",
        "logs": "bot_logs:logs",
        "retire": "bot_retire:retire",
        "show": "bot_show:show",
    }


@click.group(cls=BotCommands, epilog="Example: arena bot check mybot")
def bot() -> None:
    """Pack, submit and look at bots."""


@bot.command("pack", epilog="Example: arena bot pack bots/greedy -o greedy.zip")
@click.argument("folder", type=FilePath())
@click.option("-o", "--output", type=FilePath(), help="Where to write it.  [default: NAME.zip]")
@click.option("--force", is_flag=True, help="Write over another file.")
@json_option
@pass_session
def pack(session: Session, folder: Path, output: Path | None, force: bool, as_json: bool) -> None:
    """Write the zip of what a bot's manifest names; the same files give the same bytes."""
    from arena.botproc.runtimes import get_kind
    from arena.bundle.named import named
    from arena.bundle.pack import pack_folder

    with named(folder):
        bundle = pack_folder(folder)
        get_kind(bundle.manifest.runtime)
    path = output if output is not None else Path(f"{bundle.manifest.name}.zip")
    _write(path, bundle.data, force=force)
    if as_json:
        session.terminal.json(
            {"name": bundle.manifest.name, "digest": bundle.digest, "path": str(path), "files": bundle.files}
        )
        return
    session.terminal.line(f"{path}: {len(bundle.files)} files, {figures.count(len(bundle.data))} bytes")
    session.terminal.line(f"digest {bundle.digest}")
    session.terminal.hint(f"arena bot submit {path}")


def _write(path: Path, data: bytes, *, force: bool) -> None:
    """Write a file whole or not at all.

    Raises:
        UsageError: Another file is there, or it cannot be written.
        PlatformError: The disk is full, or fails.
    """
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise UsageError(f"{path} is no regular file: choose another --output")
    try:
        if not force and path.exists() and not _holds(path, data):
            raise UsageError(f"{path} exists and is another file: choose --output, or --force writes over it")
    except OSError as error:
        raise refuse_to_write(path, error) from error
    with written_whole(path) as new:
        new.write_bytes(data)


def _holds(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and read_regular(path, len(data)) == data


@bot.command("list", epilog="Example: arena bot list")
@json_option
@pass_session
def list_bots(session: Session, as_json: bool) -> None:
    """List all bots."""
    from arena.service import roster

    with session.database() as database:
        rows = roster.list_all(database)
    if as_json:
        session.terminal.json([asdict(row) for row in rows])
        return
    session.terminal.table(
        [
            Column("bot", keep=True),
            Column("owner"),
            Column("versions", right=True),
            Column("newest checked", right=True),
            Column("since", whole=True, drop=1),
        ],
        [
            (
                row.name,
                row.owner,
                str(row.versions),
                _playable(row),
                f"{row.created_at:%Y-%m-%d}",
            )
            for row in rows
        ],
    )
    session.terminal.hint(f"arena bot show {rows[0].name}" if rows else "arena bot submit DIR")


def _playable(row: "BotRow") -> str:
    """Say which version the name alone means."""
    if row.newest_checked is not None:
        return f"@{row.newest_checked}"
    return "retired" if row.retired else figures.NOTHING


def version_facts(version: "VersionRow") -> dict[str, object]:
    """Return a version for programs."""
    return asdict(version) | {"label": version.label}
