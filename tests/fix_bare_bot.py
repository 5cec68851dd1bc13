"""A bot of the SDK as a bare process, and the arena's half of the contract as plain gRPC calls."""

import os
import queue
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.pb import bot_pb2_grpc

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 60
"""How long a test waits for what must come; never reached by a sound bot."""


class BareBot:
    """A running bot without a sandbox, and the client's half of its two calls."""

    def __init__(self, folder: Path, source: str, arguments: tuple[str, ...] = ()) -> None:
        self.address = f"unix:{folder / 'bot.sock'}"
        script = folder / "bot.py"
        script.write_text(source)
        environment = {**os.environ, "ARENA_ADDRESS": self.address, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, str(script), *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.channel = grpc.insecure_channel(self.address, options=[("grpc.use_local_subchannel_pool", 1)])
        self.stub = bot_pb2_grpc.BotStub(self.channel)  # type: ignore[no-untyped-call]
        self._outgoing: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._call: Any = None

    def hello(self, **fields: Any) -> Any:
        """Say hello and return the reply."""
        request = pb.HelloRequest(**{"protocol_min": 1, "protocol_max": 1, "nonce": b"n", **fields})
        return self.stub.Hello(request, wait_for_ready=True, timeout=PATIENCE_S)

    def send(self, **batch: Any) -> None:
        """Write one message to the stream."""
        if self._call is None:
            self._call = self.stub.Play(iter(self._outgoing.get, None), timeout=PATIENCE_S)
        self._outgoing.put(pb.Turns(**batch))

    def receive(self) -> Any:
        """Return the bot's next message."""
        return next(self._call)

    def end_stream(self) -> str:
        """Close the stream as the arena does at the end of a job; return the status it ends with."""
        self._outgoing.put(None)
        return str(self._call.code().name)

    def wait(self) -> tuple[int, str, str]:
        """Wait for the process to end; return its exit code, standard output and standard error."""
        out, err = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out, err

    def close(self) -> None:
        """End what is left."""
        self._outgoing.put(None)
        self.channel.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture
def bare_bot(tmp_path: Path) -> Iterator[Callable[..., BareBot]]:
    """Start a bot from source text, `bare_bot(source, *arguments)`; it is ended with the test."""
    running: list[BareBot] = []

    def start(source: str, *arguments: str) -> BareBot:
        folder = tmp_path / str(len(running))
        folder.mkdir()
        running.append(BareBot(folder, source, arguments))
        return running[-1]

    yield start
    for bot in running:
        bot.close()
