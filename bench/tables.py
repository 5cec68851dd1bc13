"""Decisions per second of two bots behind gRPC, in a job pinned to one core, by the number of tables.

    python bench/tables.py                          # sandboxed, 1, 8, 32, 128 and 256 tables, five runs
    python bench/tables.py --sandbox none --tables 1 128 --seconds 1

`arena` is the whole thing: engine, referee, clocks, records, codec, gRPC, bots with the SDK. `bare` is
the same messages, of questions that stand still, written and read by the arena's own codec, sent, parsed and
answered with the first legal move over the same kind of stream, with nothing else. `echo` is the same bytes
over a raw socket that gives a tenth of them back. In the sizes of messages and in their order both do as the
arena did in the same turn of slices. All processes share one core, so one decision costs what all of them
together spend on it. Each run measures everything, in short slices in turn (`slices`; the contenders are
`streams`); ratios are taken within a run.
"""

import argparse
import statistics
import sys
from collections.abc import Sequence
from typing import Any

from rows import Row, as_given, parser_of, show
from seats import ROOT
from slices import Slice, best_rate, measure_in_turn

from arena.rules import ENGINE

Measured = dict[str, float]
Run = dict[tuple[str, int], Measured]
"""What one run measured, by kind and number of tables."""


def measure(options: argparse.Namespace) -> Run:
    """Measure everything once."""
    own = [f"--seats={options.seats}", f"--bot={options.bot}"]
    own += [f"--sandbox={options.sandbox}"] if options.sandbox else []
    own += [f"--core={options.core}"] if options.core is not None else []
    kinds = ("arena",) if options.only_arena else ("arena", "bare", "echo")
    commands: dict[tuple[str, int], tuple[list[str], dict[str, str]]] = {
        (kind, tables): ([sys.executable, str(ROOT / "bench" / "streams.py"), kind, str(tables), *own], {})
        for tables in options.tables
        for kind in kinds
    }
    follows = {(kind, tables): ("arena", tables) for kind, tables in commands if kind != "arena"}
    measured = measure_in_turn(commands, options.seconds, follows)
    return {name: figures_of(slices) for name, slices in measured.items()}


def figures_of(slices: Sequence[Slice]) -> Measured:
    """Return decisions a second, and microseconds of processor time a decision, in the best slices."""
    costs = {"arena_us": "arena_s", "bots_us": "bots_s", "cpu_us": "cpu_s"}
    return {
        "per_second": best_rate(slices, "decisions", "s"),
        **{
            name: 1e6 / best_rate(slices, "decisions", cost)
            for name, cost in costs.items()
            if slices[0][cost]
        },
    }


def main() -> None:
    """Measure and print."""
    options = _options()
    runs = [measure(options) for _ in range(options.runs)]
    if not options.json:
        sys.stdout.write(f"{ENGINE}, bot {options.bot}\n{_details(runs)}\n")
    show(_rows(runs, options), as_json=options.json)


def _details(runs: Sequence[Run]) -> str:
    """Return the medians of everything that was measured."""
    lines = [f"{'':10} {'decisions/s':>12} {'arena us':>9} {'bots us':>9}   (processor time a decision)"]
    for kind, tables in sorted(runs[0]):
        figures = [run[kind, tables] for run in runs]
        names = figures[0].keys()
        median = {name: statistics.median(figure[name] for figure in figures) for name in names}
        cpu = f"{median['arena_us']:9.1f} {median['bots_us']:9.1f}" if "bots_us" in median else ""
        rates = [figure["per_second"] for figure in figures]
        spread = f"{min(rates):,.0f} to {max(rates):,.0f} decisions/s in {len(rates)} runs"
        lines.append(f"{kind:6} {tables:3} {median['per_second']:12,.0f} {cpu:19}  {spread}")
    return "\n".join(lines)


def _rows(runs: Sequence[Run], options: argparse.Namespace) -> list[Row]:
    """Return the rows of the goals: against one table, against the bare messages, against the echo."""
    repeat = as_given()
    speeds = {
        tables: statistics.median(run["arena", tables]["per_second"] for run in runs)
        for tables in options.tables
    }
    best, one = max(speeds, key=lambda tables: speeds[tables]), min(speeds)

    def row(what: str, against: str, ratios: Sequence[float], **goal: Any) -> Row:
        return Row(f"arena, {best} tables, {what}", against, "x", ratios, repeat, **goal)

    def speed(run: Run, kind: str, tables: int) -> float:
        return run[kind, tables]["per_second"]

    alone = f"{one} table" if one == 1 else f"{one} tables"
    rows = [
        Row(f"arena, {best} tables", "", "decisions/s", [speed(run, "arena", best) for run in runs], repeat),
    ]
    if len(speeds) > 1:
        rates = [speed(r, "arena", best) / speed(r, "arena", one) for r in runs]
        costs = [r["arena", one]["cpu_us"] / r["arena", best]["cpu_us"] for r in runs]
        rows += [row("decisions/s", alone, rates, goal=6, aim=10), row("processor time", alone, costs)]
    if not options.only_arena:
        within: dict[str, Any] = {"goal": 2, "aim": 1.3, "is_limit": True}
        wall = [speed(r, "bare", best) / speed(r, "arena", best) for r in runs]
        cpu = [r["arena", best]["cpu_us"] / r["bare", best]["cpu_us"] for r in runs]
        echo = [speed(r, "echo", best) / speed(r, "arena", best) for r in runs]
        rows += [
            row("wall time", "bare messages", wall, **within),
            row("processor time", "bare messages", cpu, **within),
            row("wall time", "a raw echo", echo),
        ]
    return rows


def _options() -> argparse.Namespace:
    parser = parser_of(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 32, 128, 256])
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement")
    parser.add_argument("--seats", type=int, default=2, help="of each table, one bot a seat")
    parser.add_argument("--bot", default="first-legal", help="folder under bots/")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    parser.add_argument("--core", type=int, help="default the last one")
    parser.add_argument("--only-arena", action="store_true", help="neither bare messages nor the echo")
    return parser.parse_args()


if __name__ == "__main__":
    main()
