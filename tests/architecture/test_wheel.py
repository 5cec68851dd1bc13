"""What is installed where there is no C compiler."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("arena", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def test_an_install_without_a_compiler_succeeds(tmp_path: Path) -> None:
    """The package is installed, plays uncompiled, and says so; `make wheel` proves the other case."""
    checkout, target = tmp_path / "checkout", tmp_path / "installed"
    checkout.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, checkout / name)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    without = {**os.environ, "CC": "no-such-compiler"}
    install = [*pip, "--no-index", "--target", str(target), str(checkout)]
    subprocess.run(install, check=True, env=without, cwd=tmp_path)
    ask = [sys.executable, "-c", "import arena.rules as r; print(r.ENGINE, r.__file__)"]
    within = {**os.environ, "PYTHONPATH": str(target)}
    said = subprocess.run(ask, check=True, env=within, cwd=tmp_path, capture_output=True, text=True)

    assert said.stdout.startswith("uncompiled: not built")
    assert str(target) in said.stdout
    assert files_of(target / "arena") == files_of(ROOT / "arena")


def files_of(package: Path) -> set[str]:
    """Return the files of a package that its checkout and its install must share: queries, templates, all."""
    made = {".pyc", ".so"}
    found = (path for path in package.rglob("*") if path.is_file() and path.suffix not in made)
    return {str(path.relative_to(package)) for path in found}
