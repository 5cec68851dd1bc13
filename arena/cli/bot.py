"""`arena bot`: pack, submit, list."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.group import Commands
from arena.cli.names import LevelName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal
from arena.errors import UsageError
from arena.files import read_regular

if TYPE_CHECKING:
    from arena.service.check import CheckReport
    from arena.store.rows import BotRow, VersionRow


class BotCommands(Commands):
    """The commands of a bot; most are in files of their own."""

    lazy = {  # noqa: RUF012 (never changed)
        "new": "bot_new:new",
        "build": "bot_build:build",
        "check": "bot_check:check",
        "try": "bot_try:try_bot",
        "logs": "bot_logs:logs",
        "retire": "bot_retire:retire",
        "show": "bot_show:show",
    }


@click.group(cls=BotCommands)
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
    from arena.bundle.pack import pack_folder

    bundle = pack_folder(folder)
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
    """
    if os.path.lexists(path) and (path.is_symlink() or not path.is_file()):
        raise UsageError(f"{path} is no regular file: choose another --output")
    try:
        if not force and path.exists() and not _holds(path, data):
            raise UsageError(f"{path} exists and is another file: choose --output, or --force writes over it")
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
            new = Path(folder) / "new"
            new.write_bytes(data)
            new.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error


def _holds(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and read_regular(path, len(data)) == data


@bot.command("submit", epilog="Example: arena bot submit bots/greedy bots/random")
@click.argument("sources", nargs=-1, required=True, metavar="DIR|ZIP...", type=FilePath())
@click.option("--owner", help="Owner label of a new name.  [default: the login name]")
@click.option(
    "--sandbox",
    metavar="LEVEL",
    type=LevelName(),
    help="Isolation of the check game; auto takes the best there is.",
)
@json_option
@pass_session
def submit(
    session: Session, sources: Sequence[Path], owner: str | None, sandbox: str | None, as_json: bool
) -> None:
    """Build bots, store them and play their check games; a version that passed can be entered.

    The same bytes are the same version. A new version of a name needs the owner label of its first one.
    """
    from arena.service import bots

    session.set(owner=owner, sandbox=sandbox)
    bundles = [session.build(source) for source in sources]
    shut_in = session.sandbox()
    failed: list[str] = []
    facts: list[dict[str, object]] = []
    with session.database(make=True) as database:
        for bundle in bundles:
            submission = bots.submit_version(database, bundle.data, session.owner)
            version, report = submission.version, None
            if version.state in {"submitted", "failed"}:
                report = session.check(shut_in, bundle)
                version = bots.record_check(database, version, report)
            if version.state == "failed":
                failed.append(version.label)
            facts.append(version_facts(version) | {"is_new": submission.is_new})
            if not as_json:
                _show_check(session.terminal, version, report)
        known = [row.name for row in bots.list_all(database) if row.newest_checked is not None]
    if as_json:
        session.terminal.json(facts)
    if failed:
        names = ", ".join(failed)
        raise UsageError(f"{names} failed the check; mend what is named and submit again")
    if not as_json:
        session.terminal.hint(*_next_steps([bundle.manifest.name for bundle in bundles], known))


def _next_steps(submitted: list[str], known: list[str]) -> list[str]:
    """Return commands to go on with, as they can be typed; a tournament wherever two bots are known."""
    players = list(dict.fromkeys([*submitted, *(name for name in known if name not in submitted)]))
    steps = [f"arena tournament run first {' '.join(players[: max(3, len(submitted))])}"]
    return [
        *(steps if len(players) > 1 else ["arena bot submit bots/greedy"]),
        f"arena bot show {submitted[0]}",
    ]


def _show_check(terminal: Terminal, version: "VersionRow", report: "CheckReport | None") -> None:
    if report is None:
        terminal.line(f"{version.label}  {version.digest.hex()[:12]}  stored before, {version.state}")
        return
    terminal.line(f"{version.label}  {version.digest.hex()[:12]}  {version.state}")
    if not report.passed:
        terminal.block(str(report))
        if report.stderr.strip():
            terminal.line("its stderr:")
            terminal.block(report.stderr, indent="  | ")


@bot.command("list", epilog="Example: arena bot list")
@json_option
@pass_session
def list_bots(session: Session, as_json: bool) -> None:
    """List all bots."""
    from arena.service import bots

    with session.database() as database:
        rows = bots.list_all(database)
    if as_json:
        session.terminal.json([asdict(row) for row in rows])
        return
    session.terminal.table(
        [
            Column("bot", keep=True),
            Column("owner"),
            Column("versions", right=True),
            Column("newest checked", right=True),
            Column("since"),
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
