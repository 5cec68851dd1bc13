"""The one entry to live play: say hello to every bot, play the tables, close the streams.

Owns the hello and the clean-up. The play itself is `arena.botproc.driver`'s. This module and what it imports
load gRPC: a worker imports it in the process that plays, after its last fork.
"""

import time
from collections.abc import Callable, Sequence

import arena
from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.driver import JobDriver
from arena.botproc.limits import Limits
from arena.botproc.link import StartFailure
from arena.botproc.live import LiveBot, PlayedTables, Progress
from arena.botproc.player import Player
from arena.botproc.table import LiveTable
from arena.botproc.verdict import judge_start
from arena.errors import PlatformError
from arena.match.fault import FaultKind
from arena.match.plan import ClockSettings, TablePlan
from arena.protocol import version
from arena.protocol.hello import ruleset_message
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.options import Ruleset


def play_tables(
    bots: Sequence[LiveBot],
    plans: Sequence[TablePlan],
    clock: ClockSettings,
    ruleset: Ruleset,
    *,
    on_progress: Callable[[Progress], None] = lambda _: None,
    should_stop: Callable[[], bool] = lambda: False,
    probe_starts: Callable[[], bool] = lambda: True,
    on_batch: Callable[[Sequence[LiveTable]], None] = lambda _: None,
) -> PlayedTables:
    """Play `plans` with bots whose processes were just started; return what came of it.

    Args:
        bots: The bots of the job; a plan's `order` holds indices into them.
        plans: The matches, begun in this order.
        clock: Budgets, banks and limits of the job.
        ruleset: What is played.
        on_progress: Called a few times a second; what it raises ends the job with nothing kept.
        should_stop: Asked a few times a second; True ends the job as Ctrl-C does.
        probe_starts: Whether the arena's own probe bot starts in the same sandbox right now. Asked when a bot
            did not start, because only then it is the bot's own doing.
        on_batch: Called with the open tables whenever a bot has answered, while no bot's clock runs.

    Raises:
        PlatformError: A bot did not start, and neither does the probe.
    """
    players: list[Player] = []
    try:
        for index, bot in enumerate(bots):
            players.append(_greet(index, bot, clock, ruleset, probe_starts))
            # Who has said hello does not use the core on which the next one is starting.
            players[-1].freeze_when_due(time.monotonic_ns())
        driver = JobDriver(players, plans, clock, ruleset, on_progress, should_stop, on_batch=on_batch)
        return driver.run()
    finally:
        for player in players:
            if player.link is not None:
                player.link.close()


def _greet(
    index: int, bot: LiveBot, clock: ClockSettings, ruleset: Ruleset, probe_starts: Callable[[], bool]
) -> Player:
    """Say hello to one bot."""
    hello_ms = clock.hello_ms if bot.hello_ms is None else bot.hello_ms
    message_bytes = message_limit(clock.tables_max)
    request = make_hello(bot.limits, clock, ruleset, hello_ms)
    outcome = say_hello(bot.process, request, hello_ms, message_bytes)
    if isinstance(outcome, Connection):
        return Player(index, bot, outcome)
    return _fail(index, bot, outcome, hello_ms, probe_starts)


def make_hello(limits: Limits, clock: ClockSettings, ruleset: Ruleset, hello_ms: int) -> pb.HelloRequest:
    """Return the hello of a job; whoever dials adds the nonce."""
    return pb.HelloRequest(
        protocol_min=version.OLDEST,
        protocol_max=version.NEWEST,
        ruleset=ruleset_message(ruleset),
        limits=pb.Limits(
            budget_ms=clock.budget_ms,
            bank_ms=clock.bank_ms,
            memory_bytes=limits.memory_bytes,
            processes=limits.processes,
            cpu_millis=int(limits.cores * 1000),
            hello_ms=hello_ms,
            message_bytes=message_limit(clock.tables_max),
            stderr_bytes=limits.stderr_bytes,
        ),
        tables_max=clock.tables_max,
        arena_version=arena.__version__,
    )


def _fail(
    index: int, bot: LiveBot, failure: StartFailure, hello_ms: int, probe_starts: Callable[[], bool]
) -> Player:
    """Give the verdict on a bot that did not say a good hello."""
    kind, evidence = judge_start(bot.process, failure, hello_ms)
    bot.process.kill()
    if kind is FaultKind.NEVER_STARTED and not probe_starts():
        raise PlatformError(f"no bot starts in this sandbox; {bot.name}: {evidence.detail}")
    player = Player(index, bot, None)
    player.death = kind, evidence
    return player
