"""Scenes in which a hostile bot meets somebody: another bot, the machine's servers, who asks it to end."""

import contextlib
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

from stage import Stage, outcome, reports, to_the_report, until, visits


def neighbours(stage: Stage) -> dict[str, object]:
    """Let one bot look for another's socket and the host's, and take the host's name; dial that name then."""
    path = stage.folder / "host.sock"
    name = f"arena-test-{os.getpid()}"
    with (
        socket.socket(socket.AF_UNIX) as plain,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as caller,
        stage.seat("serve") as victim,
    ):
        path.unlink(missing_ok=True)
        plain.bind(str(path))
        path.chmod(0o777)
        plain.listen()
        abstract.bind("\0" + name)
        abstract.listen()
        until(lambda: reports(victim))
        places = [str(path), str(victim.socket_path)]
        with stage.seat("neighbours", name, *places) as seat:
            until(lambda: reports(seat) or seat.poll())
            before = visits(plain) + visits(abstract)
            caller.connect("\0" + name)
            reached = visits(abstract)
            return outcome(seat) | {"visits": before, "reached": reached, "victim": reports(victim)}


def stubborn(stage: Stage) -> dict[str, object]:
    """Let a bot ignore every signal and stop itself; ask it to end, then kill it."""
    with stage.seat("stubborn") as seat:
        until(lambda: seat.poll() or any(is_stopped(pid) for pid in seat.living()))
        (pid,) = [pid for pid in seat.living() if is_stopped(pid)]
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            os.kill(pid, number)
        deaf = {name: int(status_of(pid)[name], 16) for name in ("SigBlk", "SigIgn")}
        os.kill(pid, signal.SIGCONT)
        before = seat.cpu_ns()
        until(lambda: seat.poll() or seat.cpu_ns() > before + 10_000_000)
        return {"lived": seat.poll() is None, "deaf": deaf} | outcome(seat)


def is_stopped(pid: int) -> bool:
    """Return whether a process has been stopped by a signal."""
    return status_of(pid).get("State", "").startswith("T")


def status_of(pid: int) -> dict[str, str]:
    """Return what the kernel says of a process; nothing when it is gone."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {}


def strike(stage: Stage) -> dict[str, object]:
    """Let a bot strike at everybody beside a bot that has done nothing."""
    with stage.seat("serve") as victim:
        until(lambda: reports(victim))
        aims = [os.getpid(), *victim.living()]
        result = to_the_report(stage, "strike", *map(str, aims))
        return result | {"victim_ended": str(victim.poll() or ""), "victim": reports(victim)}


OTHERS: dict[str, Callable[..., dict[str, object]]] = {
    function.__name__: function for function in (neighbours, stubborn, strike)
}
