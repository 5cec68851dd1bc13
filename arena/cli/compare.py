"""`arena compare`: plays two bots against each other until it is known which one is better."""

import time
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from arena.cli import figures
from arena.cli.names import BotName, LevelName, RulesetName
from arena.cli.session import Session, json_option, pass_session
from arena.errors import UnfinishedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from arena.cli.terminal import Terminal
    from arena.ratings.sequential import Design
    from arena.service.compare import Compared
    from arena.service.tournaments import TournamentSpec
    from arena.store.pool import Database

AT_MOST: Final = 20_000
"""Deal sets after which nobody waits any longer."""
POLL_S: Final = 0.5
LINE_S: Final = 10.0
BAR: Final = 30


@click.command(epilog="Example: arena compare greedy veteran --elo 50")
@click.argument("first", type=BotName(), metavar="A")
@click.argument("second", type=BotName(), metavar="B")
@click.option("--elo", "width", type=float, default=10.0, show_default=True, help="What is close enough.")
@click.option("--error", type=float, default=0.05, show_default=True, help="How often it may be wrong.")
@click.option(
    "--at-most", "at_most", type=int, default=AT_MOST, show_default=True, help="Deal sets at the most."
)
@click.option(
    "--rules", "ruleset", metavar="NAME|FILE", type=RulesetName(), help="What is played.  [default: mattel]"
)
@click.option("--workers", type=int, help="Workers to start.  [default: one a core]")
@click.option("--sandbox", metavar="LEVEL", type=LevelName(), help="Weakest isolation.")
@json_option
@pass_session
def compare(session: Session, /, first: str, second: str, as_json: bool, **options: Any) -> None:
    """Play two bots against each other until a test tells which is better.

    The test looks at complete deal sets in the order in which they were planned, and its verdict stays: the
    same command prints it again, or goes on where it was interrupted. With a larger --at-most it goes on from
    there, too, and when deal sets of it were annulled it plays others.

    Every answer ends with exit code 0, also "not told apart" and "identical so far": a script reads `verdict`
    and `decided` from --json. An interrupted comparison ends with 3.
    """
    from arena.ratings.sequential import Design
    from arena.service import compare as comparisons

    design = Design(options["width"], options["error"])
    if options["at_most"] < 1:
        raise UsageError(f"--at-most: at least one deal set is needed, not {options['at_most']}")
    session.set(sandbox=options["sandbox"], workers=options["workers"], job_target_s=comparisons.JOB_SECONDS)
    session.check_level()
    with _resumable(first, second), session.database() as database:
        row = comparisons.create(database, _spec(session, (first, second), options), design)
        asked_first = comparisons.name_version(database, first)

        def look() -> "Compared":
            found = comparisons.look(database, row.name, design, options["at_most"])
            return found.told_from(asked_first)

        found = look()
        if not found.over:
            found = _play(session, database, look)
    if as_json:
        session.terminal.json(_facts(found, design))
        return
    session.terminal.line(tell(found, design))
    for note in _notes(found):
        session.terminal.note(note)
    more = [] if found.comparison.decided or found.stuck else [_ask_for_more(first, second, found)]
    session.terminal.hint(*more, f"arena standings {found.tournament.name}    what was played")


@contextmanager
def _resumable(first: str, second: str) -> "Iterator[None]":
    """Say of an interrupted comparison how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        raise UnfinishedError(
            f"interrupted, and nothing is lost: `arena compare {first} {second}`, with the same options, "
            "goes on"
        ) from None


def _notes(found: "Compared") -> list[str]:
    """Say what does not count, and why nothing more is played."""
    notes = []
    if found.annulled:
        notes.append(f"annulled: {figures.count(found.annulled)} deal sets do not count")
    if found.stuck:
        why = (
            f"{' and '.join(found.suspended)} suspended: processes died too often" if found.suspended else ""
        )
        notes.append(f"nothing more is played: {why or 'it was cancelled'}")
    return notes


def _ask_for_more(first: str, second: str, found: "Compared") -> str:
    from arena.service.tournaments import DEAL_SETS_MAX

    more = min(10 * found.at_most, DEAL_SETS_MAX)
    return f"arena compare {first} {second} --at-most {more}    with the same options goes on"


def _spec(session: Session, bots: tuple[str, str], options: dict[str, Any]) -> "TournamentSpec":
    from arena.cli.tournament_spec import make_spec

    rest = ("seats", "budget_ms", "bank_ms", "hello_ms", "secret", "open_hands")
    asked = dict.fromkeys(rest) | {
        "ruleset": options["ruleset"],
        "deal_sets": options["at_most"],
        "sandbox": options["sandbox"],
        "unrated": True,
        "twins": (),
    }
    return make_spec(session, "compare", bots, asked)


def _play(session: Session, database: "Database", look: "Callable[[], Compared]") -> "Compared":
    """Play until the test has decided, or all that was asked for is played; stop the tournament then."""
    from arena.cli.tournament import noted_interrupt
    from arena.service import compare as comparisons
    from arena.service import tournaments

    name, target_s = look().tournament.name, session.settings.job_target_s
    with session.workers() as crew, noted_interrupt(session.terminal, name, is_own=crew.is_own):
        crew.tell_interrupted(session.terminal, name)

        def look_on() -> "Compared":
            found = look()
            if found.stands and not found.over:
                # It was answered once, or another one who asked for less has stopped it.
                comparisons.go_on(database, found, workers=crew.amount, job_seconds=target_s)
            return found

        try:
            comparisons.go_on(database, look(), workers=crew.amount, job_seconds=target_s)
            found = _watch(session.terminal, look_on)
            comparisons.stop(database, name)
        except KeyboardInterrupt:
            if crew.is_own:
                tournaments.pause(database, name)
            raise
    return found


def _watch(terminal: "Terminal", look: "Callable[[], Compared]") -> "Compared":
    """Show how near a verdict is until there is one."""
    if not terminal.is_watched:
        printed, said = float("-inf"), ""
        while not (found := look()).over:
            # Until the first deal sets are complete there is nothing new to say.
            if time.monotonic() - printed >= LINE_S and (line := describe(found)) != said:
                terminal.note(line)
                printed, said = time.monotonic(), line
            time.sleep(POLL_S)
        return found
    from rich.live import Live
    from rich.text import Text

    with Live(console=terminal.console(), auto_refresh=False, transient=True) as live:
        while not (found := look()).over:
            filled = round(BAR * found.comparison.progress)
            bar = ("━" * filled, "green"), ("─" * (BAR - filled), "dim")
            live.update(Text.assemble(*bar, f"  {describe(found)}"), refresh=True)
            time.sleep(POLL_S)
    return found


def describe(found: "Compared") -> str:
    """Say in one line how far a comparison is."""
    told = found.comparison
    first, second = found.labels
    score = "" if told.score is None else f", {first} scores {told.score:.1%} ± {told.plus_minus or 0:.1%}"
    return f"{first} against {second}: {figures.count(told.sets)} deal sets{score}"


def tell(found: "Compared", design: "Design") -> str:
    """Say the verdict in one line."""
    from arena.ratings.sequential import Verdict

    first, second = found.labels
    why = {
        Verdict.FIRST: f"{first} is better than {second}",
        Verdict.SECOND: f"{second} is better than {first}",
        Verdict.CLOSE: f"not told apart: {first} and {second} are closer than {design.width_elo:g} Elo",
        Verdict.IDENTICAL: f"identical so far: {first} and {second} split every deal set evenly",
        Verdict.OPEN: f"not told apart: no verdict yet on {first} and {second}",
    }[found.comparison.verdict]
    # Who has not decided cannot be wrong.
    is_verdict = found.comparison.verdict not in {Verdict.IDENTICAL, Verdict.OPEN}
    wrong = f"; wrong in at most {design.error:.0%}" if is_verdict else ""
    return f"{why} ({describe(found).partition(': ')[2]}{wrong})"


def _facts(found: "Compared", design: "Design") -> dict[str, object]:
    """Return a comparison as JSON has it."""
    return {
        "tournament": found.tournament.name,
        "bots": found.labels,
        "width_elo": design.width_elo,
        "error": design.error,
    } | asdict(found.comparison)
