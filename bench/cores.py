"""Two jobs, each pinned to a core of its own, against one job on one core.

    python bench/cores.py

Each run plays a job alone on the one core, alone on the other, and then both at once; the ratio is what both
reach together to what one reaches alone. It says something only on a machine that does nothing else.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from rows import Row, parser_of, show

ROOT = Path(__file__).resolve().parents[1]


def start_job(core: int, tables: int, seconds: float) -> "subprocess.Popen[str]":
    """Begin to measure one job on a core."""
    command = [sys.executable, str(ROOT / "bench" / "tables.py"), "--only-arena", "--json", "--runs", "1"]
    command += ["--core", str(core), "--tables", str(tables), "--seconds", str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def speed_of(job: "subprocess.Popen[str]") -> float:
    """Return its decisions a second."""
    told, _ = job.communicate()
    if job.returncode != 0:
        raise SystemExit(f"a job of the bench ended with {job.returncode}")
    return float(json.loads(told)["rows"][0]["figure"])


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    parser.add_argument("--tables", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each job")
    options = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        sys.stderr.write("Two jobs on two cores: not measured, there is one core.\n")
        return
    ratios = []
    for _ in range(options.runs):
        alone = [speed_of(start_job(core, options.tables, options.seconds)) for core in cores]
        together = [start_job(core, options.tables, options.seconds) for core in cores]
        ratios.append(sum(map(speed_of, together)) / (sum(alone) / len(alone)))
    repeat = f"python bench/cores.py --runs {options.runs}"
    show([Row("two jobs on two cores", "one on one", "x", ratios, repeat, 1.8, 1.95)], as_json=options.json)


if __name__ == "__main__":
    main()
