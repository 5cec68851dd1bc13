"""What became of bots that were submitted together: the table, the facts for programs, the exit code.

Owns the words for it. Refuses to know how a bot is built or checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.bot import version_facts
from arena.cli.terminal import Column, Terminal
from arena.errors import ArenaError, LackingError, UsageError

if TYPE_CHECKING:
    from arena.store.rows import VersionRow


@dataclass(frozen=True)
class Outcome:
    """What became of one source."""

    source: Path
    """Where it lay."""
    version: "VersionRow | None"
    """Its version; None when nothing was stored."""
    is_new: bool
    """Whether these bytes were not stored before."""
    why: str
    """Why it cannot be entered; empty when it can."""
    is_lacking: bool = False
    """Whether that is this machine's lack, and says nothing of the bot."""

    @property
    def passed(self) -> bool:
        """Whether it can be entered."""
        return self.version is not None and self.version.state == "checked"


def refused(source: Path, error: ArenaError) -> Outcome:
    """Return what became of a source that was not stored."""
    return Outcome(source, None, is_new=False, why=str(error), is_lacking=isinstance(error, LackingError))


def facts(outcome: Outcome) -> dict[str, object]:
    """Return what is told to programs."""
    of_version = {} if outcome.version is None else version_facts(outcome.version)
    return of_version | {"source": str(outcome.source), "is_new": outcome.is_new, "why": outcome.why}


def show_table(terminal: Terminal, outcomes: Sequence[Outcome]) -> None:
    """Print what passed, and of what did not, why."""
    terminal.table(
        [Column("source", keep=True), Column("bot", keep=True), Column("state", whole=True), Column("why")],
        [
            (
                outcome.source.name,
                "-" if outcome.version is None else outcome.version.label,
                _state(outcome),
                outcome.why.removeprefix(f"{outcome.source}: ").removeprefix(f"{outcome.source}/"),
            )
            for outcome in outcomes
        ],
    )
    terminal.line(f"{sum(outcome.passed for outcome in outcomes)} of {len(outcomes)} passed")


def _state(outcome: Outcome) -> str:
    if outcome.version is not None:
        return outcome.version.state
    return "not here" if outcome.is_lacking else "refused"


def refuse(outcomes: Sequence[Outcome]) -> None:
    """Say what did not pass.

    Raises:
        UsageError: Something did not.
        LackingError: Nothing is wrong with what did not, but this machine cannot play it.
    """
    lacking = [outcome.source.name for outcome in outcomes if outcome.is_lacking]
    wrong = [
        outcome.source.name for outcome in outcomes if outcome.version is None and not outcome.is_lacking
    ]
    failed = [
        outcome.version.label for outcome in outcomes if outcome.version and outcome.version.state == "failed"
    ]
    if lacking and not wrong and not failed:
        names = ", ".join(lacking)
        raise LackingError(f"{names} cannot be played here; install what is named and submit again")
    if lacking or wrong:
        names = ", ".join([*lacking, *wrong, *failed])
        raise UsageError(f"{names} did not pass; mend what the table names and submit again")
    if failed:
        raise UsageError(f"{', '.join(failed)} failed the check; mend what is named and submit again")
