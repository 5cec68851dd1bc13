"""The pages are walked as written: every block of README and docs/ does what a reader is told it does."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.test_templates import TOOLS
from tests.fix_user_home import QUICK, ROOT, Home
from tests.pages import GUIDES, Block, blocks_of

pytestmark = pytest.mark.xdist_group("acceptance")
WALKED = [
    page
    for page in GUIDES
    if any(block.language != "text" for block in blocks_of(page)) and page.stem not in TOOLS
]
"""All but the pages of languages that are built, which tests/acceptance/test_templates.py walks."""
REFERENCE = ("greedy", "random", "first-legal", "veteran")


@pytest.fixture(scope="module")
def reader(home: Home) -> Iterator[dict[str, str]]:
    """Give a reader's environment: `arena` on the path, servers that stay, the level of this machine."""
    level = {"ARENA_SANDBOX": "auto" if home.rated else "none"}
    assert home.arena("up", **QUICK, **level).code == 0
    launcher = home.arena.folder / "bin"
    launcher.mkdir()
    (launcher / "arena").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m arena.cli "$@"\n')
    (launcher / "arena").chmod(0o755)
    (launcher / "python").symlink_to(sys.executable)
    data = {"ARENA_DATA_FOLDER": str(home.arena.folder / ".arena")}
    path = {"PATH": f"{launcher}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    yield home.arena.environment(QUICK | level | data | path)
    home.arena("down")
    shutil.rmtree(launcher)


def run_block(block: Block, folder: Path, environment: dict[str, str]) -> str:
    """Do with a block what its page says; return what went wrong."""
    if block.kind == "saved as":
        path = folder / block.told
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code)
        return ""
    program = ["bash", "-euo", "pipefail", "-c"] if block.language == "sh" else [sys.executable, "-c"]
    steps = [(program, block.code)]
    if block.kind == "run first:":
        steps.insert(0, (["bash", "-euo", "pipefail", "-c"], block.told))
    for step, code in steps:
        done = subprocess.run(
            [*step, code],
            cwd=folder / (block.told if block.kind == "run in" else ""),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
        if done.returncode or "Traceback" in done.stderr:
            return (
                f"{block}: exit code {done.returncode}\n{code}\n{done.stdout[-800:]}\n{done.stderr[-2000:]}"
            )
    return ""


@pytest.mark.parametrize("page", WALKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_walked_as_written(page: Path, reader: dict[str, str], tmp_path: Path) -> None:
    """Every block ends with exit code 0, one after the other, in a folder with the reference bots."""
    for name in REFERENCE:
        shutil.copytree(
            ROOT / "bots" / name, tmp_path / "bots" / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    wrong = ""
    for block in blocks_of(page):
        if block.is_run or block.kind == "saved as":
            wrong = wrong or run_block(block, tmp_path, reader)

    assert wrong == ""
