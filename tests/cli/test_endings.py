"""Promises of ending a command: by a key, a closed stream, a full device, a reader that has seen enough."""

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.cli import session
from tests.fix_terminal import Commands

MOMENTS = 12
OURS = str(Path(session.__file__).parents[1])
"""Where our own lines are, as a traceback names them: a clone may have any name, even the project's."""
HEEDED = ("env", "--default-signal=INT")
"""Undoes what the parent of a test run may have set: commands in the background ignore Ctrl-C."""


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
        if "Traceback" in err and OURS not in err:
            continue  # the interpreter itself was still starting: no line of the project had run

        assert "Traceback" not in err
        # Before the command knows what to do the signal ends it, as it does other programs.
        assert (child.returncode, err.count("\n")) in {(0, 0), (3, 1), (-signal.SIGINT, 0)}, (out, err)


INTERRUPTED_AT = """
import os, runpy, signal, sys

left, place, script = int(sys.argv[1]), sys.argv[2], sys.argv[3:]


def trace(frame, event, argument):
    global left
    if not frame.f_code.co_filename.endswith(place):
        return None
    if event == "line":
        left -= 1
        if left == 0:
            sys.settrace(None)
            os.kill(os.getpid(), signal.SIGINT)
    return trace


sys.argv = [*script, "--version"] if script else ["-m", "--version"]
sys.settrace(trace)
if script:
    runpy.run_path(script[0], run_name="__main__")
else:
    runpy.run_module("arena.cli", run_name="__main__", alter_sys=True)
"""
"""Runs the command, and interrupts it at a line of a file that is among the first to be run."""
SCRIPT = Path(__file__).parents[2] / "deploy" / "command" / "arena"
"""What is installed as the command."""


def test_an_interrupt_at_each_of_the_first_lines_is_no_traceback(arena: Commands) -> None:
    """From the second on the signal ends the command, or one line says so, or all was done."""
    (arena.folder / "at.py").write_text(INTERRUPTED_AT)
    met = set()
    for line in range(3, 25):
        done = subprocess.run(
            [*HEEDED, sys.executable, "at.py", str(line), str(Path("arena", "cli", "__init__.py"))],
            cwd=arena.folder,
            env=arena.environment({}),
            capture_output=True,
            text=True,
            check=False,
        )
        met.add(done.returncode)

        assert "Traceback" not in done.stderr
        assert (done.returncode, done.stderr.count("\n")) in {
            (0, 0),
            (3, 0),
            (3, 1),
            (-signal.SIGINT, 0),
        }, done.stderr
    assert {0, 3, -signal.SIGINT} <= met


def test_the_installed_command_knows_ctrl_c_from_its_third_line_on(arena: Commands) -> None:
    """The signal ends it from there on without a traceback, before anything of the arena is imported."""
    (arena.folder / "at.py").write_text(INTERRUPTED_AT)
    ended = [
        subprocess.run(
            [*HEEDED, sys.executable, "at.py", str(line), SCRIPT.name, str(SCRIPT)],
            cwd=arena.folder,
            env=arena.environment({}),
            capture_output=True,
            text=True,
            check=False,
        )
        for line in (5, 6, 7, 8)
    ]

    assert [(done.returncode, done.stderr) for done in ended[:2]] == [(-signal.SIGINT, "")] * 2
    assert (ended[-1].returncode, ended[-1].stderr) == (0, "")
    assert ended[-1].stdout.startswith("arena ")


def test_no_python_imports_anything_of_ours_at_its_start() -> None:
    """What a Python imports before our first line answers Ctrl-C with a traceback: a path is only read."""
    code = "import sys; print(*(name for name in sys.modules if 'arena' in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "\n"


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
