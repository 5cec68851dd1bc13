"""`arena bot check`: every promise of the protocol, kept or broken, before anything is submitted."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import last_words
from arena.cli.arguments import FilePath
from arena.cli.names import LevelName
from arena.cli.session import Session, json_option, pass_session
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal
    from arena.service.check import CheckReport


@click.command("check", epilog="Example: arena bot check mybot")
@click.argument("source", metavar="DIR|ZIP", type=FilePath())
@click.option("--sandbox", type=LevelName(), help="Isolation of the check game; auto takes the best.")
@json_option
@pass_session
def check(session: Session, source: Path, sandbox: str | None, as_json: bool) -> None:
    """Build a bot, play its check game in its sandbox, and say of each promise whether it was kept.

    It is the check of `arena bot submit`, with the same sandbox, limits and clock; nothing is stored.
    """
    session.set(sandbox=sandbox)
    session.check_level()
    bundle = session.build(source)
    shut_in = session.sandbox()
    report = session.check(shut_in, bundle)
    if as_json:
        session.terminal.json(
            {"name": bundle.manifest.name, "digest": bundle.digest, "level": shut_in.level.value}
            | asdict(report)
            | {"passed": report.passed}
        )
    else:
        session.terminal.line(f"{bundle.manifest.name}  {bundle.digest[:12]}  sandbox {shut_in.level.value}")
        show_report(session.terminal, report, source)
    if not report.passed:
        broken = next(promise for promise in report.promises if promise.failure)
        raise UsageError(f"{source}: failed the check ({broken.name}); mend it and check again")
    if not as_json:
        session.terminal.hint(f"arena bot try {source} --against greedy", f"arena bot submit {source}")


def show_report(terminal: "Terminal", report: "CheckReport", source: Path) -> None:
    """Print what became of each promise, and the end of the bot's standard error."""
    terminal.block(str(report))
    last_words.show(terminal, report.stderr, f"arena bot check {source} --json")
