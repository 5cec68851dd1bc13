"""What is loaded before a worker's last fork must not load gRPC: its threads do not survive a fork."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "modules",
    [
        "arena.botproc.live, arena.botproc.seat, arena.botproc.limits",
        "arena.match.drive, arena.match.verify, arena.match.clock, arena.match.plan",
        "arena.protocol.codec, arena.protocol.hello, arena.protocol.inprocess, arena.protocol.version",
        "arena.service.play, arena.service.check, arena.worker.tasks, arena.worker.main",
    ],
)
def test_grpc_is_not_loaded_early(modules: str) -> None:
    """The values, the referee, the codec, and all that a worker imports before it forks leave gRPC alone."""
    code = f"import {modules}, sys; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"
