"""From what is seen of a dead or broken bot to the fault that says what it did.

Owns the order of the evidence: what the kernel says of the process comes before what the stream looked like,
because a process that ran out of memory also closes its stream. Refuses to decide which matches are left.
"""

import os
import time
from dataclasses import replace

from arena.botproc.elsewhere import WANTED, say_elsewhere
from arena.botproc.link import BreakKind, Broken, StartFailure
from arena.botproc.seat import Exit, SeatProcess
from arena.match.fault import Evidence, FaultKind

NEAR_LIMIT = 1
"""The sandbox's own first process counts as one of the bot's in some of its shapes."""
EXIT_WAIT_S = 0.5
"""How long a process may take to be gone after its stream is."""
EXIT_POLL_S = 0.002
"""How often it is looked at meanwhile."""
STDERR_TAIL_CHARS = 4000
"""Kept of the standard error in a fault; the whole capture stays with the job."""

_BY_STREAM = {
    BreakKind.CLOSED: FaultKind.DISCONNECTED,
    BreakKind.LOST: FaultKind.DISCONNECTED,
    BreakKind.REFUSED: FaultKind.PROTOCOL_ERROR,
}


NEVER_LISTENED = (
    f"; it never listened on {WANTED}: it listens elsewhere, waits for something, or takes too long"
)
ENDED_EARLY = f"; it came to its end without listening on {WANTED}, where it must serve until it is ended"


def judge_start(process: SeatProcess, failure: StartFailure, limit_ms: int) -> tuple[FaultKind, Evidence]:
    """Return the verdict on a bot to which no good hello was said."""
    ended = process.poll()
    if ended is None and failure.kind is FaultKind.PROTOCOL_ERROR:
        # A bot that dies in its hello may look for a moment like one that speaks something else.
        ended = _wait_for_exit(process)
    evidence = _evidence(process, ended, failure.detail + _elsewhere(process, ended))
    kind = failure.kind
    if ended is not None:
        kind = FaultKind.OUT_OF_MEMORY if ended.out_of_memory else FaultKind.NEVER_STARTED
    return kind, replace(evidence, limit_ms=limit_ms, wall_ms=round(failure.wall_ms, 3))


def judge_break(process: SeatProcess, broken: Broken) -> tuple[FaultKind, Evidence]:
    """Return the verdict on a bot whose stream has ended, or that sent what the protocol does not allow."""
    refused = broken.kind is BreakKind.REFUSED
    ended = process.poll() if refused else _wait_for_exit(process)
    evidence = replace(_evidence(process, ended, broken.detail), last_answer=broken.last_answer)
    if ended is not None and ended.out_of_memory:
        return FaultKind.OUT_OF_MEMORY, evidence
    if ended is not None and not refused:
        return FaultKind.CRASHED, evidence
    return _BY_STREAM[broken.kind], evidence


def _elsewhere(process: SeatProcess, ended: Exit | None) -> str:
    """Say of a bot without the socket that it was told to make where it listens, or what it must do.

    Of one that ended for another reason nothing is said, its standard error says more; and of one that lives
    nobody knows why it does not listen.
    """
    if os.path.exists(process.socket_path):  # noqa: PTH110 (raises nothing where the folder went with its bot)
        return ""
    if found := say_elsewhere(process):
        return f"; {found}"
    if ended is None:
        return NEVER_LISTENED
    return ENDED_EARLY if ended.code == 0 else ""


def _wait_for_exit(process: SeatProcess) -> Exit | None:
    """Return how the process ended, None when it goes on living."""
    until = time.monotonic() + EXIT_WAIT_S
    while (ended := process.poll()) is None and time.monotonic() < until:
        time.sleep(EXIT_POLL_S)
    return ended


def add_usage(evidence: Evidence, process: SeatProcess) -> Evidence:
    """Return evidence with the memory that the bot has used so far, and the processes that it was refused."""
    usage = process.usage()
    if usage.memory_bytes:
        evidence = replace(
            evidence,
            memory_bytes=usage.memory_bytes,
            memory_limit=usage.memory_limit,
            memory_source=usage.memory_source,
        )
    if usage.refused:
        return replace(evidence, processes_refused=usage.refused, process_limit=usage.process_limit)
    if usage.process_limit and usage.processes >= usage.process_limit - NEAR_LIMIT:
        return replace(evidence, processes_most=usage.processes, process_limit=usage.process_limit)
    return evidence


def _evidence(process: SeatProcess, ended: Exit | None, detail: str) -> Evidence:
    seen = Evidence(
        exit_signal=ended.signal if ended else None,
        exit_code=ended.code if ended else None,
        stderr_tail=process.stderr().text[-STDERR_TAIL_CHARS:],
        detail=f"{detail} ({ended})" if ended else detail,
    )
    return add_usage(seen, process)
