"""Promises of the moment in which a signal waits."""

import signal
from collections.abc import Iterator

import pytest

from arena.embedded.undisturbed import undisturbed


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    """Give the signals handlers as a command has them, and the former ones back."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    former = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in former.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_waits_for_the_end_of_the_block(number: int) -> None:
    """What was begun is noted before the interrupt comes, and the interrupt does come."""
    noted = []

    def start() -> None:
        with undisturbed():
            signal.raise_signal(number)
            noted.append("started")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert noted == ["started"]


def test_without_a_signal_nothing_happens() -> None:
    """The handlers are the former ones afterwards."""
    before = signal.getsignal(signal.SIGINT)
    with undisturbed():
        pass

    assert signal.getsignal(signal.SIGINT) is before


def test_an_ignored_signal_stays_ignored() -> None:
    """What the command's parent had it ignore is not delivered."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with undisturbed():
        signal.raise_signal(signal.SIGTERM)

    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
