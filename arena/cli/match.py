"""`arena match`: look at a match, and prove it."""

from dataclasses import asdict

import click

from arena.cli import figures
from arena.cli.group import Commands
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import PlatformError


@click.group(cls=Commands)
def match() -> None:
    """Look at matches and prove them."""


@match.command("show", epilog="Example: arena match show 17")
@click.argument("number", type=int)
@json_option
@pass_session
def show_match(session: Session, number: int, as_json: bool) -> None:
    """Show how a match ended and why."""
    from arena.match.fault import MEANINGS, FaultKind
    from arena.service import matches

    with session.database() as database:
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
    else:
        terminal.line(shown.record)
    terminal.hint(f"arena match verify {row.id}")


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
