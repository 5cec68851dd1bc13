"""Promises about whatever people type: one line, an exit code of the list, nothing stored."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from arena.cli import app
from arena.cli.app import run
from arena.cli.arguments import LONGEST_MESSAGE
from arena.store.pool import Database
from tests.cli.test_app import every_command
from tests.fix_db import all_rows
from tests.fix_terminal import Commands

NASTY = {
    "long": "a" * 1_000_000,
    "path too long": "a/" * 2500,
    "name too long": f"./{'a' * 300}",
    "empty": "",
    "blank": " ",
    "control": "\x1b[31mred\x07",
    "bidirectional": "a\u202eb",
    "invisible": "a\u200bb",
    "lines": "a\nb",
    "not utf-8": "a\udcffb",
    "nul": "a\0b",
    "up": "../../etc/passwd",
    "sql": "x'; DROP TABLE bot; --",
    "digits": "9" * 5000,
    "huge": str(10**12),
    "negative": "-1",
    "at": "greedy@",
    "digest": "greedy@zz",
    "no port": "localhost:0",
    "port too large": "localhost:99999",
    "port of many digits": f"localhost:{'9' * 5000}",
    "socket too long": f"unix:/{'a' * 200}",
}
"""What a person, a program or an enemy may type where a name, a number or a path is asked for."""

PLACES = [
    ["{}"],
    ["rules", "{}"],
    ["rules", "show", "{}"],
    ["bot", "show", "{}"],
    ["bot", "pack", "{}"],
    ["bot", "submit", "{}", "--sandbox", "none"],
    ["bot", "submit", "tests", "--owner", "{}", "--sandbox", "{}"],
    ["tournament", "show", "{}"],
    ["tournament", "watch", "{}"],
    ["tournament", "create", "{}", "{}", "{}"],
    ["tournament", "create", "new", "--rules", "{}"],
    ["tournament", "create", "new", "--secret", "{}"],
    ["tournament", "create", "new", "--sandbox", "{}"],
    *(
        ["tournament", "create", "new", option, "{}"]
        for option in (
            "--sets",
            "--seats",
            "--budget-ms",
            "--bank-ms",
            "--hello-ms",
            "--memory-mib",
            "--cores",
            "--twin",
        )
    ),
    ["tournament", "enter", "new", "{}"],
    ["standings", "{}"],
    ["standings", "--anchor", "{}"],
    ["standings", "--columns={}"],
    ["standings", "--anchor", "x={}"],
    ["match", "list", "{}"],
    ["match", "list", "--limit", "{}"],
    ["match", "show", "{}"],
    ["match", "verify", "{}"],
    ["bot", "check", "{}", "--sandbox", "none"],
    ["bot", "try", "{}", "--against", "{}", "--sandbox", "none"],
    ["bot", "try", "none", "--against", "none", "--matches", "{}", "--sandbox", "none"],
    ["bot", "debug", "{}"],
    ["bot", "conform", "{}"],
    ["bot", "new", "mine", "--lang", "{}"],
    ["bot", "retire", "{}"],
    ["bot", "logs", "{}"],
    ["bot", "build", "{}"],
    ["compare", "{}", "{}"],
    ["compare", "none", "other", "--at-most", "{}"],
    ["match", "play", "{}", "{}"],
    ["match", "play", "none", "none", "--key", "{}"],
    ["match", "replay", "{}"],
    ["match", "why", "{}"],
    ["match", "annul", "--bot", "{}", "--reason", "why"],
    ["match", "annul", "--since", "{}", "--reason", "why"],
    ["match", "annul", "--undo", "{}"],
    ["rules", "check", "{}"],
    ["rules", "try", "{}"],
    ["crosstable", "{}"],
    ["habits", "--sets", "{}"],
    ["report", "{}"],
    ["restore", "{}"],
    ["tournament", "import", "{}"],
    ["tournament", "export", "{}"],
    ["tournament", "cancel", "{}", "--yes"],
    ["worker", "--core", "{}"],
    ["completion", "{}"],
    ["--config", "{}", "config", "show"],
    ["--data-folder", "{}", "standings"],
]
"""Where it can be typed."""


@pytest.mark.parametrize("place", PLACES, ids=" ".join)
def test_whatever_is_typed_is_answered_in_one_line(
    place: list[str],
    database: Database,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    subtests: pytest.Subtests,
) -> None:
    """Exit code 2, one short line of printable text on stderr, nothing on stdout, the store as it was."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.chdir(tmp_path)
    before = database.run(all_rows)
    for kind, text in NASTY.items():
        with subtests.test(kind=kind):
            code = run([word.replace("{}", text) for word in place])

            printed = capsys.readouterr()
            assert (code, printed.out) == (2, ""), printed.err[:500]
            assert printed.err.count("\n") == 1
            assert printed.err.rstrip("\n").isprintable()
            assert len(printed.err) <= LONGEST_MESSAGE + 20
    assert database.run(all_rows) == before


def test_bytes_that_are_no_text_are_refused_as_they_come(arena: Commands) -> None:
    """A name that is not UTF-8, in an argument, in the environment or as the folder one stands in."""
    for arguments, more in ([b"show", b"\xff"], {}), ([b"list"], {b"ARENA_OWNER": b"\xff"}):
        done = subprocess.run(
            [sys.executable.encode(), b"-m", b"arena.cli", b"bot", *arguments],
            cwd=arena.folder,
            env={os.fsencode(name): os.fsencode(value) for name, value in arena.environment({}).items()}
            | more,
            capture_output=True,
            check=False,
        )

        assert done.returncode == 2
        assert b"UTF-8" in done.stderr
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("place", ["/proc/arena", "/dev/null/arena", "file/arena"])
def test_a_place_that_takes_no_folder_is_refused_with_a_way_out(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A read-only file system, a device, a file in the way: what, where and what to do, exit code 2."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")

    assert run(["--data-folder", place, "up"]) == 2

    printed = capsys.readouterr().err
    assert place in printed
    assert "--data-folder" in printed
    assert printed.count("\n") == 1


def options_that_take_one() -> list[tuple[tuple[str, ...], click.Option]]:
    """Name every option of every command that has one value, the groups' own too."""
    found = []
    for words in [
        (),
        *dict.fromkeys(words[:-1] for words in every_command(app.arena)),
        *every_command(app.arena),
    ]:
        command: click.Command = app.arena
        for word in words:
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word) or command
        found += [
            (words, option)
            for option in command.params
            if isinstance(option, click.Option) and not option.multiple and not option.is_flag
        ]
    return found


@pytest.mark.parametrize(
    "which", options_that_take_one(), ids=lambda which: " ".join((*which[0], which[1].opts[-1]))
)
def test_an_option_that_takes_one_value_is_refused_a_second(
    which: tuple[tuple[str, ...], click.Option], capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither of the two is dropped without a word, under whichever of its names they were given."""
    words, option = which
    first, last = option.opts[0], option.opts[-1]

    assert run([*words, first, "1", f"{last}=2" if last.startswith("--") else f"{last}2"]) == 2

    assert f"{max(option.opts, key=len)} is given twice: it takes one value" in capsys.readouterr().err


def test_of_a_list_and_a_switch_any_number_may_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    """What loses nothing is no mistake."""
    assert run(["--no-hints", "--no-hints", "rules", "list", "--json", "--json"]) == 0
    assert capsys.readouterr().err == ""
