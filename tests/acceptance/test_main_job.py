"""The main job as a user does it: the real command, real servers, real bots in their sandboxes."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.errors import PlatformError, UsageError
from arena.service import watching
from arena.store.pool import Database
from tests.fix_user_home import BOTS, QUICK, Home

pytestmark = pytest.mark.xdist_group("acceptance")
SECRET = "5a" * 32
HEEDED = ("env", "--default-signal=INT,TERM,HUP")
"""Undoes what the test run's own parent may have set: commands in the background ignore Ctrl-C."""


def run_in_background(home: Home, *arguments: str) -> subprocess.Popen[str]:
    """Start a command whose progress can be read line by line."""
    return subprocess.Popen(
        [*HEEDED, sys.executable, "-m", "arena.cli", *arguments],
        cwd=home.arena.folder,
        env=home.arena.environment(QUICK),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def standing(home: Home, name: str) -> list[dict[str, object]]:
    """Return what a standing says about play, without times."""
    rows = json.loads(home.arena("standings", name, "--json").out)["rows"]
    kept = ("rank", "name", "elo", "plus_minus", "matches", "wins", "points_per_round", "faults", "open_sets")
    return [{key: row[key] for key in kept} for row in rows]


def test_a_tournament_from_one_command(home: Home) -> None:
    """One command plays a round robin and prints its standing; nothing is left running; matches hold."""
    ended = home.arena("tournament", "run", "alone", *BOTS, "--sets", "2", *home.sandbox, **QUICK)

    assert ended.code == 0
    assert "alone: 12 of 12 matches (100%)" in ended.err
    assert "12 matches in 6 complete deal sets" in ended.out
    assert ("unrated" in ended.out) == (not home.rated)
    assert home.processes() == []
    rows = standing(home, "alone")
    assert sorted(str(row["name"]) for row in rows) == sorted(f"{name}@1" for name in BOTS)
    assert [row["matches"] for row in rows] == [8, 8, 8]
    assert home.arena("match", "verify", "1").code == 0
    shown = home.arena("match", "show", "1", "--record")
    assert shown.code == 0
    assert "arena/1 " in shown.out


def test_the_same_command_goes_on_and_another_is_refused(home: Home) -> None:
    """Run again it prints the standing; with other arguments it is refused in one line."""
    arguments = ("tournament", "run", "again", "greedy", "random", "--sets", "1", *home.sandbox)
    assert home.arena(*arguments, **QUICK).code == 0

    assert home.arena(*arguments).code == 0
    assert home.arena("tournament", "run", "again").code == 0
    refused = home.arena("tournament", "run", "again", "greedy", "first-legal", "--sets", "1", *home.sandbox)
    assert refused.code == 2
    assert "exists with other arguments" in refused.err
    assert refused.err.count("\n") == 1


def test_two_runs_at_once_are_one_tournament(home: Home) -> None:
    """Two people give the same command at the same time: both see it through, each match is played once."""
    arguments = ("tournament", "run", "both", "greedy", "random", "--sets", "12", *home.sandbox)
    with run_in_background(home, *arguments) as one, run_in_background(home, *arguments) as other:
        said = [child.communicate(timeout=200) for child in (one, other)]

    assert (one.returncode, other.returncode) == (0, 0), said
    assert said[0][0] == said[1][0]
    assert [row["matches"] for row in standing(home, "both")] == [24, 24]
    assert home.processes() == []


def wait_for_play(home: Home, name: str, beyond: int) -> None:
    """Return as soon as more than `beyond` matches are finished."""
    server = Postgres(DataFolder(home.arena.folder / ".arena"))
    while True:
        with suppress(PlatformError, UsageError), Database(server.url) as database:
            totals = watching.progress(database, name).totals
            if totals.done + totals.running > beyond:
                return
        time.sleep(0.1)  # nothing tells another process; pytest's timeout ends this


def test_interrupted_and_resumed_it_ends_as_if_undisturbed(home: Home) -> None:
    """Ctrl-C, a supervisor's signal, the end: exit code 3, nothing left running, the very same standing."""
    arguments = ("greedy", "first-legal", "--sets", "40", "--secret", SECRET, *home.sandbox)
    for number, finished in ((signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGHUP, 24)):
        # Some matches are there when the second one begins, so its signal comes while the workers start.
        with run_in_background(home, "tournament", "run", "storm", *arguments) as child:
            wait_for_play(home, "storm", finished)
            os.kill(child.pid, number)
            _, said = child.communicate(timeout=60)

        assert child.returncode == 3, said
        assert "arena tournament run storm" in said.splitlines()[-1]
        assert home.processes() == []
    # Another tournament does not wait for what was left.
    assert (
        home.arena("tournament", "run", "other", "greedy", "first-legal", "--sets", "1", *home.sandbox).code
        == 0
    )
    assert json.loads(home.arena("tournament", "show", "storm", "--json").out)["state"] == "running"
    for name in ("storm", "calm"):
        assert home.arena("tournament", "run", name, *arguments, timeout=280, **QUICK).code == 0

    assert standing(home, "storm") == standing(home, "calm")


def test_a_killed_worker_changes_nothing(home: Home) -> None:
    """With `arena up`, a worker that is killed in the middle costs time and not one match."""
    arguments = ("greedy", "random", "--sets", "24", "--secret", SECRET, *home.sandbox)
    assert home.arena("tournament", "run", "whole", *arguments, **QUICK).code == 0
    assert home.arena("up", *home.sandbox, **QUICK).code == 0
    try:
        status = json.loads(home.arena("status", "--json").out)
        with run_in_background(home, "tournament", "run", "killed", *arguments) as child:
            wait_for_play(home, "killed", 0)
            os.kill(status["processes"]["worker-0"], signal.SIGKILL)
            _, said = child.communicate(timeout=200)

        assert child.returncode == 0, said
        assert standing(home, "killed") == standing(home, "whole")
        # What `arena up` started is not this command's to stop.
        assert json.loads(home.arena("status", "--json").out)["up"]
    finally:
        assert home.arena("down").code == 0
    assert home.processes() == []


def test_a_killed_command_leaves_no_process(home: Home) -> None:
    """After kill -9 of the command its guard stops PostgreSQL, Valkey and workers; run again it goes on."""
    arguments = ("tournament", "run", "shot", "greedy", "random", "--sets", "12", *home.sandbox)
    with run_in_background(home, *arguments) as child:
        wait_for_play(home, "shot", 0)
        names = {lock.stem for lock in home.locks() if home.lives_in(lock)}
        child.kill()
        child.communicate(timeout=60)
    while home.processes():
        time.sleep(0.1)  # nothing tells another process; pytest's timeout ends this

    assert names >= {"postgres", "valkey", "worker-0", "worker-1"}
    assert home.arena(*arguments, timeout=280, **QUICK).code == 0
    assert sum(int(str(row["matches"])) for row in standing(home, "shot")) == 2 * 24
    assert home.processes() == []


def test_a_terminal_shows_the_play_live(home: Home) -> None:
    """On a terminal there is a bar and a table while it plays; what stays is the standing and a hint."""
    ended = home.arena.on_terminal(
        "tournament", "run", "live", "greedy", "random", "--sets", "4", *home.sandbox, **QUICK
    )

    assert ended.code == 0
    assert "live: 0 of 8 matches" in ended.screen
    assert "─" * 30 in ended.screen
    last = ended.screen.splitlines()
    assert [line for line in last if "greedy@1" in line]
    assert last[-1].startswith("next: arena ")
