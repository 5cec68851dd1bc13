"""A moment in which a signal waits: between the start of a process and the note that it must be stopped.

Owns nothing but that moment. A command that is interrupted right there would leave a process behind that
nobody knows of.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

WAITING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What is held back: the ways in which commands are ended."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold signals back that have a handler of ours, and deliver the first one when the block is over."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    heard: list[int] = []

    def hold(number: int, frame: "FrameType | None") -> None:  # noqa: ARG001 (the signature of a handler)
        heard.append(number)

    # A signal without a handler ends the process at once, and one that is ignored does nothing.
    held = [number for number in WAITING if callable(signal.getsignal(number))]
    former = {number: signal.signal(number, hold) for number in held}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
        if heard:
            signal.raise_signal(heard[0])
