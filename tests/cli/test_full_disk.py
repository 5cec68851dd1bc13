"""Promises about places that take no byte, a full disk and a read-only one, for every command that writes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.store.pool import Database
from tests.fix_db import all_rows
from tests.fix_queue import drain, make_tournament
from tests.fix_terminal import Commands

GREEDY = str(Path(__file__).resolve().parents[2] / "bots" / "greedy")
WRITERS = (
    ("--data-folder", "place/.arena", "up"),
    ("--data-folder", "place/.arena", "bot", "check", GREEDY, "--sandbox", "none"),
    ("bot", "new", "mine", "--folder", "place/mine"),
    ("bot", "pack", GREEDY, "-o", "place/greedy.zip"),
    ("tournament", "export", "cup", "-o", "place/cup.jsonl"),
    ("report", "cup", "-o", "place/cup.html"),
    ("backup", "place/arena.backup"),
)
"""Commands that write where the user says."""
IN_NAMESPACE = """
import contextlib, io, json, os, pathlib, subprocess, sys
from arena.cli.app import run
commands, mode = json.loads(sys.argv[1])
place = pathlib.Path("place")
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", place], check=True)
def fill():
    with (place / "fill").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
def give(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    left = sorted(str(path) for path in place.rglob("*") if not path.is_dir() and path.stat().st_size)
    return code, out.getvalue(), err.getvalue(), left
fill()
if mode == "read-only":
    subprocess.run(["mount", "-o", "remount,ro", "tmpfs", place], check=True)
refused = [give(words) for words in commands]
if mode == "full":
    (place / "fill").unlink()
    subprocess.run(["mount", "-o", "remount,size=256m", "tmpfs", place], check=True)
taken = [give(words) for words in commands if mode == "full" and not {"up", "check"} & set(words)]
print(json.dumps([refused, taken]))
"""
"""Mounts a small disk that only it sees, gives the commands there, makes room, and gives them again.

With its source named a disk is mounted anew with these options alone: the old ones name users that are not in
the namespace of an ordinary user.
"""


@pytest.fixture
def give_all(database: Database, database_url: str, arena: Commands) -> Callable[[str], Any]:
    """Give a function that gives all commands on a full or a read-only disk and tells what came of each."""
    make_tournament(database, "ann", "bob", deal_sets=1)
    drain(database)
    (arena.folder / "place").mkdir()

    def give(mode: str) -> Any:
        own = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        done = subprocess.run(
            ["unshare", "--mount", *own, sys.executable, "-c", IN_NAMESPACE, json.dumps([WRITERS, mode])],
            cwd=arena.folder,
            env=arena.environment({"ARENA_DATABASE_URL": database_url, "TMPDIR": str(arena.folder)}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    return give


def check_refusals(refused: Sequence[Any], code: int, remedy: str) -> None:
    """Compare what came of each writer: one line that names the place and what to do, and no file left."""
    for words, (got, out, err, left) in zip(WRITERS, refused, strict=True):
        assert (got, out, err.count("\n"), left) == (code, "", 1, ["place/fill"]), (words, err)
        assert "place" in err, words
        assert remedy in err, (words, err)


@pytest.mark.needs("mounts")
def test_a_full_disk_is_named_and_costs_nothing(database: Database, give_all: Callable[[str], Any]) -> None:
    """Exit code 4, one line, no half of a file, the store as it was; with room the same is done."""
    before = database.run(all_rows)

    refused, taken = give_all("full")

    check_refusals(refused, 4, "make room")
    assert [code for code, *_ in taken] == [0] * (len(WRITERS) - 2), taken
    assert database.run(all_rows) == before


@pytest.mark.needs("mounts")
def test_a_read_only_place_is_refused(database: Database, give_all: Callable[[str], Any]) -> None:
    """Exit code 2, one line that says what to do, the store as it was."""
    before = database.run(all_rows)

    refused, _ = give_all("read-only")

    check_refusals(refused, 2, "writable")
    assert database.run(all_rows) == before
