"""What a hostile bot costs its opponent: the time of the opponent's decisions, against a sound one's company.

    python bench/hostile.py

Both bots are sandboxed at the best level of this machine and share one core, as in every job. The opponent is
`first-legal`; the other plays soundly too, at one table, while processes of its own do their worst. What is
measured is the time from the write of the opponent's turn to the arrival of its answer, in as many jobs as
that takes: a fork bomb is ended by the arena, and every job starts it anew. The first decision of a job, for
which a bot loads what it has not needed before, is left out in any company.

After each job beside a hostile bot one beside a quiet bot is played, and as many of its first decisions are
taken: the beginning of a job is slower than the rest of it in any company, and a bomb's have little else.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from rows import Row, as_given, parser_of, show

from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.driver import JobDriver
from arena.botproc.limits import DEFAULT_LIMITS, grant_limits
from arena.botproc.link import Arrival, Broken
from arena.botproc.live import LiveBot
from arena.botproc.player import Player
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seats
from arena.botproc.sandbox import Sandbox, SandboxSettings
from arena.botproc.seat import SeatOrder
from arena.botproc.tables import make_hello
from arena.bundle.pack import load_manifest
from arena.match.plan import ClockSettings, TablePlan
from arena.rules.keys import derive
from arena.rules.options import Ruleset

ROOT = Path(__file__).resolve().parents[1]
RULES = Ruleset(scoring="single_round")
CLOCK = ClockSettings(budget_ms=2_000, bank_ms=600_000, hello_ms=60_000, tables_max=1)
"""Nobody runs out of time: what is measured is how long the opponent takes."""
MODES = {
    "spin": "spins in twenty processes",
    "fork": "is a fork bomb",
    "churn": "starts and ends processes without a pause",
    "hog": "writes all its memory again and again",
    "shout": "floods its standard error",
}
"""What the hostile bot (`bench/unquiet`) does beside playing."""
ENDED = ("fork",)
"""What the arena ends."""
GOAL = 2.0
JOB_MATCHES = 40
"""So many single rounds a job has."""


class TimedLink:
    """A stream that notes how long each answer took."""

    def __init__(self, link: Connection) -> None:
        """Stand between the driver and the stream."""
        self._link = link
        self.tables = link.tables
        self.description = link.description
        self.took_ns: list[int] = []
        self._sent_ns = 0

    def send(self, message: bytes) -> None:
        """Hand over one message."""
        self._sent_ns = time.monotonic_ns()
        self._link.send(message)

    def receive(self, timeout_s: float) -> Arrival | Broken | None:
        """Wait for the next message."""
        got = self._link.receive(timeout_s)
        if isinstance(got, Arrival):
            self.took_ns.append(got.at_ns - self._sent_ns)
        return got

    def finish(self, timeout_s: float) -> None:
        """End the stream in good order."""
        self._link.finish(timeout_s)

    def close(self) -> None:
        """Cut it."""
        self._link.close()


def greet(bot: LiveBot) -> TimedLink:
    """Say hello to a bot, and time it from then on."""
    request = make_hello(DEFAULT_LIMITS, CLOCK, RULES, CLOCK.hello_ms)
    link = say_hello(bot.process, request, CLOCK.hello_ms, message_limit(1))
    if not isinstance(link, Connection):
        raise SystemExit(f"{bot.name} did not start: {link.detail}")
    return TimedLink(link)


Measured = dict[str, tuple[list[float], list[float]]]
"""How long the opponent's decisions took beside each mode, and at the same places of quiet jobs, in us."""


def measure(sandbox: Sandbox, core: int, mode: str, decisions: int) -> tuple[list[float], list[float]]:
    """Play against a bot that does `mode`, and in turn against a quiet one."""
    beside: list[float] = []
    quiet: list[float] = []
    while len(beside) < decisions:
        took = play_job(sandbox, core, mode)
        beside += took
        quiet += play_job(sandbox, core, "")[: len(took)]
    return beside, quiet


def play_job(sandbox: Sandbox, core: int, mode: str) -> list[float]:
    """Play one job, up to its end or the hostile bot's."""
    unquiet = ROOT / "bench" / "unquiet"
    manifest = load_manifest(unquiet)
    hostile = replace(manifest, run=(*manifest.run, *mode.split()))
    opponent = ROOT / "bots" / "first-legal"
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-bench-")))
        orders = [
            SeatOrder(folder, program, grant_limits(program.limits), root / str(number), core)
            for number, (folder, program) in enumerate(
                ((unquiet, hostile), (opponent, load_manifest(opponent)))
            )
        ]
        seats = start_seats(sandbox, orders)
        for seat in seats:
            stack.callback(seat.close)
        links = [greet(LiveBot(f"bot {index}", seat)) for index, seat in enumerate(seats)]
        players = [
            Player(index, LiveBot(f"bot {index}", seat), links[index]) for index, seat in enumerate(seats)
        ]
        plans = [
            TablePlan(number, 0, derive(b"hostile", number), (number % 2, 1 - number % 2), (1, 2))
            for number in range(JOB_MATCHES)
        ]
        played = JobDriver(players, plans, CLOCK, RULES, lambda _: None, lambda: False).run()
        for link in links:
            link.close()
    faults = [fault for _, result in played.finished for fault in result.faults]
    is_ended = [death.bot for death in played.deaths] == [0] and mode in ENDED
    if not is_ended and (faults or len(played.finished) < JOB_MATCHES):
        said = [f"{fault}: {fault.evidence.detail}" for fault in faults]
        raise SystemExit(f"{mode}: {said or played.deaths}: it was meant to play on")
    return [took / 1000 for took in links[1].took_ns[1:]]


def p99(times: Sequence[float]) -> float:
    """Return the time that one in a hundred exceeds."""
    return statistics.quantiles(times, n=100)[98]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__, runs=3)
    parser.add_argument("--decisions", type=int, default=400, help="of the opponent, for each mode and run")
    parser.add_argument("--modes", nargs="+", choices=MODES, default=list(MODES), help="of the hostile bot")
    options = parser.parse_args()
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    cache = Path(tempfile.gettempdir(), f"arena-bench-cache-{os.geteuid()}")
    cache.mkdir(exist_ok=True)
    sandbox = open_sandbox(SandboxSettings(cache))
    runs: list[Measured] = [
        {mode: measure(sandbox, core, mode, options.decisions) for mode in options.modes}
        for _ in range(options.runs)
    ]
    if not options.json:
        sys.stdout.write(f"level {sandbox.level}; the opponent's decisions, us\n")
        for mode in options.modes:
            for side, company in enumerate((mode, "quiet")):
                times = [took for run in runs for took in run[mode][side]]
                sys.stdout.write(
                    f"  beside {company:6} median {statistics.median(times):8.0f}  p99 {p99(times):8.0f}"
                    f"  of {len(times)}\n"
                )
    repeat = as_given()
    rows = [
        Row(
            f"p99 of a decision beside a bot that {what}",
            "a quiet one",
            "x",
            [p99(run[mode][0]) / p99(run[mode][1]) for run in runs],
            repeat,
            goal=GOAL,
            is_limit=True,
        )
        for mode, what in MODES.items()
        if mode in options.modes
    ]
    show(rows, as_json=options.json)


if __name__ == "__main__":
    main()
