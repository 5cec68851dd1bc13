"""`arena standings --method`: an online rating, named as what it is."""

from dataclasses import asdict
from typing import Final

from arena.cli import figures
from arena.cli.session import Session
from arena.cli.terminal import Column

NAMES: Final = {"glicko2": "Glicko-2", "openskill": "OpenSkill mu"}
"""What the ratings are called."""


def show_online(
    session: Session, tournament: str | None, method: str, *, as_json: bool, as_csv: bool
) -> None:
    """Print the online ratings of a tournament, by default of the latest."""
    from arena.service.standings import online_standing

    with session.database() as database:
        found = online_standing(database, tournament, method)
    terminal, row = session.terminal, found.tournament
    rows = [{"bot": found.names[each.number]} | asdict(each) for each in found.rows]
    if as_json:
        told = {"tournament": row.name, "state": row.state, "method": method, "is_online": True}
        told |= {"annulled_matches": found.found.annulled, "notes": found.found.standing.notes}
        terminal.json(told | {"rows": rows})
        return
    if as_csv:
        titles = ["bot", "number", "rating", "plus_minus", "matches"]
        terminal.csv(titles, [[each[title] for title in titles] for each in rows])
        return
    digits = 0 if method == "glicko2" else 2
    terminal.line(f"{row.name}: {NAMES[method]}, an online rating" + _incomplete(row.state))
    terminal.table(
        [
            Column("#", right=True),
            Column("bot", keep=True),
            Column(NAMES[method], right=True),
            Column("±", right=True),
            Column("matches", right=True),
        ],
        [
            [
                str(place) if each.matches else figures.NOTHING,
                found.names[each.number],
                f"{each.rating:.{digits}f}" if each.matches else figures.NOTHING,
                f"{each.plus_minus:.{digits}f}" if each.matches else figures.NOTHING,
                figures.count(each.matches),
            ]
            for place, each in enumerate(found.rows, start=1)
        ],
    )
    terminal.line(
        "updated match by match in schedule order; its ± takes matches that share their cards for "
        "independent: `arena standings` without --method has the rating to trust"
    )
    for note in filter(None, [*found.found.standing.notes, found.found.without]):
        terminal.line(note)
    terminal.hint(f"arena standings {row.name}")


def _incomplete(state: str) -> str:
    return "" if state == "finished" else "; incomplete: not all is played"
