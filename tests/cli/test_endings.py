"""Promises of ending a command: by a key, a closed stream, a full device, a reader that has seen enough."""

import random
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.cli import session
from tests.fix_terminal import Commands

MOMENTS = 12


def test_an_interrupt_at_any_moment_is_one_line(arena: Commands) -> None:
    """Ctrl-C while the command loads, works or prints: one line or the whole result, never a traceback."""
    moments = random.Random(5)
    for _ in range(MOMENTS):
        with subprocess.Popen(
            [sys.executable, "-m", "arena.cli", "rules", "list"],
            cwd=arena.folder,
            env=arena.environment({}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as child:
            try:
                child.wait(moments.uniform(0.03, 0.3))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=60)
        begun = re.search(r'arena/cli/__init__\.py", line \d+, in (main|_leave)', err)
        if not begun and ("Traceback" in err or child.returncode == -signal.SIGINT):
            continue  # the interpreter itself was still starting: no line of the command had run

        assert "Traceback" not in err
        assert (child.returncode, err.count("\n")) in {(0, 0), (3, 1)}, (child.returncode, out, err)


INTERRUPTED_INSIDE = """
from arena.cli import app, main
from arena.cli.endings import ended_in_order


def run(arguments):
    try:
        with ended_in_order():
            exec("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    except KeyboardInterrupt:
        return 3


app.run = run
main([])
"""


def test_an_interrupt_inside_generated_code_ends_with_our_exit_code(arena: Commands) -> None:
    """Python remembers an interrupt of a text that was run as code; the exit code stays 3, not a signal's."""
    (arena.folder / "arena_interrupted.py").write_text(INTERRUPTED_INSIDE)
    done = subprocess.run(
        [sys.executable, "-m", "arena_interrupted"],
        cwd=arena.folder,
        env=arena.environment({"PYTHONPATH": f"{arena.folder}:{Path(__file__).parents[2]}"}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (3, "")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("rules list | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}", 0, ""),
        ("rules list >&-", 2, "stdout is closed"),
        ("rules list >/dev/full", 4, "the results cannot be written: No space left on device"),
        ("--help >/dev/full", 4, "stdout: the results cannot be written: No space left on device"),
        (">/dev/full", 4, "stdout: the results cannot be written: No space left on device"),
        ("rules show none 2>&-", 2, ""),
        ("rules show none 2>/dev/full", 2, ""),
        ("rules list <&- >/dev/null", 0, ""),
    ],
)
def test_a_stream_that_fails_is_no_surprise(arena: Commands, command: str, code: int, said: str) -> None:
    """A closed or full stream gives one line, where one can be given, and an exit code of the list."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m arena.cli {command}"],
        cwd=arena.folder,
        env=arena.environment({}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == code
    assert said in done.stderr
    assert done.stderr.count("\n") == bool(said)


def test_a_command_that_waits_for_another_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for the data folder reads which process holds it, before patience ends."""
    monkeypatch.setattr(session, "SILENCE_S", 0.0)
    code = f"""
import sys
from pathlib import Path
from arena.embedded.folder import DataFolder
with DataFolder(Path({str(tmp_path / ".arena")!r})).locked():
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        holder.stdout.readline()
        noted = threading.Event()
        said: list[str] = []
        waiting = session.Session(flags={"data_folder": tmp_path / ".arena"})
        monkeypatch.setattr(waiting.terminal, "note", lambda text: (said.append(text), noted.set()))
        with waiting.told_of_waiting():
            assert noted.wait(60)
        holder.stdin.close()

    assert said[0].startswith(f"waiting for process {holder.pid} (python")
