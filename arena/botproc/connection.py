"""The gRPC client of one bot: one channel, one hello, one stream.

Owns dialling (the very socket that the bot made, see docs/decisions/0005-driver.md), the limits of what a bot
may send, and the translation of gRPC's statuses into values. Refuses to decode turns and answers
(`arena.protocol.codec`) and to judge (`arena.botproc.verdict`). For processes that fork no more.
"""

import os
import queue
import secrets
import socket
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# gRPC logs every closed stream as news; what matters is returned as a value.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from arena.botproc.link import Arrival, BreakKind, Broken, StartFailure
from arena.botproc.seat import SeatProcess
from arena.match.fault import FaultKind
from arena.protocol import version
from arena.protocol.pb import bot_pb2 as pb

METADATA_BYTES = 4096
"""The most that a bot may send as headers or trailers of a call."""
DESCRIPTION_BYTES = 200
"""Kept of what a bot says of itself in its hello."""
READ_AHEAD = 64
"""Messages that are taken from the transport before the driver asks for them; then its flow control holds."""
POLL_S = 0.005
"""How often a starting bot is looked at until its socket is there."""
CLOSE_S = 1.0
"""How long closing a channel may take before its bot is killed: some floods keep gRPC waiting for ever."""
DETAIL_CHARS = 300
"""Kept of a text that came from the bot's side of the connection."""


class NotABotSocketError(Exception):
    """What lies at the socket's path is not a socket of the bot's own."""


def open_socket(path: Path, owner_uid: int) -> int:
    """Return a descriptor of the socket itself, so that a path swapped later reaches nobody else.

    Raises:
        FileNotFoundError: Nothing is there yet.
        NotABotSocketError: It is no socket, or not the bot's own.
    """
    handle = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    seen = os.fstat(handle)
    if stat.S_ISSOCK(seen.st_mode) and seen.st_uid == owner_uid:
        return handle
    os.close(handle)
    what = "is no socket" if not stat.S_ISSOCK(seen.st_mode) else f"belongs to user id {seen.st_uid}"
    raise NotABotSocketError(f"what lies at ARENA_ADDRESS {what}")


def say_hello(
    process: SeatProcess, request: pb.HelloRequest, hello_ms: int, message_bytes: int
) -> "Connection | StartFailure":
    """Dial a starting bot until it has answered the hello or `hello_ms` are over."""
    began = time.monotonic()
    until = began + hello_ms / 1000
    request.nonce = secrets.token_bytes(16)
    failure = (FaultKind.NEVER_STARTED, f"made no socket at ARENA_ADDRESS within {hello_ms} ms")
    listens = False
    while time.monotonic() < until:
        if process.poll() is not None:
            failure = (FaultKind.NEVER_STARTED, "ended before its hello")
            break
        try:
            handle = open_socket(process.socket_path, process.owner_uid)
        except FileNotFoundError:
            time.sleep(POLL_S)
            continue
        except (NotABotSocketError, OSError) as error:
            failure = (FaultKind.PROTOCOL_ERROR, str(error))
            break
        outcome = _try_hello(process, handle, request, until, message_bytes, is_heard=listens)
        if isinstance(outcome, Connection):
            return outcome
        if not isinstance(outcome, bool):
            failure = outcome
            break
        listens = outcome
        failure = (FaultKind.NEVER_STARTED, f"did not answer the hello within {hello_ms} ms")
        time.sleep(POLL_S)
    return StartFailure(*failure, wall_ms=(time.monotonic() - began) * 1000)


def _try_hello(
    process: SeatProcess,
    handle: int,
    request: pb.HelloRequest,
    until: float,
    message_bytes: int,
    *,
    is_heard: bool,
) -> "Connection | tuple[FaultKind, str] | bool":
    """Dial once; a bool means that the next attempt may succeed, and whether somebody listens by now.

    `is_heard` says that somebody listened before the attempt: only then is a refusal the bot's own.
    """
    channel = grpc.insecure_channel(f"unix:/proc/self/fd/{handle}", options=channel_options(message_bytes))
    kept = False
    try:
        call = channel.unary_unary(
            "/arena.v1.Bot/Hello",
            request_serializer=pb.HelloRequest.SerializeToString,
            response_deserializer=pb.HelloReply.FromString,
        )
        future = call.future(request, timeout=max(0.0, until - time.monotonic()))
        while not future.done() and process.poll() is None:
            _wait(future, POLL_S * 10)
        if not future.done():
            return FaultKind.NEVER_STARTED, "ended before its hello"
        error = future.exception()
        if error is not None:
            return _judge_failed_hello(error, handle, is_heard=is_heard)
        reply = future.result()
        refusal = judge_reply(reply, request)
        if refusal is not None:
            return refusal
        kept = True
        return Connection(channel, handle, reply, process.kill)
    finally:
        if not kept:
            _close_channel(channel, process.kill)
            os.close(handle)


def _close_channel(channel: grpc.Channel, kill: Callable[[], object] | None) -> None:
    """Close a channel; its bot is killed where it keeps that from coming to its end.

    Closing waits for the calls that it cancels. A flood of packed messages can lose the end of a call within
    gRPC, until the connection goes away.
    """
    closing = threading.Thread(target=channel.close, name="bot-close", daemon=True)
    closing.start()
    closing.join(CLOSE_S)
    if closing.is_alive() and kill is not None:
        kill()
        closing.join(CLOSE_S)


def _wait(future: Any, timeout_s: float) -> None:
    """Wait for a call a while."""
    try:
        future.result(timeout=timeout_s)
    except (grpc.RpcError, grpc.FutureTimeoutError, grpc.FutureCancelledError):
        return


def _judge_failed_hello(error: BaseException, handle: int, *, is_heard: bool) -> tuple[FaultKind, str] | bool:
    status, detail = status_of(error)
    if status in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
        listens = _somebody_listens(handle)
        # A bot that begins to listen just now refused the attempt, and takes the look that follows it.
        if not listens or (status is grpc.StatusCode.UNAVAILABLE and not is_heard):
            return listens
    if status is grpc.StatusCode.DEADLINE_EXCEEDED:
        return FaultKind.NEVER_STARTED, "took the connection, but did not answer the hello in time"
    return FaultKind.PROTOCOL_ERROR, f"the hello failed: {detail}"


def _somebody_listens(handle: int) -> bool:
    """Tell a bot that is not listening yet from one that listens and speaks something else."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(f"/proc/self/fd/{handle}")
        except OSError:
            return False
        return True


def judge_reply(reply: pb.HelloReply, request: pb.HelloRequest) -> tuple[FaultKind, str] | None:
    """Return what is wrong with a bot's hello, None when it is good."""
    if reply.nonce != request.nonce:
        return FaultKind.PROTOCOL_ERROR, "the hello gave back another nonce"
    if not version.OLDEST <= reply.protocol <= version.NEWEST:
        spoken = f"{version.OLDEST} to {version.NEWEST}"
        return FaultKind.WRONG_VERSION, f"speaks protocol version {reply.protocol}; the arena speaks {spoken}"
    if reply.tables < 1:
        return FaultKind.PROTOCOL_ERROR, "the hello offered no table"
    return None


def channel_options(message_bytes: int) -> list[tuple[str, int | str]]:
    """Return the options of a bot's channel: nothing shared, nothing retried, everything limited.

    The authority is a plain host, for servers strict about HTTP/2 (Rust's) refuse the path of a socket.
    """
    return [
        ("grpc.default_authority", "localhost"),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.max_receive_message_length", message_bytes),
        ("grpc.max_metadata_size", METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", METADATA_BYTES),
        ("grpc.enable_retries", 0),
        ("grpc.enable_http_proxy", 0),
        ("grpc.service_config_disable_resolution", 1),
    ]


def status_of(error: BaseException) -> tuple[grpc.StatusCode, str]:
    """Return gRPC's status of an error and a sentence, in one line and of bounded length."""
    code = error.code() if isinstance(error, grpc.Call) else grpc.StatusCode.UNKNOWN
    text = (error.details() if isinstance(error, grpc.Call) else str(error)) or ""
    shown = "".join(char if char.isprintable() else " " for char in text[:DETAIL_CHARS])
    return code, f"{code.name}: {shown}" if shown else code.name


_BREAKS = {
    grpc.StatusCode.OK: BreakKind.CLOSED,
    grpc.StatusCode.UNAVAILABLE: BreakKind.LOST,
    grpc.StatusCode.RESOURCE_EXHAUSTED: BreakKind.REFUSED,
    grpc.StatusCode.INTERNAL: BreakKind.REFUSED,
    grpc.StatusCode.UNIMPLEMENTED: BreakKind.REFUSED,
    grpc.StatusCode.DATA_LOSS: BreakKind.REFUSED,
}
"""Every other status is one that the bot chose to end its stream with."""


class Connection:
    """One bot's stream over gRPC; a `Link`."""

    def __init__(
        self,
        channel: grpc.Channel,
        handle: int | None,
        hello: pb.HelloReply,
        kill: Callable[[], object] | None = None,
    ) -> None:
        """Open the Play stream on a channel over which the hello was good.

        Args:
            channel: The bot's own channel; closed with the connection.
            handle: The descriptor of the socket that was dialled, closed with it; None where it was no file.
            hello: What the bot said of itself.
            kill: Ends the bot's process if it keeps the stream from being closed; None where it is not ours.
        """
        self._kill = kill
        self.tables = int(hello.tables)
        said = hello.description.encode()[:DESCRIPTION_BYTES].decode(errors="ignore")
        self.description = "".join(char if char.isprintable() else " " for char in said)
        self._channel = channel
        self._handle = handle
        self._is_closed = False
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox: queue.SimpleQueue[Arrival | Broken] = queue.SimpleQueue()
        self._gate = threading.Event()
        self._broken: Broken | None = None
        play: Any = channel.stream_stream("/arena.v1.Bot/Play")
        self._call = play(iter(self._outbox.get, None))
        self._reader = threading.Thread(target=self._read, name="bot-stream", daemon=True)
        self._reader.start()

    def send(self, message: bytes) -> None:
        """Hand over one message; returns at once."""
        self._outbox.put(message)

    def receive(self, timeout_s: float) -> Arrival | Broken | None:
        """Wait for the next message; None when nothing came in time."""
        if self._broken is not None:
            return self._broken
        try:
            got = self._inbox.get(timeout=timeout_s) if timeout_s > 0 else self._inbox.get_nowait()
        except queue.Empty:
            return None
        if not self._gate.is_set():
            self._gate.set()
        if isinstance(got, Broken):
            self._broken = got
        return got

    def finish(self, timeout_s: float) -> None:
        """Say that no more messages will be sent and wait for the bot to end the stream, at most so long."""
        self._outbox.put(None)
        until = time.monotonic() + timeout_s
        while (left := until - time.monotonic()) > 0 and not isinstance(self.receive(left), Broken):
            pass

    def close(self) -> None:
        """Cut the stream and give everything back. Twice is as once."""
        if self._is_closed:
            return
        self._is_closed = True
        self._outbox.put(None)
        self._call.cancel()
        self._gate.set()
        _close_channel(self._channel, self._kill)
        self._reader.join(timeout=5)
        if self._handle is not None:
            os.close(self._handle)

    def _read(self) -> None:
        """Stamp what arrives; wait while the driver has `READ_AHEAD` messages to look at."""
        answers = self._call
        clock, inbox = time.monotonic_ns, self._inbox
        try:
            for data in answers:
                inbox.put(Arrival(clock(), data))
                if inbox.qsize() >= READ_AHEAD:
                    self._gate.clear()
                    if inbox.qsize() >= READ_AHEAD:
                        self._gate.wait()
        except grpc.RpcError as error:
            status, detail = status_of(error)
            inbox.put(Broken(_BREAKS.get(status, BreakKind.CLOSED), detail))
        else:
            inbox.put(Broken(BreakKind.CLOSED, "ended the stream"))
