"""Promises of files and arenas whose writing is interrupted: whole or as before, whenever Ctrl-C comes."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from arena.embedded.postgres import Postgres
from arena.store.pool import Database
from tests.fix_db import all_rows, make_database
from tests.fix_terminal import Commands
from tests.moments import interrupt, moments_of
from tests.service.test_exchange import write_cup

LATEST_S = 0.6
"""None of these takes much longer with a small arena."""


NewArena = Callable[[], str]
"""Makes an arena without a tournament and returns its URL."""


def give(arena: Commands, url: str, *words: str) -> None:
    """Run a command to its end."""
    ended = arena(*words, ARENA_DATABASE_URL=url)
    assert ended.code == 0, ended.err


def give_and_interrupt(arena: Commands, url: str, moment_s: float, *words: str) -> bool:
    """Interrupt a command, which says so and nothing else, or ends; return whether it was done."""
    with subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-m", "arena.cli", *words],
        cwd=arena.folder,
        env=arena.environment({"ARENA_DATABASE_URL": url}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        interrupt(child, moment_s)
        out, err = child.communicate(timeout=100)
    assert (child.returncode, err.count("\n")) in {(0, 0), (3, 1)}, (moment_s, out, err)
    assert not list(arena.folder.glob(".arena-*"))  # what was half written
    return child.returncode == 0


def rows_of(url: str) -> dict[str, list[str]]:
    """Return all that is stored."""
    with Database(url) as database:
        return database.run(all_rows)


def sizes_of(url: str) -> dict[str, int]:
    """Return how many rows every table has, but for programs, which an export leaves out."""
    return {table: len(rows) for table, rows in rows_of(url).items() if table != "bundle"}


@pytest.fixture
def new_arena(postgres: Postgres) -> Iterator[NewArena]:
    """Give a maker of empty arenas, which are gone at the end."""
    with ExitStack() as made:
        yield lambda: made.enter_context(make_database(postgres))


@pytest.fixture
def full(new_arena: NewArena) -> str:
    """Give the URL of an arena with a finished tournament."""
    url = new_arena()
    with Database(url) as database:
        database.run(write_cup)
    return url


@pytest.mark.parametrize(
    ("write", "read"),
    [
        (("backup", "file"), ("restore", "file")),
        (("tournament", "export", "cup", "-o", "file"), ("tournament", "import", "file")),
    ],
    ids=("restore", "import"),
)
def test_an_arena_is_filled_whole_or_not_at_all(
    arena: Commands, full: str, new_arena: NewArena, write: tuple[str, ...], read: tuple[str, ...]
) -> None:
    """After an interrupted `restore` or `import` every row is as before, and the same command goes on."""
    give(arena, full, *write)
    for moment_s in moments_of(" ".join(read), LATEST_S):
        url = new_arena()
        before = rows_of(url)
        # Told after the last row was stored, an interrupt changes the exit code alone.
        if not give_and_interrupt(arena, url, moment_s, *read) and rows_of(url) == before:
            give(arena, url, *read)

        assert sizes_of(url) == sizes_of(full)


@pytest.mark.parametrize("words", [("tournament", "export"), ("report",)], ids=("export", "report"))
def test_a_file_is_written_whole_or_not_at_all(arena: Commands, full: str, words: tuple[str, ...]) -> None:
    """An interrupted `export` or `report` leaves the file that was there, and writes nothing to the arena."""
    file = arena.folder / "file"
    give(arena, full, *words, "cup", "-o", str(file))
    whole, rows = file.read_bytes(), rows_of(full)
    for moment_s in moments_of(" ".join(words), LATEST_S):
        file.write_text("as before")
        done = give_and_interrupt(arena, full, moment_s, *words, "cup", "-o", str(file), "--force")

        assert file.read_bytes() in ((whole,) if done else (whole, b"as before"))
        assert rows_of(full) == rows
