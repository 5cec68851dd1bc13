"""What holds of every command that shows something: JSON, no colours, a narrow terminal, any locale.

A new listing must be named here.
"""

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from arena.cli import app
from arena.cli.app import run
from arena.store.pool import Connection, Database
from tests.cli.test_app import every_command
from tests.service.test_standings import play, write_tournament

READERS = {
    ("status",): (),
    ("bot", "list"): (),
    ("bot", "show"): ("mid",),
    ("bot", "logs"): ("mid",),
    ("tournament", "list"): (),
    ("tournament", "show"): ("größe",),
    ("standings",): ("größe",),
    ("crosstable",): ("größe",),
    ("match", "list"): ("größe", "--limit", "3"),
    ("match", "show"): ("1",),
    ("match", "why"): ("1",),
    ("match", "annulments"): (),
    ("rules", "list"): (),
    ("rules", "show"): ("czech",),
    ("rules", "check"): ("own.toml",),
    ("config", "show"): (),
    ("prune",): (),
}
"""Each command that shows what is there, and what it is asked for."""
SHOWING = {"list", "show", "status", "logs", "why", "standings", "crosstable", "annulments"}
"""Names under which a command shows what is there, whatever it is of."""
NARROW = 40
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Screen(io.StringIO):
    """What a command takes for a terminal."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True


@pytest.fixture
def facts(database: Database, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a tournament with some matches, and stand in a folder with a ruleset."""

    def write(connection: Connection) -> None:
        row = write_tournament(connection, "größe", ["weak", "strong", "mid"], deal_sets=20)
        play(connection, row, 0, [(1, 1)] * 20)

    database.run(write)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.setenv("ARENA_BROKER_URL", "redis+socket:///nowhere/socket")
    monkeypatch.chdir(tmp_path)
    Path("own.toml").write_text('base = "czech"\ntarget = 100\n')


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Give a function that gives a command on a narrow terminal and returns what was shown."""
    monkeypatch.setenv("COLUMNS", str(NARROW))
    monkeypatch.setenv("TERM", "xterm-256color")

    def give(*words: str) -> str:
        with redirect_stdout(Screen()) as out:
            assert run(words) == 0
        return out.getvalue()

    return give


def test_every_listing_is_named_here() -> None:
    """One that is new is looked at by these tests."""
    commands = set(every_command(app.arena))

    assert {command for command in commands if command[-1] in SHOWING} <= READERS.keys() <= commands


@pytest.mark.usefixtures("facts")
def test_every_listing_has_json(capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    """With --json one value for programs and nothing else."""
    for command, asked in READERS.items():
        with subtests.test(command=command):
            assert run([*command, *asked, "--json"]) == 0
            printed = capsys.readouterr()
            assert isinstance(json.loads(printed.out), dict | list)
            assert printed.err == ""


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("encoding", ["ascii", "shift_jis"])
def test_every_locale_is_good_enough(encoding: str, subtests: pytest.Subtests) -> None:
    """What a locale lacks is written in another way; the command is done all the same."""
    for command, asked in READERS.items():
        with subtests.test(command=command):
            written = io.BytesIO()
            with redirect_stdout(io.TextIOWrapper(written, encoding=encoding)) as out:
                assert run([*command, *asked]) == 0
                out.flush()
            assert written.getvalue().decode(encoding).strip()


@pytest.mark.usefixtures("facts")
def test_a_narrow_terminal_without_colours_is_good_enough(
    on_terminal: Callable[..., str], monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    """Forty columns: no rule of a table is wider. With NO_COLOR nothing has a colour, which else has."""
    assert _hues(on_terminal("crosstable", "größe"))
    monkeypatch.setenv("NO_COLOR", "1")
    for command, asked in READERS.items():
        with subtests.test(command=command):
            shown = on_terminal(*command, *asked)
            rules = [line for line in COLOUR.sub("", shown).splitlines() if "─" in line]
            assert all(len(line.rstrip()) <= NARROW for line in rules), shown
            assert _hues(shown) == []


def _hues(shown: str) -> list[str]:
    """Return the colours on a screen; bold and dim are none."""
    return re.findall(r"\x1b\[(?:[0-9;]*;)?(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])[;m]", shown)
