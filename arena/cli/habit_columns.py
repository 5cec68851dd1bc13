"""The columns that tell how a bot plays: for `arena habits`, `arena standings --columns` and the page."""

from typing import TYPE_CHECKING, Final

from arena.cli import figures
from arena.cli.columns import Shown
from arena.cli.terminal import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.service.habits import Behaviour

    Count = Callable[[Behaviour], int]

LEGEND: Final = (
    "by rounds: times it drew, bluffed with the wild +4, doubted one, caught a missed call; "
    "caught %: bluffs that were doubted; won %: doubts that were right; "
    "UNO missed %: of the times one card was left"
)
"""What the headings mean."""


def _part(of: "Count", by: "Count") -> "Callable[[Behaviour], float | None]":
    """Return a count by its occasions; without one it is not known."""
    return lambda row: of(row) / by(row) if by(row) else None


def _rate(title: str, of: "Count", drop: int = 0) -> "Shown[Behaviour]":
    """Return a column of how often something was, by round."""
    value = _part(of, lambda row: row.habits.rounds)

    def cell(row: "Behaviour") -> str:
        found = value(row)
        return figures.NOTHING if found is None else f"{found:.3f}"

    return Shown(Column(title, right=True, drop=drop), cell, value)


def _share(title: str, of: "Count", by: "Count", drop: int) -> "Shown[Behaviour]":
    """Return a column of which part something was."""
    value = _part(of, by)
    return Shown(Column(title, right=True, drop=drop), lambda row: figures.share(value(row)), value)


HABITS: "Final[dict[str, Shown[Behaviour]]]" = {
    "draws": _rate("draws", lambda row: row.habits.draws),
    "bluffs": _rate("bluffs", lambda row: row.habits.bluffs),
    "bluffs_caught": _share(
        "caught %", lambda row: row.habits.bluffs_caught, lambda row: row.habits.bluffs, 3
    ),
    "challenges": _rate("challenges", lambda row: row.habits.challenges),
    "challenges_won": _share(
        "won %", lambda row: row.habits.challenges_won, lambda row: row.habits.challenges, 4
    ),
    "uno_missed": _share(
        "UNO missed %", lambda row: row.habits.uno_missed, lambda row: row.habits.uno_due, 1
    ),
    "catches": _rate("catches", lambda row: row.habits.catches, 5),
}
"""Every column by the name that `--columns` takes."""
