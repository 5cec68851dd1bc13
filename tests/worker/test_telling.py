"""Promises of what a worker tells: lines for people and for programs, and figures for Prometheus."""

import io
import json
import logging
import re
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from arena.config import load_settings
from arena.errors import PlatformError, UsageError
from arena.worker.logs import JsonFormatter, TextFormatter, about
from tests.fix_servers import free_port
from tests.fix_workers import QUICK, ROOT, Fleet
from tests.worker.test_bot_faults import misbehaving


def written(formatter: logging.Formatter, level: int, message: str, *values: object) -> str:
    """Return the line that an event becomes."""
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(formatter)
    handler.handle(logging.LogRecord("arena.worker", level, "", 0, message, values, None))
    return handler.stream.getvalue().rstrip("\n")


def test_a_line_carries_what_it_is_about() -> None:
    """Event, values and what the thread is about, each value once; for programs with its type."""
    with about(job=7, bots="greedy@1,random@1"):
        text = written(TextFormatter(), logging.INFO, "job_claimed job=%s fence=%s", 7, 2)
        line = json.loads(written(JsonFormatter(), logging.INFO, "job_claimed job=%s fence=%s", 7, 2))
    after = json.loads(
        written(JsonFormatter(), logging.WARNING, "claim_failed error=%s", PlatformError("a\nb"))
    )

    assert text.endswith("INFO arena.worker job_claimed job=7 fence=2 bots=greedy@1,random@1")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line.pop("time"))
    assert line == {
        "level": "info",
        "logger": "arena.worker",
        "event": "job_claimed",
        "job": 7,
        "fence": 2,
        "bots": "greedy@1,random@1",
    }
    assert (after["event"], after["error"], "bots" in after) == ("claim_failed", "a\nb", False)


def test_a_form_of_lines_that_is_none_is_refused() -> None:
    """The two forms are named."""
    with pytest.raises(UsageError, match=r"log_format: 'jason' is none of text, json \(did you mean 'json'"):
        load_settings({"log_format": "jason"}, environment={})


def test_a_worker_tells_programs_what_happened(fleet: Fleet, tmp_path: Path) -> None:
    """Every line is JSON; verdicts name match, bot and job; the figures add up, and go with the worker."""
    port = free_port()
    fleet.submit(ROOT / "bots" / "greedy", misbehaving(tmp_path, "absent", "exit-at-start"))
    fleet.start("greedy", "absent", rules=QUICK, deal_sets=2)
    fleet.up(1, log_format="json", metrics_port=port, lease_s=30.0)

    def has_counted(_: object) -> bool:
        with suppress(OSError):  # the process that answers may start later than the one that plays
            figures = read_figures(port)
            # The queue is looked at with each heartbeat only.
            return figures.get("arena_matches_total") == 4 and figures.get("arena_queue_jobs") == 0
        return False

    fleet.wait(has_counted)
    figures = read_figures(port)
    fleet.dismiss()

    said = (fleet.settings.data_folder / "log" / "worker-0.log").read_text()
    lines = [json.loads(line) for line in said.splitlines()]
    verdicts = [line for line in lines if line["event"] == "verdict"]
    assert sorted(line["match"] for line in verdicts) == [1, 2, 3, 4]
    assert {(line["bot"], line["kind"], line["tournament"]) for line in verdicts} == {
        ("absent@1", "never_started", "cup")
    }
    assert {line["job"] for line in verdicts} == {1, 2}
    assert figures["arena_verdicts_total"] == 4
    assert figures["arena_sandbox_starts_total"] == 4
    assert figures["arena_queue_jobs"] == figures["arena_lease_losses_total"] == 0
    assert {"arena_decisions_total", "arena_queue_age_seconds", "arena_job_failures_total"} <= set(figures)
    assert list(fleet.temporary.glob("arena-metrics-*")) == []
    with pytest.raises(OSError, match="refused"):
        read_figures(port)


def read_figures(port: int) -> dict[str, float]:
    """Return every figure that a worker shows, without its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    found = re.compile(r"(arena_\w+)\{.*\} (\S+)")
    return {match[1]: float(match[2]) for line in lines if (match := found.fullmatch(line))}
