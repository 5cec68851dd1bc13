"""Promises of a database for the length of one command, with a real embedded PostgreSQL."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.config import Settings
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.errors import UsageError
from arena.service import platform, tournaments, watching
from arena.service.visit import crew, keep, visit
from tests.fix_dying import wait_until_dead
from tests.fix_queue import make_tournament

HOLD = """
import sys
from pathlib import Path
from arena.config import Settings
from arena.service.visit import crew, visit
settings = Settings(data_folder=Path(sys.argv[1]), workers=1, sandbox="none")
with visit(settings, make=True), crew(settings):
    print("in", flush=True)
    sys.stdin.read()
"""
PATIENCE_S = 60.0


@pytest.fixture
def settings() -> Iterator[Settings]:
    """Give the settings of a data folder that does not exist yet."""
    with tempfile.TemporaryDirectory(prefix="arena-visit-") as folder:
        given = Settings(data_folder=Path(folder) / ".arena")
        yield given
        platform.down(given)


def is_running(settings: Settings) -> bool:
    """Return whether the database runs."""
    return Postgres(DataFolder(settings.data_folder)).is_running()


def test_a_visitor_starts_the_database_and_stops_it(settings: Settings) -> None:
    """It runs for the length of the visit, at the newest schema, and keeps what is written."""
    with visit(settings, make=True) as database:
        assert is_running(settings)
        assert watching.list_all(database) == []
    assert not is_running(settings)
    with visit(settings) as database:
        assert watching.latest(database) is None
    assert not is_running(settings)


def test_a_reader_makes_no_folder(settings: Settings) -> None:
    """Without a data folder a command that only reads is refused, and nothing is made."""
    with pytest.raises(UsageError, match="there is no arena in"), visit(settings):
        pass

    assert not settings.data_folder.exists()


def test_the_last_visitor_stops_it(settings: Settings) -> None:
    """The one that started it leaves first; the other goes on undisturbed."""
    with ExitStack() as first, ExitStack() as second:
        first.enter_context(visit(settings, make=True))
        database = second.enter_context(visit(settings))
        first.close()

        assert watching.list_all(database) == []
        second.close()
    assert not is_running(settings)


def test_what_runs_for_others_is_left_alone(settings: Settings) -> None:
    """Started by `arena up`, or taken over by it during a visit, the database runs on."""
    platform.up(settings, with_workers=False, with_broker=False)
    with visit(settings):
        pass
    assert is_running(settings)

    platform.down(settings)
    with visit(settings):
        keep(settings)
    assert is_running(settings)


@contextmanager
def killed_player(settings: Settings) -> Iterator[None]:
    """Give the block a command that plays; end it with kill -9, and wait until its guards have ended."""
    command = [sys.executable, "-c", HOLD, str(settings.data_folder)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "in\n"
        yield
        guards = guards_of(child.pid)
        child.kill()
    assert wait_until_dead(guards) == set()


def guards_of(pid: int) -> list[int]:
    """Return the processes that put away what a command started, should it be killed."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if b"leftovers" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_what_a_killed_command_started_is_put_away(settings: Settings) -> None:
    """After kill -9 of the only command, servers and workers end without another command."""
    with killed_player(settings):
        started = platform.running(settings)
    assert wait_until_dead(pid for pid in started.values() if pid is not None) == set()

    assert set(started) == {"postgres", "valkey", "worker-0"}
    assert platform.running(settings) == {}


def test_what_others_use_survives_a_killed_command(settings: Settings) -> None:
    """Workers end with the killed command, the database with its last visitor."""
    with killed_player(settings), ExitStack() as other:
        database = other.enter_context(visit(settings))
        started = dict(platform.running(settings))
        stay = other.pop_all()
    others = [pid for name, pid in started.items() if name != "postgres" and pid is not None]
    assert wait_until_dead(others) == set()

    with stay:
        assert watching.list_all(database) == []
    assert platform.running(settings) == {}


def test_the_last_of_two_players_stops_the_workers(settings: Settings) -> None:
    """Whoever came first may leave first: servers and workers stop with the last command that plays."""
    settings = replace(settings, workers=1, sandbox="none")
    with visit(settings, make=True), ExitStack() as later:
        with crew(settings) as first:
            second = later.enter_context(crew(settings))
        left = set(platform.running(settings))
        later.close()
        over = set(platform.running(settings))

    assert first.is_temporary
    assert second.is_temporary
    assert left == {"postgres", "valkey", "worker-0"}
    assert over == {"postgres"}


def test_what_a_killed_command_left_under_way_waits_until_it_is_run_again(settings: Settings) -> None:
    """The first command that plays interrupts it and says so; who joins finds what the first one plays."""
    settings = replace(settings, workers=1, sandbox="none")
    with visit(settings, make=True) as database, ExitStack() as later:
        make_tournament(database, "a", "b")
        with crew(settings) as first:
            is_left = watching.progress(database, "cup").tournament.paused
            tournaments.start(database, "cup")
            second = later.enter_context(crew(settings))
            is_joined = watching.progress(database, "cup").tournament.paused

    assert first.interrupted == ["cup"]
    assert is_left
    assert second.interrupted == ()
    assert not is_joined


def test_players_leave_what_arena_up_started(settings: Settings) -> None:
    """Workers that were there before stay when those who played have left."""
    settings = replace(settings, workers=1, sandbox="none")
    platform.up(settings)
    keep(settings)
    with visit(settings), crew(settings) as joined:
        pass

    assert not joined.is_temporary
    assert set(platform.running(settings)) == {"postgres", "valkey", "worker-0"}
