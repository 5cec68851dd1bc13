"""Promises of how the benches measure (`bench/slices.py`)."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
COUNTING = """
import json, sys
for number, line in enumerate(sys.stdin):
    print(json.dumps({"number": number, "length": float(line), "who": sys.argv[1]}), flush=True)
"""
ECHOING = """
import json, sys
for number, line in enumerate(sys.stdin):
    print(json.dumps({"line": line, "sizes": [number, 7]}), flush=True)
"""


@pytest.fixture
def slices(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the module."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(BENCH)])
    import slices  # noqa: PLC0415 (found only now)

    return slices


def test_contenders_work_in_turn_and_the_first_slice_does_not_count(slices: Any) -> None:
    """Each gets as many slices as the seconds allow, of the same length, after one to warm up."""
    commands = {who: ([sys.executable, "-c", COUNTING, who], {}) for who in ("one", "other")}
    measured = slices.measure_in_turn(commands, 10 * slices.SLICE_S)

    for who in commands:
        assert [one["number"] for one in measured[who]] == list(range(1, 11))
        assert {(one["length"], one["who"]) for one in measured[who]} == {(slices.SLICE_S, who)}


def test_a_contender_that_follows_is_told_the_sizes_of_the_same_turn(slices: Any) -> None:
    """Bare messages are as large as the arena's were in the slice before; the one that leads is told none."""
    commands = {who: ([sys.executable, "-c", ECHOING], {}) for who in ("arena", "bare")}
    measured = slices.measure_in_turn(commands, 10 * slices.SLICE_S, {"bare": "arena"})

    assert {one["line"] for one in measured["arena"]} == {f"{slices.SLICE_S}\n"}
    assert [one["line"] for one in measured["bare"]] == [
        f"{slices.SLICE_S} {number} 7\n" for number in range(1, 11)
    ]


def test_the_rate_is_that_of_the_fastest_slices(slices: Any) -> None:
    """Slices that something else slowed down do not count; of the others work and time are added up."""
    fast = [{"work": 10, "s": 1.0}, {"work": 30, "s": 2.0}]
    slow = [{"work": 9, "s": 1.0 + number} for number in range(2 * slices.BEST - 2)]

    assert slices.best_rate([*slow[:3], *fast, *slow[3:]], "work", "s") == 40 / 3


def test_a_contender_that_ends_is_no_figure(slices: Any) -> None:
    """The bench ends with an error, and says so."""
    commands = {"gone": ([sys.executable, "-c", "raise SystemExit(3)"], {})}
    with pytest.raises(SystemExit, match="a contender of the bench"):
        slices.measure_in_turn(commands, 1.0)


def test_two_jobs_on_one_core_say_why_there_is_no_figure() -> None:
    """`bench/cores.py --json` prints JSON on one core, too: no row, and what is lacking."""
    program = f"""
import os, runpy, sys
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
sys.argv = ["cores.py", "--json"]
sys.path[:0] = [{str(BENCH)!r}, {str(BENCH.parent)!r}]
runpy.run_path({str(BENCH / "cores.py")!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)

    assert told["rows"] == []
    assert "there is one core" in told["lacking"]
