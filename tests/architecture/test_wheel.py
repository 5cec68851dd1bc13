"""What is installed where there is no C compiler: everything but the compiled core, reference bots too."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from arena.service.trial import REFERENCE

ROOT = Path(__file__).resolve().parents[2]
TRY = """
import arena.rules as r
from arena.service.trial import try_ruleset
print(r.ENGINE, r.__file__)
trial = try_ruleset(r.preset("mattel"), seats=5, rounds=1)
print(trial.bots, trial.faults)
"""
SOURCES = ("arena", "setup.py", "pyproject.toml", "README.md", "LICENSE", "deploy/command")


def test_an_install_without_a_compiler_succeeds(tmp_path: Path) -> None:
    """The package says that it plays uncompiled, and its reference bots do; `make wheel` proves the rest."""
    checkout, target = tmp_path / "checkout", tmp_path / "installed"
    checkout.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, checkout / name)
    for name in REFERENCE:
        shutil.copytree(ROOT / "bots" / name, checkout / "bots" / name)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    without = {**os.environ, "CC": "no-such-compiler"}
    install = [*pip, "--no-index", "--target", str(target), str(checkout)]
    subprocess.run(install, check=True, env=without, cwd=tmp_path)
    ask = [sys.executable, "-c", TRY]
    within = {**os.environ, "PYTHONPATH": str(target)}
    said = subprocess.run(ask, check=True, env=within, cwd=tmp_path, capture_output=True, text=True)

    command = [str(target / "bin" / "arena"), "--version"]
    version = subprocess.run(command, check=True, env=within, cwd=tmp_path, capture_output=True, text=True)

    assert version.stdout.startswith("arena ")
    assert said.stdout.startswith("uncompiled: not built")
    assert str(target) in said.stdout
    assert f"{REFERENCE} 0" in said.stdout
    bots = {f"reference/{path}" for path in files_of(checkout / "bots") if path.endswith((".py", "bot.toml"))}
    assert files_of(target / "arena") == files_of(ROOT / "arena") | bots


def files_of(package: Path) -> set[str]:
    """Return the files of a package that its checkout and its install must share: queries, templates, all."""
    made = {".pyc", ".so"}
    found = (path for path in package.rglob("*") if path.is_file() and path.suffix not in made)
    return {str(path.relative_to(package)) for path in found}
