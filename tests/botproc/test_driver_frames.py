"""Promises about bots that speak HTTP/2 by hand: floods and bombs below gRPC cost them the match alone."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from arena.botproc import connection
from arena.botproc.connection import READ_AHEAD, Connection, say_hello
from arena.botproc.live import LiveBot
from arena.botproc.tables import play_tables
from arena.match.plan import ClockSettings, TablePlan
from arena.protocol.pb import bot_pb2 as pb
from arena.rules.keys import derive
from arena.rules.options import Ruleset
from tests.fix_live import BareSeat

FRAMES = Path(__file__).resolve().parents[1] / "bots" / "frames" / "bot.py"
HELLO_MS = 20_000
FLOODED_S = 1.0
"""How long the floods are looked at."""
GROWTH_BYTES = 256 << 20
"""What all floods together may have taken by then; one that piles up takes more than that in a second."""
FEW = 16
"""Descriptors that gRPC may open for itself; a bot that gives some away sends 64 with each frame."""
ATTACKS = (
    *("pings", "settings", "window-settings", "window-crumbs", "priorities", "unknown-frames", "goaways"),
    *("resets", "empty-data", "empty-messages", "empty-headers", "endless-headers", "headers-by-name"),
    *("packed-bomb", "packed-bombs", "no-window", "too-much-window", "push", "crumbs", "descriptors"),
)

Seats = Callable[..., BareSeat]


def greet(seat: BareSeat) -> Connection:
    """Say hello to a bot."""
    link = say_hello(seat, pb.HelloRequest(protocol_min=1, protocol_max=1, tables_max=8), HELLO_MS, 1 << 16)
    assert isinstance(link, Connection), link
    return link


def peak_bytes() -> int:
    """Return the most memory that this process has had since it was last forgotten."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1]) * 1024


def count_descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def test_floods_of_frames_take_little_memory_and_can_be_left(bare_seat: Seats) -> None:
    """Pings, settings, resets, headers, bombs: nothing piles up, and every stream can be closed."""
    seats = [bare_seat(attack, script=FRAMES) for attack in ATTACKS]
    links = [greet(seat) for seat in seats]
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the peak
    before, held = peak_bytes(), count_descriptors()
    for link in links:
        link.send(pb.Turns(turns=[pb.Turn(table=1, question=1, kind=pb.TURN)]).SerializeToString())
    until = time.monotonic() + FLOODED_S
    waiting = []
    while time.monotonic() < until:
        waiting.append(max(link._inbox.qsize() for link in links))
        for link in links:
            link.receive(0.005)
    grown, more = peak_bytes() - before, count_descriptors() - held
    for link in links:
        link.close()

    assert grown < GROWTH_BYTES
    assert more < FEW
    assert max(waiting) <= READ_AHEAD + 1


@pytest.mark.parametrize(
    ("attack", "kind"),
    [("pings", "timed_out"), ("packed-bomb", "protocol_error")],
)
def test_who_attacks_below_the_protocol_loses_by_rule(bare_seat: Seats, attack: str, kind: str) -> None:
    """A flood is no answer, and a bomb no message: the opponent wins."""
    seats = [bare_seat(attack, script=FRAMES), bare_seat()]
    clock = ClockSettings(budget_ms=20, bank_ms=600, hello_ms=HELLO_MS, tables_max=2)
    plans = [TablePlan(number, 0, derive(b"frames", number), (0, 1), (1, 2)) for number in range(2)]
    bots = [LiveBot(f"bot {index}", seat) for index, seat in enumerate(seats)]
    played = play_tables(bots, plans, clock, Ruleset(scoring="single_round"))
    faults = [fault for _, result in played.finished for fault in result.faults]

    assert {(fault.seat, str(fault.kind)) for fault in faults} == {(0, kind)}
    assert all(result.places == (2, 1) for _, result in played.finished)


def test_a_bot_that_keeps_its_stream_from_being_closed_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood can keep gRPC waiting for the end of a call for ever; the end of the process ends that."""
    monkeypatch.setattr(connection, "CLOSE_S", 0.01)
    killed = threading.Event()
    closed: list[bool] = []

    class Channel:
        """A channel that closes when its bot is dead."""

        def close(self) -> None:
            """Wait for that."""
            closed.append(killed.wait(60))

    connection._close_channel(Channel(), killed.set)  # type: ignore[arg-type]
    for thread in threads("bot-close"):
        thread.join(60)

    assert closed == [True]


def threads(name: str) -> Sequence[threading.Thread]:
    """Return the threads of a name."""
    return [thread for thread in threading.enumerate() if thread.name == name]
