"""The signals that end a command, turned into one exception, so that it ends in good order.

Owns the handlers for the length of a command. While a command cleans up, further signals are ignored: what it
started is stopped within seconds, and a second Ctrl-C must not leave half of it running.
"""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from arena.cli.hangup import hangup_told

if TYPE_CHECKING:
    from types import FrameType

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""A key, a supervisor, a terminal that closes: all of them end a command in good order."""
AGAIN_S = 0.01
"""When an interrupt that was swallowed comes again."""


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Raise `KeyboardInterrupt` at the first of these signals, whichever it is, and ignore the next ones."""

    def end(number: int, frame: "FrameType | None") -> None:  # noqa: ARG001 (the signature of a handler)
        for ending in former:
            signal.signal(ending, signal.SIG_IGN)
        raise KeyboardInterrupt

    def come_again(lost: "sys.UnraisableHookArgs") -> None:
        # Python drops what is raised in a destructor or a callback of its own; this one must not get lost.
        if lost.exc_type is KeyboardInterrupt:
            signal.signal(signal.SIGALRM, end)
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        else:
            hook(lost)

    # Who started the command may have it ignore some of them, as nohup does.
    wanted = [ending for ending in ENDINGS if signal.getsignal(ending) != signal.SIG_IGN]
    hook, sys.unraisablehook = sys.unraisablehook, come_again
    former = {ending: signal.signal(ending, end) for ending in wanted}
    try:
        with hangup_told() if signal.SIGHUP in former else nullcontext():
            yield
    finally:
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)  # what was to come again has nothing left to end
        for ending, handler in former.items():
            signal.signal(ending, handler)
