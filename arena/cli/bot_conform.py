"""`arena bot conform`: the contract, case by case."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.arguments import FilePath
from arena.cli.bot_debug import expect
from arena.cli.names import FolderOrAddress
from arena.cli.session import Session, json_option, pass_session
from arena.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arena.botproc.rehearsal import Outcome


@click.command("conform", epilog="Example: arena bot conform mybot")
@click.argument("bot", metavar="DIR|ADDRESS", type=FolderOrAddress())
@json_option
@pass_session
def conform(session: Session, bot: str, as_json: bool) -> None:
    """Put the conformance cases of the protocol to a bot and say of each whether it was passed.

    For those who write a bot without an SDK, or an SDK. DIR is built and started bare, without sandbox and
    without clock; ADDRESS is where a bot listens already, and gets the cases that one stream can hold. The
    cases are data of no language: docs/bots/conformance.md.
    """
    from arena.botproc.bare import is_address
    from arena.service.conform import conform_address, list_unput

    if is_address(bot):
        outcomes = conform_address(bot, expect(session.terminal, bot))
    else:
        outcomes = _conform_folder(session, Path(bot))
    told = []
    for outcome in outcomes:
        told.append(outcome)
        if not as_json:
            result = (
                f"FAILED  {outcome.id}: {outcome.failure}" if outcome.failure else f"passed  {outcome.id}"
            )
            session.terminal.line(result, whole=True)
    failed = [outcome for outcome in told if outcome.failure]
    unput = list_unput(told, on_one_stream=is_address(bot))
    if as_json:
        rows = [asdict(outcome) | {"passed": not outcome.failure} for outcome in told]
        session.terminal.json([*rows, *(asdict(case) | {"passed": None} for case in unput)])
    else:
        for case in unput:
            session.terminal.line(f"not put {case.id}", whole=True)
    if failed:
        more = f"; {len(unput)} more were not put, for the stream was over" if unput else ""
        raise UsageError(
            f"{bot}: failed {len(failed)} of {len(told)} cases{more}; {failed[0].id} was: {failed[0].says}"
        )
    if not as_json:
        session.terminal.line(f"{len(told)} cases passed")


def _conform_folder(session: Session, folder: Path) -> "Iterator[Outcome]":
    """Build the bot of a folder and put the cases to it."""
    from arena.botproc.bare import bare
    from arena.service.conform import conform_folder

    folder = FilePath().convert(str(folder), None, None)
    if not folder.is_dir():
        raise UsageError(f"{folder}: give a bot's folder, or the address of one that runs: localhost:5000")
    manifest = session.build(folder, plays=False).manifest
    yield from conform_folder(lambda: bare(folder, manifest, session.cache))
