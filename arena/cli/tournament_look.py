"""`arena tournament list` and `show`: looking without touching."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from arena.cli import figures
from arena.cli.coming import tell_coming, tell_pause, tell_state
from arena.cli.names import TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal
from arena.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.service.ladder import Helping, SeasonView
    from arena.service.watching import Watched
    from arena.store.pool import Database
    from arena.store.rows import TournamentRow

COMING: Final = 8
"""Helpings that are shown, of those begun and of those to come."""
USUAL: Final = (512, 64, 1000)
"""The usual ceiling: MiB, processes, thousandths of a core."""


@click.command("list", epilog="Example: arena tournament list")
@click.option("--all", "unlisted", is_flag=True, help="Those of `arena compare` too.")
@json_option
@pass_session
def list_tournaments(session: Session, unlisted: bool, as_json: bool) -> None:
    """List tournaments, newest first."""
    from arena.service import watching

    with session.database() as database:
        rows = watching.list_all(database, unlisted=unlisted)
    if as_json:
        session.terminal.json([tournament_facts(row) for row in rows])
        return
    session.terminal.table(
        [
            Column("tournament", keep=True),
            Column("state"),
            Column("ruleset"),
            Column("seats", right=True),
            Column("deal sets", right=True),
            Column("rated"),
            Column("created", whole=True),
        ],
        [
            (
                row.name,
                tell_state(row),
                row.ruleset_name,
                str(row.seats),
                figures.count(row.deal_sets),
                "no" if row.unrated else "yes",
                f"{row.created_at:%Y-%m-%d %H:%M}",
            )
            for row in rows
        ],
    )
    if rows:
        session.terminal.hint(f"arena standings {rows[0].name}", f"arena tournament show {rows[0].name}")
    else:
        session.terminal.hint("arena tournament run NAME BOT BOT...")


@click.command("show", epilog="Example: arena tournament show cup")
@click.argument("name", required=False, type=TournamentName())
@json_option
@pass_session
def show_tournament(session: Session, name: str | None, as_json: bool) -> None:
    """Show a tournament, by default the latest: what is played, who is in it, how far it is."""
    from arena.service import watching

    with session.database() as database:
        row = get_named(database, name)
        watched = watching.progress(database, row.name)
        entries = watching.entries(database, row.name)
        season = look_at_season(database, row)
    terminal, totals = session.terminal, watched.totals
    if as_json:
        versions = [{"name": entry.label, "digest": entry.digest} for entry in entries]
        progress = asdict(totals) | {
            "why_cancelled": watched.why_cancelled(),
            "annulled": watched.annulled,
        }
        facts = tournament_facts(row) | {"progress": progress, "entries": versions}
        facts["coming"] = None if watched.coming is None else asdict(watched.coming)
        terminal.json(facts if season is None else facts | {"season": asdict(season)})
        return
    terminal.line(f"{row.name}: {describe(row, len(entries))}; {row.state}")
    if season is None:
        terminal.line(f"secret hash: {row.secret_hash.hex()}")
    if row.state in {"finished", "cancelled"}:
        terminal.line(f"secret: {row.secret.hex()}")
    if row.state != "open":
        terminal.line(count_matches(watched))
    if watched.annulled:
        terminal.line(
            f"annulled: {figures.count(watched.annulled)} matches do not count; "
            "`arena match annulments` says why"
        )
    if season is not None:
        show_season(terminal, season, row)
    elif watched.coming is not None:
        for line in tell_coming(watched.coming, row):
            terminal.line(line)
    if pause := tell_pause(row):
        terminal.line(pause)
    for why in watched.failures:
        terminal.line(f"failed: {why}")
    any_deaths = any(line.deaths for line in watched.entries)
    digests = {entry.number: entry.digest.hex()[:12] for entry in entries}
    terminal.table(
        [
            Column("entry", keep=True),
            Column("matches", right=True),
            Column("wins", right=True),
            Column("faults", right=True),
            *([Column("deaths", right=True)] if any_deaths else []),
            Column("digest", whole=True),
            Column("note"),
        ],
        [
            (
                line.label,
                figures.count(line.matches),
                figures.count(line.wins),
                figures.count(line.faults),
                *([figures.count(line.deaths)] if any_deaths else []),
                digests.get(line.number, ""),
                "suspended" if line.suspended else "",
            )
            for line in watched.entries
        ],
    )
    step = "arena standings" if row.state in {"finished", "cancelled"} else "arena tournament run"
    terminal.hint(f"{step} {row.name}")


def look_at_season(database: "Database", row: "TournamentRow") -> "SeasonView | None":
    """Return what is to come of a ladder; None of anything else, and before it begins."""
    from arena.tournament.plans import parse_plan

    if not parse_plan(row.format).is_ladder or row.tournament_key is None:
        return None
    from arena.service.ladder import look

    return look(database, row)


def show_season(terminal: Terminal, season: "SeasonView", row: "TournamentRow") -> None:
    """Print what is to come of a ladder, who rests, and what may be known of its secret."""
    begun = f"; begun: {_helpings(season.begun)}" if season.begun else ""
    terminal.line(f"helpings chosen: {season.helpings}{begun}; to come: {_helpings(season.coming)}")
    if season.resting:
        terminal.line(f"resting: {', '.join(season.resting)}")
    if told := tell_told(season, row):
        terminal.line(told)
    for part in season.parts[-2:]:
        shown = f"hash {part.secret_hash.hex()}" if part.secret is None else part.secret.hex()
        terminal.line(f"secret of part {part.number}: {shown}")


def tell_told(season: "SeasonView", row: "TournamentRow") -> str:
    """Say how much of its standing a ladder has told, and that this ends nothing; empty before it can."""
    if not season.neighbours:
        return ""
    if season.untold:
        some = figures.count(season.neighbours - season.untold)
        return f"told apart: {some} of {figures.count(season.neighbours)} pairs of neighbours in the standing"
    told = "told apart: every pair of neighbours in the standing"
    if row.state != "running":
        return told
    goes_on = "when it goes on, it plays" if row.paused else "it plays on"
    return (
        f"{told}; the choice of helpings does not see that: {goes_on} what makes the order surest; "
        f"`arena tournament cancel {row.name}` ends it"
    )


def _helpings(helpings: "Sequence[Helping]") -> str:
    named = [" - ".join(each.bots) + (" (scout)" if each.is_scout else "") for each in helpings[:COMING]]
    more = f" and {len(helpings) - COMING} more" if len(helpings) > COMING else ""
    return f"{', '.join(named) or 'none yet'}{more}"


def count_matches(watched: "Watched") -> str:
    """Say how many matches are played, and of the others how many never will be, and why."""
    totals = watched.totals
    text = f"{figures.count(totals.done)} of {figures.count(totals.matches)} matches are played"
    if totals.cancelled:
        text += f"; {figures.count(totals.cancelled)} are cancelled, not forfeited: {watched.why_cancelled()}"
    return text


def get_named(database: "Database", name: str | None) -> "TournamentRow":
    """Return the tournament of that name, or the latest.

    Raises:
        UsageError: There is none.
    """
    from arena.service import watching

    found = watching.latest(database) if name is None else watching.get(database, name)
    if found is None:
        raise UsageError("there is no tournament yet: start one with `arena tournament run NAME BOT BOT...`")
    return found


def describe(row: "TournamentRow", entries: int = 0) -> str:
    """Say in one line what a tournament plays; with the number of its entries also who meets whom."""
    from arena.tournament.plans import parse_plan

    told = parse_plan(row.format).tell(entries, row.seats) if entries >= row.seats else ""
    rated = f"unrated ({'no sandbox' if row.isolation == 'none' else 'as asked'})" if row.unrated else "rated"
    limits = (row.memory_mib, row.processes, row.cpu_millis)
    asked = f"{row.memory_mib:,} MiB, {row.processes:,} processes, {row.cpu_millis / 1000:g} of a core"
    granted = "" if limits == USUAL else f"; bots may ask for {asked}"
    return (
        f"{row.ruleset_name}, tables of {row.seats}, {figures.count(row.deal_sets)} deal sets a "
        f"{'helping' if row.format == 'ladder' else 'pairing'}, "
        f"{row.budget_ms} ms a decision and {row.bank_ms / 1000:g} s a match, {rated}"
        + granted
        + (f"; {told}" if told else "")
    )


def tournament_facts(row: "TournamentRow") -> dict[str, object]:
    """Return a tournament as JSON has it; its secret only when it is over."""
    facts = asdict(row)
    del facts["tournament_key"], facts["arguments"]
    if row.state not in {"finished", "cancelled"}:
        del facts["secret"]
    return facts
