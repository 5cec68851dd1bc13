"""The conformance cases, put to a bot's folder or to one that listens already.

Owns how often a bot is started for them: once for the cases of a stream, once more for each that broke it,
and once for each further handshake. No sandbox and no clock: it is the contract that is tried, not the bot's
speed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from time import monotonic, sleep

from arena.botproc.plain import PlainSeat
from arena.botproc.rehearsal import END, LOOK_S, Outcome, rehearse
from arena.protocol.conformance import HelloCase, PlayCase, hello_cases, play_cases

EXIT_S = 10.0
"""How long a process may take to end once its stream has."""

Start = Callable[[], AbstractContextManager[PlainSeat]]
"""Starts the bot; it ends with the block."""


def conform_address(address: str, is_gone: Callable[[], bool]) -> Iterator[Outcome]:
    """Put the first handshake and all cases of the stream to a bot that listens somewhere, or soon will.

    Whether it is gone is asked again and again while its answer to the handshake is waited for.
    """
    first, *_ = hello_cases()
    yield from rehearse(address, first, tuple(play_cases()), is_gone)


def list_unput(told: Sequence[Outcome], *, on_one_stream: bool) -> list[Outcome]:
    """Return the cases that were to be put and were not, because one before them ended what they need.

    Args:
        told: What became of those that were put.
        on_one_stream: Whether one handshake and one stream were to hold them all, as behind an address.
    """
    first, *others = hello_cases()
    cases = [(first.id, first.says), *((case.id, case.says) for case in play_cases()), END]
    cases += [] if on_one_stream else [(case.id, case.says) for case in others]
    put = {outcome.id for outcome in told}
    return [Outcome(*case) for case in cases if case[0] not in put]


def conform_folder(start: Start) -> Iterator[Outcome]:
    """Put every case to a bot, started as often as that needs."""
    first, *others = hello_cases()
    left, told = list(play_cases()), False
    while left:
        before = len(left)
        for outcome in _run(start, first, left):
            if outcome.id == first.id and told:
                continue
            told = True
            yield outcome
            left = [case for case in left if case.id != outcome.id]
        if len(left) == before:
            break  # It did not get past its handshake.
    for hello in others:
        yield from _run(start, hello, [])


def _run(start: Start, hello: HelloCase, cases: list[PlayCase]) -> Iterator[Outcome]:
    """Start the bot once, and look how it ended where it ended the stream in order."""
    with start() as seat:
        for outcome in rehearse(
            f"unix:{seat.socket_path}", hello, tuple(cases), lambda: seat.poll() is not None
        ):
            if outcome.id == END[0] and not outcome.failure:
                yield Outcome(outcome.id, outcome.says, _fault_in_exit(seat))
            else:
                yield outcome


def _fault_in_exit(seat: PlainSeat) -> str:
    """Return what is wrong with how the process ends once its stream has, or an empty text."""
    until = monotonic() + EXIT_S
    while monotonic() < until:
        if (found := seat.poll()) is not None:
            return "" if found.code == 0 else f"the process ended with {found}"
        sleep(LOOK_S)
    return f"the process had not ended {EXIT_S:.0f} s after its stream"
