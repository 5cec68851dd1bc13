"""Promises of `setup.py build_core`, the compilation behind `make build`."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def build_core(*options: str) -> subprocess.CompletedProcess[str]:
    """Ask for the core where no compiler can be found."""
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_core", *options],
        cwd=ROOT,
        env=os.environ | {"CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_compiler_nothing_counts_as_done(tmp_path: Path) -> None:
    """It says why and is no failure, but leaves no stamp: the next `make` looks for a compiler again."""
    stamp = tmp_path / "core.stamp"
    done = build_core(f"--stamp={stamp}")

    assert (done.returncode, done.stdout) == (0, "")
    assert "stays uncompiled (no C compiler found)" in done.stderr
    assert not stamp.exists()
    assert build_core("--ask").stdout == "no C compiler found\n"


def test_without_a_compiler_there_is_no_wheel() -> None:
    """`make wheel` fails with one line that says why, and names the option for a wheel without a core."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"CC": "no-such-compiler", "PATH": path, "PURE": ""}
    done = subprocess.run(
        ["deploy/wheel"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert "no C compiler found" in line
    assert "PURE=1" in line
