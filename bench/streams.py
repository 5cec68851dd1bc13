"""What `tables` compares: whole play, bare messages, and a raw echo, each able to work in slices.

    python bench/streams.py arena 128 --core 1      # a contender of `slices`; it waits to be told to work

Each works while it is told to and says what a slice came to: decisions, wall time, and the processor time of
the arena and of the bots. Between two slices no message is under way, so nothing of one falls into another.
"""

import argparse
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, cycle, repeat
from pathlib import Path

from seats import MATTEL, PATIENCE_MS, ROOT, expect_no_fault, open_pinned, plans_of, start_bots
from slices import SLICE_S, Slice, best_rate, orders, sized_orders, tell

from arena.botproc import driver
from arena.botproc.batch import message_limit
from arena.botproc.connection import Connection, say_hello
from arena.botproc.link import Arrival
from arena.botproc.live import LiveBot, Progress
from arena.botproc.seat import SeatProcess
from arena.botproc.tables import play_tables
from arena.match.plan import ClockSettings
from arena.match.referee import Answer, Question, referee
from arena.protocol.codec import TableWriter, decode_answers, decode_choice, turns_message
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.match import Match
from arena.rules.view import View

RECORDED = 2_000
"""Turns that the bare messages repeat."""
MATCHES = 20_000
"""Planned for a measurement; it is over long before they are."""

HEADER = 4
"""Bytes of the length before a message of the raw echo."""

Mark = tuple[float, int, float, float]
"""Wall time, decisions so far, processor seconds of the arena, and of the bots."""


def slice_between(begin: Mark, end: Mark) -> Slice:
    """Return what was done between two moments."""
    names = ("s", "decisions", "arena_s", "bots_s")
    done: dict[str, float] = {name: b - a for name, a, b in zip(names, begin, end, strict=True)}
    return {**done, "cpu_s": done["arena_s"] + done["bots_s"]}


def mark_now(seats: Sequence[SeatProcess], decisions: int) -> Mark:
    """Note how much has been done and used so far."""
    return time.perf_counter(), decisions, time.process_time(), sum(seat.cpu_ns() for seat in seats) / 1e9


def play_slices(
    seats: Sequence[SeatProcess], tables: int, lengths: Iterator[float], told: Callable[[Slice], None]
) -> None:
    """Play matches at so many tables in slices, until there are no more lengths of slices."""
    begin: Mark | None = None
    sizes: list[int] = []
    until = 0.0
    is_between = is_over = False

    def pause(_tables: object) -> None:
        nonlocal is_between
        is_between = True

    def report(progress: Progress) -> None:
        nonlocal begin, until, is_between, is_over, sizes
        # It is called in the middle of a long batch too: there a slice goes on.
        if not is_between or is_over:
            return
        is_between = False
        if begin is not None:
            sizes.append(progress.decisions - begin[1] - sum(sizes))
            if time.perf_counter() < until:
                return
            told({**slice_between(begin, mark_now(seats, progress.decisions)), "sizes": sizes})
        sizes = []
        length = next(lengths, None)
        is_over = length is None
        begin = mark_now(seats, progress.decisions)
        until = begin[0] + (length or 0.0)

    driver.REPORT_NS = 0  # A slice ends between two batches, so each of them is reported.
    clock = ClockSettings(tables_max=tables, hello_ms=PATIENCE_MS, stop_s=0.0, job_s=3_600.0)
    bots = [LiveBot(f"bot {number}", seat) for number, seat in enumerate(seats)]
    played = play_tables(
        bots,
        plans_of(len(seats), MATCHES),
        clock,
        MATTEL,
        on_progress=report,
        should_stop=lambda: is_over,
        on_batch=pause,
    )
    expect_no_fault(played)


def measure_arena(seats: Sequence[SeatProcess], tables: int, seconds: float) -> dict[str, float]:
    """Play for `seconds`; return decisions per second, and who spent what on each, in the best slices."""
    slices: list[Slice] = []
    play_slices(seats, tables, repeat(SLICE_S, round(seconds / SLICE_S)), slices.append)
    return {
        "per_second": best_rate(slices, "decisions", "s"),
        "arena_us": 1e6 / best_rate(slices, "decisions", "arena_s"),
        "bots_us": 1e6 / best_rate(slices, "decisions", "bots_s"),
    }


class KeptTurn:
    """A question of a match that stands still, so that its turn can be written again and again."""

    def __init__(self, match: Match, question: Question, news: int) -> None:
        """Keep a question of a match as it is now; `news` is how many events its seat knows already."""
        twin = match.copy()
        self._question = Question(question.seat, question.number, View(twin, question.seat))
        self._writer = TableWriter(twin, 1)
        self._news = news
        self.write()  # Legal moves and news are ready from now on, as they are in the arena.

    def write(self) -> bytes:
        """Write the turn as the arena does."""
        self._writer._sent[self._question.seat] = self._news  # noqa: SLF001 (as before it was written)
        return self._writer.turn(self._question, PATIENCE_MS)


def record_turns() -> list[KeptTurn]:
    """Return turns of whole matches of two that play the first legal move."""
    turns: list[KeptTurn] = []
    number = 0
    while len(turns) < RECORDED:
        match = Match(MATTEL, 2, derive(b"bench", number))
        leader = referee(match)
        known = [0, 0]
        question = next(leader)
        with suppress(StopIteration):
            while True:
                turns.append(KeptTurn(match, question, known[question.seat]))
                known[question.seat] = len(match.log)
                question = leader.send(Answer(0, uno=True))
        number += 1
    return turns


def exchange_slices(
    seats: Sequence[SeatProcess],
    tables: int,
    ordered: Iterator[tuple[float, Sequence[int]]],
    told: Callable[[Slice], None],
) -> None:
    """Exchange bare messages in slices, with one bot after the other; each as large as one was in the arena.

    In the arena a message has less turns than there are tables: some tables wait for the other bot.
    """
    turns = record_turns()
    links = []
    for seat in seats:
        link = say_hello(seat, pb.HelloRequest(), PATIENCE_MS, message_limit(tables))
        if not isinstance(link, Connection):
            raise SystemExit(f"the bare bot did not start: {link.detail}")
        links.append(link)
    decisions = 0
    partners = cycle(links)
    for length, told_sizes in ordered:
        sizes = cycle(told_sizes or [tables])
        begin = mark_now(seats, decisions)
        while time.perf_counter() - begin[0] < length:
            size = next(sizes)
            batch = [turns[place % len(turns)] for place in range(decisions, decisions + size)]
            exchange_bare(next(partners), batch)
            decisions += size
        told(slice_between(begin, mark_now(seats, decisions)))
    for link in links:
        link.finish(1.0)
        link.close()


def exchange_bare(link: Connection, turns: Sequence[KeptTurn]) -> None:
    """Build one message, send it, and read answers to all its turns: all as the arena does it."""
    link.send(turns_message([turn.write() for turn in turns]))
    answered = 0
    while answered < len(turns):
        got = link.receive(PATIENCE_MS / 1000)
        if not isinstance(got, Arrival):
            raise SystemExit(f"the bare bot failed: {got}")
        for answer in decode_answers(got.data):
            choice = decode_choice(answer)
            answered += answer.question > 0 and choice is not None and choice.choice == 0


def echo_slices(
    tables: int, ordered: Iterator[tuple[float, Sequence[int]]], told: Callable[[Slice], None]
) -> None:
    """Exchange the same bytes, in messages as large as the arena's and in their order, over a raw socket.

    A forked process gives a tenth of each back, about what answers take.
    """
    parts = [turn.write() for turn in record_turns()]
    edges = list(accumulate(map(len, parts * 2), initial=0))
    data = memoryview(b"".join(parts * 2))
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        ours.close()
        give_back(theirs)
        os._exit(0)
    theirs.close()
    decisions = 0
    for length, told_sizes in ordered:
        sizes = cycle(told_sizes or [tables])
        begin = mark_now((), decisions)
        while time.perf_counter() - begin[0] < length:
            size, first = next(sizes), decisions % len(parts)
            message = data[edges[first] : edges[first + size]]
            ours.sendmsg([len(message).to_bytes(HEADER, "big"), message])
            ours.recv(_reply_size(len(message)), socket.MSG_WAITALL)
            decisions += size
        told(slice_between(begin, mark_now((), decisions)))
    ours.close()
    os.waitpid(child, 0)


def give_back(stream: socket.socket) -> None:
    """Read messages with their length before them until there are no more; give a tenth of each back."""
    while header := stream.recv(HEADER, socket.MSG_WAITALL):
        message = stream.recv(int.from_bytes(header, "big"), socket.MSG_WAITALL)
        stream.sendall(bytes(_reply_size(len(message))))


def _reply_size(message: int) -> int:
    return message // 10 or 1


def main() -> None:
    """Work in slices as the standard input says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("arena", "bare", "echo"))
    parser.add_argument("tables", type=int)
    parser.add_argument("--seats", type=int, default=2, help="of each table, one bot a seat")
    parser.add_argument("--bot", default="first-legal", help="folder under bots/")
    parser.add_argument("--sandbox", help="level; default the best that is proved here")
    parser.add_argument("--core", type=int, help="default the last one")
    options = parser.parse_args()
    sandbox, core = open_pinned(options.sandbox, options.core)
    if options.kind == "echo":
        echo_slices(options.tables, sized_orders(), tell)
        return
    is_bare = options.kind == "bare"
    folder = Path(ROOT, "bench", "bare") if is_bare else Path(ROOT, "bots", options.bot)
    with start_bots(sandbox, folder, core, 2 if is_bare else options.seats) as seats:
        if is_bare:
            exchange_slices(seats, options.tables, sized_orders(), tell)
        else:
            play_slices(seats, options.tables, orders(), tell)


if __name__ == "__main__":
    main()
