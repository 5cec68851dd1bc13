"""Two jobs, each pinned to a core of its own, against one job on one core.

    python bench/cores.py

Two jobs run in short slices: one alone, the other alone, both at once, and so on; the ratio is what both
reach together to what one reaches alone, each in its best slices (`slices`). It says something only on a
machine that does nothing else.
"""

import os
import sys

from rows import Row, as_given, parser_of, show
from seats import ROOT
from slices import Contender, Slice, best_rate

SLICE_S = 0.2
"""Longer than elsewhere: two that begin together shall run together nearly all the time."""


def measure(cores: list[int], tables: int, seconds: float) -> float:
    """Return how many times as much two jobs do at once as one of them alone."""
    stream = [sys.executable, str(ROOT / "bench" / "streams.py"), "arena", str(tables)]
    alone: tuple[list[Slice], list[Slice]] = ([], [])
    together: list[Slice] = []
    with (
        Contender([*stream, f"--core={cores[0]}"]) as one,
        Contender([*stream, f"--core={cores[1]}"]) as other,
    ):
        for _slice in range(round(seconds / SLICE_S) + 1):
            for job, slices in zip((one, other), alone, strict=True):
                slices.append(job.work(SLICE_S))
            one.begin(SLICE_S)
            other.begin(SLICE_S)
            both = one.end(), other.end()
            decisions = sum(slice_["decisions"] for slice_ in both)
            together.append({"decisions": decisions, "s": sum(slice_["s"] for slice_ in both) / 2})
    speeds = [best_rate(slices[1:], "decisions", "s") for slices in (*alone, together)]
    return speeds[2] / ((speeds[0] + speeds[1]) / 2)


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each job")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        show([], as_json=options.json, lacking="two jobs on two cores: not measured, there is one core")
        return
    ratios = [measure(cores, options.tables, options.seconds) for _run in range(options.runs)]
    repeat = as_given()
    show([Row("two jobs on two cores", "one on one", "x", ratios, repeat, 1.8, 1.95)], as_json=options.json)


if __name__ == "__main__":
    main()
