"""The columns that a standing can show: their names, headings, and what stands in them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from arena.cli import figures
from arena.cli.columns import Shown
from arena.cli.habit_columns import HABITS
from arena.cli.terminal import Column
from arena.errors import UsageError, nearest

if TYPE_CHECKING:
    from arena.ratings.standing import Row
    from arena.service.habits import Behaviour

    Behaviours = Mapping[int, Behaviour]


def _ranks(row: "Row") -> str:
    if row.best_rank is None:
        return figures.NOTHING
    return str(row.best_rank) if row.best_rank == row.worst_rank else f"{row.best_rank}-{row.worst_rank}"


def _sets_to_next(row: "Row") -> str:
    if row.sets_to_next is None:
        return figures.NOTHING
    return "told" if row.sets_to_next == 0 else figures.rough_count(row.sets_to_next)


def bounded_sets(row: "Row") -> int | None:
    """Return how many deal sets are still needed; None also where no number of them would do."""
    from arena.ratings.comparison import UNBOUNDED

    return None if row.sets_to_next == UNBOUNDED else row.sets_to_next


def _points(row: "Row") -> str:
    if row.points_per_round is None or row.points_plus_minus is None:
        return figures.signed(row.points_per_round)
    return f"{figures.signed(row.points_per_round)} ± {row.points_plus_minus:.2f}"


COLUMNS: "Final[dict[str, Shown[Row]]]" = {
    "rank": Shown(
        Column("#", right=True),
        lambda row: figures.NOTHING if row.rank is None else str(row.rank),
        lambda row: row.rank,
    ),
    "bot": Shown(Column("bot", keep=True), lambda row: row.name, lambda row: row.name),
    "elo": Shown(Column("Elo", right=True), lambda row: figures.elo(row.elo), lambda row: row.elo),
    "plus_minus": Shown(
        Column("±", right=True), lambda row: figures.margin(row.plus_minus), lambda row: row.plus_minus
    ),
    "ranks": Shown(
        Column("ranks", right=True, drop=8),
        _ranks,
        lambda row: None if row.best_rank is None else f"{row.best_rank}-{row.worst_rank}",
    ),
    "above_next": Shown(
        Column("> next %", right=True, drop=7),
        lambda row: figures.share(row.above_next),
        lambda row: row.above_next,
    ),
    "sets_to_next": Shown(Column("sets to tell", right=True, drop=9), _sets_to_next, bounded_sets),
    "matches": Shown(
        Column("matches", right=True, drop=2),
        lambda row: figures.count(row.matches),
        lambda row: row.matches,
    ),
    "wins": Shown(
        Column("wins", right=True, drop=6), lambda row: figures.count(row.wins), lambda row: row.wins
    ),
    "win_share": Shown(
        Column("win %", right=True, drop=3),
        lambda row: figures.share(row.win_share),
        lambda row: row.win_share,
    ),
    "points": Shown(Column("points/round", right=True, drop=1), _points, lambda row: row.points_per_round),
    "points_plus_minus": Shown(
        Column("± points", right=True),
        lambda row: figures.NOTHING if row.points_plus_minus is None else f"{row.points_plus_minus:.2f}",
        lambda row: row.points_plus_minus,
        unasked=False,
    ),
    "faults": Shown(
        Column("faults", right=True, drop=4), lambda row: figures.count(row.faults), lambda row: row.faults
    ),
    "deaths": Shown(
        Column("deaths", right=True),
        lambda row: figures.count(row.deaths),
        lambda row: row.deaths,
        when_any=True,
    ),
    "time": Shown(
        Column("time/decision", right=True, drop=5),
        lambda row: figures.duration_us(row.us_per_decision),
        lambda row: row.us_per_decision,
    ),
    "open_sets": Shown(
        Column("open sets", right=True, drop=7),
        lambda row: figures.count(row.open_sets),
        lambda row: row.open_sets,
        when_any=True,
    ),
    "note": Shown(Column("note"), lambda row: row.note, lambda row: row.note, when_any=True),
}
"""Every column of the standing itself by the name that `--columns` takes, in the order of the table."""
GROUPS: Final = {"all": tuple(COLUMNS), "habits": tuple(HABITS)}
"""What `--columns` takes for several: all of the standing itself, and how the bots play."""


def known_columns() -> tuple[str, ...]:
    """Return the names that `--columns` takes."""
    return (*COLUMNS, *HABITS, *GROUPS)


def choose_columns(text: str | None) -> list[str] | None:
    """Read `--columns`; None stands for those that say something.

    Raises:
        UsageError: There is no column of such a name.
    """
    if text is None:
        return None
    known = known_columns()
    chosen: list[str] = []
    for name in [name.strip() for name in text.split(",") if name.strip()]:
        if name not in known:
            hint = nearest(name, known)
            raise UsageError(f"--columns: no column is called {name!r}{hint}; there are {', '.join(known)}")
        chosen += GROUPS.get(name, (name,))
    if not chosen:
        raise UsageError(f"--columns: name one at least; there are {', '.join(known)}")
    return chosen


def needs_habits(chosen: Sequence[str] | None) -> bool:
    """Say whether records must be played again for these columns."""
    return chosen is not None and not HABITS.keys().isdisjoint(chosen)


def lay_out(
    chosen: Sequence[str] | None, rows: "Sequence[Row]", behaviours: "Behaviours | None" = None
) -> tuple[list[Column], list[list[str]]]:
    """Lay out the rows in the chosen columns; without a choice, those that say nothing here are left out.

    `behaviours` tells of each entry how it plays, by its number; without it nothing is known of that.
    """
    if chosen is None:
        chosen = [
            name
            for name, one in COLUMNS.items()
            if one.unasked and (not one.when_any or any(one.value(row) for row in rows))
        ]
    titles = [(COLUMNS[name] if name in COLUMNS else HABITS[name]).column for name in chosen]
    return titles, [[_cell(name, row, behaviours or {}) for name in chosen] for row in rows]


def values(
    chosen: Sequence[str], rows: "Sequence[Row]", behaviours: "Behaviours | None" = None
) -> list[list[object]]:
    """Return what programs get in the chosen columns."""
    known = behaviours or {}
    return [
        [
            COLUMNS[name].value(row)
            if name in COLUMNS
            else HABITS[name].value(known[row.number])
            if row.number in known
            else None
            for name in chosen
        ]
        for row in rows
    ]


def _cell(name: str, row: "Row", behaviours: "Behaviours") -> str:
    if name in COLUMNS:
        return COLUMNS[name].cell(row)
    known = behaviours.get(row.number)
    return figures.NOTHING if known is None else HABITS[name].cell(known)
