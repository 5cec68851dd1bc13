"""`arena rules try`: what a ruleset does to the game."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from arena.cli import figures
from arena.cli.names import RulesetName
from arena.cli.rulesets import read_ruleset
from arena.cli.session import Session, json_option, pass_session
from arena.cli.terminal import Column, Terminal

if TYPE_CHECKING:
    from arena.match.tally import Spread, Tally
    from arena.service.trial import Trial


@click.command("try", epilog="Example: arena rules try house.toml --rounds 200")
@click.argument("ruleset", type=RulesetName())
@click.option("--seats", type=click.IntRange(2, 10), help="Size of the table.  [default: 4, or the nearest]")
@click.option(
    "--rounds", type=click.IntRange(1, 1_000_000), default=2000, show_default=True, help="Rounds to play."
)
@json_option
@pass_session
def try_rules(session: Session, ruleset: str, seats: int | None, rounds: int, as_json: bool) -> None:
    """Let the reference bots play a ruleset, and print what it does to the game.

    Whole matches are played in this process until there are so many rounds; nothing is stored.
    """
    chosen = read_ruleset(ruleset)
    from arena.service.trial import try_ruleset, usual_seats

    with _progress(session.terminal, rounds) as show:
        trial = try_ruleset(chosen, seats=seats or usual_seats(chosen), rounds=rounds, on_progress=show)
    if as_json:
        session.terminal.json({"ruleset": ruleset, "digest": chosen.digest.hex()} | as_facts(trial))
        return
    _print(session.terminal, ruleset, trial)


@contextmanager
def _progress(terminal: Terminal, rounds: int) -> Iterator[Callable[[int], None]]:
    """Show how many rounds are played, where somebody watches."""
    if not terminal.is_watched:
        yield lambda _rounds: None
        return
    from rich.progress import Progress

    with Progress(console=terminal.console(), transient=True) as progress:
        task = progress.add_task("playing rounds", total=rounds)
        yield lambda played: progress.update(task, completed=min(played, rounds))


def as_facts(trial: "Trial") -> dict[str, Any]:
    """Return a trial as what JSON holds."""
    from arena.match.tally import spread

    tally = trial.tally
    return {
        "seats": trial.seats,
        "bots": list(trial.bots),
        "matches": len(tally.rounds_a_match),
        "rounds": tally.rounds,
        "faults": trial.faults,
        "target": tally.ruleset.points_target,
        "rounds_a_match": _interval(spread(tally.rounds_a_match)),
        "decisions_a_round": _interval(spread(tally.decisions)),
        "advantage_of_the_starting_seat": _interval(spread(tally.starters)),
        "stalemates": spread(tally.stalemates).mean if tally.rounds else None,
        "endings": dict(tally.endings),
        "fired": [
            {"rule": special.rule, "what": special.name, "count": tally.fired[special.rule]}
            for special in tally.rules
        ],
    }


def _interval(value: "Spread") -> dict[str, float | None]:
    """Return a mean and half of its 95 % interval."""
    return {"mean": value.mean, "half_width_95": value.half_width}


def _print(terminal: Terminal, name: str, trial: "Trial") -> None:
    """Print a trial for people."""
    from arena.match.tally import spread

    tally = trial.tally
    endings = ", ".join(f"{how} {figures.count(often)}" for how, often in tally.endings.most_common())
    terminal.line(
        f"{name}: {figures.count(tally.rounds)} rounds in {figures.count(len(tally.rounds_a_match))} matches "
        f"of {trial.seats} seats, ended by {endings}"
    )
    terminal.line(f"bots: {', '.join(trial.bots)}; faults: {trial.faults}")
    terminal.table(
        [Column("figure", keep=True), Column("value", right=True), Column("95 %", right=True)],
        [
            (_length(tally), *_cells(spread(tally.rounds_a_match))),
            ("decisions a round", *_cells(spread(tally.decisions))),
            ("starting seat wins more than its share, %", *_cells(spread(tally.starters), 100)),
            ("rounds without an end (stalemates), %", *_cells(spread(tally.stalemates), 100)),
        ],
    )
    terminal.table(
        [
            Column("rule", keep=True),
            Column("what happens", keep=True),
            Column("times", right=True),
            Column("per 100 rounds", right=True),
        ],
        [
            (
                special.rule,
                special.name,
                figures.count(tally.fired[special.rule]),
                f"{100 * tally.fired[special.rule] / tally.rounds:.1f}" if tally.rounds else figures.NOTHING,
            )
            for special in tally.rules
        ],
    )
    terminal.hint(f"arena tournament run NAME BOT BOT... --rules {name}")


def _length(tally: "Tally") -> str:
    """Return the name of a match's length."""
    target = tally.ruleset.points_target
    return f"rounds to {target}" if target else "rounds a match"


def _cells(value: "Spread", scale: float = 1.0) -> tuple[str, str]:
    """Return a mean and its half interval as cells of a table."""
    if value.half_width is None:
        return f"{scale * value.mean:.2f}", figures.NOTHING
    return f"{scale * value.mean:.2f}", f"±{scale * value.half_width:.2f}"
