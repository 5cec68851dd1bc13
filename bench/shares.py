"""Where the time of a decision goes: bots, messages, engine, gRPC, scheduling, sandbox; by samples.

    python bench/shares.py                          # 256 tables, five runs
    python bench/shares.py --tables 1 --runs 1

Two sandboxed bots play on one core. After every millisecond of the arena's processor time a signal notes what
its main thread is at; what its other threads use is gRPC's, and is noted while the main thread waits for a
message. The bots' own processor time is told by the kernel. The engine works inside the referee; its share is
measured apart, by playing the records of the same matches again.
"""

import signal
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Self

from rows import Row, as_given, parser_of, show
from seats import MATTEL, open_pinned, play_matches, start_bots

from arena.botproc.sandbox import Sandbox
from arena.rules import ENGINE
from arena.rules.record import parse_record, replay

ROOT = Path(__file__).resolve().parents[1]
SAMPLE_S = 0.001
BOTS, REFEREE, ENGINE_AGAIN = (
    "bots: gRPC, parsing, SDK, a trivial move",
    "referee, engine and record",
    "engine",
)
GRPC, SCHEDULING = "gRPC of the arena and its threads", "scheduling: hall, driver, queue"
PARTS = {
    "LiveTable.turn": "writing the turns",
    "turns_message": "writing the turns",
    "LiveTable": REFEREE,
    "Batch": "reading the answers, clocks of the batch",
    "Player": "freezing, thawing, reading processor time",
    "SeatProcess": "freezing, thawing, reading processor time",
    "Connection": GRPC,
    "Hall": SCHEDULING,
    "JobDriver": SCHEDULING,
}
"""What a function, or a class, works at; the innermost one on the stack that is named here counts."""
OTHER = "anything else"


class Sampler:
    """Notes what the main thread is at, after every bit of processor time of the process."""

    def __init__(self) -> None:
        self.samples: Counter[str] = Counter()

    def __enter__(self) -> Self:
        """Begin."""
        signal.signal(signal.SIGPROF, self._note)
        signal.setitimer(signal.ITIMER_PROF, SAMPLE_S, SAMPLE_S)
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)

    def _note(self, _signal: int, frame: FrameType | None) -> None:
        while frame is not None:
            name = frame.f_code.co_qualname
            part = PARTS.get(name) or PARTS.get(name.partition(".")[0])
            if part is not None:
                self.samples[part] += 1
                return
            frame = frame.f_back
        self.samples[OTHER] += 1


def measure(sandbox: Sandbox, core: int, tables: int, matches: int) -> dict[str, float]:
    """Return the microseconds of processor time a decision, by part."""
    with start_bots(sandbox, ROOT / "bots" / "first-legal", core, 2) as seats, Sampler() as sampler:
        began, bots_began = time.process_time(), sum(seat.cpu_ns() for seat in seats)
        played, decisions = play_matches(seats, tables, matches)
        arena = time.process_time() - began
        bots_ns = sum(seat.cpu_ns() for seat in seats) - bots_began
    records = [parse_record(result.record) for _plan, result in played.finished]
    began = time.process_time()
    for record in records:
        replay(record, MATTEL)
    again = time.process_time() - began
    taken = sum(sampler.samples.values())
    figures = {part: arena * count / taken / decisions * 1e6 for part, count in sampler.samples.items()}
    return {BOTS: bots_ns / 1e3 / decisions, **figures, ENGINE_AGAIN: again / decisions * 1e6}


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--matches", type=int, default=500, help="of each run")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    options = parser.parse_args()
    sandbox, core = open_pinned(options.sandbox)
    runs = [measure(sandbox, core, options.tables, options.matches) for _ in range(options.runs)]
    wholes = [sum(run.values()) - run[ENGINE_AGAIN] for run in runs]
    repeat = as_given()
    parts = {part: statistics.median(run.get(part, 0.0) for run in runs) for run in runs for part in run}
    parts.pop(ENGINE_AGAIN)
    rows = [Row(f"a decision at {options.tables} tables, processor time", "", "us", wholes, repeat)]
    for part in sorted(parts, key=lambda part: -parts[part]):
        rows.append(Row(part, "the whole", "%", shares(runs, wholes, part), repeat))
        if part == REFEREE:
            name = "of it the engine, as playing the records again takes"
            rows.append(Row(name, "the whole", "%", shares(runs, wholes, ENGINE_AGAIN), repeat))
    if not options.json:
        sys.stdout.write(f"level {sandbox.level}, {ENGINE}\n")
    show(rows, as_json=options.json)


def shares(runs: list[dict[str, float]], wholes: list[float], part: str) -> list[float]:
    """Return the per cent that a part takes of the whole, run by run."""
    return [run.get(part, 0.0) / whole * 100 for run, whole in zip(runs, wholes, strict=True)]


if __name__ == "__main__":
    main()
