"""`arena match`: look at a match, and prove it."""

import shlex
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.group import Commands
from arena.cli.names import BotName, EndingName, TournamentName, VerdictName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column
from arena.errors import PlatformError

if TYPE_CHECKING:
    from arena.store.rows import MatchRow

DEFAULT_LIMIT = 20
"""So many matches are listed unless another number is asked for."""


class MatchCommands(Commands):
    """The commands of a match; some are in files of their own."""

    lazy = {  # noqa: RUF012 (never changed)
        "annul": "match_annul:annul",
        "annulments": "match_annul:list_annulments",
        "play": "match_play:play",
        "replay": "match_replay:replay",
        "why": "match_why:why",
    }


@click.group(cls=MatchCommands, epilog="Example: arena match list cup --faults")
def match() -> None:
    """Look at matches and prove them."""


@match.command("list", epilog="Example: arena match list cup --bot greedy --verdict timed_out")
@click.argument("tournament", required=False, type=TournamentName())
@click.option("--bot", type=BotName(), help="Only matches of this bot, or of this version.")
@click.option("--faults", is_flag=True, help="Only matches in which a bot, or that one, was at fault.")
@click.option("--verdict", type=VerdictName(), help="Only such faults: timed_out, crashed, ...")
@click.option("--ending", type=EndingName(), help="Only matches that ended so: target, last_seat, ...")
@click.option(
    "--before", type=click.IntRange(min=1), metavar="NUMBER", help="Only older ones: the next page."
)
@click.option(
    "--limit", type=click.IntRange(1, 10_000), default=DEFAULT_LIMIT, show_default=True, help="How many."
)
@json_option
@pass_session
def list_matches(
    session: Session,
    tournament: str | None,
    bot: str | None,
    faults: bool,
    verdict: str | None,
    ending: str | None,
    before: int | None,
    limit: int,
    as_json: bool,
) -> None:
    """List the newest matches of a tournament, or of all, that meet every condition."""
    from arena.service import matches

    with session.database() as database:
        rows = matches.list_some(
            database,
            tournament=tournament,
            bot=bot,
            verdict=verdict,
            ending=ending,
            with_faults=faults,
            before=before,
            limit=limit,
        )
    terminal = session.terminal
    if as_json:
        # asdict() copies every value to its depth, which a thousand rows would wait for.
        names = [field.name for field in fields(rows[0])] if rows else []
        terminal.json(
            [{name: getattr(row, name) for name in names} | {"faults": _fault_facts(row)} for row in rows]
        )
        return
    if not rows:
        terminal.line("no such match")
        return
    with_column = any(row.faults for row in rows)
    terminal.table(
        [
            Column("match", right=True, keep=True),
            Column("tournament"),
            Column("deal set", right=True),
            Column("bots and places", keep=True),
            Column("rounds", right=True, drop=1),
            Column("ended by"),
            *([Column("at fault", keep=True)] if with_column else []),
        ],
        [
            (
                str(row.id),
                row.tournament,
                f"{row.pairing}/{row.deal_set}",
                ", ".join(f"{bot} {place}" for bot, place in zip(row.bots, row.places, strict=True)),
                figures.count(row.rounds),
                row.ending,
                *([", ".join(f"{bot} {kind}" for _, bot, kind in row.verdicts)] if with_column else []),
            )
            for row in rows
        ],
    )
    again = _repeat(
        tournament=tournament, bot=bot, faults=faults, verdict=verdict, ending=ending, limit=limit
    )
    more = [f"{again} --before {rows[-1].id}"] if len(rows) == limit else []
    terminal.hint(f"arena match show {rows[0].id}", *more)


def _fault_facts(row: "MatchRow") -> list[dict[str, object]]:
    """Return who was at fault in a match, and by which verdict."""
    return [{"seat": seat, "bot": bot, "kind": kind} for seat, bot, kind in row.verdicts]


def _repeat(**given: object) -> str:
    """Return the command that lists by the same conditions."""
    words = ["arena match list"]
    for name, value in given.items():
        if name == "tournament" and value:
            words.append(shlex.quote(str(value)))
        elif value is True:
            words.append(f"--{name}")
        elif value and (name, value) != ("limit", DEFAULT_LIMIT):
            words.append(f"--{name} {shlex.quote(str(value))}")
    return " ".join(words)


@match.command("show", epilog="Example: arena match show 17")
@click.argument("number", type=int)
@click.option("--trace", "with_trace", is_flag=True, help="Every step, one line each, instead.")
@click.option("--record", "with_record", is_flag=True, help="The line that replays it as well.")
@json_option
@pass_session
def show_match(session: Session, number: int, with_trace: bool, with_record: bool, as_json: bool) -> None:
    """Show how a match ended and why, or every step of it."""
    from arena.service import matches

    with session.database() as database:
        if with_trace:
            from arena.service import proofs

            for step in proofs.trace(database, number):
                if as_json:
                    session.terminal.line(step.json, whole=True)
                    continue
                for line in step.text.split("\n"):  # a deal has a line more for each hand
                    session.terminal.line(line)
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
        f"{figures.rounds(row.rounds)}, {figures.count(row.decisions)} decisions, ended by {row.ending}"
        f"; sandbox {row.level}" + ("; annulled" if row.annulled_at else "")
    )
    why = {}
    if shown.faults:
        from arena.match.fault import MEANINGS, FaultKind

        why = {fault.seat: MEANINGS[FaultKind(fault.kind)] for fault in shown.faults}
    terminal.table(
        [
            Column("seat", right=True),
            Column("bot", keep=True),
            Column("place", right=True),
            Column("points", right=True),
            Column("questions", right=True, drop=1),
            Column("time/decision", right=True, drop=2),
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
    terminal.hint(f"arena match replay {row.id}", f"arena match verify {row.id}")


@match.command("verify", epilog="Example: arena match verify 17")
@click.argument("number", type=int)
@json_option
@pass_session
def verify_match(session: Session, number: int, as_json: bool) -> None:
    """Prove a match from its record: deals, seats, every move, the result."""
    from arena.service import proofs

    with session.database() as database:
        checks = proofs.verify(database, number)
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
