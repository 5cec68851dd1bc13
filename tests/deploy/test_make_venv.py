"""Promises of `deploy/make-venv`, the first step of `make` on a fresh machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def make_venv(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Have `make` create a virtual environment with this Python."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", f"PYTHON={sys.executable}", f"VENV={folder}", f"{folder}/bin/python"],
        cwd=ROOT,
        env=own | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.needs("package-index")
def test_a_python_without_ensurepip_gets_virtualenv(tmp_path: Path) -> None:
    """As on a bare Debian: the environment is made all the same, a whole one with a pip of its own."""
    (tmp_path / "ensurepip.py").write_text("raise ImportError('no ensurepip here')\n")
    done = make_venv(tmp_path / "venv", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = subprocess.run(
        [tmp_path / "venv" / "bin" / "python", "-c", "import pip, sys; print(sys.prefix, pip.__file__)"],
        capture_output=True,
        text=True,
        check=True,
    )

    prefix, pip = map(Path, told.stdout.split())
    assert prefix == tmp_path / "venv"
    assert pip.is_relative_to(prefix)


def test_a_python_without_pip_too_is_told_what_to_install(tmp_path: Path) -> None:
    """Nothing is made, and the line names Debian's packages."""
    for name in ("ensurepip", "pip"):
        (tmp_path / f"{name}.py").write_text(f"raise ImportError('no {name} here')\n")
    done = make_venv(tmp_path / "venv", PYTHONPATH=str(tmp_path))

    assert done.returncode == 2
    assert "install one of them (Debian: python3-venv or python3-pip)" in done.stderr
    assert not (tmp_path / "venv").exists()
