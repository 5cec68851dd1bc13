"""`arena bot try`: how strong a bot is, before anybody else sees it."""

import secrets
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli import figures
from arena.cli.arguments import FilePath
from arena.cli.entering import enter_all
from arena.cli.names import BotOrPath, LevelName, ruleset_option
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, escape
from arena.errors import UnfinishedError, UsageError

if TYPE_CHECKING:
    from arena.cli.terminal import Terminal
    from arena.service.tryout import Tryout

LINE_S = 10.0
"""How often a line is printed where nobody watches."""


@click.command("try", epilog="Example: arena bot try mybot --against greedy --matches 50")
@click.argument("source", metavar="DIR|ZIP", type=FilePath())
@click.option(
    "--against",
    multiple=True,
    required=True,
    metavar="BOT|DIR|ZIP",
    type=BotOrPath(),
    help="An opponent; as often as wanted.",
)
@click.option(
    "--matches", type=click.IntRange(2, 100_000), default=200, show_default=True, help="For each opponent."
)
@ruleset_option
@click.option("--sandbox", type=LevelName(), help="Isolation; auto takes the best there is.")
@json_option
@pass_session
def try_bot(
    session: Session,
    source: Path,
    against: Sequence[str],
    matches: int,
    ruleset: str,
    sandbox: str | None,
    as_json: bool,
) -> None:
    """Measure a bot against others in the sandbox and under the clock of a tournament; nothing is stored.

    An opponent is a submitted bot, a folder or zip, or one of the bots that the project brings (greedy,
    veteran, ...), which need not be submitted. Every deal is played once from each seat.
    """
    from arena.match.plan import ClockSettings
    from arena.service.tryout import PAIR, Tryout, play_tryout

    session.set(sandbox=sandbox)
    session.check_level()
    rules = read_ruleset(ruleset)
    rules.check_table(PAIR)
    tryout = Tryout(
        enter_all(session, against, tried=source),
        rules,
        ClockSettings(),
        secrets.token_bytes(32),
        (matches + 1) // 2,
    )
    shut_in = session.sandbox()
    if matches % 2:
        told = f"{figures.count(matches + 1)} matches for each opponent, not {figures.count(matches)}"
        session.terminal.note(f"every deal is played once from each seat: {told}")
    progress = _Progress(session.terminal, tryout.entrants[0].name)
    stopped: BaseException | None = None
    try:
        play_tryout(tryout, shut_in, progress.show)
    except (KeyboardInterrupt, UsageError) as error:
        stopped = error
    finally:
        progress.close()
    _show(session.terminal, tryout, shut_in.level.value, as_json=as_json)
    if isinstance(stopped, KeyboardInterrupt):
        raise UnfinishedError(f"interrupted after {len(tryout.finished)} of {tryout.matches} matches")
    if stopped is not None:
        raise stopped
    if not as_json:
        session.terminal.hint(f"arena bot submit {source}")


class _Progress:
    """One line that is written over on a terminal, a line now and then on a pipe."""

    def __init__(self, terminal: "Terminal", name: str) -> None:
        self._terminal, self._name = terminal, name
        self._began = time.monotonic()
        self._told = self._began
        self._status = None
        if terminal.is_watched:
            self._status = terminal.console().status("starting the bots")
            self._status.start()

    def show(self, done: int, planned: int, wins: int) -> None:
        """Say how far it is."""
        now = time.monotonic()
        rate = done / (now - self._began) if now > self._began else 0
        left = (
            f", about {figures.duration_s((planned - done) / rate)} left" if rate and done < planned else ""
        )
        text = f"{self._name}: {figures.count(done)} of {figures.count(planned)} matches, {wins} won{left}"
        if self._status is not None:
            self._status.update(escape(text))
        elif now - self._told >= LINE_S:
            self._told = now
            self._terminal.note(text)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._status is not None:
            self._status.stop()


def _show(terminal: "Terminal", tryout: "Tryout", level: str, *, as_json: bool) -> None:
    """Print the strength with its interval, and what went wrong."""
    standing = tryout.standing()
    faults = Counter((tryout.entrants[number].name, fault.kind.value) for number, fault in tryout.faults())
    if as_json:
        terminal.json(
            {
                "matches": standing.matches,
                "complete_sets": standing.complete_sets,
                "level": level,
                "rows": [asdict(row) for row in standing.rows],
                "faults": [{"bot": bot, "kind": kind, "count": n} for (bot, kind), n in faults.items()],
            }
        )
        return
    terminal.table(
        [
            Column("bot", keep=True),
            Column("Elo", right=True),
            Column("±", right=True),
            Column("matches", right=True, drop=2),
            Column("win %", right=True),
            Column("faults", right=True, drop=1),
            Column("time/decision", right=True, drop=3),
        ],
        [
            (
                row.name,
                figures.elo(row.elo),
                figures.margin(row.plus_minus),
                figures.count(row.matches),
                figures.share(row.win_share),
                figures.count(row.faults),
                figures.duration_us(row.us_per_decision),
            )
            for row in standing.rows
        ],
    )
    terminal.line(
        f"{figures.complete_sets(standing.complete_sets)}, sandbox {level}; "
        f"{tryout.entrants[1].name} is fixed at 1500, ± is half of a 95 % interval"
    )
    for (bot, kind), number in faults.items():
        terminal.line(f"{bot}: {kind} in {figures.count(number)} matches")
    if theirs := [fault for number, fault in tryout.faults() if number == 0]:
        terminal.line(f"the first one: {theirs[0]}")
        for name, value in asdict(theirs[0].evidence).items():
            if value not in {None, ""}:
                terminal.block(f"{name}: {value}")
