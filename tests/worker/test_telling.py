"""Promises of what a worker tells: lines for people and for programs, and figures for Prometheus."""

import io
import json
import logging
import os
import re
import socket
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from arena.config import load_settings
from arena.errors import PlatformError, UsageError
from arena.worker.logs import AGAIN_S, JsonFormatter, Terse, TextFormatter, about
from arena.worker.main import read_number
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


def test_what_is_told_again_and_again_is_told_once_a_while() -> None:
    """Celery's errors of a broker are one line without a traceback, and no more for ten minutes."""
    now = 1000.0
    terse = Terse(lambda: now)

    def tell(reason: str, seconds: int) -> str | None:
        error = OSError(reason)
        told = (
            f"\nconsumer: Cannot connect to %s: %s.\nTrying again in {seconds} seconds...\n",
            ("redis://h", error),
        )
        line = logging.LogRecord("celery.worker", logging.ERROR, "", 0, *told, (OSError, error, None))
        if not terse.filter(line):
            return None
        assert (line.levelname, line.exc_info) == ("WARNING", None)
        return line.getMessage()

    first = tell("refused", 2)
    again = [tell("refused", seconds) for seconds in (4, 6, 8)]
    other = tell("away", 2)
    now += AGAIN_S

    assert first == "consumer: Cannot connect to redis://h: refused."
    assert again == [None, None, None]
    assert other == "consumer: Cannot connect to redis://h: away."
    assert tell("refused", 32) == first


def test_a_message_that_cannot_be_acknowledged_is_one_line() -> None:
    """A connection that was lost meanwhile is no failure of the worker's: it is told without a traceback."""
    program = (
        "from celery.worker.request import logger\n"
        "from kombu import message\n"
        "from arena.worker.logs import log_to_stderr\n"
        "log_to_stderr('text')\n"
        "class Lost:\n"
        "    no_ack_consumers = ()\n"
        "    def basic_ack(self, tag, multiple=False): raise ConnectionResetError('it is gone')\n"
        "message.Message(channel=Lost(), delivery_tag=1).ack_log_error(logger, (ConnectionResetError,))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stderr.count("\n") == 1
    assert "it is gone" in done.stderr


@pytest.mark.parametrize(
    ("told", "named", "job"),
    [((7,), {}, 7), ((), {}, None), ((1, 2), {}, None), ((7,), {"more": 1}, None), ((), {"job_id": 7}, None)]
    + [((wrong,), {}, None) for wrong in ("7", None, 0, -5, True, 2**63, 1.0, [7], {"a": 1})],
)
def test_a_message_that_names_no_job_is_none(
    told: tuple[object, ...], named: dict[str, object], job: int | None
) -> None:
    """Whatever lies in the queue, what is no number of a job is dropped and reaches no database."""
    assert read_number(told, named) == job


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


def test_a_port_that_is_taken_is_told_and_keeps_no_worker_from_playing(tmp_path: Path) -> None:
    """The worker goes on with a notice that names the port and the remedy, and leaves no file behind."""
    code = (
        "import sys; from arena.worker.metrics import open_meters\n"
        "print(open_meters('w', '127.0.0.1', int(sys.argv[1])).notice)"
    )
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-c", code, str(port)],
            env=os.environ | {"TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )

    said = f"no metrics at 127.0.0.1:{port}: Address already in use; set ARENA_METRICS_PORT to another and"
    assert done.stdout.startswith(said)
    assert done.stderr == f"{done.stdout}"
    assert list(tmp_path.iterdir()) == []


def read_figures(port: int) -> dict[str, float]:
    """Return every figure that a worker shows, without its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    found = re.compile(r"(arena_\w+)\{.*\} (\S+)")
    return {match[1]: float(match[2]) for line in lines if (match := found.fullmatch(line))}
