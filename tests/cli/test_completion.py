"""Promises of the shell's completion: commands, options, and names from the store, from a real server."""

import shutil
import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from arena.cli import app
from arena.cli.completion import SHELLS
from arena.embedded.folder import DataFolder
from arena.store.names import BOTS, TOURNAMENTS, VERSIONS, fetch_names
from arena.store.pool import Database
from tests.fix_terminal import Commands
from tests.service.test_standings import write_tournament


def complete(arena: Commands, *words: str, **more: str) -> list[str]:
    """Return what bash would offer for the last of the words."""
    line = " ".join(["arena", *words])
    ended = arena(_ARENA_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)), **more)
    assert (ended.code, ended.err) == (0, "")
    return [offer.partition(",")[2] for offer in ended.out.splitlines() if offer]


def test_commands_options_and_words_are_completed(arena: Commands) -> None:
    """What the command itself knows is offered without any server."""
    assert complete(arena, "tour") == ["tournament"]
    assert "--sets" in complete(arena, "tournament", "create", "cup", "--s")
    assert complete(arena, "rules", "show", "cl") == ["classic", "cl"]
    assert complete(arena, "doctor", "--sandbox", "str") == ["strict"]


def test_names_are_completed_from_the_store(arena: Commands, database: Database, database_url: str) -> None:
    """Bots and tournaments of the database are offered."""
    database.run(lambda connection: write_tournament(connection, "cup", ["greedy", "random"]))

    more = {"ARENA_DATABASE_URL": database_url}
    assert complete(arena, "bot", "show", "GR", **more) == ["greedy"]
    assert complete(arena, "standings", "", **more) == ["cup"]
    assert complete(arena, "tournament", "enter", "cup", "r", **more) == ["random"]


def test_versions_and_files_are_completed(arena: Commands, database: Database, database_url: str) -> None:
    """Behind an `@` the versions of a bot, where a path may stand files too; bash parts words at it."""
    database.run(lambda connection: write_tournament(connection, "cup", ["greedy", "random"]))

    more = {"ARENA_DATABASE_URL": database_url}
    assert complete(arena, "bot", "show", "greedy@", **more) == ["greedy@1"]
    assert complete(arena, "bot", "show", "greedy", "@", **more) == ["1"]
    assert complete(arena, "compare", "greedy", "@", "1", "random", "@", **more) == ["1"]
    assert complete(arena, "match", "play", "gr", **more) == ["greedy", "gr"]  # the last is for the shell
    assert complete(arena, "bot", "try", "x", "--against", "gr", **more) == ["greedy", "gr"]
    assert complete(arena, "rules", "check", "cl") == ["classic", "cl"]
    assert complete(arena, "standings", "--columns", "bot,el") == ["bot,elo"]


FREE = {
    "key", "owner", "reason", "secret", "since", "until", "name", "worker",
}  # fmt: skip
"""What is no name of anything that is known: of these there is nothing to offer."""


def commands(group: click.Group, path: str = "arena") -> Iterator[tuple[str, click.Command]]:
    """Give every command with its name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def test_whatever_takes_a_name_offers_names() -> None:
    """A bot, a tournament, a ruleset, a file, a column, a word of a few: each has a kind that completes."""
    silent = [
        f"{path}: {parameter.name}"
        for path, command in commands(app.arena)
        for parameter in command.params
        if not isinstance(parameter.type, click.types.BoolParamType | click.types._NumberParamTypeBase)
        and not isinstance(parameter.type, click.Choice)
        and type(parameter.type).shell_complete is click.ParamType.shell_complete
        and parameter.name not in FREE
    ]

    assert silent == []


def test_the_embedded_server_is_asked_without_the_driver(
    database: Database, database_url: str, server_folder: DataFolder
) -> None:
    """The names are those that the driver gets, over the wire of the socket."""
    database.run(lambda connection: write_tournament(connection, "größe", ["ann", "bob"]))
    socket = server_folder.sockets / ".s.PGSQL.5432"
    name = database_url.partition("///")[2].partition("?")[0]

    for query in (BOTS, TOURNAMENTS, VERSIONS):
        direct = fetch_names(socket, query, user="arena", database=name)
        assert direct == fetch_names(database_url, query)
        assert direct


def test_without_a_server_nothing_is_offered_and_nothing_said(arena: Commands) -> None:
    """No name, no error, no folder made."""
    assert complete(arena, "bot", "show", "") == []
    assert list(arena.folder.iterdir()) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_takes_its_script(arena: Commands, shell: str) -> None:
    """The script is one that the shell accepts; where the shell is not installed, it is one at least."""
    ended = arena("completion", shell)

    assert (ended.code, ended.err) == (0, "")
    assert "_ARENA_COMPLETE" in ended.out
    if program := shutil.which(shell):
        checked = subprocess.run(
            [program, "-n"], input=ended.out, text=True, capture_output=True, check=False
        )
        assert checked.returncode == 0, checked.stderr


def test_bash_completes_on_its_own(arena: Commands) -> None:
    """A bash that evaluated the script offers the command's words through its own machinery."""
    script = arena("completion", "bash").out
    (arena.folder / "arena").write_text(f'#!/bin/sh\nexec {sys.executable} -m arena.cli "$@"\n')
    (arena.folder / "arena").chmod(0o755)
    test = 'COMP_WORDS=(arena stand); COMP_CWORD=1; _arena_completion arena; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", f"PATH=.:$PATH\n{script}\n{test}"],
        cwd=arena.folder,
        env=arena.environment({}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.strip() == "standings"
