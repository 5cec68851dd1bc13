"""Promises of the embedded servers: they need nothing, harm nothing, recover, and leave nothing behind."""

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from arena.embedded import postgres_host as host_module
from arena.embedded.folder import SOCKET_PATH_BYTES, DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.process import is_alive
from arena.embedded.valkey import Valkey
from arena.errors import UsageError
from tests.fix_dying import wait_until_dead
from tests.fix_user import Ordinary

FAST = {"fsync": "off"}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[DataFolder]:
    """Give a data folder whose servers are stopped at the end."""
    made = DataFolder(tmp_path / "private" / ".arena")
    made.path.parent.mkdir(mode=0o700)
    made.make()
    yield made
    Postgres(made).stop()
    Valkey(made).stop()


def ask(url: str, question: str) -> object:
    """Return the one value that a query gives."""
    with psycopg.connect(url) as connection:
        row = connection.execute(question.encode()).fetchone()
    assert row is not None
    return row[0]


def test_servers_start_once_and_stop_without_a_trace(folder: DataFolder) -> None:
    """Starting twice starts one; after stopping nothing of theirs is left, and nothing counts as running."""
    servers = (Postgres(folder, settings=FAST), Valkey(folder))
    first = [server.start() for server in servers]
    again = [server.start() for server in servers]
    pids = [server.pid() for server in servers]

    stopped = [server.stop() for server in servers]

    assert (first, again, stopped) == ([True, True], [False, False], [True, True])
    assert [server.is_running() for server in servers] == [False, False]
    assert not any(is_alive(pid) for pid in pids if pid is not None)
    assert [server.stop() for server in servers] == [False, False]


def test_what_was_stored_is_there_after_a_restart(folder: DataFolder) -> None:
    """The database keeps rows and the queue keeps messages over a stop in good order."""
    postgres, valkey = Postgres(folder, settings=FAST), Valkey(folder)
    postgres.start()
    valkey.start()
    with psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with Redis(unix_socket_path=str(valkey.socket_path)) as client:
        client.lpush("kept", "message")
    postgres.stop()
    valkey.stop()

    postgres.start()
    valkey.start()

    assert ask(postgres.url, "SELECT answer FROM kept") == 42
    with Redis(unix_socket_path=str(valkey.socket_path)) as client:
        assert client.lrange("kept", 0, -1) == [b"message"]


def test_a_crash_is_recovered_without_a_hand(folder: DataFolder) -> None:
    """After kill -9 of both servers the next start finds every committed row and message."""
    postgres, valkey = Postgres(folder), Valkey(folder)
    postgres.start()
    valkey.start()
    with psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    with Redis(unix_socket_path=str(valkey.socket_path)) as client:
        client.lpush("kept", "message")
    for server in (postgres, valkey):
        pid = server.pid()
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        wait_until_dead({pid})

    assert (postgres.start(), valkey.start()) == (True, True)
    assert ask(postgres.url, "SELECT answer FROM kept") == 42


def test_they_listen_on_unix_sockets_of_their_owner_alone(folder: DataFolder) -> None:
    """No port is open, and the sockets lie where nobody else may enter."""
    postgres, valkey = Postgres(folder, settings=FAST), Valkey(folder)
    postgres.start()
    valkey.start()

    assert ask(postgres.url, "SHOW listen_addresses") == ""
    with Redis(unix_socket_path=str(valkey.socket_path)) as client:
        assert client.config_get("port") == {"port": "0"}
    assert stat.S_IMODE(folder.sockets.stat().st_mode) == 0o700


def test_no_folder_above_the_data_changes(folder: DataFolder) -> None:
    """Below a folder that is closed to others everything works, and it stays closed.

    As root the data folder lets the users of seats through to the cache, and to nothing else.
    """
    above = [folder.path.parent, *folder.path.parent.parents]
    before = [place.stat().st_mode for place in above]

    Postgres(folder, settings=FAST).start()

    assert [place.stat().st_mode for place in above] == before
    assert stat.S_IMODE(folder.path.stat().st_mode) == (0o700 if os.geteuid() else 0o711)
    inside = {place.name: stat.S_IMODE(place.stat().st_mode) for place in folder.path.iterdir()}
    assert {name for name, mode in inside.items() if mode & 0o077} <= (
        {"cache"} if os.geteuid() == 0 else set()
    )


def test_a_path_too_long_for_a_socket_gets_a_short_one(tmp_path: Path) -> None:
    """A deep data folder has its sockets elsewhere, in a folder that is its owner's alone."""
    deep = DataFolder(tmp_path / ("d" * 120) / ".arena")
    deep.make()
    server = Postgres(deep, settings=FAST)
    try:
        server.start()

        assert len(os.fsencode(deep.sockets / ".s.PGSQL.5432")) <= SOCKET_PATH_BYTES
        assert stat.S_IMODE(deep.sockets.stat().st_mode) == 0o700
        assert ask(server.url, "SELECT 1") == 1
    finally:
        server.stop()
        deep.sockets.rmdir()


def test_a_folder_in_use_is_refused_by_name(folder: DataFolder) -> None:
    """While one command starts or stops things, another is told who it is and what to do."""
    with folder.locked():
        refused = pytest.raises(UsageError, match=rf"in use: process {os.getpid()} .*--data-folder")
        with refused, DataFolder(folder.path).locked(patience_s=0):
            pass


def test_the_lock_of_a_dead_command_is_free(folder: DataFolder) -> None:
    """A command that was killed while it held the folder leaves no lock behind."""
    code = f"""
import sys, signal
from pathlib import Path
from arena.embedded.folder import DataFolder
with DataFolder(Path({str(folder.path)!r})).locked():
    print("held", flush=True)
    signal.pause()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(UsageError, match=f"process {holder.pid}"), folder.locked(patience_s=0):
            pass
        holder.kill()

    with folder.locked(patience_s=5):
        pass


def test_two_commands_at_once_start_one_server(folder: DataFolder) -> None:
    """Two starts at the same moment end with one running server that both can use."""
    started: list[bool] = []

    def run() -> None:
        with DataFolder(folder.path).locked():
            started.append(Valkey(folder).start())

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(started) == [False, True]


def test_a_cluster_of_another_version_is_refused(folder: DataFolder) -> None:
    """Data that another major version made is refused with what to do, and stays as it is."""
    server = Postgres(folder, settings=FAST)
    server.start()
    server.stop()
    (folder.postgres / "PG_VERSION").write_text("9\n")

    with pytest.raises(UsageError, match="made by PostgreSQL 9 and this is 18"):
        server.start()
    (folder.postgres / "PG_VERSION").write_text("18\n")


def test_a_server_of_somebody_else_on_these_data_is_refused(folder: DataFolder) -> None:
    """A PostgreSQL that the arena did not start is named and left alone, with its file of its number."""
    server = Postgres(folder)
    server.start()
    pid = server.pid()
    assert pid is not None
    for note in folder.processes.glob("postgres*"):
        note.unlink()  # nobody knows any more who started it

    with pytest.raises(UsageError, match=f"process {pid}"):
        Postgres(folder).start()

    assert Postgres(folder).pid() in {pid, None}
    assert (folder.path / "postgres" / "postmaster.pid").exists()
    os.kill(pid, signal.SIGINT)
    wait_until_dead({pid})


@pytest.mark.needs("root", "mounts")
def test_servers_of_another_container_are_left_alone(folder: DataFolder) -> None:
    """Where their processes cannot be seen they are refused in a sentence, and neither stopped nor harmed."""
    servers = Postgres(folder, settings=FAST), Valkey(folder)
    for server in servers:
        server.start()
    code = f"""
from pathlib import Path
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.process import Service
from arena.embedded.valkey import Valkey
from arena.errors import UsageError
Service.refuse_elsewhere.__kwdefaults__["patience_s"] = 0
folder = DataFolder(Path({str(folder.path)!r}))
for server in Postgres(folder), Valkey(folder):
    server._answers = server._is_ready = lambda: False
    try:
        print(server.start(), server.stop())
    except UsageError as error:
        print(error, server.pid(), server.stop())
"""
    alone = ["unshare", "--pid", "--fork", "--mount-proc"]
    done = subprocess.run([*alone, sys.executable, "-c", code], capture_output=True, text=True, check=True)
    told = done.stdout.splitlines()

    assert [line.split("; ")[0] for line in told] == [
        f"data folder {folder.path} is in use: its {name} runs already and cannot be reached from here"
        for name in ("postgres", "valkey")
    ]
    assert all(line.endswith("--data-folder None False") for line in told)
    assert (folder.path / "postgres" / "postmaster.pid").exists()
    for server in servers:
        assert not server.start()
        server.stop()


def test_a_half_made_cluster_is_made_anew(folder: DataFolder) -> None:
    """A first start that was killed in the middle leaves nothing that hinders the next."""
    (folder.path / "postgres.new").mkdir()
    (folder.path / "postgres.new" / "PG_VERSION").write_text("18\n")

    assert Postgres(folder, settings=FAST).start()


def test_a_cluster_without_its_version_is_not_made_anew(folder: DataFolder) -> None:
    """Where files of a database lie nothing is made over them: the message says what is missing."""
    folder.postgres.mkdir()
    (folder.postgres / "base").mkdir()

    with pytest.raises(UsageError, match=r"lacks its PG_VERSION .*--data-folder"):
        Postgres(folder, settings=FAST).start()
    assert [path.name for path in folder.postgres.iterdir()] == ["base"]


@pytest.mark.needs("root")
def test_a_folder_of_another_user_is_refused(tmp_path: Path) -> None:
    """Somebody else's data folder is not used: its servers would be theirs."""
    other = DataFolder(tmp_path / ".arena")
    other.make()
    os.chown(other.path, 12345, 12345)

    with pytest.raises(UsageError, match="belongs to another user"):
        other.make()


@pytest.mark.needs("root")
def test_root_without_namespaces_gets_a_user_for_postgres(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where namespaces are refused, PostgreSQL runs under a user of its own, outside root's folders."""
    home = Path("/var/lib/arena-test")
    monkeypatch.setattr(host_module, "has_namespaces", lambda: False)
    monkeypatch.setattr(host_module, "SYSTEM_HOME", home)
    monkeypatch.setattr(host_module, "SYSTEM_USER", "arena-test")
    server = Postgres(folder, settings=FAST)
    try:
        server.start()

        pid = server.pid()
        assert pid is not None
        assert Path(f"/proc/{pid}").stat().st_uid not in (0, 65534)
        assert ask(server.url, "SELECT 1") == 1
    finally:
        server.stop()
        subprocess.run(["userdel", "arena-test"], check=False, capture_output=True)
        subprocess.run(["rm", "-rf", str(home)], check=True)


@pytest.mark.needs("setpriv", "reachable-python")
def test_an_ordinary_user_needs_no_root(ordinary: Ordinary) -> None:
    """An ordinary user starts and stops both servers in a folder of its own."""
    code = """
from pathlib import Path
from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.embedded.valkey import Valkey
folder = DataFolder(Path("mine/.arena"))
folder.make()
servers = Postgres(folder), Valkey(folder)
print([server.start() for server in servers], [server.stop() for server in servers])
"""
    done = ordinary.run([str(ordinary.python), "-c", code])

    assert (done.stdout.strip(), done.returncode) == ("[True, True] [True, True]", 0), done.stderr
