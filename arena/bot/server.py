"""The bot behind gRPC: one process, one session, until the arena closes the stream.

A synchronous server: measured against grpc.aio with the same bot, pinned to one core with its client, it took
207 us for a batch of one table against 243, and 500 us for 128 tables against 521. It refuses to go on after
an author's exception: the answers given before it are sent, the traceback and the question go to the standard
error, and the process ends with code 1.
"""

import gc
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any, NoReturn

from arena.bot.bot import Bot
from arena.bot.lean import left_out

with left_out():
    import grpc

    from arena.bot.session import BotFailure, Session
    from arena.protocol.pb import bot_pb2 as pb

_GRACE_S = 1.0
"""How long the end of the stream, or a decision under way after a signal, may take."""
_LOOK_S = 1.0
"""How often it looks whether a signal came unnoticed."""
_OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0))


class _Servicer:
    """The two methods of the contract, in front of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.finished = threading.Event()
        """Set when the stream has ended, or when the process was asked to stop."""
        self.grace_s = _GRACE_S
        """How long the stream's own end may take; nothing when a signal ends it."""
        self.idle = threading.Event()
        """Set while no batch is being played."""
        self.idle.set()

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the two for gRPC; a batch is handed on as it came, because it is kept so."""
        return grpc.method_handlers_generic_handler(
            "arena.v1.Bot",
            {
                "Hello": grpc.unary_unary_rpc_method_handler(
                    self.hello, pb.HelloRequest.FromString, pb.HelloReply.SerializeToString
                ),
                "Play": grpc.stream_stream_rpc_method_handler(
                    self.play, response_serializer=pb.Answers.SerializeToString
                ),
            },
        )

    def hello(self, request: Any, context: grpc.ServicerContext) -> Any:
        """Answer the handshake."""
        del context
        return self._session.hello(request)

    def play(self, batches: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[Any]:
        """Answer each batch with one message; a batch without questions gets none."""
        del context
        try:
            for sent in batches:
                self.idle.clear()
                try:
                    answers = self._session.play(pb.Turns.FromString(sent), sent)
                except BotFailure as failure:
                    if failure.answers.answers:
                        yield failure.answers
                    _die(failure)
                except SystemExit as ended:
                    _leave(ended)
                if answers.answers:
                    yield answers
                self.idle.set()
        finally:
            self.idle.set()
            self.finished.set()


def serve_until_the_end(bot_class: type[Bot], address: str | None = None) -> None:
    """Serve at `address`, by default where ARENA_ADDRESS says, and return when the stream has ended."""
    address = address or os.environ.get("ARENA_ADDRESS")
    if not address:
        _refuse("ARENA_ADDRESS is not set: the arena starts bots; by hand, set it to unix:/tmp/bot.sock")
    servicer = _Servicer(Session(bot_class))
    server = grpc.server(ThreadPoolExecutor(2, "arena-bot"), options=_OPTIONS)
    server.add_generic_rpc_handlers((servicer.handler(),))
    try:
        server.add_insecure_port(address)
    except RuntimeError as error:
        _refuse(f"cannot listen at {address}: {error}")
    _stop_on_signals(servicer)
    # What was imported lives as long as the process: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    server.start()
    while not servicer.finished.wait(_LOOK_S):
        pass  # a signal that comes in the moment in which a wait begins does not end it
    server.stop(servicer.grace_s).wait()
    if not servicer.idle.wait(_GRACE_S):
        # A decision that does not end would keep the interpreter from exiting.
        _exit(0)


def _stop_on_signals(servicer: _Servicer) -> None:
    """Make SIGTERM and Ctrl-C end the process as the end of the stream does."""

    def end() -> None:
        servicer.grace_s = 0.0
        servicer.finished.set()
        # Whatever then keeps the interpreter from exiting, the process ends.
        time.sleep(3 * _GRACE_S)
        _exit(0)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        # The main thread may hold the event's lock just now: another one sets it.
        threading.Thread(target=end, name="arena-bot-end", daemon=True).start()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)


def _die(failure: BotFailure) -> NoReturn:
    """Print the traceback of the author's exception, without the SDK's own frames, and end the process."""
    cause = failure.__cause__
    assert cause is not None
    own = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 (no pathlib: it costs its import)
    frames = [
        frame for frame in traceback.extract_tb(cause.__traceback__) if not frame.filename.startswith(own)
    ]
    lines = [*traceback.format_list(frames), *traceback.format_exception_only(cause)]
    sys.stderr.write(f"Traceback (most recent call last):\n{''.join(lines)}\n{failure}\n")
    _exit(1)


def _leave(ended: SystemExit) -> NoReturn:
    """End as `sys.exit` asked: in a thread of gRPC it would end the stream alone, with status 0."""
    if ended.code is None or isinstance(ended.code, int):
        _exit((ended.code or 0) & 0xFF)
    sys.stderr.write(f"{ended.code}\n")
    _exit(1)


def _refuse(sentence: str) -> NoReturn:
    """End with one line and the exit code for a mistake of the caller."""
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(2)


def _exit(code: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
