"""Whose fault it is that a job was cut, if it is a bot's.

A job is planned to play for some seconds at the pairing's own speed and cut after minutes, so no bot that
goes on as before comes near that. One that emptied its banks where it was losing until the job was cut would
have these matches dealt anew, and keep those that it won. So the banks that a job was used up by are judged:
whoever took more than half of its time beyond the budgets loses what is open. Time within the budgets is
everybody's right, and charged to nobody.
"""

from collections.abc import Sequence

from arena.botproc.batch import STDERR_CHARS
from arena.botproc.player import Player
from arena.match.fault import Evidence
from arena.match.plan import ClockSettings


def find_culprit(players: Sequence[Player], clock: ClockSettings) -> tuple[Player, Evidence] | None:
    """Return the bot that used a job up, and what proves it; None when none did, or none is charged."""
    most_ns = int(clock.job_s * 1e9) // 2
    alive = [player for player in players if player.death is None and player.over_ns > most_ns]
    if not alive or not clock.charges_cut:
        return None
    culprit = max(alive, key=lambda player: player.over_ns)
    detail = (
        f"the {clock.job_s:.0f} s of its job were over; beyond the budgets of its questions this bot had "
        f"taken {culprit.over_ns / 1e9:.0f} s of them, more than half"
    )
    return culprit, Evidence(
        limit_ms=most_ns // 1_000_000,
        wall_ms=round(culprit.over_ns / 1e6, 3),
        stderr_tail=culprit.process.stderr().text[-STDERR_CHARS:],
        detail=detail,
    )
