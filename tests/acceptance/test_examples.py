"""The example of every command is typed as its help shows it, in an arena where what it names is there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.cli.app import run
from tests.fix_terminal import Commands
from tests.fix_user_home import QUICK, ROOT

pytestmark = pytest.mark.xdist_group("acceptance")
EXCUSED = {
    "arena worker --core 0": "it plays until it is ended; tests/acceptance starts workers with `arena up`",
}
"""What is not typed here, and why."""


class Step(NamedTuple):
    """One line of the walk."""

    line: str
    where: str = ""
    """Which arena it is typed in: the one that is `up`, or a database of its own."""
    is_preparing: bool = False
    """Whether it is no example, but makes what the next ones name."""


def prepare(*lines: str) -> list[Step]:
    """Return steps that are nobody's example."""
    return [Step(line, is_preparing=True) for line in lines]


WALK = [
    Step("arena up --workers 2"),
    Step("arena bot new mybot --lang python"),
    Step("arena bot build mybot"),
    Step("arena bot check mybot"),
    Step("arena bot conform mybot"),
    Step("arena bot pack bots/greedy -o greedy.zip"),
    Step("arena bot submit bots/greedy bots/random"),
    *prepare("arena bot submit mybot bots/veteran"),
    Step("arena backup arena.backup"),
    Step("arena restore arena.backup", "restored"),
    Step("arena tournament create cup --sets 400", "restored"),
    Step("arena tournament enter cup greedy veteran@1", "restored"),
    Step("arena tournament cancel cup --yes", "restored"),
    *prepare("arena tournament run first mybot random --sets 9"),
    Step("arena bot debug mybot --match 17"),
    Step("arena tournament run cup greedy random veteran --sets 10"),
    Step("arena tournament list"),
    Step("arena tournament show cup"),
    Step("arena tournament watch cup"),
    Step("arena tournament export cup -o cup.jsonl"),
    Step("arena tournament import cup.jsonl", "imported"),
    Step("arena standings cup --anchor random=1000"),
    Step("arena crosstable cup --show points"),
    Step("arena habits cup --sets 2000"),
    Step("arena report cup --output cup.html"),
    Step("arena compare greedy veteran --elo 50"),
    Step("arena match list cup --bot greedy --verdict timed_out"),
    Step("arena match show 17"),
    Step("arena match replay 17 --seat 0"),
    Step("arena match verify 17"),
    Step("arena match why 17"),
    Step("arena match play greedy random --quiet"),
    Step('arena match annul --bot greedy@1 --reason "it had a bug of ours"'),
    Step("arena match annulments"),
    Step("arena bot list"),
    Step("arena bot show greedy"),
    Step("arena bot logs greedy@1"),
    Step("arena bot try mybot --against greedy --matches 50"),
    Step("arena bot retire greedy@1"),
    Step("arena rules list"),
    Step("arena rules show mattel"),
    *prepare('printf \'base = "mattel"\\nseven = "swap"\\n\' >house.toml'),
    Step("arena rules check house.toml"),
    Step("arena rules try house.toml --rounds 200"),
    Step("arena config show"),
    Step('eval "$(arena completion bash)"'),
    Step("arena doctor"),
    Step("arena status"),
    Step("arena prune --yes"),
    Step("arena migrate"),
    Step("arena down"),
]
STARTING = re.compile(
    r"arena (up|down|doctor|compare|bot (build|check|conform|debug|submit|try)|match play|tournament run)\b"
)
"""These start programs; the others look or write, and are spared a Python of their own."""


def test_every_example_is_walked() -> None:
    """The page of the commands has no example that is missing here, and the walk has no other."""
    shown = re.findall(r"^for example: (.*)$", (ROOT / "docs" / "commands.md").read_text(), re.MULTILINE)
    walked = [step.line for step in WALK if not step.is_preparing]

    assert sorted([*walked, *EXCUSED]) == sorted(shown)
    assert all(EXCUSED.values())


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder with a short path in which reference bots lie; what runs there is stopped at the end."""
    made = Path(tempfile.mkdtemp(prefix="arena-examples-"))
    made.chmod(0o755)
    for name in ("greedy", "random", "veteran"):
        shutil.copytree(
            ROOT / "bots" / name, made / "bots" / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    (made / "bin").mkdir()
    (made / "bin" / "arena").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m arena.cli "$@"\n')
    (made / "bin" / "arena").chmod(0o755)
    yield made
    Commands(made)("down")
    shutil.rmtree(made, ignore_errors=True)  # an ordinary user may not empty the cache of bundles


def test_the_example_of_every_command_does_what_it_shows(
    folder: Path,
    database_url: str,
    empty_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Typed one after the other, each ends with exit code 0 and without a traceback."""
    others = {"restored": empty_url, "imported": database_url}
    level = "" if Commands(folder)("doctor").code == 0 else "none"
    environment = Commands(folder).environment(QUICK | {"ARENA_SANDBOX": level or "auto"})
    environment["PATH"] = f"{folder / 'bin'}:{Path(sys.executable).parent}:{environment['PATH']}"
    for name in os.environ.keys() - environment.keys():
        monkeypatch.delenv(name)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(folder)
    wrong = []
    for step in WALK:
        more = {"ARENA_DATABASE_URL": others[step.where]} if step.where else {}
        if step.is_preparing or STARTING.match(step.line) or not step.line.startswith("arena "):
            shell = ["bash", "-euo", "pipefail", "-c", step.line]
            code = subprocess.run(
                shell, env=environment | more, stdin=subprocess.DEVNULL, check=False
            ).returncode
        else:
            with monkeypatch.context() as own:
                for name, value in more.items():
                    own.setenv(name, value)
                code = run(shlex.split(step.line)[1:])
        out, err = capfd.readouterr()
        if code or "Traceback" in err:
            wrong.append(f"{step.line}: exit code {code}\n{out[-800:]}\n{err[-2000:]}")

    assert wrong == []
