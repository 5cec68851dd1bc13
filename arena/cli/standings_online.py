"""`arena standings --method`: an online rating, named as what it is."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from arena.cli import figures
from arena.cli.session import Session
from arena.cli.terminal import Column

if TYPE_CHECKING:
    from arena.rules.options import Ruleset
    from arena.service.overall import OverallOnline
    from arena.service.standings import OnlineStanding

NAMES: Final = {"glicko2": "Glicko-2", "openskill": "OpenSkill mu"}
"""What the ratings are called."""


def show_online(
    session: Session,
    scope: "str | tuple[Ruleset | None, int | None] | None",
    method: str,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print online ratings.

    Args:
        session: Where the matches are.
        scope: A tournament's name, None for the latest; or ruleset and table size of all matches together.
        method: Which rating.
        as_json: For programs.
        as_csv: For spreadsheets.
    """
    from arena.service.overall import overall_online
    from arena.service.standings import online_standing

    with session.database() as database:
        found: OnlineStanding | OverallOnline
        if isinstance(scope, tuple):
            found = overall_online(database, *scope, method)
        else:
            found = online_standing(database, scope, method)
    terminal = session.terminal
    # Where a method saw no match its figures are those that it begins with: they say nothing of the bot.
    unknown = {"rating": None, "plus_minus": None}
    rows = [
        {"bot": found.names[each.number]} | asdict(each) | ({} if each.matches else unknown)
        for each in found.rows
    ]
    if as_json:
        told = _scope_facts(found) | {"method": method, "is_online": True}
        told |= {"annulled_matches": found.found.annulled, "notes": found.found.standing.notes}
        terminal.json(told | {"rows": rows})
        return
    if as_csv:
        titles = ["bot", "number", "rating", "plus_minus", "matches", "rank", "group", "note"]
        terminal.csv(titles, [[each[title] for title in titles] for each in rows])
        return
    digits = 0 if method == "glicko2" else 2
    whose, rest, trusted = _describe(found)
    is_noted = any(each.note for each in found.rows)
    terminal.line(f"{whose}: {NAMES[method]}, an online rating{rest}")
    terminal.table(
        [
            Column("#", right=True),
            Column("bot", keep=True),
            Column(NAMES[method], right=True),
            Column("±", right=True),
            Column("matches", right=True),
            *([Column("note")] if is_noted else []),
        ],
        [
            [
                str(each.rank) if each.rank else figures.NOTHING,
                found.names[each.number],
                f"{each.rating:.{digits}f}" if each.matches else figures.NOTHING,
                f"{each.plus_minus:.{digits}f}" if each.matches else figures.NOTHING,
                figures.count(each.matches),
                *([each.note] if is_noted else []),
            ]
            for each in found.rows
        ],
    )
    terminal.line(
        "updated match by match in schedule order; its ± takes matches that share their cards for "
        "independent: `arena standings` without --method has the rating to trust"
    )
    annulled = found.found.annulled
    without = f"annulled: {figures.count(annulled)} matches do not count" if annulled else ""
    for note in filter(None, [*found.found.standing.notes, without]):
        terminal.line(note)
    terminal.hint(trusted)


def _scope_facts(found: "OnlineStanding | OverallOnline") -> dict[str, object]:
    """Return whose ratings these are, as the JSON of a standing has it."""
    from arena.service.standings import OnlineStanding

    if isinstance(found, OnlineStanding):
        return {"tournament": found.tournament.name, "state": found.tournament.state}
    of = found.found
    return {
        "tournaments": of.tournaments,
        "repeated": of.repeated,
        "ruleset": of.ruleset_name,
        "rules_epoch": of.rules_epoch,
        "seats": of.standing.seats,
    }


def _describe(found: "OnlineStanding | OverallOnline") -> tuple[str, str, str]:
    """Say whose ratings these are, what is missing, and which command has those to trust."""
    from arena.service.standings import OnlineStanding

    if isinstance(found, OnlineStanding):
        row = found.tournament
        rest = "" if row.state == "finished" else "; incomplete: not all is played"
        return row.name, rest, f"arena standings {row.name}"
    of, amount = found.found, len(found.found.tournaments)
    whose = f"all of {of.ruleset_name}, tables of {of.standing.seats}, rules epoch {of.rules_epoch}"
    return f"{whose}, {amount} tournament{'' if amount == 1 else 's'}", "", "arena standings --all"
