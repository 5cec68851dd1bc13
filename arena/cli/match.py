"""`arena match`: look at a match, and prove it."""

from dataclasses import asdict

import click

from arena.cli import figures
from arena.cli.group import Commands
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import PlatformError


class MatchCommands(Commands):
    """The commands of a match; some are in files of their own."""

    lazy = {  # noqa: RUF012 (never changed)
        "play": "match_play:play",
        "why": "match_why:why",
    }


@click.group(cls=MatchCommands)
def match() -> None:
    """Look at matches and prove them."""


@match.command("list", epilog="Example: arena match list cup --faults")
@click.argument("tournament", required=False, type=TournamentName())
@click.option("--faults", is_flag=True, help="Only matches in which a bot was at fault.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many.")
@json_option
@pass_session
def list_matches(session: Session, tournament: str | None, faults: bool, limit: int, as_json: bool) -> None:
    """List the newest matches of a tournament, or of all."""
    from arena.service import matches

    with session.database() as database:
        rows = matches.list_some(database, tournament, limit=limit, with_faults=faults)
    terminal = session.terminal
    if as_json:
        terminal.json([asdict(row) for row in rows])
        return
    if not rows:
        terminal.line("no such match")
        return
    terminal.table(
        [
            Column("match", right=True, keep=True),
            Column("tournament"),
            Column("deal set", right=True),
            Column("bots and places", keep=True),
            Column("rounds", right=True),
            Column("ended by"),
        ],
        [
            (
                str(row.id),
                row.tournament,
                f"{row.pairing}/{row.deal_set}",
                ", ".join(f"{bot} {place}" for bot, place in zip(row.bots, row.places, strict=True)),
                figures.count(row.rounds),
                row.ending,
            )
            for row in rows
        ],
    )
    terminal.hint(f"arena match show {rows[0].id}")


@match.command("show", epilog="Example: arena match show 17")
@click.argument("number", type=int)
@click.option("--trace", "with_trace", is_flag=True, help="Every step, one line each, instead.")
@click.option("--record", "with_record", is_flag=True, help="The line that replays it as well.")
@json_option
@pass_session
def show_match(session: Session, number: int, with_trace: bool, with_record: bool, as_json: bool) -> None:
    """Show how a match ended and why, or every step of it."""
    from arena.match.fault import MEANINGS, FaultKind
    from arena.service import matches

    with session.database() as database:
        if with_trace:
            for step in matches.trace(database, number):
                session.terminal.line(step.json if as_json else step.text)
            return
        shown = matches.show(database, number)
    row, terminal = shown.match, session.terminal
    if as_json:
        faults = [{"seat": f.seat, "kind": f.kind, "evidence": f.evidence} for f in shown.faults]
        terminal.json(asdict(row) | {"faults": faults, "record": shown.record})
        return
    terminal.line(
        f"match {row.id} of {row.tournament}: pairing {row.pairing}, deal set {row.deal_set}, "
        f"rotation {row.rotation}"
    )
    terminal.line(
        f"{figures.count(row.rounds)} rounds, {figures.count(row.decisions)} decisions, ended by {row.ending}"
        f"; sandbox {row.level}" + ("; annulled" if row.annulled_at else "")
    )
    why = {fault.seat: MEANINGS[FaultKind(fault.kind)] for fault in shown.faults}
    terminal.table(
        [
            Column("seat", right=True),
            Column("bot", keep=True),
            Column("place", right=True),
            Column("points", right=True),
            Column("questions", right=True),
            Column("time/decision", right=True),
            Column("fault"),
        ],
        [
            (
                str(seat),
                bot,
                str(row.places[seat]),
                figures.count(row.totals[seat]),
                figures.count(row.asked[seat]),
                figures.duration_us(row.wall_us[seat] / row.asked[seat] if row.asked[seat] else None),
                why.get(seat, ""),
            )
            for seat, bot in enumerate(row.bots)
        ],
    )
    for fault in shown.faults:
        terminal.line(f"evidence, seat {fault.seat}:")
        for name, value in fault.evidence.items():
            if value not in {None, ""}:
                terminal.block(f"{name}: {value}")
    if shown.record is None:
        terminal.line("The cards are shown when all matches of its deal set are played.")
    elif with_record:
        terminal.line(shown.record)
    terminal.hint(f"arena match verify {row.id}", f"arena match show {row.id} --trace")


@match.command("verify", epilog="Example: arena match verify 17")
@click.argument("number", type=int)
@json_option
@pass_session
def verify_match(session: Session, number: int, as_json: bool) -> None:
    """Prove a match from its record: deals, seats, every move, the result."""
    from arena.service import matches

    with session.database() as database:
        checks = matches.verify(database, number)
    if as_json:
        session.terminal.json(
            [{"promise": c.promise, "holds": not c.failure, "failure": c.failure} for c in checks]
        )
    else:
        session.terminal.table(
            [Column(""), Column("promise", keep=True), Column("found")],
            [("broken" if check.failure else "holds", check.promise, check.failure) for check in checks],
        )
    if broken := [check for check in checks if check.failure]:
        raise PlatformError(f"match {number} is not what it says: {broken[0].failure}")
