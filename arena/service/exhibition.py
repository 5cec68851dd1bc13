"""One match here and now, sandboxed and under the clock, kept nowhere: what `arena match play` shows.

Owns the one plan. The bots sit in the order in which they are named. From the main thread only.
"""

from collections.abc import Sequence

from arena.botproc.probe import still_holds
from arena.botproc.sandbox import Sandbox
from arena.errors import PlatformError
from arena.match.plan import ClockSettings, TablePlan
from arena.match.result import MatchResult
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from arena.service.seats import Entrant, running


def play_one(sandbox: Sandbox, entrants: Sequence[Entrant], ruleset: Ruleset, key: bytes) -> MatchResult:
    """Play one match and return what came of it.

    Raises:
        PlatformError: The machine could not start the bots, or the match did not end.
    """
    from arena.botproc.tables import play_tables  # noqa: PLC0415 (gRPC is loaded by who plays only)

    seats = range(len(entrants))
    seeds = tuple(int.from_bytes(derive(key, "seed", str(seat))[:8], "big") for seat in seats)
    plan = TablePlan(0, 0, key, tuple(seats), seeds)
    with running(sandbox, entrants) as bots:
        played = play_tables(
            bots, [plan], ClockSettings(), ruleset, probe_starts=lambda: still_holds(sandbox)
        )
    if not played.finished:
        raise PlatformError("the match did not come to an end; give the command again")
    return played.finished[0][1]
