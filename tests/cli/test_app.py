"""Promises of the command as a whole: errors, exit codes, what it imports."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from arena import errors
from arena.cli import app
from arena.cli.app import COMMANDS, run
from tests.fix_terminal import Commands

HEAVY = {"rich", "psycopg", "numpy", "celery", "grpc", "google", "redis", "arena.service", "arena.store"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rulez"], "no command 'rulez' (did you mean 'rules'?)"),
        (["rules", "lst"], "no command 'lst' (did you mean 'list'?)"),
        (["rules", "list", "--jsn"], "Did you mean '--json'?"),
        (["rules", "show"], "Missing argument 'RULESET'"),
        (["rules", "show", "matel"], "unknown ruleset 'matel' (did you mean 'mattel'?)"),
        (["rules", "show", "none.toml"], "there is no file 'none.toml'"),
        (["match", "show", "seventeen"], "'seventeen' is not a valid integer"),
        (["--config", "missing.toml", "standings"], "missing.toml: no such file"),
        (["standings", "--anchor", "bob=high"], "'high' is no rating"),
        (["standings", "--anchor", "bob=nan"], "'nan' is no rating"),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on stderr, with the nearest known word; exit code 2; nothing on stdout."""
    assert run(arguments) == 2

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert printed.err.startswith("arena: ")
    assert message in printed.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("x"), 2),
        (errors.UnfinishedError("x"), 3),
        (errors.PlatformError("x"), 4),
        (KeyboardInterrupt(), 3),
        (RuntimeError("two\nlines"), 4),
    ],
)
def test_the_error_owns_the_exit_code(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each kind of error has its code, and a failure nobody foresaw is still one line."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(app.arena, "invoke", fail)

    assert run(["status"]) == code
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("words", [["status"], ["tournament", "run", "cup"]])
def test_who_typed_make_demo_is_told_make_demo(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An interrupted command names what goes on as the person knows it, not what a script made of it."""

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.config.load_settings", fail)
    monkeypatch.setenv("ARENA_TYPED", "make demo SANDBOX=none")

    assert run(words) == 3
    assert (
        capsys.readouterr().err
        == "arena: interrupted, and nothing is lost: `make demo SANDBOX=none` goes on\n"
    )


def test_an_escape_sequence_in_an_argument_is_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    """What a user pasted comes back harmless."""
    assert run(["rules", "show", "\x1b[31mred"]) == 2

    assert "\x1b" not in capsys.readouterr().err


def every_command(group: click.Group, *before: str) -> Iterator[tuple[str, ...]]:
    """Walk through all commands there are."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from every_command(command, *before, name)
        else:
            yield (*before, name)


@pytest.mark.parametrize("command", list(every_command(app.arena)), ids=" ".join)
def test_every_command_has_a_help_with_an_example(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """`--help` says what a command does and shows an example of that very command."""
    assert run([*command, "--help"]) == 0

    text = capsys.readouterr().out
    assert text.startswith(f"Usage: arena {' '.join(command)}")
    assert f"arena {' '.join(command)}" in text.partition("Example: ")[2]


def test_every_help_follows_a_narrow_terminal() -> None:
    """At 40 columns no line of any help is wider."""
    code = (
        "from arena.cli import app\n"
        "from tests.cli.test_app import every_command\n"
        "for words in [(), *every_command(app.arena)]: app.run([*words, '--help'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"COLUMNS": "40"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )

    assert [line for line in done.stdout.splitlines() if len(line) > 40] == []


def test_the_help_lists_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    """The first screen names all commands and what their exit codes mean."""
    run(["--help"])

    text = capsys.readouterr().out
    assert all(f"  {command}" in text for command in COMMANDS)
    codes = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert [code for code in codes if code.isdigit()] == ["0", "2", "3", "4"]


@pytest.mark.parametrize("command", ["['--help']", "['tournament', 'run', '--help']", "['rulez']"])
def test_help_imports_nothing_heavy(command: str) -> None:
    """Help and mistakes are answered without the database, the queue, the wire or the terminal's library."""
    code = f"import sys; from arena.cli.app import run; run({command}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = set(done.stderr.split())
    assert not loaded & HEAVY


def test_a_listing_loads_nothing_that_plays() -> None:
    """What lists and shows loads the database's library beside click, no rules, sandbox, wire or arrays."""
    listings = ["bot list", "bot show a", "bot logs a", "match list", "match show 1", "match annulments"]
    listings += ["tournament list", "tournament show a"]
    code = (
        "import sys; from arena.cli.app import run\n"
        f"for words in {listings}: assert run(['--data-folder', '/nowhere', *words.split()]) == 2, words\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    players = {"arena.rules", "arena.match", "arena.botproc", "arena.protocol", "arena.tournament"}
    assert not loaded & (HEAVY - {"psycopg", "arena.service", "arena.store"} | players)
    assert {"psycopg", "arena.service.visit"} <= loaded


def test_importing_the_command_line_imports_nothing() -> None:
    """`import arena.cli` is free: entry points and completion load it."""
    code = "import sys; before = set(sys.modules); import arena.cli; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    foreign = {name for name in done.stdout.split() if name.partition(".")[0] not in sys.stdlib_module_names}
    assert foreign == {"arena", "arena.cli"}


FIRST = """
again app arguments backup bot columns coming compare completion config crosstable doctor endings figures
group habit_columns habits hangup match migrate names prune report rules rules_try rulesets servers session
standings streams tables terminal tournament tournament_look tournament_spec worker
"""
"""The modules that the help of all commands takes; no other may come to them unnoticed."""


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("4", "4")])
def test_small_matrices_get_one_thread(given: str | None, used: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set before numpy is loaded, for this process and the workers it starts, unless somebody chose."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", given or "")
    if given is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")

    assert run(["--version"]) == 0
    assert os.environ["OPENBLAS_NUM_THREADS"] == used


def test_the_first_screen_needs_few_modules() -> None:
    """`arena --help` and a completion of commands load click, these modules of ours, and nothing else."""
    code = (
        "import os, sys; before = set(sys.modules)\n"
        "from arena.cli.app import run; run(['--help'])\n"
        "os.environ.update(_ARENA_COMPLETE='bash_complete', COMP_WORDS='arena rul', COMP_CWORD='1')\n"
        "run([])\n"
        "print(*(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    ours = {name for name in done.stderr.split() if name.partition(".")[0] == "arena"}
    foreign = {name.partition(".")[0] for name in done.stderr.split()} - sys.stdlib_module_names
    assert ours == {"arena", "arena.cli", "arena.errors", "arena.files"} | {
        f"arena.cli.{name}" for name in FIRST.split()
    }
    assert foreign - {"arena"} == {"click"}
    assert "plain,rules" in done.stdout


def test_a_reader_that_has_seen_enough_is_no_error(arena: Commands) -> None:
    """A pipe that is closed early ends the command quietly."""
    done = subprocess.run(
        f"{sys.executable} -m arena.cli rules show mattel | head -n 1",
        shell=True,
        cwd=arena.folder,
        env=arena.environment({}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.startswith("mattel")
    assert done.stderr == ""


def test_the_first_screens(arena: Commands, golden: Callable[[str, str], None]) -> None:
    """What a newcomer sees first stays as it is, on a wide terminal and on a narrow one."""
    golden("help", arena.on_terminal("--help").screen)
    golden("rules_show", arena.on_terminal("rules", "show", "czech").screen)
    golden("rules_list_narrow", arena.on_terminal("rules", "list", columns=50).screen)
    golden("rules_list_pipe", arena("rules", "list").out)
