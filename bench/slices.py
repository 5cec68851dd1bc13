"""Measures contenders in short slices, in turn, so that a slow moment of the machine meets all of them.

Owns both ends. A contender is a process of its own that works only while it is told to: it reads a number of
seconds from a line, works so long, and answers with what it did, as JSON. Whatever else runs on a machine
only ever slows a slice down; so the rate of a contender is that of its fastest slices, one in eight.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

SLICE_S = 0.05
"""How long a slice is: several times what a pause between them leaves behind in the caches."""
BEST = 8
"""One slice in so many counts: the fewer, the less the runs spread (docs/performance.md)."""

Name = TypeVar("Name")
Slice = Mapping[str, Any]
"""What was done in a slice, and what it took, by name: numbers, and under `sizes` those of its messages."""


class Contender:
    """One process that works in slices."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        """Start it; it waits for its first slice."""
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def __enter__(self) -> Self:
        """It is running."""
        return self

    def __exit__(self, kind: type[BaseException] | None, _: object, __: TracebackType | None) -> None:
        """Let it end; after an error, see to it."""
        if kind is not None:
            self._process.kill()
        self._process.communicate()

    def begin(self, seconds: float, sizes: Sequence[int] = ()) -> None:
        """Let it work so long, with messages of these sizes where it can be told them."""
        if self._process.stdin is None:
            raise AssertionError("a contender is told what to do through a pipe")
        try:
            self._process.stdin.write(" ".join(map(str, (seconds, *sizes))) + "\n")
        except BrokenPipeError:
            raise SystemExit("a contender of the bench has ended before its time") from None

    def end(self) -> Slice:
        """Wait for what it did."""
        line = self._process.stdout.readline() if self._process.stdout is not None else ""
        if not line:
            raise SystemExit(f"a contender of the bench ended with {self._process.wait()}")
        done: Slice = json.loads(line)
        return done

    def work(self, seconds: float, sizes: Sequence[int] = ()) -> Slice:
        """Let it work, and wait."""
        self.begin(seconds, sizes)
        return self.end()


def measure_in_turn(
    contenders: Mapping[Name, tuple[Sequence[str], Mapping[str, str]]],
    seconds: float,
    follows: Mapping[Name, Name] | None = None,
) -> dict[Name, list[Slice]]:
    """Start contenders, given as command and environment; return the slices of each, `seconds` in all.

    One that `follows` another works with the sizes of messages that the other had in the same turn.
    """
    leaders = follows or {}
    with ExitStack() as stack:
        started = {
            name: stack.enter_context(Contender(command, environment))
            for name, (command, environment) in contenders.items()
        }
        for contender in started.values():
            contender.work(SLICE_S)  # The first one warms up.
        slices: dict[Name, list[Slice]] = {name: [] for name in started}
        for _round in range(max(BEST, round(seconds / SLICE_S))):
            for name, contender in started.items():
                sizes = slices[leaders[name]][-1]["sizes"] if name in leaders else ()
                slices[name].append(contender.work(SLICE_S, sizes))
    return slices


def best_rate(slices: Sequence[Slice], work: str, cost: str) -> float:
    """Return work done by cost, in the fastest of the slices."""
    fastest = sorted(slices, key=lambda one: one[work] / one[cost])[-max(1, len(slices) // BEST) :]
    return sum(one[work] for one in fastest) / sum(one[cost] for one in fastest)


def orders() -> Iterator[float]:
    """Yield, in a contender, how long each slice shall be, until there are no more."""
    for seconds, _ in sized_orders():
        yield seconds


def sized_orders() -> Iterator[tuple[float, Sequence[int]]]:
    """Yield the same, with the sizes of messages that were told, if any."""
    for line in sys.stdin:
        seconds, *sizes = line.split()
        yield float(seconds), [int(size) for size in sizes]


def tell(done: Slice) -> None:
    """Say, in a contender, what was done in a slice."""
    sys.stdout.write(json.dumps(done) + "\n")
    sys.stdout.flush()
