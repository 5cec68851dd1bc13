"""A bot without sandbox and without clock, for its author: started bare, or running already, in a debugger.

Owns the dial that waits as long as the author does, and the start with limits that nobody meets. Refuses to
be used for anything that counts: a bot that is watched like this plays no rated match.
"""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

# gRPC logs every closed stream as news; what matters is returned as a value.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from arena.botproc.connection import Connection, channel_options, judge_reply, status_of
from arena.botproc.limits import DEFAULT_LIMITS, MIB
from arena.botproc.plain import PlainSeat
from arena.botproc.runtimes import find_runtime
from arena.botproc.seat import Program, SeatOrder
from arena.botproc.tables import make_hello
from arena.errors import PlatformError, UsageError, quote
from arena.match.plan import ClockSettings
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.options import Ruleset

ROOMY: Final = replace(DEFAULT_LIMITS, memory_bytes=1 << 50, stderr_bytes=MIB)
"""Limits for a bot that is debugged: none that it meets, and more of what it writes is kept."""
ONE_TABLE: Final = ClockSettings(tables_max=1)
MESSAGE_BYTES: Final = 16 * MIB
"""What is read of one message: an author may see how much is too much."""
LOOK_S: Final = 0.1
"""How often it is looked whether the bot still lives."""
LONGEST_SOCKET: Final = 107
"""Bytes of a socket's path that the kernel takes."""
PORTS: Final = range(1, 1 << 16)
_SOCKET: Final = re.compile(r"unix:(?://(?=/))?(.+)")
_TCP: Final = re.compile(r"(?:[A-Za-z0-9_.-]+|\[[0-9a-fA-F:]+\]):([0-9]+)")


def is_address(text: str) -> bool:
    """Whether a text is written like the address of a bot: `unix:/tmp/bot.sock`, `localhost:5000`.

    Raises:
        UsageError: It is, and nobody can ever listen there.
    """
    if found := _SOCKET.fullmatch(text):
        size = len(os.fsencode(found[1]))
        if size > LONGEST_SOCKET:
            raise UsageError(
                f"{quote(text)}: the path of a socket has {LONGEST_SOCKET} bytes at most, this one {size:,}; "
                "choose a shorter one"
            )
        return True
    if (found := _TCP.fullmatch(text)) is None:
        return False
    digits = found[1].lstrip("0")
    if len(digits) > len(str(PORTS[-1])) or int(digits or "0") not in PORTS:
        raise UsageError(
            f"{quote(text)}: the port is {quote(found[1])}; it must be {PORTS[0]} to {PORTS[-1]}"
        )
    return True


@contextmanager
def bare(folder: Path, program: Program, cache_dir: Path) -> Iterator[PlainSeat]:
    """Start the bot of a folder where it stands, as an ordinary process; it ends with the block.

    Raises:
        PlatformError: This machine cannot start it.
    """
    runtime = find_runtime(program.runtime, cache_dir)
    with tempfile.TemporaryDirectory(prefix="arena-debug-") as root:
        try:
            seat = PlainSeat(SeatOrder(folder.resolve(), program, ROOMY, Path(root) / "seat"), runtime)
        except OSError as error:
            raise PlatformError(f"{folder}: cannot be started: {error}") from error
        try:
            yield seat
        finally:
            seat.close()


def dial(address: str, ruleset: Ruleset, has_ended: Callable[[], bool] = lambda: False) -> Connection:
    """Say hello to the bot at an address, however long it takes to be there, and open its stream.

    Args:
        address: As gRPC writes it.
        ruleset: What will be played.
        has_ended: Whether the process behind it is gone, so that nobody waits for it.

    Raises:
        UsageError: It ended, refused the hello, or answered with what is not allowed.
    """
    request = make_hello(DEFAULT_LIMITS, ONE_TABLE, ruleset, ONE_TABLE.hello_ms)
    request.nonce = secrets.token_bytes(16)
    channel = grpc.insecure_channel(address, options=channel_options(MESSAGE_BYTES))
    is_kept = False
    try:
        reply = _say_hello(channel, request, has_ended)
        if (refusal := judge_reply(reply, request)) is not None:
            raise UsageError(f"{quote(address)}: {refusal[1]}")
        connection = Connection(channel, None, reply)
        is_kept = True
        return connection
    finally:
        if not is_kept:
            channel.close()


def _say_hello(
    channel: grpc.Channel, request: pb.HelloRequest, has_ended: Callable[[], bool]
) -> pb.HelloReply:
    """Wait for the answer to the hello as long as somebody may give one."""
    hello = channel.unary_unary(
        "/arena.v1.Bot/Hello",
        request_serializer=pb.HelloRequest.SerializeToString,
        response_deserializer=pb.HelloReply.FromString,
    )
    future = hello.future(request, wait_for_ready=True)
    try:
        while True:
            try:
                reply: pb.HelloReply = future.result(timeout=LOOK_S)
            except grpc.FutureTimeoutError:
                if has_ended():
                    raise UsageError("the bot ended before it answered the hello") from None
            except grpc.RpcError as error:
                raise UsageError(f"the bot refused the hello: {status_of(error)[1]}") from error
            else:
                return reply
    finally:
        future.cancel()
