"""`arena tournament`: create, enter, run, watch, list, show."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from arena.cli.again import again
from arena.cli.group import Commands
from arena.cli.names import BotName, TournamentName
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal
from arena.cli.tournament_look import (
    describe,
    get_named,
    list_tournaments,
    show_tournament,
    tournament_facts,
)
from arena.cli.tournament_spec import find_or_create, make_spec, spec_options
from arena.errors import UnfinishedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.service.watching import Watched
    from arena.store.pool import Database
    from arena.store.rows import TournamentRow


class TournamentCommands(Commands):
    """The commands of a tournament; some are in files of their own."""

    lazy = {  # noqa: RUF012 (never changed)
        "cancel": "tournament_cancel:cancel",
        "export": "tournament_file:export",
        "import": "tournament_file:import_file",
    }


@click.group(cls=TournamentCommands, epilog="Example: arena tournament run cup greedy random")
def tournament() -> None:
    """Create, run and look at tournaments."""


@tournament.command("create", epilog="Example: arena tournament create cup --sets 400")
@click.argument("name", type=TournamentName())
@click.argument("bots", nargs=-1, metavar="[BOT]...", type=BotName())
@spec_options
@json_option
@pass_session
def create(session: Session, /, name: str, bots: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Create a tournament; without bots its entries are open.

    Without bots the hash of the secret is printed before anybody enters: after the end everybody can check
    that the deals were fixed before the bots were known.
    """
    from arena.service import tournaments, watching

    with session.database(make=not bots) as database:  # where nothing is, no bot can be entered
        row = tournaments.create(database, make_spec(session, name, bots, options))
        entries = len(watching.entries(database, row.name))
    terminal = session.terminal
    if as_json:
        terminal.json(tournament_facts(row))
        return
    terminal.line(f"{row.name}: {describe(row, entries)}")
    terminal.line(f"secret hash: {row.secret_hash.hex()}")
    if row.proven:
        terminal.line(
            "The hash fixes every deal before the bots are known; the secret is shown after the end."
        )
        terminal.hint(f"arena tournament enter {row.name} BOT BOT...", f"arena tournament run {row.name}")
        return
    terminal.line(
        "Created with its bots at once: its deals can be repeated, but nobody can prove them unchosen."
    )
    terminal.hint(f"arena tournament run {row.name}")


@tournament.command("enter", epilog="Example: arena tournament enter cup greedy veteran@1")
@click.argument("name", type=TournamentName())
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BotName())
@click.option("--twin", "twins", multiple=True, metavar="BOT", type=BotName(), help="Enter this bot twice.")
@pass_session
def enter(session: Session, name: str, bots: tuple[str, ...], twins: tuple[str, ...]) -> None:
    """Enter bots into a tournament that has not begun, or into a ladder, which takes them at any time."""
    from arena.service import tournaments

    with session.database() as database:
        entered = [*bots, *(twin for twin in twins if twin not in bots)]
        entries = tournaments.enter(database, name, entered, twins, session.ceiling)
    session.terminal.table(
        [Column("entry", keep=True), Column("digest", whole=True)],
        [(entry.label, entry.digest.hex()[:12]) for entry in entries],
    )
    session.terminal.hint(f"arena tournament run {name}    closes the entries and plays")


@tournament.command("run", epilog="Example: arena tournament run cup greedy random veteran --sets 10")
@click.argument("name", type=TournamentName())
@click.argument("bots", nargs=-1, metavar="[BOT]...", type=BotName())
@spec_options
@click.option("--workers", type=int, help="Workers to start.  [default: one a core]")
@click.option(
    "--at-most",
    type=click.IntRange(min=1),
    metavar="SETS",
    help="Of a ladder: rest after the matches of so many more deal sets and the jobs then under way.  "
    "[default: at Ctrl-C]",
)
@json_option
@pass_session
def run(
    session: Session, /, name: str, bots: tuple[str, ...], workers: int | None, as_json: bool, **options: Any
) -> None:
    """Play a tournament to its end and print the standing.

    Creates it if it is new; the same name and arguments goes on where it was. Servers and workers that do not
    run yet are started, and stopped at the end. Ctrl-C loses nothing.
    """
    from arena.cli.standings import show_standing, standing_facts
    from arena.service import standings, watching

    session.set(sandbox=options["sandbox"], workers=workers)
    session.check_level()
    with resumable(name), session.database() as database:
        row = find_or_create(session, database, name, bots, options)
        if options["at_most"] and row.format != "ladder":
            raise UsageError("--at-most is of --format ladder: every other tournament has an end")
        for outdated in watching.find_outdated(database, row.name):
            session.terminal.note(f"{row.name}: {outdated}; only another tournament takes it in")
        if row.state not in {"finished", "cancelled"}:
            row = _play(session, database, row, options["at_most"])
        found = standings.tournament_standing(database, row.name)
    if as_json:
        session.terminal.json(standing_facts(found))
        return
    show_standing(session.terminal, found)
    session.terminal.hint(f"arena standings {row.name}", f"arena tournament show {row.name}")


def _play(
    session: Session, database: "Database", row: "TournamentRow", at_most: int | None
) -> "TournamentRow":
    """Play a tournament with this machine's workers, in sight of whoever looks."""
    from arena.cli.progress import Pace, describe, watch
    from arena.service import tournaments, watching

    if row.isolation != "landlock" and session.settings.sandbox == "auto":
        # What was asked for when it was created holds for every run of it.
        session.set(sandbox=row.isolation)
    tournaments.check_start(database, row.name)
    is_endless = row.format == "ladder"
    with (
        session.workers() as crew,
        noted_interrupt(session.terminal, row.name, is_own=crew.is_own, is_endless=is_endless),
    ):
        crew.tell_interrupted(session.terminal, row.name)
        try:
            tournaments.start(
                database, row.name, workers=crew.amount, job_seconds=session.settings.job_target_s
            )
            begun = watching.progress(database, row.name).totals.done
            enough = None if at_most is None else begun + at_most * row.seats
            watched = watch(
                session.terminal,
                lambda: watching.progress(database, row.name),
                find_cause=_causes(session, database),
                enough=enough,
            )
            if watched.tournament.state == "running":
                tournaments.pause(database, row.name)
        except KeyboardInterrupt:
            if crew.is_own or is_endless:
                # Workers that nobody stops would play a ladder for ever.
                tournaments.pause(database, row.name)
            raise
    if watched.tournament.state == "running":
        # What was open was played on while the workers stopped.
        session.terminal.note(f"{describe(watching.progress(database, row.name), Pace())}; it rests")
    return watched.tournament


def _causes(session: Session, database: "Database") -> "Callable[[Watched], str]":
    """Return what says of a tournament why nothing is played."""
    from arena.cli.progress import find_cause
    from arena.service.disk import why_full

    def is_full() -> str:
        return why_full(session.settings.data_folder)

    return partial(find_cause, lambda: session.look(database), session.check_broker, is_full)


@contextmanager
def resumable(name: str) -> Iterator[None]:
    """Say of an interrupted run how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        raise UnfinishedError(
            f"interrupted, and nothing is lost: `{again(f'arena tournament run {name}')}` goes on"
        ) from None


@contextmanager
def noted_interrupt(
    terminal: Terminal, name: str, *, is_own: bool, is_endless: bool = False
) -> Iterator[None]:
    """Say at once that an interrupt was heard: stopping in good order takes a few seconds."""
    try:
        yield
    except KeyboardInterrupt:
        if is_own:
            terminal.note("stopping: open matches are played on for a moment, then written")
        elif is_endless:
            terminal.note(f"{name} rests: the workers of `arena up` end what is under way and begin no more")
        else:
            terminal.note(f"the workers of `arena up` play on; `arena tournament watch {name}` shows them")
        raise


@tournament.command("watch", epilog="Example: arena tournament watch cup")
@click.argument("name", required=False, type=TournamentName())
@pass_session
def watch_tournament(session: Session, name: str | None) -> None:
    """Watch a tournament, by default the latest, without touching it."""
    from arena.cli.progress import watch
    from arena.cli.standings import show_standing
    from arena.service import standings, watching

    with session.database() as database:
        row = get_named(database, name)
        if row.state == "open":
            raise UsageError(
                f"tournament {row.name!r} has not begun: `arena tournament run {row.name}` plays it"
            )
        watch(
            session.terminal,
            lambda: watching.progress(database, row.name),
            find_cause=_causes(session, database),
        )
        found = standings.tournament_standing(database, row.name)
    show_standing(session.terminal, found)


tournament.add_command(list_tournaments)
tournament.add_command(show_tournament)
