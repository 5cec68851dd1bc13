"""Promises of the servers and workers of a data folder: coming up, going down, what is said of the dead."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import main
from arena.config import Settings, load_settings
from arena.errors import PlatformError, UsageError
from arena.service import platform
from tests.fix_dying import wait_until_dead
from tests.fix_queue import make_tournament
from tests.fix_workers import children


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give settings with a data folder of the test's own."""
    return load_settings({"data_folder": tmp_path / ".arena"}, environment={})


def test_nothing_running_names_the_command_that_starts_it(settings: Settings) -> None:
    """Without servers the answer is `arena up`; asking makes no folder."""
    with pytest.raises(PlatformError, match="arena up"):
        platform.open_database(settings)

    assert platform.running(settings) == {}
    assert platform.down(settings) == []
    assert not settings.data_folder.exists()


def test_servers_come_up_and_go_down(settings: Settings) -> None:
    """What a command started it stops again; what ran before stays until everything is told to stop."""
    first = platform.up(settings, with_workers=False)
    second = platform.up(settings, with_workers=False)
    with platform.open_database(settings) as database:
        database.run(lambda connection: connection.execute("SELECT 1 FROM job"))

    second.down()
    still = set(platform.running(settings))
    first_started = list(first.started)
    stopped = platform.down(settings)

    assert (first_started, second.started) == (["postgres", "valkey"], [])
    assert still == {"postgres", "valkey"}
    assert sorted(stopped) == ["postgres", "valkey"]
    assert platform.running(settings) == {}


@pytest.mark.needs("root", "mounts")
def test_servers_of_another_container_are_not_said_to_be_stopped(settings: Settings) -> None:
    """Where their processes cannot be seen, `down` says that they run on, and they do."""
    code = f"""
from arena.cli import main
from arena.embedded.process import Service
from arena.service import platform
Service.refuse_elsewhere.__kwdefaults__["patience_s"] = 0
platform.down.__kwdefaults__["patience_s"] = 0
main(["--data-folder", {str(settings.data_folder)!r}, "down"])
"""
    alone = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c"]
    reach = [*alone, code.replace('"down"', '"status"')]
    platform.up(settings, with_workers=False)
    before = platform.running(settings)
    try:
        refused = subprocess.run([*alone, code], capture_output=True, text=True, check=False)
        seen = subprocess.run(reach, capture_output=True, text=True, check=False)
        after = platform.running(settings)
    finally:
        platform.down(settings)
    stopped = platform.running(settings)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "postgres, valkey of data folder" in refused.stderr
    assert "`arena down` stops them where they were started" in refused.stderr
    assert seen.returncode == 2
    assert "running: postgres (out of reach), valkey (out of reach)" in seen.stdout
    assert after == before
    assert None not in before.values()
    assert stopped == {}


def test_a_newer_schema_is_refused_and_everything_stopped(settings: Settings) -> None:
    """A data folder of a newer version is refused by `up`, and nothing keeps running."""
    first = platform.up(settings, with_workers=False, with_broker=False)
    with platform.open_database(settings) as database, database.transaction() as connection:
        connection.execute("INSERT INTO migration (number, name, digest) VALUES (9999, 'future', 'x')")
    first.down()

    with pytest.raises(UsageError, match="newer version of the arena"):
        platform.up(settings, with_workers=False)

    assert platform.running(settings) == {}


def test_a_worker_that_cannot_start_says_why(settings: Settings, tmp_path: Path) -> None:
    """A worker that ends at once makes `up` fail with its own words, and stops what was started."""
    impossible = "strict" if os.geteuid() else "userns"
    broken = replace(settings, sandbox=impossible, workers=1, origins={"sandbox": "flag", "workers": "flag"})

    with pytest.raises(PlatformError, match=f"worker-0 does not start; .*{impossible}"):
        platform.up(broken)

    assert platform.running(settings) == {}
    assert (tmp_path / ".arena" / "log" / "worker-0.log").exists()


def test_what_died_is_named_at_once(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`arena status` names Valkey, which `arena up` brings back, and a worker that has died."""
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(settings.data_folder))
    one = replace(settings, workers=1, origins={"workers": "flag"})

    def say() -> str:
        with pytest.raises(SystemExit):
            main(["status"])
        return capsys.readouterr().out

    def kill(name: str) -> int:
        pid = platform.running(settings)[name]
        assert pid is not None
        below = children(pid)
        os.kill(pid, signal.SIGKILL)
        assert wait_until_dead({pid, *below}) == set()
        return pid

    try:
        platform.up(one)
        well = say()
        kill("valkey")
        broken = say()
        platform.up(one)
        mended = say()
        worker = kill("worker-0")
        idle = say()
        with platform.open_database(settings) as database:
            make_tournament(database, "a", "b")
        waiting = say()
    finally:
        platform.down(settings)
    stopped = say()

    assert "nothing blocks" in well
    assert "nothing blocks" in mended
    assert f"blocked: no Valkey runs in {settings.data_folder}" in broken
    assert "worker-0 (" in broken
    assert "valkey (" not in broken
    assert f"worker-0 ({worker}) has died; `arena up` starts another\nnothing blocks" in idle
    assert "blocked: nothing plays: 2 jobs wait and no worker lives\n  do: run `arena up`" in waiting
    assert stopped.startswith(f"no PostgreSQL runs in {settings.data_folder}")


def test_a_database_that_was_named_is_asked_although_no_broker_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever names one and no broker hears of the one that cannot be reached, with the exit code for it."""
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(tmp_path / "data"))
    monkeypatch.setenv("ARENA_DATABASE_URL", f"postgresql:///x?host={tmp_path}")
    monkeypatch.delenv("ARENA_BROKER_URL", raising=False)

    with pytest.raises(SystemExit, match="4"):
        main(["status"])
    told = capsys.readouterr().err
    assert "database" in told
    assert "no Valkey runs" in told
