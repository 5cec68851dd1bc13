"""`arena bot submit`: one bot, several, or all that lie in a folder, with a table of what passed."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import last_words
from arena.cli.arguments import FilePath, Label, shorten
from arena.cli.names import LevelName
from arena.cli.outcomes import Outcome, facts, refuse, refused, show_table
from arena.cli.session import Session, json_option, pass_session
from arena.cli.sources import find_bots, named_twice, owner_from, refuse_clash
from arena.cli.terminal import Terminal
from arena.errors import LackingError, UsageError

if TYPE_CHECKING:
    from arena.botproc.sandbox import Sandbox
    from arena.bundle.pack import Bundle
    from arena.service.check import CheckReport
    from arena.store.pool import Database
    from arena.store.rows import VersionRow


class _Place:
    """Where bots are taken in: opened for the first one that is fit, so that a wrong one starts nothing."""

    def __init__(self, session: Session, stack: ExitStack) -> None:
        self._session, self._stack = session, stack

    @cached_property
    def sandbox(self) -> "Sandbox":
        """The sandbox of the check games."""
        return self._session.sandbox()

    @cached_property
    def database(self) -> "Database":
        """Where they are stored."""
        return self._stack.enter_context(self._session.database(make=True))


@click.command("submit", epilog="Example: arena bot submit bots/greedy bots/random")
@click.argument("sources", nargs=-1, required=True, metavar="DIR|ZIP...", type=FilePath())
@click.option("--owner", type=Label(), help="Owner label of a new name.  [default: the login name]")
@click.option("--owner-from-name", is_flag=True, help="Owner label of each: its file's name, without .zip.")
@click.option(
    "--sandbox",
    metavar="LEVEL",
    type=LevelName(),
    help="Isolation of the check game; auto takes the best there is.",
)
@json_option
@pass_session
def submit(
    session: Session,
    sources: Sequence[Path],
    owner: str | None,
    owner_from_name: bool,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Build bots, store them and play their check games; a version that passed can be entered.

    A folder without a bot.toml stands for all zips and bots in it. Of several, what is wrong with one keeps
    no other from being stored; a table says what passed and why not. The exit code is then 2, or 4 where the
    others want only a runtime or a sandbox that this machine has not. The same bytes are the same version.
    A new version of a name needs the owner label of its first one; two bots of one name in one command are
    both refused.
    """
    if owner is not None and owner_from_name:
        raise click.UsageError("--owner and --owner-from-name exclude each other: give one of them")
    session.set(owner=owner, sandbox=sandbox)
    session.check_level()
    found = [find_bots(source) for source in sources]
    # What is named twice is one bot all the same.
    each = list({source.absolute(): source for some in found for source in some}.values())
    # Of a folder the table says all; of what was named one by one each is told when it is over.
    is_folder = any(some != [source] for some, source in zip(found, sources, strict=True))
    is_many = is_folder or len(each) > 1
    clashes = named_twice(each)
    terminal = session.terminal
    outcomes: list[Outcome] = []
    with ExitStack() as stack:
        taking = _Place(session, stack)
        for place, source in enumerate(each, 1):
            if is_folder and not as_json:
                terminal.note(f"{place} of {len(each)}: {source}")
            try:
                bundle = session.build(source)
                refuse_clash(source, clashes)
                label = owner_from(source) if owner_from_name else session.owner
                outcome, report = _submit(session, taking, source, bundle, label)
            except (UsageError, LackingError) as error:
                if not is_many:
                    raise
                if not is_folder:
                    terminal.note(shorten(str(error), []))
                terminal.output(error.output)
                outcome, report = refused(source, error), None
            outcomes.append(outcome)
            _note_new_version(terminal, outcome)
            if outcome.version is not None and not is_folder and not as_json:
                _show_check(terminal, outcome.version, report)
        known = _playable(taking.database) if any(outcome.version for outcome in outcomes) else []
    if as_json:
        terminal.json([facts(outcome) for outcome in outcomes])
    elif is_folder or (is_many and not all(outcome.passed for outcome in outcomes)):
        show_table(terminal, outcomes)
    refuse(outcomes)
    if not as_json:
        submitted = [outcome.version.bot for outcome in outcomes if outcome.version is not None]
        terminal.hint(*_next_steps(list(dict.fromkeys(submitted)), known))


def _submit(
    session: Session, taking: _Place, source: Path, bundle: "Bundle", owner: str
) -> "tuple[Outcome, CheckReport | None]":
    """Store a bundle and play its check game, unless it passed one before."""
    from arena.bundle.named import named
    from arena.service import bots

    shut_in, database = taking.sandbox, taking.database
    with named(source):
        submission = bots.submit_version(database, bundle.data, owner, ceiling=session.ceiling)
    version, report = submission.version, None
    if version.state in {"submitted", "failed"}:
        report = session.check(shut_in, bundle)
        version = bots.record_check(database, version, report)
    why = "" if version.state == "checked" else f"it is {version.state}"
    if report is not None and not report.passed:
        why = next(f"{promise.name}: {promise.failure}" for promise in report.promises if promise.failure)
    return Outcome(source, version, submission.is_new, why), report


def _note_new_version(terminal: Terminal, outcome: Outcome) -> None:
    """Say whose bot plays otherwise from now on: by mail it may be a stranger's."""
    if outcome.version is not None and outcome.is_new and outcome.version.number > 1:
        label, owner = outcome.version.label, outcome.version.owner
        terminal.note(f"note: {outcome.source}: {label} is a new version of the bot that {owner!r} owns")


def _playable(database: "Database") -> list[str]:
    from arena.service import roster

    return [row.name for row in roster.list_all(database) if row.newest_checked is not None]


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
        last_words.show(terminal, report.stderr, f"arena bot logs {version.label}")
