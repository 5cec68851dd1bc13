"""The pages on limits and cases tell what the code does."""

from pathlib import Path

import pytest

from arena.botproc.limits import DEFAULT_CEILING, DEFAULT_LIMITS, MIB
from arena.match.fault import FaultKind
from arena.match.plan import ClockSettings
from arena.protocol.conformance import arena_cases

DOCS = Path(__file__).resolve().parents[2] / "docs" / "bots"
LIMITS = (DOCS / "limits.md").read_text(encoding="utf-8")
COSTS = {
    "job": "every match of the job",
    "open": "the matches whose question was open",
    "match": "that match",
    "time": "each match left unanswered",
    "sandboxed": "that match, in a sandbox",
    "nothing": "nothing",
}
CLOCK = ClockSettings()


@pytest.mark.parametrize(
    "row",
    [
        f"| {DEFAULT_LIMITS.memory_bytes // MIB} MiB, up to {DEFAULT_CEILING.memory_bytes // MIB} MiB ",
        f"| processes and threads | {DEFAULT_LIMITS.processes} |",
        f"| open files of a process | {DEFAULT_LIMITS.open_files} |",
        f"if asked for) | {DEFAULT_LIMITS.file_bytes // MIB} MiB |",
        f"a good hello | {CLOCK.hello_ms} ms ",
        f"| time for a decision | {CLOCK.budget_ms} ms |",
        f"| bank of a match | {CLOCK.bank_ms} ms |",
        f"| standard error | {DEFAULT_LIMITS.stderr_bytes // 1024} KiB kept |",
        f"| tables at once | {CLOCK.tables_max}, ",
        *[f"| `{kind.value}` | " for kind in FaultKind],
    ],
)
def test_the_page_tells_the_limits_that_hold(row: str) -> None:
    """Each default stands in its row, and each verdict has one."""
    assert row in LIMITS


def test_the_page_tells_every_row_of_the_arena_s_half() -> None:
    """What a bot does, its verdict and its cost stand in the page as in the data."""
    for case in arena_cases():
        verdict = f"`{case['verdict']}`" if case["verdict"] else "none"
        assert f"| {case['does']} | {verdict} | {COSTS[case['costs']]} |" in LIMITS
