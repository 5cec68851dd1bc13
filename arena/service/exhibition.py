"""One match here and now, sandboxed and under the clock, kept nowhere: what `arena match play` shows.

Owns the one plan. The bots sit in the order in which they are named. From the main thread only.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from arena.botproc.probe import still_holds
from arena.botproc.sandbox import Sandbox
from arena.errors import PlatformError
from arena.match.plan import ClockSettings, TablePlan
from arena.match.result import MatchResult
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from arena.rules.record import Record, parse_record, record_of
from arena.service.seats import Entrant, running

if TYPE_CHECKING:
    from arena.botproc.table import LiveTable


def _tell(tables: Iterable["LiveTable"], watch: Callable[[Record], None]) -> None:
    for table in tables:
        watch(record_of(table.match))


def play_one(
    sandbox: Sandbox,
    entrants: Sequence[Entrant],
    ruleset: Ruleset,
    key: bytes,
    watch: Callable[[Record], None] = lambda _: None,
) -> MatchResult:
    """Play one match and return what came of it.

    Args:
        sandbox: Where the bots run.
        entrants: The bots, by seat.
        ruleset: What is played.
        key: From which the deals and the bots' seeds come.
        watch: Told the record so far whenever a bot has answered, and the whole one at the end.

    Raises:
        PlatformError: The machine could not start the bots, or the match did not end.
    """
    from arena.botproc.tables import play_tables  # noqa: PLC0415 (gRPC is loaded by who plays only)

    seats = range(len(entrants))
    seeds = tuple(int.from_bytes(derive(key, "seed", str(seat))[:8], "big") for seat in seats)
    plan = TablePlan(0, 0, key, tuple(seats), seeds)
    with running(sandbox, entrants) as bots:
        played = play_tables(
            bots,
            [plan],
            ClockSettings(),
            ruleset,
            probe_starts=lambda: still_holds(sandbox),
            on_batch=lambda tables: _tell(tables, watch),
        )
    if not played.finished:
        raise PlatformError("the match did not come to an end; give the command again")
    result = played.finished[0][1]
    watch(parse_record(result.record))
    return result
