"""The options that say what a tournament plays, and the value they make."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli.arguments import OneOf
from arena.cli.names import BotName, LevelName, RulesetName
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session
from arena.errors import UsageError, nearest, quote

if TYPE_CHECKING:
    from arena.botproc.limits import Limits
    from arena.service.tournaments import TournamentSpec
    from arena.store.pool import Database
    from arena.store.rows import TournamentRow

LONGEST_MS: Final = 600_000
"""No match may last longer, whatever its decisions take."""
FLAGS: Final = {"ruleset": "--rules", "deal_sets": "--sets", "twins": "--twin", "format_name": "--format"}
"""Options whose flag is not their name."""


def spec_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say what is played."""
    options = [
        click.option(
            "--rules",
            "ruleset",
            metavar="NAME|FILE",
            type=RulesetName(),
            help="Preset or TOML file.  [default: mattel]",
        ),
        click.option(
            "--sets", "deal_sets", type=int, help="Deal sets of each pairing.  [default: 100; ladder: 50]"
        ),
        click.option(
            "--format",
            "format_name",
            type=OneOf(["round_robin", "gauntlet", "balanced", "swiss", "ladder"]),
            metavar="NAME",
            help="round_robin, gauntlet, balanced, swiss or ladder.  [default: round_robin]",
        ),
        click.option("--folds", type=int, help="How often a round robin is gone through.  [default: 1]"),
        click.option("--tables", type=int, help="Tables of `balanced`.  [default: all pairs meet]"),
        click.option("--rounds", type=int, help="Rounds of `swiss`.  [default: log2 of the entries]"),
        click.option(
            "--against",
            multiple=True,
            metavar="BOT",
            type=BotName(),
            help="Whom all others play in a `gauntlet`.",
        ),
        click.option("--seats", type=int, help="Bots at a table, 2 to 10.  [default: 2]"),
        click.option(
            "--twin", "twins", multiple=True, metavar="BOT", type=BotName(), help="Enter this bot twice."
        ),
        click.option(
            "--budget-ms",
            type=int,
            help="Milliseconds for one decision; a match must fit in 600 s.  [default: 20]",
        ),
        click.option(
            "--bank-ms", type=int, help="Milliseconds beyond it for a match, 0 to 600,000.  [default: 10000]"
        ),
        click.option(
            "--hello-ms", type=int, help="Milliseconds to start and say hello, 1 to 600,000.  [default: 5000]"
        ),
        click.option("--memory-mib", type=int, help="Memory that a bot may ask for, in MiB.  [default: 512]"),
        click.option(
            "--processes", type=int, help="Processes and threads that a bot may ask for.  [default: 64]"
        ),
        click.option("--cores", type=float, help="Share of its core that a bot may ask for.  [default: 1]"),
        click.option(
            "--secret", metavar="HEX", help="Repeat the deals of the tournament that had this secret."
        ),
        click.option("--unrated", is_flag=True, default=None, help="Keep it out of wider standings."),
        click.option(
            "--open-hands", is_flag=True, default=None, help="Show cards before a deal set is done."
        ),
        click.option(
            "--sandbox", metavar="LEVEL", type=LevelName(), help="Weakest isolation; none plays unrated."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def make_spec(
    session: Session, name: str, bots: tuple[str, ...], options: dict[str, Any]
) -> "TournamentSpec":
    """Return what the options ask for."""
    from arena.match.plan import ClockSettings
    from arena.service.tournaments import TournamentSpec
    from arena.tournament.plans import HELPING_SETS, LADDER
    from arena.tournament.seeds import parse_secret

    session.set(sandbox=options["sandbox"])
    clock = {
        name: options[name] for name in ("budget_ms", "bank_ms", "hello_ms") if options[name] is not None
    }
    for option, value in clock.items():
        least = 0 if option == "bank_ms" else 1
        if not least <= value <= LONGEST_MS:
            raise UsageError(
                f"--{option.replace('_', '-')}: {least} to {LONGEST_MS:,} ms are possible, not {quote(value)}"
            )
    given = {
        name: options[name]
        for name in ("deal_sets", "seats", "unrated", "open_hands")
        if options[name] is not None
    }
    plan = _format(options, tuple(options.get("against") or ()))
    if plan == LADDER:
        given.setdefault("deal_sets", HELPING_SETS)
    sandbox = session.settings.sandbox
    against = tuple(options.get("against") or ())
    bots = (*against, *(bot for bot in bots if bot not in against))
    return TournamentSpec(
        name=name,
        ruleset=read_ruleset(options["ruleset"] or "mattel"),
        bots=(*bots, *(twin for twin in options["twins"] if twin not in bots)),
        twins=tuple(options["twins"]),
        clock=ClockSettings(**clock, tables_max=session.settings.tables_max),
        secret=None if options["secret"] is None else parse_secret(options["secret"]),
        # "auto" takes the best that a machine gives, and landlock is the weakest that counts.
        isolation="landlock" if sandbox == "auto" else sandbox,
        format=plan,
        ceiling=_ceiling(session, options),
        most=session.ceiling,
        **given,
    )


def _ceiling(session: Session, options: dict[str, Any]) -> "Limits":
    """Return the most that a bot may ask for in the tournament.

    Raises:
        UsageError: It is nothing, or more than the settings of this platform allow.
    """
    from arena.botproc.limits import MIB, make_ceiling

    most = session.ceiling
    usual = make_ceiling(512, 64)
    values = []
    for name, here, default in (
        ("memory_mib", most.memory_bytes // MIB, usual.memory_bytes // MIB),
        ("processes", most.processes, usual.processes),
        ("cores", most.cores, usual.cores),
    ):
        asked = options.get(name)
        if asked is not None and not 0 < asked <= here:
            more = "" if name == "cores" else f"; the setting {name}_max allows more"
            raise UsageError(f"--{name.replace('_', '-')}: above 0 and at most {here:,} are possible{more}")
        values.append(min(default, here) if asked is None else asked)
    return make_ceiling(int(values[0]), int(values[1]), round(values[2] * 1000))


def _format(options: dict[str, Any], against: tuple[str, ...]) -> str:
    """Return the format that the options ask for, as one line of text.

    Raises:
        UsageError: An option belongs to another format, or a gauntlet has no challenger.
    """
    from arena.tournament.plans import ROUND_ROBIN, Plan

    name = options.get("format_name") or ("gauntlet" if against else ROUND_ROBIN)
    number = 0
    for option, of in (("folds", ROUND_ROBIN), ("tables", "balanced"), ("rounds", "swiss")):
        if (value := options.get(option)) is None:
            continue
        if of != name:
            raise UsageError(f"--{option} is of --format {of}, not of {name}")
        if value < 1:
            raise UsageError(f"--{option}: at least 1 is needed, not {value}")
        number = value
    if (name == "gauntlet") != bool(against):
        raise UsageError("a gauntlet needs --against BOT, whom all others play, and no other format takes it")
    if against:
        number = len(against) + sum(twin in against for twin in options["twins"])
    return Plan(name, 0 if name == ROUND_ROBIN and number == 1 else number).text


def find_or_create(
    session: Session, database: "Database", name: str, bots: tuple[str, ...], options: dict[str, Any]
) -> "TournamentRow":
    """Return the tournament that a run means: one that exists, or one made now of these bots.

    Raises:
        UsageError: It exists with other arguments, or is new and names no bots.
    """
    from arena.service import tournaments, watching

    if bots:
        row = tournaments.create(database, make_spec(session, name, bots, options))
        if (against := options["against"]) and options["format_name"] is None:
            session.terminal.note(
                f"{row.name}: a gauntlet, since --against is given: "
                f"at every table sits {' or '.join(against)}"
            )
        return row
    kept = {"sandbox", "at_most"}
    strange = [key for key, value in options.items() if key not in kept and value not in {None, ()}]
    found = watching.find(database, name)
    if found is None:
        near = nearest(name, [row.name for row in watching.list_all(database)])
        raise UsageError(
            f"tournament {name!r} is new{near}: name its bots, `arena tournament run {name} BOT BOT...`"
        )
    if strange:
        option = FLAGS.get(strange[0], "--" + strange[0].replace("_", "-"))
        raise UsageError(
            f"tournament {found.name!r} exists and {option} cannot change it: leave it out to go on"
        )
    return found
