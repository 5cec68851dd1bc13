"""What a bench prints: one row for each goal, with its ratio, the goal, the spread, and how to repeat it.

Owns the layout for people and for programs. Measuring is each bench's own; every run of it measures all that
is compared, one after the other, so that a slow minute of the machine meets both sides of a ratio.
"""

import argparse
import json
import os
import shlex
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    """One figure that has a goal, or that is shown for comparison."""

    what: str
    """What was measured."""
    against: str
    """What it is a ratio to; empty for an absolute figure."""
    unit: str
    """`x` for a ratio, else the unit."""
    runs: Sequence[float]
    """One figure a run."""
    repeat: str
    """The command that measures it again."""
    goal: float | None = None
    """What must be reached; None where the row is for information."""
    aim: float | None = None
    """What would be better still."""
    is_limit: bool = False
    """True when less is better."""

    @property
    def figure(self) -> float:
        """The median of the runs."""
        return statistics.median(self.runs)

    @property
    def verdict(self) -> str:
        """Say whether the goal was reached."""
        if self.goal is None:
            return "for information"
        if self._reaches(self.aim):
            return "aim reached"
        return "reached" if self._reaches(self.goal) else "MISSED"

    def _reaches(self, mark: float | None) -> bool:
        if mark is None:
            return False
        return self.figure <= mark if self.is_limit else self.figure >= mark


def parser_of(description: str | None, runs: int = 5) -> argparse.ArgumentParser:
    """Return the parser that every bench of rows begins with: how often to measure, and for whom to print."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=runs)
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def as_given() -> str:
    """Return the command that runs, with every option that it was given, for whoever repeats it by hand."""
    before = "PYTHONPATH=. " if os.environ.get("PYTHONPATH") else ""
    return before + shlex.join(["python", *(word for word in sys.argv if word != "--json")])


def show(rows: Sequence[Row], *, as_json: bool, lacking: str = "") -> None:
    """Print the rows, or why there are none."""
    if as_json:
        told = [{**asdict(row), "figure": row.figure, "verdict": row.verdict} for row in rows]
        why = {"lacking": lacking} if lacking else {}
        sys.stdout.write(json.dumps({"load": os.getloadavg()[0], "rows": told, **why}, indent=1) + "\n")
        return
    if lacking:
        sys.stdout.write(f"{lacking}\n")
        return
    for row in rows:
        sys.stdout.write(_line(row) + "\n")
    load = f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    again = "; ".join(dict.fromkeys(row.repeat for row in rows))
    sys.stdout.write(f"every row above again, with its spread: {again}  ({load})\n")


def _line(row: Row) -> str:
    name = f"{row.what}, against {row.against}" if row.against else row.what
    figure = _text(row.figure, row.unit)
    spread = f"{_text(min(row.runs), row.unit)} to {_text(max(row.runs), row.unit)} in {len(row.runs)} runs"
    sign = "<=" if row.is_limit else ">="
    goal = "" if row.goal is None else f"goal {sign} {row.goal:g}"
    goal += "" if row.aim is None else f", aim {row.aim:g}"
    return f"{name:72} {figure:>12}  {goal:22} {row.verdict:15} {spread}"


def _text(figure: float, unit: str) -> str:
    digits = 0 if abs(figure) >= 100 else 1 if abs(figure) >= 10 else 2
    return f"{figure:,.{digits}f} {unit}"
