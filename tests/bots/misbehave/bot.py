"""One bot that misbehaves on demand: `bot.py [WHAT [AT]]`, by default it plays soundly.

It speaks the protocol by hand, without the SDK, and answers each question with the first legal move. AT is
the number of the turn, counted over the whole job from 1, at which WHAT happens. Over 400 lines,
because it is one bundle of one file: every switch is a function, and they share how a bot speaks.
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc

from arena.protocol.pb import bot_pb2 as pb

WHAT = sys.argv[1] if len(sys.argv) > 1 else "sound"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 1
ADDRESS = os.environ["ARENA_ADDRESS"]
PATH = ADDRESS.removeprefix("unix:")
TABLES = int(os.environ.get("MISBEHAVE_TABLES", "128"))
MIB = 1024 * 1024
FOREVER_S = 3600


def note(text: str) -> None:
    """Say something on the standard error."""
    sys.stderr.write(f"misbehave: {text}\n")
    sys.stderr.flush()


def sleep_on() -> None:
    """Do nothing until somebody ends the process."""
    time.sleep(FOREVER_S)


# ------------------------------------------------------------------------------ before and at the hello


def hello(data: bytes, context: Any) -> bytes:
    """Answer the handshake, or not."""
    request = pb.HelloRequest.FromString(data)
    reply = pb.HelloReply(protocol=request.protocol_max, nonce=request.nonce, tables=TABLES, description=WHAT)
    if WHAT == "crash-at-hello":
        note("crashing at the hello")
        os._exit(3)
    if WHAT == "silent-hello":
        sleep_on()
    if WHAT == "wrong-version":
        reply.protocol = 99
    if WHAT == "wrong-nonce":
        reply.nonce = b"another"
    if WHAT == "no-tables":
        reply.tables = 0
    if WHAT == "garbage-hello":
        return b"\xff\xff\xff"
    if WHAT == "huge-hello":
        reply.description = "x" * (64 * MIB)
    if WHAT == "huge-metadata":
        context.set_trailing_metadata((("x", "y" * MIB),))
    return reply.SerializeToString()


def serve_noise() -> None:
    """Listen, and answer every connection with bytes that are no HTTP/2."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(PATH)
        listener.listen()
        while True:
            peer, _ = listener.accept()
            with peer, contextlib.suppress(OSError):
                peer.sendall(b"\x00\xffnot http" * 100)
                time.sleep(0.05)


def before_serving() -> None:
    """Do what is done instead of serving."""
    if WHAT == "exit-at-start":
        note("leaving before there is a socket")
        sys.exit(4)
    if WHAT == "no-socket":
        sleep_on()
    if WHAT == "noise":
        serve_noise()
    if WHAT == "symlink":
        Path(PATH).symlink_to(sys.argv[3])
        sleep_on()
    if WHAT == "no-listener":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(PATH)
            sleep_on()


# ------------------------------------------------------------------------------ during the game


def answer(turn: pb.Turn, **fields: Any) -> pb.Answer:
    """Answer with the first legal move, and UNO where it may be due."""
    uno = len(turn.hand) == 2
    return pb.Answer(**{"table": turn.table, "question": turn.question, "index": 0, "uno": uno, **fields})


def message(answers: list[pb.Answer]) -> bytes:
    """Return one message."""
    return pb.Answers(answers=answers).SerializeToString()


class Game:
    """The stream, and the turn that has been reached."""

    def __init__(self) -> None:
        self.count = 0

    def play(self, incoming: Iterator[bytes], context: Any) -> Iterator[bytes]:
        """Answer batches until WHAT happens."""
        for data in incoming:
            turns = pb.Turns.FromString(data).turns
            first, self.count = self.count + 1, self.count + len(turns)
            if not turns:
                continue
            due = first <= AT <= self.count
            if WHAT in ACTS and due:
                yield from ACTS[WHAT](turns, AT - first, context)
            elif WHAT in HABITS and self.count >= AT:
                yield from HABITS[WHAT](turns)
            elif WHAT == "stop-reading" and self.count >= AT:
                sleep_on()
            else:
                yield message([answer(turn) for turn in turns])


def crash(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """End the process with an exit code, after the answers before the turn."""
    del context
    if at:
        yield message([answer(turn) for turn in turns[:at]])
        time.sleep(0.2)
    note("crashing \x1b[31mred")
    os._exit(7)


def kill(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """End the process by a signal."""
    del turns, at, context
    os.kill(os.getpid(), signal.SIGSEGV)
    yield b""


def raise_error(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Let the handler of the stream fail; the process lives on."""
    del turns, at, context
    raise RuntimeError("misbehave raises")
    yield b""


def close_stream(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """End the stream without an answer."""
    del turns, at
    context.cancel()
    yield b""


def stop_self(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Stop the whole process."""
    del turns, at, context
    os.kill(os.getpid(), signal.SIGSTOP)
    yield b""


def one_wrong(**wrong: Any) -> Callable[[Any, int, Any], Iterator[bytes]]:
    """Return an act that answers one turn wrongly and the others soundly."""

    def act(turns: Any, at: int, context: Any) -> Iterator[bytes]:
        del context
        answers = [answer(turn) for turn in turns]
        answers[at] = answer(turns[at], **wrong)
        yield message(answers)

    return act


def illegal(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Play a card in full that is not in the list."""
    del context
    answers = [answer(turn) for turn in turns]
    held = {move.card for move in turns[at].legal}
    card = next(card for card in range(1, 14) if card not in held)
    answers[at].move.CopyFrom(pb.Move(action=pb.PLAY, card=card))
    yield message(answers)


def nothing_chosen(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Answer one turn without a choice."""
    del context
    answers = [answer(turn) for turn in turns]
    answers[at].ClearField("index")
    yield message(answers)


def stall(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Answer all but one turn, which is never answered."""
    del context
    yield message([answer(turn) for place, turn in enumerate(turns) if place != at])


def stop_arena(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Stop the arena for a while before all is answered; from the next turn on, break the rules."""
    del at, context
    arena = os.getppid()
    os.kill(arena, signal.SIGSTOP)
    time.sleep(STOPPED_S)
    os.kill(arena, signal.SIGCONT)
    yield message([answer(turn) for turn in turns])


STOPPED_S = 4.0


def late(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Answer all but one turn, and that one with the next batch."""
    late_answers.append(answer(turns[at]))
    yield from stall(turns, at, context)


late_answers: list[pb.Answer] = []


def raw(make: Callable[[Any], bytes]) -> Callable[[Any, int, Any], Iterator[bytes]]:
    """Return an act that sends some bytes instead of the answers."""

    def act(turns: Any, at: int, context: Any) -> Iterator[bytes]:
        del at, context
        yield make(turns)

    return act


def hog_memory(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Take memory until somebody stops it."""
    del turns, at, context
    kept = []
    while True:
        kept.append(bytearray(os.urandom(4096) * 4096))
    yield b""


def gzip_bomb(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Send a message that is small only while it is packed."""
    del turns, at
    context.set_compression(grpc.Compression.Gzip)
    yield message([pb.Answer(say="x" * (32 * MIB))])


def run_aside(code: str) -> Callable[[Any, int, Any], Iterator[bytes]]:
    """Return an act that leaves the turn to processes of its own, and never answers."""

    def act(turns: Any, at: int, context: Any) -> Iterator[bytes]:
        del turns, at, context
        subprocess.Popen([sys.executable, "-c", code])
        sleep_on()
        yield b""

    return act


FORK_BOMB = """
import os
while True:
    try:
        os.fork()
    except OSError:
        pass
"""
FULL_HOUSE = """
import os, signal
refused = 0
while refused < 1000:
    try:
        if os.fork() == 0:
            signal.pause()
    except OSError:
        refused += 1
os.write(1, b"full")
signal.pause()
"""
SPINNERS = """
import os
for _ in range(40):
    try:
        if os.fork() == 0:
            break
    except OSError:
        break
while True:
    pass
"""


def trickle(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Send nothing worth reading, a little at a time, for ever."""
    del turns, at, context
    while True:
        yield message([])
        time.sleep(0.05)


def dial(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Dial its own socket thousands of times, and hold what it gets; the arena dials nobody else."""
    del turns, at, context
    held = []
    for _ in range(5000):
        caller = socket.socket(socket.AF_UNIX)
        caller.setblocking(False)
        held.append(caller)
        with contextlib.suppress(OSError):
            caller.connect(PATH)
    yield b""


def dial_on(turns: Any, at: int, context: Any) -> Iterator[bytes]:
    """Flood with connections until there are no descriptors left, then sit there."""
    with contextlib.suppress(OSError):
        list(dial(turns, at, context))
    sleep_on()
    yield b""


def nested(turns: Any) -> bytes:
    """Return groups within groups, deeper than any parser goes."""
    del turns
    return b"\x0b" * 5000 + b"\x0c" * 5000


ACTS: dict[str, Callable[[Any, int, Any], Iterator[bytes]]] = {
    "crash": crash,
    "kill": kill,
    "raise": raise_error,
    "close-stream": close_stream,
    "stop-self": stop_self,
    "illegal": illegal,
    "bad-index": one_wrong(index=1000),
    "nothing-chosen": nothing_chosen,
    "future-question": one_wrong(question=4_000_000_000),
    "never-opened": one_wrong(table=4_000_000_000),
    "stall": stall,
    "late": late,
    "stop-arena": stop_arena,
    "garbage": raw(lambda _: b"\xff\xff\xff\xff"),
    "huge": raw(lambda _: message([pb.Answer(say="x" * (64 * MIB))])),
    "too-large": raw(lambda turns: message([answer(turn, say="x" * 40_000) for turn in turns])),
    "hog-memory": hog_memory,
    "gzip-bomb": gzip_bomb,
    "fork-bomb": run_aside(FORK_BOMB),
    "spin": run_aside(SPINNERS),
    "trickle": trickle,
    "dial": dial_on,
    "nested": raw(nested),
}
"""What happens once, at turn AT."""


def twice(turns: Any) -> Iterator[bytes]:
    """Answer everything twice."""
    for _ in range(2):
        yield message([answer(turn) for turn in turns])


def one_by_one(turns: Any) -> Iterator[bytes]:
    """Answer each turn in a message of its own, the last one first. This is allowed."""
    for turn in reversed(turns):
        yield message([answer(turn)])


def in_full(turns: Any) -> Iterator[bytes]:
    """Answer with moves in full. This is allowed."""
    answers = [answer(turn) for turn in turns]
    for turn, said in zip(turns, answers, strict=True):
        said.move.CopyFrom(turn.legal[0])
    yield message(answers)


def flood(turns: Any) -> Iterator[bytes]:
    """Answer the first turn a million times, the others never."""
    data = message([answer(turns[0])] * 100)
    for _ in range(10_000):
        yield data


def wrong_table(turns: Any) -> Iterator[bytes]:
    """Answer the first turn again and again, under its own number, whatever was asked."""
    yield message([answer(turns[0]) for _ in turns])


def slow(turns: Any) -> Iterator[bytes]:
    """Take five milliseconds for every batch. This is allowed."""
    time.sleep(0.005)
    yield message([answer(turn) for turn in turns])


def talk(turns: Any) -> Iterator[bytes]:
    """Say far more than is kept."""
    yield message([answer(turn, say="blah " * 100) for turn in turns])


def flood_stderr(turns: Any) -> Iterator[bytes]:
    """Write a megabyte to the standard error with every batch, and play soundly."""
    sys.stderr.write("x" * MIB)
    yield message([answer(turn) for turn in turns])


def burn(turns: Any) -> Iterator[bytes]:
    """Use the processor also when nothing is asked, and play soundly."""
    if threading.active_count() < 50 and not burning:
        burning.append(1)
        threading.Thread(target=_spin, daemon=True).start()
    yield message([answer(turn) for turn in turns])


burning: list[int] = []


def _spin() -> None:
    while True:
        pass


def full_house(turns: Any) -> Iterator[bytes]:
    """Ask for more processes than there can be, a thousand times, and play soundly."""
    if not crowd:
        command = [sys.executable, "-c", FULL_HOUSE]
        crowd.append(subprocess.Popen(command, stdout=subprocess.PIPE))
        crowd[0].stdout.read(4)
    yield message([answer(turn) for turn in turns])


crowd: list[Any] = []


def after_late(turns: Any) -> Iterator[bytes]:
    """Send what is late, then play soundly."""
    if late_answers:
        yield message([late_answers.pop()])
    yield message([answer(turn) for turn in turns])


def always_illegal(turns: Any) -> Iterator[bytes]:
    """Answer every turn with a move that is not in the list."""
    yield message([answer(turn, index=1000) for turn in turns])


HABITS: dict[str, Callable[[Any], Iterator[bytes]]] = {
    "stop-arena": always_illegal,
    "twice": twice,
    "one-by-one": one_by_one,
    "in-full": in_full,
    "flood": flood,
    "wrong-table": wrong_table,
    "slow": slow,
    "talk": talk,
    "flood-stderr": flood_stderr,
    "burn": burn,
    "full-house": full_house,
    "late": after_late,
}
"""What happens from turn AT on, with every batch."""


def main() -> None:
    """Serve with handlers that see bytes, so that they can answer with anything."""
    before_serving()
    handlers = {
        "Hello": grpc.unary_unary_rpc_method_handler(hello),
        "Play": grpc.stream_stream_rpc_method_handler(Game().play),
    }
    server = grpc.server(ThreadPoolExecutor(4), options=[("grpc.max_send_message_length", -1)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("arena.v1.Bot", handlers),))
    server.add_insecure_port(ADDRESS)
    server.start()
    server.wait_for_termination()


if __name__ == "__main__":
    main()
