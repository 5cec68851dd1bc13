"""Promises of what `arena compare` prints while it plays."""

import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from arena.cli import compare
from arena.cli.terminal import Terminal
from arena.ratings.sequential import Test
from arena.service.compare import Compared
from tests.cli.test_progress import moment

if TYPE_CHECKING:
    from collections.abc import Iterator


def after(sets: int) -> Compared:
    """Give a comparison after so many deal sets, of the four that were asked for."""
    told = Test().add([0.5, 1.0, 0.0, 1.0][:sets])
    return Compared(replace(moment().tournament, format="compare"), ("a@1", "b@1"), told, at_most=4)


def test_a_line_on_a_pipe_is_written_only_when_there_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the first deal sets take, "0 deal sets" stands there once."""
    now = [0.0]

    def sleep(_: float) -> None:
        now[0] += 2 * compare.LINE_S

    monkeypatch.setattr(compare.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(compare.time, "sleep", sleep)
    moments: Iterator[Compared] = iter([after(0), after(0), after(0), after(2), after(2), after(4)])
    err = io.StringIO()

    compare._watch(Terminal(io.StringIO(), err), lambda: next(moments))

    lines = err.getvalue().splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        "a@1 against b@1: 0 deal sets",
        "a@1 against b@1: 2 deal sets",
    ]
