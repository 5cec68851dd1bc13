"""`arena match annul` and `annulments`: matches that shall not count, and why."""

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from arena.cli import figures
from arena.cli.names import BotName, TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.store.annulments import AnnulmentRow


class Moment(click.ParamType[datetime]):
    """A day or a moment as ISO 8601 writes it; without a zone, that of this machine."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the moment."""
        try:
            return datetime.fromisoformat(str(value)).astimezone()
        except (ValueError, OverflowError):
            self.fail(f"{str(value)[:80]!r} is no moment; write it as 2026-03-01T18:30", param, ctx)


@click.command("annul", epilog='Example: arena match annul --bot greedy@1 --reason "it had a bug of ours"')
@click.option("--bot", metavar="BOT", type=BotName(), help="Matches in which this version sat.")
@click.option(
    "--worker", metavar="ID", help="Matches that this worker played, as `arena match show` names it."
)
@click.option("--since", metavar="TIME", type=Moment(), help="Matches that ended then or later.")
@click.option("--until", metavar="TIME", type=Moment(), help="Matches that ended before.")
@click.option("--tournament", metavar="NAME", type=TournamentName(), help="Only matches of one tournament.")
@click.option("--reason", help="Why; kept with the annulment.")
@click.option("--undo", metavar="NUMBER", type=int, help="Let the matches of an annulment count again.")
@json_option
@pass_session
def annul(session: Session, /, undo: int | None, as_json: bool, **options: Any) -> None:
    """Let matches count no longer: of a version, of a worker, of a span of time.

    They stay where they are, and so does the reason. All matches of a job go together, with the deaths in it.
    Standings computed afterwards are as if they had never been played; what is played later counts.
    """
    from arena.service import annulments

    given = [f"--{name}" for name, value in options.items() if value is not None]
    if undo is not None and given:
        raise UsageError(f"--undo takes back a whole annulment: leave {given[0]} out")
    if undo is None and options["reason"] is None:
        raise UsageError("--reason is needed: whoever reads the standing later will ask")
    with session.database() as database:
        if undo is not None:
            row = annulments.undo(database, undo)
        else:
            row = annulments.annul(database, annulments.Correction(**options))
    terminal = session.terminal
    if as_json:
        terminal.json(asdict(row))
        return
    matches = f"{figures.count(row.matches)} match" + ("" if row.matches == 1 else "es")
    if undo is None:
        terminal.line(f"annulment {row.id}: {matches} ({describe(row)}) count no longer: {row.reason}")
        terminal.hint("arena standings", f"arena match annul --undo {row.id}    lets them count again")
    else:
        terminal.line(f"annulment {row.id} is undone: {matches} count again where no other one covers them")
        terminal.hint("arena standings", "arena match annulments")


@click.command("annulments", epilog="Example: arena match annulments")
@json_option
@pass_session
def list_annulments(session: Session, as_json: bool) -> None:
    """List all annulments, newest first, with their reasons."""
    from arena.service import annulments

    with session.database() as database:
        rows = annulments.list_all(database)
    if as_json:
        session.terminal.json([asdict(row) for row in rows])
        return
    if not rows:
        session.terminal.line("nothing was ever annulled")
        return
    session.terminal.table(
        [
            Column("annulment", right=True, keep=True),
            Column("made", whole=True),
            Column("matches", right=True),
            Column("whose", keep=True),
            Column("state"),
            Column("reason"),
        ],
        [
            (
                str(row.id),
                f"{row.created_at:%Y-%m-%d %H:%M}",
                figures.count(row.matches),
                describe(row),
                "stands" if row.undone_at is None else "undone",
                row.reason,
            )
            for row in rows
        ],
    )


def describe(row: "AnnulmentRow") -> str:
    """Say whose matches an annulment covers."""
    told = {
        "of": row.bot,
        "by": row.worker,
        "since": row.played_from and f"{row.played_from:%Y-%m-%d %H:%M:%S}",
        "until": row.played_until and f"{row.played_until:%Y-%m-%d %H:%M:%S}",
        "in": row.tournament,
    }
    return " ".join(f"{word} {value}" for word, value in told.items() if value)
