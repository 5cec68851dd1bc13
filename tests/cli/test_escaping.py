"""Nothing that a bot controls reaches a terminal as it is: by what is printed, and by who may print."""

import ast
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.match import drive
from arena.match.fault import Evidence
from arena.match.referee import Answer
from arena.match.result import MatchResult
from arena.rules.presets import preset
from arena.rules.view import View
from arena.store import bots
from arena.store.pool import Connection, Database
from arena.store.rows import NewFault
from tests.fix_terminal import Commands
from tests.service.test_matches import store_matches

ROOT = Path(__file__).resolve().parents[2]
POISON = "POISON\x1b]0;title\x07\x1b[6;6;6mred\x9b31m\x08\u202eback\u200b\r\nnext"
"""A title, colours in two encodings, a bell, a step back, a turned and an invisible character, a line."""
OURS = "\x1b\r\n"
"""Controls that a terminal gets from the arena itself."""
LOOKS = [
    ["bot", "list"],
    ["bot", "show", "ann"],
    ["bot", "logs", "ann"],
    ["tournament", "list"],
    ["tournament", "show", "cup"],
    ["standings", "cup"],
    ["crosstable", "cup"],
    ["match", "list"],
    ["match", "show", "1"],
    ["match", "show", "1", "--record"],
    ["match", "show", "1", "--trace"],
    ["match", "why", "1"],
    ["match", "replay", "1"],
    ["match", "verify", "1"],
    ["status"],
]
"""Every command that shows what is stored."""
TELLING = {"bot show", "bot logs", "match show", "match why", "match replay"}
"""Those in which a bot has its say."""


def talk(view: View) -> Answer:
    """Take the first legal move and say something terrible."""
    return Answer(-1, view.legal[0], uno=len(view.hand) == 2, say=POISON)


def play_talking(set_key: bytes) -> MatchResult:
    """Play a short match in which everybody talks."""
    return drive.play_match(preset("mattel"), set_key, [talk, talk])


def write_poison(connection: Connection) -> None:
    """Write a match with poison wherever a bot's own text is kept."""
    told = {name: POISON for name, kind in Evidence.__annotations__.items() if kind is str}
    fault = NewFault(0, "crashed", told | {"exit_code": 1})
    store_matches(connection, faults=[fault], play_match=play_talking)
    for name in ("ann", "bob"):
        version = bots.list_versions(connection, bots.get_bot(connection, name).id)[0]
        bots.set_checked(connection, version.id, passed=True, report=POISON, stderr=POISON)
    connection.execute("UPDATE bot_version SET manifest = %s", (POISON,))


@pytest.fixture
def poisoned(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the URL of a database full of poison."""
    database.run(write_poison)
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    return database_url


def raw(text: str, allowed: str) -> set[str]:
    """Return the characters of a text that do something instead of being seen."""
    return {char for char in text if unicodedata.category(char) in {"Cc", "Cf"} and char not in allowed}


@pytest.mark.usefixtures("poisoned")
@pytest.mark.parametrize("command", LOOKS, ids=" ".join)
def test_a_pipe_gets_codes_instead_of_controls(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """As lines and as JSON: no control, turned or invisible character but the ends of our own lines."""
    for arguments in (command, [*command, "--json"]):
        if command[1:2] == ["replay"] and "--json" in arguments:
            continue
        assert run(arguments) in {0, 4}  # a forged fault is no proof
        printed = capsys.readouterr()
        assert raw(printed.out + printed.err, "\n") == set()
        if " ".join(command[:2]) in TELLING and ("--record" not in arguments):
            assert "POISON" in printed.out


@pytest.mark.parametrize("command", [look for look in LOOKS if " ".join(look[:2]) in TELLING], ids=" ".join)
def test_a_terminal_obeys_no_bot(command: list[str], arena: Commands, poisoned: str) -> None:
    """The only escape sequences are the arena's own: colours, and the screen of a replay."""
    ended = arena.on_terminal(*command, keys="Gbq", ARENA_DATABASE_URL=poisoned)

    assert ended.code == 0
    assert raw(ended.out, OURS) == set()
    assert not any(sequence in ended.out for sequence in ("\x1b]", "\x1b[6;6;6m"))
    assert "POISON" in ended.out


def calls_that_print(path: Path) -> Iterator[int]:
    """Return the lines of a module that write to a stream of the process without the terminal's help."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in {"print", "click.echo", "click.secho"} or called.endswith(
            ("stdout.write", "stderr.write", "console.print", "console().print", "__stdout__.write")
        ):
            yield node.lineno


PRINTERS = {
    "arena/cli/terminal.py": "where everything is escaped",
    "arena/worker/__main__.py": "one line of error for the log of a service",
    "arena/cli/completion.py": "scripts for shells, and words that a shell completes",
}
"""Modules that may print, and why."""
PAINTERS = {
    "arena/cli/terminal.py": "escapes what it paints",
    "arena/cli/tables.py": "lays out cells that are escaped already, and escapes the title",
    "arena/cli/building.py": "the last line of a build, escaped, and without markup",
    "arena/cli/compare.py": "one live line, escaped",
    "arena/cli/match_replay.py": "joins lines that the terminal painted",
    "arena/cli/progress.py": "the live table, escaped",
    "arena/cli/rules_try.py": "a bar without a bot's text",
}
"""Modules that hand something to the terminal's library, and why that is safe."""


def modules_of_the_process() -> list[Path]:
    """Return the modules that run in a process of the arena's, not in a bot's."""
    theirs = {"bot", "templates", "canary", "house"}
    found = sorted((ROOT / "arena").rglob("*.py"))
    return [path for path in found if not theirs & set(path.relative_to(ROOT / "arena").parts[:-1])]


def test_only_the_terminal_prints() -> None:
    """Whatever a new command shows, it cannot but go through the escape."""
    found = {
        f"{name}:{line}"
        for path in modules_of_the_process()
        if (name := str(path.relative_to(ROOT))) not in PRINTERS
        for line in calls_that_print(path)
    }

    assert found == set()


def test_few_modules_paint() -> None:
    """Who hands text to the terminal's library without the terminal's help is named here, with a reason."""
    found = {
        str(path.relative_to(ROOT))
        for path in modules_of_the_process()
        if "    from rich" in path.read_text() or "\nfrom rich" in path.read_text()
    }

    assert found <= set(PAINTERS)
