"""Puts the conformance cases to a bot that listens somewhere, and says what became of each.

Owns the order and the waiting: a handshake, then all cases on one stream, then the stream's end. It knows no
clock but its own patience, and refuses to judge what the cases do not name.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

# gRPC logs every closed stream as news; what matters is returned as a value.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from arena.botproc.connection import Connection, channel_options, status_of
from arena.botproc.link import Broken
from arena.protocol.conformance import HelloCase, Ledger, PlayCase, fault_in_reply
from arena.protocol.pb import bot_pb2 as pb

PATIENCE_S: Final = 10.0
"""How long an answer is waited for."""
QUIET_S: Final = 0.02
"""How long after the last answer it is looked whether more comes than was asked for."""
LOOK_S: Final = 0.1
"""How often it is looked whether the bot still lives."""
START_S: Final = 60.0
"""How long a bot may take to listen."""
MESSAGE_BYTES: Final = 1 << 20
END: Final = ("end", "The arena ends its side of the stream: the bot ends its own, in order.")
"""The last case of a stream, which no message is put for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case."""

    id: str
    says: str
    """What was tried."""
    failure: str = ""
    """What the bot did wrong; empty when it did nothing wrong."""


class StreamEndedError(Exception):
    """The stream is gone; the message says how."""


def rehearse(
    address: str, hello: HelloCase, cases: Sequence[PlayCase], has_ended: Callable[[], bool]
) -> Iterator[Outcome]:
    """Say hello, put the cases, end the stream.

    Yields an outcome for each case that was put. After a case that ends the stream no more are.

    Args:
        address: Where the bot listens, or soon will, as gRPC writes it.
        hello: The handshake to begin with.
        cases: What is then put; without any, the handshake is all that is tried.
        has_ended: Whether the bot's process is gone, so that nobody waits for it.
    """
    channel = grpc.insecure_channel(address, options=channel_options(MESSAGE_BYTES))
    try:
        reply, failure = _say_hello(channel, hello, has_ended)
        yield Outcome(hello.id, hello.says, failure)
        if failure or reply is None or not cases:
            return
        connection = Connection(channel, None, reply)
    except GeneratorExit:
        channel.close()
        raise
    try:
        for case in cases:
            try:
                yield Outcome(case.id, case.says, _put(connection, case))
            except StreamEndedError as error:
                yield Outcome(case.id, case.says, str(error))
                return
        yield _end(connection)
    finally:
        connection.close()


def _say_hello(
    channel: grpc.Channel, case: HelloCase, has_ended: Callable[[], bool]
) -> tuple[pb.HelloReply | None, str]:
    """Return the reply, if any, and what is wrong with it."""
    method: Any = channel.unary_unary("/arena.v1.Bot/Hello", response_deserializer=pb.HelloReply.FromString)
    future = method.future(case.data, wait_for_ready=True)
    until = monotonic() + START_S
    try:
        while True:
            try:
                reply: pb.HelloReply = future.result(timeout=LOOK_S)
            except grpc.FutureTimeoutError:
                if has_ended():
                    return None, "it ended before it answered the hello"
                if monotonic() > until:
                    return None, f"it did not answer the hello within {START_S:.0f} s"
            except grpc.RpcError as error:
                return None, f"it refused the hello: {status_of(error)[1]}"
            else:
                return reply, fault_in_reply(case.request, reply)
    finally:
        future.cancel()


def _put(connection: Connection, case: PlayCase) -> str:
    """Send the messages of a case, each when the former one is answered; return what went wrong."""
    for message, data in zip(case.messages, case.data, strict=True):
        connection.send(data)
        ledger = Ledger(message)
        until = monotonic() + PATIENCE_S
        while ledger.open:
            arrival = connection.receive(max(until - monotonic(), 0))
            if arrival is None:
                (table, question), *_ = ledger.open
                return f"question {question} of table {table} was not answered within {PATIENCE_S:.0f} s"
            if failure := _read(arrival, ledger):
                return failure
        if (extra := connection.receive(QUIET_S)) is not None and (failure := _read(extra, ledger)):
            return failure
    return ""


def _read(arrival: object, ledger: Ledger) -> str:
    """Judge one message, or the end of the stream."""
    if isinstance(arrival, Broken):
        raise StreamEndedError(f"the stream ended: {arrival.detail}")
    data: bytes = arrival.data  # type: ignore[attr-defined]
    try:
        answers = pb.Answers.FromString(data)
    except Exception:  # noqa: BLE001 (what protobuf raises differs between its implementations)
        return "it sent what is no Answers message"
    return ledger.fault_in(answers)


def _end(connection: Connection) -> Outcome:
    """End the arena's side of the stream; the bot ends its own."""
    connection.finish(PATIENCE_S)
    ended = connection.receive(0)
    if not isinstance(ended, Broken):
        return Outcome(*END, f"it did not end the stream within {PATIENCE_S:.0f} s")
    return Outcome(*END, "" if ended.kind.value == "closed" else f"the stream broke: {ended.detail}")
