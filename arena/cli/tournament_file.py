"""`arena tournament export` and `import`: a tournament as a file."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.errors import UsageError
from arena.files import why_no_file, written_whole

LINE_MAX: Final = 1 << 28
"""Characters of a line that are read at most; the longest line is a bundle's."""


@click.command("export", epilog="Example: arena tournament export cup -o cup.jsonl")
@click.argument("name", type=TournamentName())
@click.option("-o", "--output", type=FilePath(), help="Where to write it.  [default: NAME.jsonl]")
@click.option("--bundles", is_flag=True, help="Write the programs of the bots too.")
@click.option("--force", is_flag=True, help="Write over another file.")
@json_option
@pass_session
def export(
    session: Session, name: str, output: Path | None, bundles: bool, force: bool, as_json: bool
) -> None:
    """Write all facts of a tournament that is over as JSON lines, described in docs/export.md.

    Imported into an empty arena the file gives the same standing, digit for digit.
    """
    from arena.service.exchange import export_tournament

    path = output if output is not None else Path(f"{name}.jsonl")
    if os.path.lexists(path) and not (force and path.is_file()):
        raise UsageError(f"{path} is there already: choose --output, or --force writes over a file")
    with session.database() as database:
        lines = write_lines(path, export_tournament(database, name, with_bundles=bundles))
    if as_json:
        session.terminal.json({"path": str(path), "lines": lines, "bytes": path.stat().st_size})
        return
    session.terminal.line(f"{path}: {figures.count(lines)} lines, {figures.count(path.stat().st_size)} bytes")
    session.terminal.hint(f"arena --data-folder OTHER tournament import {path}")


@click.command("import", epilog="Example: arena tournament import cup.jsonl")
@click.argument("file", type=FilePath())
@click.option("--no-verify", is_flag=True, help="Trust the file: replay no match from its record.")
@json_option
@pass_session
def import_file(session: Session, file: Path, no_verify: bool, as_json: bool) -> None:
    """Store the tournament of a file in an empty arena, after every match was proved from its record.

    All of it is stored, or nothing.
    """
    from dataclasses import asdict

    from arena.service.exchange import import_tournament

    if not file.is_file():
        raise UsageError(f"{file}: {why_no_file(file)}; `arena tournament export NAME` writes one")
    with session.database(make=True) as database:
        done = import_tournament(database, read_lines(file), is_proving=not no_verify)
    if as_json:
        session.terminal.json(asdict(done))
        return
    proved = "each proved from its record" if done.is_proved else "none of them proved"
    session.terminal.line(
        f"{done.tournament}: {figures.count(done.rows)} rows, {figures.count(done.matches)} matches, {proved}"
    )
    session.terminal.hint(f"arena standings {done.tournament}", f"arena tournament show {done.tournament}")


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write a file whole or not at all, and return how many lines it has.

    Raises:
        UsageError: It cannot be written.
        PlatformError: The disk is full, or fails.
    """
    count = 0
    with written_whole(path) as new, new.open("w", encoding="utf-8", newline="\n") as file:
        for line in lines:
            file.write(line)
            count += 1
    return count


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file.

    Raises:
        UsageError: It cannot be read, or is no text of lines.
    """
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            while line := file.readline(LINE_MAX):
                if len(line) >= LINE_MAX:
                    raise UsageError(f"{path}: a line of more than {LINE_MAX:,} characters")
                yield line
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: this is no text in UTF-8: {error.reason}") from error
