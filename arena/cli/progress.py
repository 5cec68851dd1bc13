"""The live picture of a tournament: a table on a terminal, a line now and then on a pipe.

Owns what is shown and how often it is asked for. Whether a tournament is over is told by its row.
"""

import shutil
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from arena.cli import figures
from arena.cli.again import again
from arena.cli.coming import name_coming, tell_pause
from arena.cli.tables import fitting_table
from arena.cli.terminal import Column, Terminal, escape
from arena.errors import UnfinishedError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.service.status import Status
    from arena.service.watching import Watched

POLL_S: Final = 0.5
"""How often progress is asked for, where asking is quick."""
POLL_SHARE: Final = 10
"""Asking takes at most one part in so many of the time."""
LINE_S: Final = 10.0
"""How often a line is printed where nobody watches."""
PATIENCE_S: Final = 10.0
"""How long a job may wait before a cause is looked for."""
MOST_ENTRIES: Final = 20
"""Entries that the live table has room for."""
BAR: Final = 30
"""Length of the bar."""
WINDOW_S: Final = 60.0
"""What was seen earlier says nothing about the pace of now."""
FEWEST_NEWS: Final = 3
"""So many times ends must have been seen before a pace is told."""
FEWEST_MATCHES: Final = 50
"""And so many ends after the first news of them."""


class Pace:
    """How fast matches end, from the ends that were seen of late.

    Starting the bots takes long and ends no match, and workers tell of several ends at once: so time counts
    from one news of ends to another, and only when enough was seen is anything said.
    """

    def __init__(self, clock: Callable[[], float] | None = None) -> None:
        self._clock = time.monotonic if clock is None else clock
        self._first: int | None = None
        self._news: deque[tuple[float, int]] = deque()

    def note(self, done: int) -> None:
        """Take a number of matches into account."""
        now = self._clock()
        if self._first is None:
            self._first = done
        elif done > (self._news[-1][1] if self._news else self._first):
            self._news.append((now, done))
        # The oldest one that is kept is the first of the window, so that the window is never empty.
        while len(self._news) > FEWEST_NEWS and self._news[1][0] < now - WINDOW_S:
            self._news.popleft()

    @property
    def rate(self) -> float | None:
        """Matches a second; None as long as too little was seen."""
        if len(self._news) < FEWEST_NEWS:
            return None
        (since, before), (last, done) = self._news[0], self._news[-1]
        if done - before < FEWEST_MATCHES:
            return None
        # Where no news came for longer than usual, it has become slower.
        usual = (last - since) / (len(self._news) - 1)
        return (done - before) / max(last - since, self._clock() - since - 2 * usual)

    def left_s(self, matches: int) -> float | None:
        """Return how long so many more matches take."""
        rate = self.rate
        return matches / rate if rate else None


def describe(watched: "Watched", pace: Pace) -> str:
    """Say in one line how far a tournament is."""
    totals = watched.totals
    done = totals.done + totals.running
    planned = totals.matches - totals.cancelled
    # What a ladder has chosen is no end to wait for.
    has_end = watched.tournament.format != "ladder"
    part = f" ({done / planned:.0%})" if planned and has_end else ""
    rate = pace.rate
    speed = f", {rate:,.0f} a second" if rate and rate >= 1 else ""
    left = pace.left_s(planned - done) if has_end else None
    time_left = f", about {figures.duration_s(left)} left" if left is not None and done < planned else ""
    failed = f", {totals.jobs_failed} failed jobs" if totals.jobs_failed else ""
    never = f", {figures.count(totals.cancelled)} cancelled" if totals.cancelled else ""
    matches = f"{figures.count(done)} of {figures.count(totals.matches)} matches"
    return f"{watched.tournament.name}: {matches}{part}{_up_to(watched)}{never}{speed}{time_left}{failed}"


def _up_to(watched: "Watched") -> str:
    """Say up to which round of a Swiss its matches are known: those of later rounds are not paired yet."""
    coming = watched.coming
    is_known = coming is None or coming.round_number is None
    return "" if coming is None or is_known else f" up to round {coming.round_number} of {coming.rounds}"


def watch(
    terminal: Terminal,
    read: Callable[[], "Watched"],
    *,
    find_cause: Callable[["Watched"], str] = lambda _: "",
    enough: int | None = None,
) -> "Watched":
    """Show progress until the tournament is over.

    Args:
        terminal: Where it is shown.
        read: Returns how far the tournament is.
        find_cause: Says why nothing is played, or nothing comes of it.
        enough: Matches after which nobody waits any longer: a ladder has no end.

    Raises:
        UnfinishedError: Only failed jobs are left, or nobody plays it until it is run again.
    """
    pace = Pace()
    if not terminal.is_watched:
        return _watch_lines(terminal, read, pace, find_cause, enough)
    from rich.control import Control
    from rich.live import Live

    console = terminal.console()
    while True:
        size = console.size
        with Live(console=console, auto_refresh=False, transient=True) as live:
            while console.size == size:
                watched, asked_s = _ask(read, pace)
                if _is_over(watched, enough):
                    return watched
                live.update(_picture(watched, pace, find_cause(watched)), refresh=True)
                time.sleep(max(POLL_S, POLL_SHARE * asked_s))
        # A terminal that changes its width breaks the lines anew: nobody knows how many there are now.
        console.control(Control.home(), Control.clear())


def _watch_lines(
    terminal: Terminal,
    read: Callable[[], "Watched"],
    pace: Pace,
    find_cause: Callable[["Watched"], str],
    enough: int | None,
) -> "Watched":
    printed = float("-inf")
    while True:
        watched, asked_s = _ask(read, pace)
        over = _is_over(watched, enough)
        if over or time.monotonic() - printed >= LINE_S:
            why = "" if over else find_cause(watched)
            # Nobody knows how long something is going to wait.
            terminal.note(f"{describe(watched, Pace())}; {why}" if why else describe(watched, pace))
            printed = time.monotonic()
        if over:
            return watched
        time.sleep(max(POLL_S, POLL_SHARE * asked_s))


def find_cause(
    look: Callable[[], "Status"],
    check_broker: Callable[[], str],
    find_full: Callable[[], str],
    watched: "Watched",
) -> str:
    """Say why no job of the tournament is played although some wait; an empty text if nothing is wrong.

    Args:
        look: Returns what runs and what blocks; asked, as is the next, when nobody holds a job.
        check_broker: Says why the queue cannot be reached.
        find_full: Says that the disk is full, so that nothing is written of what somebody plays.
        watched: How far the tournament is.
    """
    if full := find_full():
        return f"waiting: {full}; make room, and it goes on by itself"
    if _is_under_way(watched):
        return ""
    found = look()
    played = [job.tournament_id for job in found.running if job not in found.orphaned]
    if watched.tournament.id in played:
        return ""  # since it was looked at
    if played:
        # Workers take the oldest job there is, whoever's it is.
        return "waiting: the workers play jobs of other tournaments first"
    if not found.orphaned and (found.queue.oldest_queued_s or 0.0) < PATIENCE_S:
        return ""
    if broken := check_broker():
        return f"waiting: {broken}"
    blocks = [block for block in found.blocks if block.tournament in {"", watched.tournament.name}]
    return f"waiting: {blocks[0].what}; {blocks[0].remedy}" if blocks else ""


def _is_under_way(watched: "Watched") -> bool:
    return any(job.lease_left_s > 0 for job in watched.running)


def _ask(read: Callable[[], "Watched"], pace: Pace) -> tuple["Watched", float]:
    before = time.monotonic()
    watched = read()
    pace.note(watched.totals.done + watched.totals.running)
    return watched, time.monotonic() - before


def _is_over(watched: "Watched", enough: int | None = None) -> bool:
    totals = watched.totals
    if enough is not None and totals.done >= enough:
        return True
    if watched.tournament.state in {"finished", "cancelled"}:
        return True
    if totals.jobs_failed and not totals.jobs_queued and not totals.jobs_leased:
        why = next(iter(watched.failures), "the platform failed them")
        command = again(f"arena tournament run {watched.tournament.name}")
        raise UnfinishedError(f"{totals.jobs_failed} jobs failed ({why}); `{command}` tries them again")
    if (pause := tell_pause(watched.tournament)) and not _is_under_way(watched):
        raise UnfinishedError(f"{watched.tournament.name} is {pause}")
    return False


def _picture(watched: "Watched", pace: Pace, waiting: str) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    totals = watched.totals
    done = totals.done + totals.running
    planned = totals.matches - totals.cancelled
    # Nobody need read that none is suspended.
    columns = _COLUMNS if any(line.suspended for line in watched.entries) else _COLUMNS[:-1]
    cells = [row[: len(columns)] for row in _entry_cells(watched)]
    table, left_out = fitting_table(columns, cells, shutil.get_terminal_size().columns)
    filled = min(BAR, BAR * done // planned) if planned else 0
    lines: list[RenderableType] = [
        Text(escape(describe(watched, Pace() if waiting else pace))),
        Text.assemble(("━" * filled, "green"), ("─" * (BAR - filled), "dim")),
        table,
    ]
    if left_out:
        lines.append(Text(left_out, style="dim"))
    if len(watched.entries) > MOST_ENTRIES:
        lines.append(Text(f"and {len(watched.entries) - MOST_ENTRIES} more"))
    lines += [
        Text(
            escape(
                f"{job.worker}: {' - '.join(job.bots)}, {job.progress} of {job.matches}, "
                f"{figures.count(job.decisions)} decisions"
            ),
            style="dim",
        )
        for job in watched.running
    ]
    if watched.coming is not None:
        lines += [Text(escape(line), style="dim") for line in name_coming(watched.coming)]
    if waiting:
        lines.append(Text(escape(waiting), style="yellow"))
    return Group(*lines)


_COLUMNS: Final = [
    Column("bot", keep=True),
    Column("matches", right=True),
    Column("wins", right=True),
    Column("win %", right=True),
    Column("faults", right=True),
    Column("note"),
]


def _entry_cells(watched: "Watched") -> list[list[str]]:
    best = sorted(
        watched.entries, key=lambda line: (-line.wins / line.matches if line.matches else 0, line.number)
    )
    return [
        [
            escape(line.label),
            figures.count(line.matches),
            figures.count(line.wins),
            figures.share(line.wins / line.matches if line.matches else None),
            figures.count(line.faults),
            "suspended" if line.suspended else "",
        ]
        for line in best[:MOST_ENTRIES]
    ]
