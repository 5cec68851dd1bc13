"""`arena standings`: who is better, and how sure that is."""

import itertools
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from arena.cli import figures
from arena.cli.arguments import OneOf
from arena.cli.names import BotName, ColumnNames, RulesetName, TournamentName
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Terminal
from arena.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.ratings.standing import Standing
    from arena.service.habits import TournamentHabits
    from arena.service.overall import OverallStanding
    from arena.service.standings import TournamentStanding
    from arena.store.rows import TournamentRow


TOLD_AND_SHARED: Final = (
    '"told" is about two neighbours, ranks about all others at once (Holm), which takes more deal sets'
)
"""Why two that are told apart may still have each other's rank."""


@click.command(epilog="Example: arena standings cup --anchor random=1000")
@click.argument("tournament", required=False, type=TournamentName())
@click.option(
    "--anchor",
    metavar="BOT[=ELO]",
    type=BotName(),
    help="Fix one bot's rating instead of the middle of 1500.",
)
@click.option(
    "--columns",
    metavar="NAME,NAME",
    type=ColumnNames(),
    help="Which columns, in this order: bot,elo,ranks; all is every one, habits how the bots play.",
)
@click.option(
    "--all", "is_overall", is_flag=True, help="All rated matches of one ruleset and table size, by version."
)
@click.option(
    "--rules",
    "ruleset",
    metavar="NAME|FILE",
    type=RulesetName(),
    help="With --all: which.  [default: the latest]",
)
@click.option("--seats", type=int, help="With --all: the table size.  [default: the latest]")
@click.option(
    "--method",
    type=OneOf(["elo", "glicko2", "openskill"]),
    default="elo",
    show_default=True,
    help="elo is the joint fit; the others are online ratings, whose figures hang on the order of matches, "
    "which is the schedule's; with --all the tournaments follow each other as they were created.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
@pass_session
def standings(
    session: Session,
    tournament: str | None,
    anchor: str | None,
    columns: str | None,
    is_overall: bool,
    ruleset: str | None,
    seats: int | None,
    method: str,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print the standing of a tournament, by default of the latest.

    With --all over all rated matches of one ruleset, rules epoch and table size, one row a version.
    """
    from arena.cli.standing_columns import COLUMNS, choose_columns, needs_habits, values
    from arena.service.habits import tournament_habits
    from arena.service.overall import overall_standing
    from arena.service.standings import tournament_standing

    if as_json and as_csv:
        raise UsageError("--json and --csv exclude each other: choose one")
    chosen = choose_columns(columns)  # a wrong name is told before anything is read
    bot, elo = parse_anchor(anchor)
    if is_overall and tournament is not None:
        raise UsageError("--all is of no single tournament: leave its name out")
    if is_overall and needs_habits(chosen):
        raise UsageError("--columns: how bots play is told of one tournament: leave --all out")
    if not is_overall and (ruleset, seats) != (None, None):
        raise UsageError("--rules and --seats are of --all: a tournament has its own")
    if method != "elo":
        from arena.cli.standings_online import show_online

        if anchor or columns:
            raise UsageError(
                f"--method {method} knows no --anchor and no --columns: they are of the joint fit"
            )
        rules = None if ruleset is None else read_ruleset(ruleset)
        scope = (rules, seats) if is_overall else tournament
        show_online(session, scope, method, as_json=as_json, as_csv=as_csv)
        return
    with session.database() as database:
        found: TournamentStanding | OverallStanding
        if is_overall:
            rules = None if ruleset is None else read_ruleset(ruleset)
            found = overall_standing(database, rules, seats, anchor=bot, anchor_elo=elo)
        else:
            found = tournament_standing(database, tournament, anchor=bot, anchor_elo=elo)
        habits = tournament_habits(database, tournament) if needs_habits(chosen) else None
    if as_json:
        session.terminal.json(standing_facts(found, habits))
        return
    if as_csv:
        shown = chosen or list(COLUMNS)
        session.terminal.csv(shown, values(shown, found.standing.rows, habits.by_number if habits else {}))
        return
    show_standing(session.terminal, found, chosen, habits)
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


def standing_facts(
    found: "TournamentStanding | OverallStanding", habits: "TournamentHabits | None" = None
) -> dict[str, object]:
    """Return a standing as JSON has it; with how the bots play where that was asked for."""
    from arena.cli.standing_columns import bounded_sets
    from arena.service.standings import TournamentStanding

    standing = found.standing
    of: TournamentRow | OverallStanding
    scope: dict[str, object]
    if isinstance(found, TournamentStanding):
        of = found.tournament
        scope = {"tournament": of.name, "state": of.state, "rated": not of.unrated}
    else:
        of = found
        scope = {"tournaments": of.tournaments, "repeated": of.repeated, "rated": True}
    return scope | {
        "ruleset": of.ruleset_name,
        "ruleset_digest": of.ruleset_digest,
        "rules_epoch": of.rules_epoch,
        "seats": standing.seats,
        "matches": standing.matches,
        "complete_sets": standing.complete_sets,
        "open_matches": standing.open_matches,
        "annulled_matches": found.annulled,
        "anchor": None if standing.anchor is None else asdict(standing.anchor),
        "notes": standing.notes,
        "noise_floors": [asdict(floor) for floor in standing.floors],
        "rows": [
            asdict(line)
            | {"sets_to_next": bounded_sets(line)}
            | ({} if habits is None else {"habits": asdict(habits.by_number[line.number].habits)})
            for line in standing.rows
        ],
    }


def show_standing(
    terminal: Terminal,
    found: "TournamentStanding | OverallStanding",
    chosen: "Sequence[str] | None" = None,
    habits: "TournamentHabits | None" = None,
) -> None:
    """Print a standing as a table, of these columns or of those that say something."""
    from arena.cli.habit_columns import LEGEND
    from arena.cli.standing_columns import lay_out
    from arena.service.standings import TournamentStanding

    standing = found.standing
    if isinstance(found, TournamentStanding):
        _tell_tournament(terminal, found)
    else:
        _tell_overall(terminal, found)
    if found.annulled:
        terminal.line(
            f"annulled: {figures.count(found.annulled)} matches do not count; "
            "`arena match annulments` says why"
        )
    terminal.table(*lay_out(chosen, standing.rows, habits.by_number if habits else {}))
    terminal.line(_scale(standing))
    if habits is not None:
        terminal.line(f"how they played, in the newest {figures.count(habits.matches)} matches, {LEGEND}")
    for line in tell_floors(standing):
        terminal.line(line)
    if standing.open_matches:
        terminal.line(
            "faults, deaths and time count in all "
            f"{figures.count(standing.matches + standing.open_matches)} matches, those of open deal sets too"
        )
    for note in standing.notes:
        terminal.line(note)


def _tell_overall(terminal: Terminal, found: "OverallStanding") -> None:
    """Say what a standing over tournaments rests on."""
    standing, amount = found.standing, len(found.tournaments)
    terminal.line(
        f"all of {found.ruleset_name}, tables of {standing.seats}, rules epoch {found.rules_epoch}: "
        f"{figures.count(standing.matches)} matches in {figures.count(standing.complete_sets)} complete deal "
        f"sets of {amount} tournament{'' if amount == 1 else 's'}"
    )
    if found.repeated:
        terminal.line(f"left out, for they repeat the deals of others: {', '.join(found.repeated)}")


def _tell_tournament(terminal: Terminal, found: "TournamentStanding") -> None:
    """Say what a tournament's standing rests on, and what is missing."""
    row, standing = found.tournament, found.standing
    terminal.line(
        f"{row.name}: {row.ruleset_name}, tables of {row.seats}, {figures.count(standing.matches)} matches "
        f"in {figures.complete_sets(standing.complete_sets)}"
    )
    if row.unrated:
        why = "no sandbox" if row.isolation == "none" else "as it was asked for"
        terminal.line(f"unrated: {why}")
    if row.format == "compare":
        terminal.line("a comparison, which ends by how it goes: `arena compare` has the verdict to trust")
    elif row.format == "ladder" and row.state == "running":
        now = "it rests and can go on" if row.paused else "it goes on"
        terminal.line(f"incomplete: a ladder has no end, {now}; its scouts, a quarter of all, never count")
    elif row.state == "running":
        terminal.line(
            f"incomplete: matches in open deal sets ({figures.count(standing.open_matches)}) do not count"
        )
    elif row.state != "finished":
        terminal.line(f"{row.state}: not all was played")


def tell_floors(standing: "Standing") -> list[str]:
    """Say how far apart bots seem that are equal by nature, one sentence for each that has a twin."""
    names = {line.number: line.name for line in standing.rows}
    told = []
    for floor in standing.floors:
        name = names[floor.first]
        chance = f"equal bots seem up to {floor.floor:.0f} Elo apart here by chance (95 %)"
        apart = f"noise floor of {name}: it and its twin are {floor.apart:.0f} Elo apart"
        if floor.is_permuted:
            sets = f"{figures.count(floor.deal_sets)} deal set{'s' if floor.deal_sets > 1 else ''}"
            why = f"they split all {sets}, too few to tell whether it decides by chance"
            if floor.decides_without_chance:
                why = f"it decides without chance: they split all {sets}"
            told.append(
                f"{apart}; {why}; with the results of every deal set permuted among its bots, {chance}"
            )
        else:
            told.append(f"{apart}; {chance}")
    return told


def _scale(standing: "Standing") -> str:
    """Say what the ratings are relative to."""
    rated = {line.number: line.name for line in standing.rows if line.elo is not None}
    if standing.anchor is not None and standing.anchor.number in rated:
        base = f"{rated[standing.anchor.number]} is fixed at {standing.anchor.elo:.0f}"
    else:
        base = "1500 is the middle of the field"
    scale = f"Elo: {base}, ± is half of a 95 % interval"
    return (
        f"{scale}; ranks: those that are possible at 95 %; > next: how sure it is that this bot is better "
        "than the next; sets to tell: how many more deal sets the two need to be told apart"
        + (f"; {TOLD_AND_SHARED}" if _are_told_and_share(standing) else "")
    )


def _are_told_and_share(standing: "Standing") -> bool:
    """Say whether two neighbours are told apart though each may have the other's rank."""
    return any(
        row.sets_to_next == 0 and (row.worst_rank or 0) >= (after.best_rank or 0)
        for row, after in itertools.pairwise(standing.rows)
    )


def _next_steps(found: "TournamentStanding | OverallStanding") -> list[str]:
    from arena.service.standings import TournamentStanding

    if not isinstance(found, TournamentStanding):
        return ["arena tournament list", "arena standings NAME"]
    name = found.tournament.name
    if found.tournament.state in {"open", "running"} and found.tournament.format != "compare":
        return [f"arena tournament run {name}"]
    return [f"arena tournament show {name}", f"arena standings {name} --json"]
