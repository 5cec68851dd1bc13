"""The SDK as a real process: what a gRPC client at the other end of the socket sees."""

import signal
import socket
from collections.abc import Callable

import grpc
import pytest

from arena.protocol.pb import bot_pb2 as pb
from tests.bot.turns import make_turn
from tests.fix_bare_bot import BareBot

Start = Callable[..., BareBot]

LAST = """
from arena.bot import Bot, serve
class Last(Bot):
    tables = 64
    def move(self, view):
        return len(view.legal) - 1
serve(Last)
print("served")
"""
FRAGILE = """
from arena.bot import Bot, serve
class Fragile(Bot):
    def move(self, view):
        if view.question == 13:
            raise KeyError("thirteen")
        return 0
serve(Fragile)
"""
ENDLESS = """
import sys
from arena.bot import Bot, serve
class Endless(Bot):
    def move(self, view):
        print("thinking", flush=True)
        while True:
            pass
serve(Endless)
"""


def opened(count: int) -> list[pb.Opened]:
    """Return the messages that open tables 0 .. count-1."""
    return [pb.Opened(table=table, seat=0, seats=2, seed=table) for table in range(count)]


def test_a_batch_is_answered_in_one_message(bare_bot: Start) -> None:
    """All questions of a message get their answers in one message, and news alone gets none."""
    bot = bare_bot(LAST)
    reply = bot.hello(nonce=b"\x00\xff", tables_max=500)
    bot.send(opened=opened(40))
    bot.send(turns=[make_turn("R1 R3", "R1, draw", table=t, question=t + 5) for t in range(40)])
    first = bot.receive()
    bot.send(closed=[pb.Closed(table=0, places=[1, 2])])
    bot.send(turns=[make_turn("R1 R3", "R1, R3, draw", table=39, question=90)])
    second = bot.receive()

    assert (reply.protocol, reply.nonce, reply.tables) == (1, b"\x00\xff", 64)
    assert [(a.table, a.question, a.index) for a in first.answers] == [(t, t + 5, 1) for t in range(40)]
    assert [(a.table, a.question, a.index) for a in second.answers] == [(39, 90, 2)]


def test_the_process_ends_with_the_stream(bare_bot: Start) -> None:
    """When the arena closes the stream, it ends well, `serve` returns and the process ends with code 0."""
    bot = bare_bot(LAST)
    bot.hello()
    bot.send(opened=opened(1))

    assert bot.end_stream() == "OK"
    assert bot.wait() == (0, "served\n", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(bare_bot: Start, number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C end a waiting bot with code 0 and without a traceback."""
    bot = bare_bot(LAST)
    bot.hello()
    bot.send(opened=opened(1), turns=[make_turn("R1 R3", "R1, draw")])
    bot.receive()
    bot.process.send_signal(number)

    assert bot.wait() == (0, "served\n", "")


def test_a_signal_ends_a_bot_that_never_answers(bare_bot: Start) -> None:
    """SIGTERM also ends a process whose author's code does not come back."""
    bot = bare_bot(ENDLESS)
    bot.hello()
    bot.send(opened=opened(1), turns=[make_turn("R1 R3", "R1, draw")])
    assert bot.process.stdout is not None
    assert bot.process.stdout.readline() == "thinking\n"
    bot.process.terminate()

    assert bot.wait()[0] == 0


def test_an_exception_ends_it_with_traceback_and_question(bare_bot: Start) -> None:
    """What was answered before the error arrives; then the process ends and says where and what."""
    bot = bare_bot(FRAGILE)
    bot.hello()
    questions = [(0, 1), (1, 13), (2, 2)]
    turns = [make_turn("R1 R3", "R1, draw", table=t, question=q) for t, q in questions]
    bot.send(opened=opened(3), turns=turns)
    partial = bot.receive()
    with pytest.raises(grpc.RpcError):
        bot.receive()
    code, _, stderr = bot.wait()

    assert [answer.table for answer in partial.answers] == [0]
    assert code == 1
    assert 'raise KeyError("thirteen")' in stderr
    assert "KeyError: 'thirteen'" in stderr
    assert "the question was TURN (question 13, round 1, seat 0 of 2)" in stderr
    assert "legal  R1  draw" in stderr
    assert "arena/bot/session.py" not in stderr


@pytest.mark.parametrize(
    ("asked", "code", "said"), [("7", 7, ""), ("", 0, ""), ('"no more"', 1, "no more\n")]
)
def test_a_bot_that_exits_ends_as_it_asked(bare_bot: Start, asked: str, code: int, said: str) -> None:
    """`sys.exit` while it decides ends the process with that status, as it does anywhere else."""
    bot = bare_bot("import sys\n" + FRAGILE.replace('raise KeyError("thirteen")', f"sys.exit({asked})"))
    bot.hello()
    bot.send(opened=opened(1), turns=[make_turn("R1 R3", "R1, draw", question=13)])
    with pytest.raises(grpc.RpcError):
        bot.receive()

    assert bot.wait() == (code, "", said)


def test_no_address_is_one_line(bare_bot: Start) -> None:
    """Started by hand, a bot says what is missing and ends with code 2 instead of a traceback."""
    bot = bare_bot("import os\nos.environ.pop('ARENA_ADDRESS')\n" + LAST)
    code, _, stderr = bot.wait()

    assert code == 2
    assert stderr.startswith("ARENA_ADDRESS is not set")
    assert len(stderr.splitlines()) == 1


def test_an_address_in_use_is_one_line(bare_bot: Start) -> None:
    """An address where nobody can listen is named, with code 2."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        bot = bare_bot(f"import os\nos.environ['ARENA_ADDRESS'] = '127.0.0.1:{port}'\n" + LAST)
        code, _, stderr = bot.wait()

    assert code == 2
    assert f"cannot listen at 127.0.0.1:{port}" in stderr.splitlines()[-1]
    assert "Traceback" not in stderr


def test_a_version_it_does_not_speak_is_answered_honestly(bare_bot: Start) -> None:
    """A bot asked for a later protocol still names its own: the arena judges."""
    bot = bare_bot(LAST)

    assert bot.hello(protocol_min=7, protocol_max=9).protocol == 1
