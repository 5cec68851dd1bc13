"""Dialling a bot and saying hello: every way in which a bot can fail to start, and the verdict on it."""

import os
import resource
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.botproc.connection import (
    READ_AHEAD,
    Connection,
    NotABotSocketError,
    open_socket,
    say_hello,
)
from arena.botproc.link import Arrival, BreakKind, Broken, StartFailure
from arena.botproc.verdict import judge_break, judge_start
from arena.match.fault import FaultKind
from arena.protocol.pb import bot_pb2 as pb
from tests.conformance.arena import Row, rows, switch_of
from tests.fix_live import BareSeat

HELLO_MS = 60_000
SHORT_MS = 1_000
SILENT = ("no-socket", "no-listener", "silent-hello")
"""Switches with which a hello is waited for until its time is over."""
STREAM = ("garbage", "never-opened", "too-large", "flood", "hog-memory")
"""Switches that need the driver to be seen."""
MESSAGE_BYTES = 64 * 1024
PATIENCE_S = 60


def _hello(seat: BareSeat, hello_ms: int = HELLO_MS) -> Connection | StartFailure:
    request = pb.HelloRequest(protocol_min=1, protocol_max=1, tables_max=8)
    return say_hello(seat, request, hello_ms, MESSAGE_BYTES)


def _wait_for_socket(seat: BareSeat) -> None:
    """Wait until a bot has made its socket: however long it takes to start, what it then does is judged."""
    until = time.monotonic() + PATIENCE_S
    while not seat.socket_path.exists():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize("case", rows("job", but=("symlink",)), ids=switch_of)
def test_every_bad_start_has_its_verdict(bare_seat: Callable[..., BareSeat], case: Row) -> None:
    """A bot that does not say a good hello is told apart by what it did, with the evidence."""
    what = case["switch"]
    hello_ms = SHORT_MS if what in SILENT else HELLO_MS
    seat = bare_seat(what)
    if what in SILENT and what != "no-socket":
        _wait_for_socket(seat)
    failure = _hello(seat, hello_ms)
    assert isinstance(failure, StartFailure)
    verdict, evidence = judge_start(seat, failure, hello_ms)

    assert verdict == case["verdict"]
    assert case["detail"] in evidence.detail
    assert evidence.limit_ms == hello_ms


def test_a_start_failure_carries_the_standard_error(bare_seat: Callable[..., BareSeat]) -> None:
    """The author sees what the bot wrote before it went."""
    seat = bare_seat("exit-at-start")
    failure = _hello(seat)
    assert isinstance(failure, StartFailure)
    _, evidence = judge_start(seat, failure, HELLO_MS)

    assert "leaving before there is a socket" in evidence.stderr_tail
    assert evidence.exit_code == 4


def test_a_bot_that_listens_elsewhere_is_told_so(bare_seat: Callable[..., BareSeat]) -> None:
    """A socket of another name beside the one that it was told to make is named in the verdict."""
    seat = bare_seat("no-socket")
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(seat.socket_path.with_name("other.sock")))
        _, evidence = judge_start(seat, StartFailure(FaultKind.NEVER_STARTED, "made no socket", 1.0), 1)

    assert "its socket is 'other.sock' beside the one that ARENA_ADDRESS names" in evidence.detail


def test_a_huge_hello_costs_the_arena_no_memory(bare_seat: Callable[..., BareSeat]) -> None:
    """A 64 MiB reply is refused by its announced size, not read."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _hello(bare_seat("huge-hello"))

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 32 * 1024


def test_a_symlink_at_the_socket_path_reaches_nobody(
    bare_seat: Callable[..., BareSeat], tmp_path: Path
) -> None:
    """A bot that links its socket path to another listener gets no connection there (S18)."""
    victim_path = tmp_path / "victim.sock"
    with socket.socket(socket.AF_UNIX) as victim:
        victim.bind(str(victim_path))
        victim.listen()
        victim.setblocking(False)
        seat = bare_seat("symlink", "1", str(victim_path))
        failure = _hello(seat)
        with pytest.raises(BlockingIOError):  # nobody waits to be let in
            victim.accept()

    assert isinstance(failure, StartFailure)
    assert failure.kind is FaultKind.PROTOCOL_ERROR
    assert failure.detail == "what lies at ARENA_ADDRESS is no socket"


def test_a_socket_of_somebody_else_is_refused(tmp_path: Path) -> None:
    """The socket must belong to the seat's own user id."""
    path = tmp_path / "bot.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))

        with pytest.raises(NotABotSocketError, match=f"belongs to user id {os.geteuid()}"):
            open_socket(path, os.geteuid() + 1)


def test_two_bots_are_never_mixed_up(bare_seat: Callable[..., BareSeat]) -> None:
    """A connection made after another was closed reaches its own bot, although descriptor numbers recur."""
    first = _hello(bare_seat("sound"))
    assert isinstance(first, Connection)
    first.close()
    second = _hello(bare_seat("in-full"))
    assert isinstance(second, Connection)

    assert second.description == "in-full"
    second.close()


def test_descriptors_are_given_back(bare_seat: Callable[..., BareSeat]) -> None:
    """After a connection is closed the arena holds no more descriptors than after the first one."""

    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    seats = [bare_seat() for _ in range(3)]
    counts = []
    for seat in seats:
        connection = _hello(seat)
        assert isinstance(connection, Connection)
        connection.send(b"")
        connection.finish(0.1)
        connection.close()
        # gRPC's own threads let go of theirs a moment later.
        until = time.monotonic() + PATIENCE_S
        while counts and count() > counts[0] and time.monotonic() < until:
            time.sleep(0.01)
        counts.append(count())

    assert counts[2] <= counts[0]


def _first_break(connection: Connection, patience_s: float = PATIENCE_S) -> Broken:
    while True:
        got = connection.receive(patience_s)
        assert got is not None
        if isinstance(got, Broken):
            return got


def _turns(count: int) -> bytes:
    legal = [pb.Move(action=pb.PLAY, card=pb.CARD_R7), pb.Move(action=pb.DRAW)]
    turns = [
        pb.Turn(table=table, question=1, kind=pb.TURN, legal=legal, hand=[8, 9]) for table in range(count)
    ]
    return pb.Turns(turns=turns).SerializeToString()


@pytest.mark.parametrize("case", rows("open", but=STREAM), ids=switch_of)
def test_every_end_of_a_stream_has_its_verdict(bare_seat: Callable[..., BareSeat], case: Row) -> None:
    """What the kernel says of the process comes before what the stream looked like."""
    seat = bare_seat(case["switch"], "1")
    connection = _hello(seat)
    assert isinstance(connection, Connection)
    connection.send(_turns(1))
    broken = _first_break(connection)
    verdict, evidence = judge_break(seat, broken)
    connection.close()

    assert verdict == case["verdict"]
    assert case["detail"] in evidence.detail


def test_a_sound_bot_answers_and_ends_with_the_stream(bare_seat: Callable[..., BareSeat]) -> None:
    """Messages go out and come in, stamped; the bot is told the end and ends its side."""
    connection = _hello(bare_seat("sound"))
    assert isinstance(connection, Connection)
    connection.send(_turns(3))
    got = connection.receive(PATIENCE_S)
    assert isinstance(got, Arrival)
    connection.finish(PATIENCE_S)
    ended = connection.receive(0)
    connection.close()

    assert [answer.table for answer in pb.Answers.FromString(got.data).answers] == [0, 1, 2]
    assert ended == Broken(BreakKind.CLOSED, "ended the stream")


def test_a_flood_is_not_read_ahead(bare_seat: Callable[..., BareSeat]) -> None:
    """A million answers wait in the transport until the driver asks: memory stays bounded."""
    connection = _hello(bare_seat("flood", "1"))
    assert isinstance(connection, Connection)
    connection.send(_turns(1))
    inbox = connection._inbox
    until = time.monotonic() + PATIENCE_S
    while inbox.qsize() < READ_AHEAD and time.monotonic() < until:
        threading.Event().wait(0.01)
    threading.Event().wait(0.2)
    waiting = inbox.qsize()
    read = [connection.receive(PATIENCE_S) for _ in range(2 * READ_AHEAD)]
    connection.close()

    assert waiting == READ_AHEAD
    assert all(isinstance(got, Arrival) for got in read)
