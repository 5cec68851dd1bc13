"""The main job without root: an ordinary user, the level `userns`, everything below the user's own folder."""

import json
import os
import pty
import re
import subprocess
from contextlib import suppress

import pytest

from tests.fix_user import Ordinary

pytestmark = [
    pytest.mark.xdist_group("acceptance"),
    pytest.mark.needs("setpriv", "reachable-python", "user-namespaces"),
]


def test_the_main_job_needs_no_root(ordinary: Ordinary) -> None:
    """Submit, play, and a rated standing, as somebody who may do nothing on the machine."""
    arena = str(ordinary.home / "bin" / "arena")
    bots = [str(ordinary.home / "package" / "bots" / name) for name in ("greedy", "first-legal")]

    doctor = ordinary.run([arena, "doctor", "--json"])
    submitted = ordinary.run([arena, "bot", "submit", *bots])
    run = ordinary.run([arena, "tournament", "run", "cup", "greedy", "first-legal", "--sets", "2", "--json"])

    assert json.loads(doctor.stdout)["level"] == "userns", doctor.stderr
    assert submitted.returncode == 0, submitted.stderr
    assert run.returncode == 0, run.stderr
    facts = json.loads(run.stdout)
    assert (facts["rated"], facts["matches"], len(facts["rows"])) == (True, 4, 2)
    status = ordinary.run([arena, "status"])
    assert "start it with `arena up`" in status.stdout


def test_one_ctrl_c_at_a_terminal_is_enough(ordinary: Ordinary) -> None:
    """In the middle of matches it ends the command with code 3; nothing runs on, and the command goes on."""
    arena = str(ordinary.home / "bin" / "arena")
    bots = [str(ordinary.home / "package" / "bots" / name) for name in ("greedy", "first-legal")]
    ordinary.run([arena, "bot", "submit", *bots])
    command = [arena, "tournament", "run", "storm", "greedy", "first-legal", "--sets", "24"]
    master, slave = pty.openpty()
    child = subprocess.Popen(
        ["env", "--default-signal=INT", "setsid", "--ctty", *ordinary.command(*command)],
        env=ordinary.environment(TERM="xterm", COLUMNS="100", LINES="30"),
        cwd=ordinary.home,
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    screen = b""
    is_pressed = False
    with suppress(OSError):  # the terminal is gone with the last process that held it
        while data := os.read(master, 65536):
            screen += data
            if not is_pressed and re.search(rb"[1-9]\d* of 48 matches", screen):
                os.write(master, b"\x03")
                is_pressed = True
    code = child.wait(120)
    os.close(master)
    status = ordinary.run([arena, "status"])
    again = ordinary.run([*command, "--json"], timeout=280)

    assert (is_pressed, code) == (True, 3), screen
    assert b"Traceback" not in screen
    assert status.stdout.startswith("no PostgreSQL runs")
    assert json.loads(again.stdout)["matches"] == 48, again.stderr
