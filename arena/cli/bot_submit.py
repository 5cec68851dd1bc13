"""`arena bot submit`: bots one by one, or all that lie in a folder, with a table of what passed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import last_words
from arena.cli.arguments import FilePath, Label, shorten
from arena.cli.bot import version_facts
from arena.cli.names import LevelName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.sources import find_bots, named_twice, owner_from, refuse_clash
from arena.cli.terminal import Column, Terminal
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.botproc.sandbox import Sandbox
    from arena.bundle.pack import Bundle
    from arena.service.check import CheckReport
    from arena.store.pool import Database
    from arena.store.rows import VersionRow


@dataclass(frozen=True)
class Outcome:
    """What became of one source."""

    source: Path
    """Where it lay."""
    version: "VersionRow | None"
    """Its version; None when nothing was stored."""
    is_new: bool
    """Whether these bytes were not stored before."""
    why: str
    """Why it cannot be entered; empty when it can."""


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

    A folder without a bot.toml stands for all zips and bots in it: what is wrong with one keeps no other from
    being stored, and a table says what passed. The same bytes are the same version. A new version of a name
    needs the owner label of its first one; two bots of one name in one command are both refused.
    """
    if owner is not None and owner_from_name:
        raise click.UsageError("--owner and --owner-from-name exclude each other: give one of them")
    session.set(owner=owner, sandbox=sandbox)
    session.check_level()
    found = [find_bots(source) for source in sources]
    # What is named twice is one bot all the same.
    each = list({source.absolute(): source for some in found for source in some}.values())
    is_many = any(some != [source] for some, source in zip(found, sources, strict=True))
    # One by one, what is wrong with any of them is told before anything is stored.
    bundles = {} if is_many else _build_all(session, each)
    clashes = named_twice(each)
    if not is_many:
        for source in each:
            refuse_clash(source, clashes)
    shut_in = session.sandbox()
    terminal = session.terminal
    outcomes: list[Outcome] = []
    with session.database(make=True) as database:
        for place, source in enumerate(each, 1):
            if is_many and not as_json:
                terminal.note(f"{place} of {len(each)}: {source}")
            try:
                refuse_clash(source, clashes)
                bundle = bundles.get(source) or session.build(source)
                label = owner_from(source) if owner_from_name else session.owner
                outcome, report = _submit(session, database, shut_in, source, bundle, label)
            except UsageError as error:
                if not is_many:
                    raise
                terminal.output(error.output)
                outcome, report = Outcome(source, None, is_new=False, why=str(error)), None
            outcomes.append(outcome)
            _note_new_version(terminal, outcome)
            if outcome.version is not None and not is_many and not as_json:
                _show_check(terminal, outcome.version, report)
        known = _playable(database)
    if as_json:
        terminal.json([_facts(outcome) for outcome in outcomes])
    elif is_many:
        _show_table(terminal, outcomes)
    _refuse(outcomes)
    if not as_json:
        submitted = [outcome.version.bot for outcome in outcomes if outcome.version is not None]
        terminal.hint(*_next_steps(list(dict.fromkeys(submitted)), known))


def _build_all(session: Session, sources: Sequence[Path]) -> "dict[Path, Bundle]":
    """Return the bundles of all sources.

    Raises:
        UsageError: Something is wrong with some of them; each has been named in a line of its own.
    """
    bundles: dict[Path, Bundle] = {}
    wrong: list[UsageError] = []
    for source in sources:
        try:
            bundles[source] = session.build(source)
        except UsageError as error:
            wrong.append(error)
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        for refused in wrong:
            session.terminal.note(shorten(str(refused), []))
            session.terminal.output(refused.output)
        raise UsageError(
            f"{len(wrong)} of {len(sources)} are refused and nothing is stored: mend what is named"
        )
    return bundles


def _submit(
    session: Session,
    database: "Database",
    shut_in: "Sandbox",
    source: Path,
    bundle: "Bundle",
    owner: str,
) -> "tuple[Outcome, CheckReport | None]":
    """Store a bundle and play its check game, unless it passed one before."""
    from arena.bundle.named import named
    from arena.service import bots

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


def _facts(outcome: Outcome) -> dict[str, object]:
    facts = {} if outcome.version is None else version_facts(outcome.version)
    return facts | {"source": str(outcome.source), "is_new": outcome.is_new, "why": outcome.why}


def _show_table(terminal: Terminal, outcomes: Sequence[Outcome]) -> None:
    terminal.table(
        [Column("source", keep=True), Column("bot", keep=True), Column("state", whole=True), Column("why")],
        [
            (
                outcome.source.name,
                "-" if outcome.version is None else outcome.version.label,
                "refused" if outcome.version is None else outcome.version.state,
                outcome.why.removeprefix(f"{outcome.source}: ").removeprefix(f"{outcome.source}/"),
            )
            for outcome in outcomes
        ],
    )
    passed = sum(outcome.version is not None and outcome.version.state == "checked" for outcome in outcomes)
    terminal.line(f"{passed} of {len(outcomes)} passed")


def _refuse(outcomes: Sequence[Outcome]) -> None:
    """Say what did not pass.

    Raises:
        UsageError: Something did not.
    """
    refused = [outcome.source.name for outcome in outcomes if outcome.version is None]
    failed = [
        outcome.version.label for outcome in outcomes if outcome.version and outcome.version.state == "failed"
    ]
    if refused:
        names = ", ".join([*refused, *failed])
        raise UsageError(f"{names} did not pass; mend what the table names and submit again")
    if failed:
        raise UsageError(f"{', '.join(failed)} failed the check; mend what is named and submit again")


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
