"""Starting and ending seats: together, pinned to the life of the arena, and without a sandbox."""

import signal
from collections.abc import Callable
from pathlib import Path

from tests.fix_dying import wait_until_dead
from tests.fix_stage import PlayStage, Stage


def test_seats_start_side_by_side_and_die_with_a_killed_arena(new_stage: Stage, shape: str):
    """Three at once, as root each under a user of its own; kill -9 of the arena ends them all."""
    new_stage.begin("hold", count=3)
    told = new_stage.told()
    pids = [pid for inside in told["inside"] for pid in inside]

    assert len(told["inside"]) == 3
    assert all(told["inside"])
    assert len(set(told["uids"])) == (1 if shape == "self" else 3)

    new_stage.process.send_signal(signal.SIGKILL)

    assert wait_until_dead(pids) == set()


def test_what_a_killed_arena_left_is_given_out_again(
    new_stage: Stage, open_stage: Callable[[str], Stage], shape: str
):
    """User ids and groups of a dead arena are taken back by the next one."""
    new_stage.begin("hold", count=2)
    told = new_stage.told()
    new_stage.process.kill()
    new_stage.process.wait()

    next_one = open_stage(shape)
    next_one.begin("to_the_end", args=["leave", 3])
    result = next_one.told()

    assert result["code"] == 3
    assert {uid for uid in told["uids"] if Path(f"/run/arena/seats/{uid}").exists()} == set()
    assert [name for name in result["leftovers"] if f"-{new_stage.process.pid}-" in name] == []


def test_a_check_game_in_every_shape(stage: PlayStage):
    """A real bot speaks gRPC out of each sandbox and plays all its matches."""
    result = stage("check_game", args=["greedy"])

    assert result["passed"], result["report"]
    assert (result["matches"], result["stderr"]) == (8, "")


def test_nothing_piles_up(stage: PlayStage):
    """Descriptors, threads and children are as many after ten bots as after one."""
    result = stage("many", count=10)

    assert result["after"] == result["before"]
    assert result["children"] == []


def test_a_program_that_is_not_there(stage: PlayStage):
    """The bot's own error says so; nothing is thrown at the arena."""
    result = stage("to_the_end", args=["leave", 0], python="no-such-program")

    assert result["code"] not in (0, None)
    assert "no-such-program" in result["stderr"]
