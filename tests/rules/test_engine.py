"""Which build of the core runs, and that it is never older than its sources."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.rules import COMPILED, ENGINE, Match, Round, Variant, derive, engine, play_out, preset
from arena.rules.position import format_position
from arena.rules.presets import ruleset_of
from tests.rules.oracle.rulesets import any_table, as_given

ROOT = Path(__file__).resolve().parents[2]


def run(code: str, wish: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run some Python with a wish for an engine."""
    environment = {**os.environ, "ARENA_ENGINE": wish, "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=root)


@pytest.mark.parametrize(("is_checkout", "remedy"), [(True, "`make build`"), (False, "`pip install ")])
def test_an_uncompiled_core_names_what_compiles_it_there(is_checkout: bool, remedy: str, tmp_path: Path):
    """A checkout has `make build`; an installed package has none, and is told of `pip install`."""
    done = copy_without_core(tmp_path, is_checkout)

    assert done.stdout.startswith(f"uncompiled: not built; {remedy}")


def copy_without_core(root: Path, is_checkout: bool) -> subprocess.CompletedProcess[str]:
    """Ask a copy of the package that was never compiled what it is."""
    place = root / "arena"
    shutil.copytree(ROOT / "arena", place, ignore=shutil.ignore_patterns("_core", "__pycache__"))
    if is_checkout:
        shutil.copy(ROOT / "setup.py", root)
    return run("from arena.rules import ENGINE; print(ENGINE)", "", root)


def test_the_engine_says_what_it_is():
    """`COMPILED` and `ENGINE` agree with where the core's modules come from."""
    compiled = Match.__init__.__class__.__name__ != "function"

    assert compiled == COMPILED
    assert ENGINE.startswith("compiled" if COMPILED else "uncompiled")


def test_pure_can_be_asked_for():
    """`ARENA_ENGINE=pure` runs the sources, compiled or not."""
    done = run("import arena.rules as r; print(r.COMPILED, r.round.__file__)", "pure")

    assert done.stdout.split() == ["False", str(ROOT / "arena" / "rules" / "round.py")]


def test_another_engine_cannot_be_asked_for():
    """A misspelt wish is refused; the command answers it in one line, as the mistake of who typed it."""
    done = run("from arena.cli.app import run; raise SystemExit(run(['rules', 'list']))", "fast")

    assert done.returncode == 2
    assert done.stderr == "arena: ARENA_ENGINE: 'fast' is no build of the engine: pure or compiled\n"


def test_a_core_that_is_not_there_is_refused_when_asked_for(tmp_path: Path):
    """`ARENA_ENGINE=compiled` fails loudly where no core is built; unset, the sources run and say why."""
    copy_sources(tmp_path)

    assert "not built" in run("import arena.rules", "compiled", tmp_path).stderr
    assert "not built" in run("import arena.rules as r; print(r.ENGINE)", "", tmp_path).stdout


def copy_sources(target: Path) -> None:
    """Copy what the rules need."""
    (target / "arena" / "rules").mkdir(parents=True)
    for path in (ROOT / "arena").glob("*.py"):
        (target / "arena" / path.name).write_bytes(path.read_bytes())
    for path in (ROOT / "arena" / "rules").glob("*.py"):
        (target / "arena" / "rules" / path.name).write_bytes(path.read_bytes())


@pytest.mark.needs("cc")
def test_one_changed_byte_makes_the_core_stale(tmp_path: Path):
    """A source that differs from what was compiled is never run in its old form."""
    copy_sources(tmp_path)
    core = engine.core_folder()
    (tmp_path / "arena" / "rules" / "_core").symlink_to(core)
    fresh = run("import arena.rules as r; print(r.ENGINE)", "", tmp_path)
    source = tmp_path / "arena" / "rules" / "effects.py"
    source.write_text(source.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    stale = run("import arena.rules as r; print(r.ENGINE)", "", tmp_path)

    assert fresh.stdout == "compiled\n"
    assert "effects.py changed" in stale.stdout
    assert "effects.py changed" in run("import arena.rules", "compiled", tmp_path).stderr


PLAYED = """
from arena.rules import Match, derive, preset, record_of
from arena.rules.cards import KINDS
for name in ("mattel", "classic", "family", "czech"):
    for seats in (2, 3, 10):
        match = Match(preset(name), seats, derive(b"both", seats))
        number = seats
        while not match.over and match.decisions < 400:
            moves = match.legal_moves()
            number = (number * 48271) % 2147483647
            match.apply(moves[number % len(moves)], uno=number % 3 > 0)
        print(record_of(match), match.log, match.sealed, match.totals)
"""


@pytest.mark.needs("cc")
def test_both_builds_play_the_same():
    """The same decisions lead to the same records, news and hidden cards, compiled or not."""
    pure, compiled = run(PLAYED, "pure"), run(PLAYED, "compiled")

    assert pure.stdout
    assert pure.stdout == compiled.stdout


def test_a_playout_ends_and_is_repeatable():
    """The same seed plays the same moves; another seed plays others."""
    rules = preset("family")
    ends = []
    for seed in (1, 1, 2):
        round_ = Round(Variant(rules), 4, derive(b"playout", 1), 1)
        round_.begin(0, -1)
        decisions = play_out(round_, seed)
        assert (round_.kind, decisions > 10) == (0, True)
        ends.append(format_position(round_))

    assert ends[0] == ends[1] != ends[2]


@pytest.mark.parametrize("number", [*range(100), 59537])
def test_a_playout_ends_under_any_ruleset(number: int):
    """However the options come together, random play comes to an end; the last once went on for ever."""
    rules, seats = any_table(random.Random(f"bots {number}"))
    ruleset = ruleset_of(as_given(rules))
    round_ = Round(Variant(ruleset), seats, derive(b"any playout", number), 1)
    round_.begin(0, -1)

    play_out(round_, number)

    assert round_.kind == 0
