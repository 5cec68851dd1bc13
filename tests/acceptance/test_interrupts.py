"""Long commands that are ended from outside: an interrupt at a random moment, a terminal that closes."""

import itertools
import os
import pty
import shlex
import signal
import socket
import subprocess
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator

import pytest

from arena.embedded.folder import DataFolder
from arena.embedded.postgres import Postgres
from arena.service import watching
from arena.store.pool import Database
from tests.acceptance.test_main_job import HEEDED, run_in_background, wait_for_play
from tests.fix_user_home import QUICK, ROOT, Home
from tests.moments import interrupt, moments_of

pytestmark = pytest.mark.xdist_group("acceptance")
GREEDY, RANDOM = (str(ROOT / "bots" / name) for name in ("greedy", "random"))
LONG = (
    ("bot", "try", GREEDY, "--against", "random", "--matches", "2000"),
    ("compare", "greedy", "first-legal", "--elo", "1", "--at-most", "300"),
    ("match", "play", GREEDY, RANDOM, "greedy", "--quiet"),
    ("bot", "submit", GREEDY),
    ("bot", "conform", GREEDY),
    ("backup", "interrupted.backup", "--force"),
)
"""Commands that take longer than a moment; `tournament run` is interrupted in test_main_job.py."""
LATEST_S = 2.0
SHORT_S = 0.4
"""A backup of a small arena is soon done."""


@pytest.mark.parametrize("command", LONG, ids=lambda command: " ".join(command[:2]))
def test_an_interrupt_at_any_moment_ends_a_long_command_in_order(
    home: Home, command: tuple[str, ...]
) -> None:
    """Exit code 3 and one line that says so, or it was done already; nothing runs on, no bot is changed."""
    before = home.arena("bot", "list", "--json").out
    name = " ".join(command[:2])
    latest = SHORT_S if command[0] == "backup" else LATEST_S
    options = () if command[0] == "backup" or "conform" in command else home.sandbox
    for moment_s in moments_of(name, latest):
        with run_in_background(home, *command, *options) as child:
            interrupt(child, moment_s)
            out, said = child.communicate(timeout=100)

        assert "Traceback" not in said
        assert child.returncode in {0, 3}, (out, said)
        if child.returncode == 3:
            assert "interrupted" in said.splitlines()[-1]
        assert home.processes() == []
        assert not list(home.arena.folder.glob(".arena-*"))  # what was half written
    assert home.arena("bot", "list", "--json").out == before


class Screen:
    """A pseudo-terminal of its own for one command of `make`, which it can take away."""

    def __init__(self, home: Home, *arguments: str) -> None:
        self._code = home.arena.folder / "hangup.code"
        makefile = home.arena.folder / "hangup.mk"
        line = shlex.join([sys.executable, "-m", "arena.cli", *arguments])
        makefile.write_text(f"all:\n\t@{line}; echo $$? >{self._code.name}\n")
        self._ours, theirs = pty.openpty()
        self.resize(100, theirs)
        environment = home.arena.environment(QUICK | {"TERM": "xterm-256color"})
        for fixed in ("COLUMNS", "LINES"):  # a size that is told wins over the terminal's own
            environment.pop(fixed, None)
        self.child = subprocess.Popen(
            ["setsid", "--ctty", *HEEDED, "make", "-f", str(makefile)],
            cwd=home.arena.folder,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def read_until(self, text: str, between: Callable[[], None] | None = None) -> None:
        """Wait until a text was shown after what was read before; do something whenever something came."""
        new = ""
        while text not in new:
            if between is not None:
                between()
            try:
                new += self._decoder.decode(os.read(self._ours, 65536))
            except OSError:  # it has ended
                pytest.fail(
                    f"{text!r} was never shown: exit code {self.child.wait(60)}, last {new[-1000:]!r}"
                )

    def resize(self, columns: int, terminal: int | None = None) -> None:
        """Make it so wide."""
        termios.tcsetwinsize(self._ours if terminal is None else terminal, (40, columns))

    def close(self) -> int:
        """Take it away, as somebody does who closes its window; return the exit code of the command.

        Only the leader of the session is told, and `make` tells nobody: it waits for the command.
        """
        os.close(self._ours)
        assert self.child.wait(timeout=100) == -signal.SIGHUP
        return int(self._code.read_text())


def test_a_live_table_follows_its_terminal_and_ends_with_it(home: Home) -> None:
    """Another width clears the screen and draws anew; when the window closes all goes down in order."""
    screen = Screen(
        home, "tournament", "run", "windowed", "greedy", "random", "--sets", "2000", *home.sandbox
    )
    screen.read_until("windowed: ")
    screen.read_until("─" * 5)
    widths = itertools.cycle((45, 60))  # a change between two drawings may be undone by the next one
    screen.read_until("\x1b[2J", lambda: screen.resize(next(widths)))
    screen.read_until("windowed: ")

    assert screen.close() == 3
    assert home.processes() == []
    assert '"running"' in home.arena("tournament", "show", "windowed", "--json").out


def test_a_trial_ends_with_its_terminal(home: Home) -> None:
    """What plays in the command itself ends with the window as what workers play does."""
    screen = Screen(home, "bot", "try", GREEDY, "--against", "random", "--matches", "2000", *home.sandbox)
    screen.read_until("starting the bots")

    assert screen.close() == 3
    assert home.processes() == []


def test_an_interrupt_lets_a_ladder_rest_until_it_is_run_again(home: Home) -> None:
    """Workers of `arena up` end what is under way, play another tournament and no more of it, then go on."""
    season = ("tournament", "run", "unending", "greedy", "random", "--format", "ladder", "--sets", "4")
    assert home.arena("up", *home.sandbox, **QUICK).code == 0
    try:
        with run_in_background(home, *season, *home.sandbox) as child:
            wait_for_play(home, "unending", 0)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate(timeout=60)
        watched = home.arena("tournament", "watch", "unending", timeout=60)
        rested = played(home, "unending")
        other = home.arena("tournament", "run", "beside", "greedy", "random", "--sets", "1", *home.sandbox)
        left = played(home, "unending")
        again = home.arena("tournament", "run", "unending", "--at-most", "2")
        later = played(home, "unending")
    finally:
        assert home.arena("down").code == 0

    assert (child.returncode, watched.code, other.code, again.code) == (3, 3, 0, 0)
    assert "unending rests: the workers of `arena up` end what is under way and begin no more" in said
    assert said.splitlines()[-1].endswith("`arena tournament run unending` goes on")
    assert watched.err.endswith("unending is resting: `arena tournament run unending` goes on\n")
    assert rested == left
    assert later >= rested + 4
    assert home.processes() == []


def played(home: Home, name: str) -> int:
    """Return how many matches of a tournament are written."""
    with Database(Postgres(DataFolder(home.arena.folder / ".arena")).url) as database:
        return watching.progress(database, name).totals.done


@pytest.fixture
def stranger() -> Iterator[int]:
    """Give a port at which somebody listens who speaks no protocol of ours and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_port_that_somebody_else_has_is_told(home: Home, stranger: int) -> None:
    """A debugger's address is waited for and said; a database's is refused in one line."""
    with run_in_background(home, "bot", "debug", f"localhost:{stranger}") as child:
        assert child.stderr is not None
        assert f"at localhost:{stranger}; Ctrl-C ends it" in child.stderr.readline()
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
    url = f"postgresql://localhost:{stranger}/arena?connect_timeout=2"
    ended = home.arena("bot", "list", ARENA_DATABASE_URL=url)

    assert child.returncode == 3
    assert (ended.code, ended.out, ended.err.count("\n")) == (4, "", 1)
    assert "mend ARENA_DATABASE_URL" in ended.err
