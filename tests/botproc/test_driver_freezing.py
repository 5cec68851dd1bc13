"""When the driver freezes a bot and lets it go on, with scripted bots and a clock that is waited forward."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.botproc.player import NEWCOMER_RESTS
from arena.protocol.pb import bot_pb2 as pb
from tests.botproc.scripted import CLOCK, MS, Job, ScriptedLink, Sent, sound


def test_an_idle_seat_is_frozen_and_thawed_before_it_is_asked() -> None:
    """A bot without a question for a millisecond is frozen; none is asked while frozen (see ScriptedLink)."""
    job = Job(sound, lambda link, turns: [(3, sent) for _, sent in sound(link, turns)], matches=2)
    job.play()
    history = [step for step in job.links[0].process.history if step in ("freeze", "thaw")]

    assert history[:2] == ["freeze", "thaw"]
    assert all(step != after for step, after in pairwise(history))


@pytest.mark.parametrize(("used_ms", "loses_it"), [(0.2, False), (1.0, True)])
def test_who_uses_its_grace_again_and_again_has_none(used_ms: float, *, loses_it: bool) -> None:
    """The opponent of a seat that goes on computing finds the core its own; tidying up costs nothing."""
    standing: list[bool] = []

    def asked(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        idle = job.links[1].process
        standing.append(idle.history[-1:] == ["freeze"])
        if not standing[-1]:
            idle.cpu += int(used_ms * MS)
        return [(3, sent) for _, sent in sound(link, turns)]

    job = Job(asked, sound, matches=8, tables=1)
    job.play(replace(CLOCK, bank_ms=60_000))

    assert not all(standing[:10])
    assert all(standing[10:60]) == loses_it


def test_who_has_more_processes_than_ever_has_no_grace_for_a_while() -> None:
    """What a bot has started in its turn does not run beside its opponent, nor in the turns after that.

    As many as before may tidy up, in time again.
    """
    grown_at = 3
    last: list[int] = []
    seen: list[tuple[int, bool]] = []

    def growing(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        last[:] = [len(link.received) - grown_at]
        link.process.threads = int(last[0] >= 0)
        return sound(link, turns)

    def asked(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        if last:
            seen.append((last.pop(), job.links[1].process.history[-1:] == ["freeze"]))
        return [(3, sent) for _, sent in sound(link, turns)]

    job = Job(asked, growing, matches=30, tables=1)
    job.play(replace(CLOCK, bank_ms=60_000))

    assert not any(is_frozen for rests, is_frozen in seen if rests < 0)
    assert all(is_frozen for rests, is_frozen in seen if 0 <= rests < NEWCOMER_RESTS)
    later = [is_frozen for rests, is_frozen in seen if rests > NEWCOMER_RESTS]
    assert later
    assert not any(later)


@pytest.mark.parametrize(("looks", "is_waited_for"), [(5, True), (10_000, False)])
def test_nobody_is_asked_before_a_crowd_stands_still(looks: int, *, is_waited_for: bool) -> None:
    """Who computes on others' time and needs a while to stop gets it, on nobody's clock.

    Who needs longer goes behind all others, and they are asked.
    """
    moving: list[bool] = []

    def asked(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        crowd.cpu += 4 * MS
        moving.append("freeze" in crowd.history and crowd.moves_on >= 0)
        return sound(link, turns)

    job = Job(asked, sound, matches=2, tables=1)
    crowd = job.links[1].process
    crowd.takes_looks = looks
    played = job.play(replace(CLOCK, bank_ms=0))

    assert len(moving) > 5
    assert moving[-1] != is_waited_for
    assert ("step back" in crowd.history) != is_waited_for
    assert 0 not in [plan.order[fault.seat] for plan, result in played.finished for fault in result.faults]


def test_who_is_frozen_for_long_breathes_now_and_then() -> None:
    """While the opponent thinks, a frozen bot is let run for moments: its connection must not give up."""
    asked = 0

    def slow(link: ScriptedLink, turns: pb.Turns) -> Sequence[Sent]:
        nonlocal asked
        asked += 1
        return [(12_000, sent) for _, sent in sound(link, turns)]

    job = Job(slow, sound, matches=1, tables=1)
    job.play(replace(CLOCK, budget_ms=20_000))

    history = [step for step in job.links[1].process.history if step in ("freeze", "thaw")]
    assert history.count("thaw") >= 2 * asked > 0
    assert all(step != after for step, after in pairwise(history))
