"""`arena standings`: who is better, and how sure that is."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.names import BotName, TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.ratings.standing import Row
    from arena.service.standings import TournamentStanding


CSV_COLUMNS = (
    *("rank", "name", "elo", "plus_minus", "above_next", "group", "matches", "wins", "win_share"),
    *("points_per_round", "faults", "deaths", "us_per_decision", "open_sets", "note"),
)
"""The columns for spreadsheets, unrounded; docs/statistics.md says what they mean."""


@click.command(epilog="Example: arena standings cup --anchor random=1000")
@click.argument("tournament", required=False, type=TournamentName())
@click.option(
    "--anchor",
    metavar="BOT[=ELO]",
    type=BotName(),
    help="Fix one bot's rating instead of the middle of 1500.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
@pass_session
def standings(
    session: Session, tournament: str | None, anchor: str | None, as_json: bool, as_csv: bool
) -> None:
    """Print the standing of a tournament, by default of the latest."""
    from arena.service.standings import tournament_standing

    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other: choose one")
    bot, elo = parse_anchor(anchor)
    with session.database() as database:
        found = tournament_standing(database, tournament, anchor=bot, anchor_elo=elo)
    if as_json:
        session.terminal.json(standing_facts(found))
        return
    if as_csv:
        rows = [asdict(line) for line in found.standing.rows]
        titles = list(CSV_COLUMNS)
        session.terminal.csv(titles, [[row[title] for title in titles] for row in rows])
        return
    show_standing(session.terminal, found)
    session.terminal.hint(*_next_steps(found))


def parse_anchor(text: str | None) -> tuple[str | None, float]:
    """Read `--anchor`.

    Raises:
        UsageError: What follows the equals sign is no number.
    """
    if text is None:
        return None, 1500.0
    bot, equals, number = text.rpartition("=")
    if not equals:
        return text, 1500.0
    try:
        elo = float(number)
    except ValueError:
        elo = float("nan")
    if not -1e6 < elo < 1e6:
        raise UsageError(f"--anchor: {number!r} is no rating; write it as BOT=1500")
    return bot, elo


def standing_facts(found: "TournamentStanding") -> dict[str, object]:
    """Return a standing as JSON has it."""
    row, standing = found.tournament, found.standing
    return {
        "tournament": row.name,
        "state": row.state,
        "rated": not row.unrated,
        "ruleset": row.ruleset_name,
        "ruleset_digest": row.ruleset_digest,
        "rules_epoch": row.rules_epoch,
        "seats": standing.seats,
        "matches": standing.matches,
        "complete_sets": standing.complete_sets,
        "open_matches": standing.open_matches,
        "anchor": None if standing.anchor is None else asdict(standing.anchor),
        "notes": standing.notes,
        "rows": [asdict(line) for line in standing.rows],
    }


def show_standing(terminal: Terminal, found: "TournamentStanding") -> None:
    """Print a standing as a table."""
    row, standing = found.tournament, found.standing
    terminal.line(
        f"{row.name}: {row.ruleset_name}, tables of {row.seats}, {figures.count(standing.matches)} matches "
        f"in {figures.count(standing.complete_sets)} complete deal sets"
    )
    if row.unrated:
        why = "no sandbox" if row.isolation == "none" else "as it was asked for"
        terminal.line(f"unrated: {why}")
    if row.state == "running":
        terminal.line(
            f"incomplete: matches in open deal sets ({figures.count(standing.open_matches)}) do not count"
        )
    elif row.state != "finished":
        terminal.line(f"{row.state}: not all was played")
    terminal.table(*_table(standing.rows))
    terminal.line(_scale(found))
    for note in standing.notes:
        terminal.line(note)


def _table(rows: "tuple[Row, ...]") -> tuple[list[Column], list[list[str]]]:
    """Lay out the rows; columns that say nothing in this standing are left out."""
    columns = [
        (Column("#", right=True), [figures.NOTHING if row.rank is None else str(row.rank) for row in rows]),
        (Column("bot", keep=True), [row.name for row in rows]),
        (Column("Elo", right=True), [figures.elo(row.elo) for row in rows]),
        (Column("±", right=True), [figures.margin(row.plus_minus) for row in rows]),
        (Column("> next %", right=True, drop=1), [figures.share(row.above_next) for row in rows]),
        (Column("matches", right=True, drop=2), [figures.count(row.matches) for row in rows]),
        (Column("wins", right=True, drop=8), [figures.count(row.wins) for row in rows]),
        (Column("win %", right=True, drop=3), [figures.share(row.win_share) for row in rows]),
        (Column("points/round", right=True, drop=5), [figures.signed(row.points_per_round) for row in rows]),
        (Column("faults", right=True, drop=4), [figures.count(row.faults) for row in rows]),
    ]
    if any(row.deaths for row in rows):
        columns.append((Column("deaths", right=True), [figures.count(row.deaths) for row in rows]))
    columns.append(
        (
            Column("time/decision", right=True, drop=7),
            [figures.duration_us(row.us_per_decision) for row in rows],
        )
    )
    if any(row.open_sets for row in rows):
        columns.append(
            (Column("open sets", right=True, drop=6), [figures.count(row.open_sets) for row in rows])
        )
    if any(row.note for row in rows):
        columns.append((Column("note"), [row.note for row in rows]))
    return [column for column, _ in columns], [
        list(line) for line in zip(*(cells for _, cells in columns), strict=True)
    ]


def _scale(found: "TournamentStanding") -> str:
    """Say what the ratings are relative to."""
    standing = found.standing
    names = {line.number: line.name for line in standing.rows}
    if standing.anchor is not None:
        base = f"{names.get(standing.anchor.number, 'the anchor')} is fixed at {standing.anchor.elo:.0f}"
    else:
        base = "1500 is the middle of the field"
    scale = f"Elo: {base}, ± is half of a 95 % interval"
    return f"{scale}; > next: how sure it is that this bot is better than the next"


def _next_steps(found: "TournamentStanding") -> list[str]:
    name = found.tournament.name
    if found.tournament.state in {"open", "running"}:
        return [f"arena tournament run {name}"]
    return [f"arena tournament show {name}", f"arena standings {name} --json"]
