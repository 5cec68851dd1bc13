"""Level none: an ordinary child with the same contract and none of the walls."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.botproc.level import Level
from arena.botproc.limits import Limits
from arena.botproc.probe import open_sandbox
from arena.botproc.process import start_seat
from arena.botproc.sandbox import SandboxSettings
from arena.botproc.seat import Exit, SeatProcess
from tests.fix_stage import HOSTILE, Stage


@dataclass(frozen=True)
class Attack:
    """The hostile bot, which at this level must behave."""

    run: tuple[str, ...]
    name: str = "hostile"
    runtime: str = "native"
    needs_proc: bool = False
    needs_tmp: bool = False


StartPlain = Callable[..., SeatProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartPlain]:
    """Start the hostile bot without a sandbox."""
    shutil.copytree(HOSTILE, tmp_path / "bundle")
    sandbox = open_sandbox(SandboxSettings(cache_dir=tmp_path / "cache"), Level.NONE)
    seats: list[SeatProcess] = []

    def begin(*words: str, limits: Limits | None = None) -> SeatProcess:
        program = Attack((sys.executable, "bot.py", *words))
        seat = start_seat(
            sandbox, tmp_path / "bundle", program, limits or Limits(), tmp_path / f"run{len(seats)}"
        )
        seats.append(seat)
        return seat

    yield begin
    for seat in seats:
        seat.close()


def wait(condition: Callable[[], object]) -> None:
    """Wait for a condition, at most a minute."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_level_must_be_asked_for_and_is_unrated(tmp_path: Path):
    """Nobody gets it by accident."""
    sandbox = open_sandbox(SandboxSettings(cache_dir=tmp_path), Level.NONE)

    assert sandbox.level is Level.NONE
    assert not sandbox.level.is_rated
    assert sandbox.shapes == ()


def test_a_bot_listens_where_it_was_told(start: StartPlain):
    """The socket is the seat's, and belongs to our own user."""
    seat = start("serve")
    wait(seat.socket_path.exists)

    assert seat.socket_path.stat().st_uid == seat.owner_uid == os.getuid()
    assert seat.poll() is None
    assert seat.kill() == Exit(None, 9)
    seat.close()
    assert not seat.socket_path.exists()


def test_status_and_output(start: StartPlain):
    """Exit status, first words and their count arrive."""
    seat = start("leave", "5")
    wait(seat.poll)
    assert seat.poll() == Exit(5, None)

    seat = start("flood", "1")
    wait(seat.poll)
    assert seat.stderr().truncated
    assert seat.stderr().total_bytes > 1 << 20


def test_freezing_by_signals(start: StartPlain):
    """Two spinning processes stand still, go on, and die while stopped."""
    seat = start("spin")
    wait(lambda: seat.cpu_ns() > 20_000_000)
    seat.freeze()
    time.sleep(0.05)
    before = seat.cpu_ns()
    time.sleep(0.05)

    assert seat.cpu_ns() == before
    seat.thaw()
    wait(lambda: seat.cpu_ns() > before)
    seat.freeze()
    assert seat.kill() == Exit(None, 9)


def test_memory_is_watched(start: StartPlain):
    """Even here a bot that takes too much is ended for just that."""
    seat = start("memory_bomb", limits=Limits(memory_bytes=64 << 20))
    wait(seat.poll)

    assert seat.poll() == Exit(None, 9, out_of_memory=True)
    assert str(seat.poll()) == "killed: out of memory, 64 MiB were granted"
    assert seat.usage().memory_bytes > 64 << 20
    assert seat.usage().memory_source == "looks"


def test_an_arena_that_was_stopped_charges_nothing_of_it(open_stage: Callable[[str], Stage]):
    """SIGSTOP for longer than budget and bank together, with a question open: nobody has run out of time.

    At its next turn the same bot makes an illegal move, and it is for that alone that it loses.
    """
    stage = open_stage("none")
    stage.begin("stopped")
    told = stage.told()

    assert told["faults"] == ["illegal_move"]
    assert isinstance(told["took_ms"], int)
    assert told["took_ms"] > 4000
