"""Promises of `deploy/make-venv`, the first step of `make` on a fresh machine."""

import os
import signal
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


HALF_MADE = """\
import pathlib, signal, sys, tempfile
if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).mkdir()
    tempfile.mkdtemp()
    pathlib.Path(sys.argv[1] + ".told").write_text("half made")
    signal.pause()
"""


@pytest.mark.parametrize("number", ["INT", "TERM"])
def test_an_interrupt_is_one_line_and_leaves_nothing(tmp_path: Path, number: str) -> None:
    """A Ctrl-C, which the terminal gives to all of its group, shows no traceback and leaves no folder."""
    (tmp_path / "venv.py").write_text(HALF_MADE)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    os.mkfifo(tmp_path / "made.told")
    # Whoever runs the suite may ignore the signal, and so would all that it starts.
    heeding = ["env", f"--default-signal={number}", str(ROOT / "deploy" / "make-venv")]
    making = subprocess.Popen(
        [*heeding, sys.executable, str(tmp_path / "made")],
        env=os.environ | {"PYTHONPATH": str(tmp_path), "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    told = (tmp_path / "made.told").read_text()
    left = [path.name for path in scratch.iterdir()]
    os.killpg(making.pid, getattr(signal, f"SIG{number}"))
    _, said = making.communicate()

    assert (told, len(left)) == ("half made", 1)
    assert said == f"make: interrupted; the same command makes {tmp_path / 'made'} anew\n"
    assert making.returncode == 130
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "made").exists()
