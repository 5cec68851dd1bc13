"""Promises of `deploy/bench`: no bench is left out without a word."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/sh
case "$1" in *engine.py|*cores.py) exit 7 ;; esac
echo '{"rows": []}'
"""
"""Stands for the benches themselves: the first one of all and one in the middle fail."""


def test_a_bench_that_failed_is_in_the_json(tmp_path: Path) -> None:
    """The array names every bench in order, those that failed with their status, and the exit status is 1."""
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "JSON": "1"}
    done = subprocess.run(
        [ROOT / "deploy" / "bench"], env=environment, capture_output=True, text=True, check=False
    )
    told = json.loads(done.stdout)
    failed = {entry["bench"]: entry["failed"] for entry in told if "failed" in entry}

    assert done.returncode == 1
    assert failed == {"engine.py": 7, "cores.py": 7}
    assert len(told) == (ROOT / "deploy" / "bench").read_text().count('\nbench "')
    assert all("measured" in entry for entry in told if entry["bench"] not in failed)
