"""Hostile bots that really try, in every shape of sandbox that this machine has."""

from typing import Any

import pytest

from arena.protocol.conformance import arena_cases
from tests.fix_stage import PlayStage

pytestmark = pytest.mark.xdist_group("attacks")
"""One after the other: a fork bomb beside another attack would take its time to start."""


def only_report(result: dict[str, Any]) -> dict[str, Any]:
    """Return the one thing that the bot said."""
    assert len(result["reports"]) == 1, result
    return dict(result["reports"][0])


def test_s1_a_fork_bomb_stops_at_the_limit_and_is_killed_whole(stage: PlayStage):
    """No more processes than granted, beside the sandbox's own first one, and none is left after the kill.

    What is too much is refused by the group, which counts it, so that a bomb is known. Where nobody counts,
    it is seen that the bot had all that it may have. Frozen by a group, the crowd stands still: its opponent
    is asked only then. Signals are slower, and tell nobody.
    """
    result = stage("crowd", args=["fork_bomb"])

    assert 30 <= result["most"] <= 64 + 1
    assert {report["stopped"] for report in result["reports"]} == {"EAGAIN"}
    assert result["is_bomb"] == result["counts"]
    assert (result["usage"]["refused"] > 256) == result["counts"]
    assert result["usage"]["processes"] >= 63
    assert result["usage"]["process_limit"] == 64
    assert result["during_ns"] == 0 or not result["can_freeze"]
    assert (result["living"], result["of_user"]) == ([], [])


def test_s1_who_asks_for_processes_without_end_loses_by_it(stage: PlayStage):
    """A bot that fills its sandbox and plays soundly is ended where that is counted; its opponent wins.

    Elsewhere it is refused and plays on.
    """
    result = stage("full_house")

    if result["counts"]:
        assert (result["kinds"], result["places"], result["living"]) == (["crashed"], [2, 1], [])
        assert "processes beyond its limit of 64, and was ended for it" in result["evidence"][0]
    else:
        assert result["kinds"] == []


def test_s2_a_memory_bomb_is_out_of_memory(stage: PlayStage):
    """A bot that takes all memory is killed for just that, with a group to bound it and without.

    What it had at most is known, and how.
    """
    result = stage("to_the_end", args=["memory_bomb"])

    assert result["out_of_memory"]
    assert result["usage"]["memory_bytes"] > 0.9 * result["usage"]["memory_limit"]
    assert (
        result["usage"]["memory_bytes"] <= 1.01 * result["usage"]["memory_limit"]
        or not result["bounds_memory"]
    )
    assert (result["usage"]["memory_source"] == "control group") == result["bounds_memory"]
    assert (result["living"], result["of_user"]) == ([], [])


@pytest.mark.parametrize("attack", ["family_bomb", "mute_family_bomb"])
def test_s3_a_family_that_shares_the_bomb_dies_together(stage: PlayStage, attack: str):
    """Twenty children of 200 MiB are one tree with one limit; the first breach ends all of it, unasked.

    Nobody has had more than the limit where the kernel holds it. To close its standard error helps no bot.
    """
    result = stage("family", args=[attack])

    assert result["out_of_memory"]
    assert (
        result["usage"]["memory_bytes"] <= 1.01 * result["usage"]["memory_limit"]
        or not result["bounds_memory"]
    )
    assert (result["living"], result["of_user"]) == ([], [])


def test_s3_the_group_is_looked_at_where_the_kernel_does_not_tell(stage: PlayStage):
    """Without a note from the kernel the first kill is seen within a moment all the same."""
    result = stage("deaf_to_oom")

    assert result["out_of_memory"]
    assert (result["living"], result["of_user"]) == ([], [])


@pytest.mark.parametrize(("folder", "mebibytes"), [("/tmp", 16), ("/dev/shm", 4)])
def test_s4_a_writable_tmp_is_small(stage: PlayStage, folder: str, mebibytes: int):
    """A bundle that asks for /tmp gets 16 MiB of memory, and 4 in /dev/shm, where memory can be bounded.

    It is a file system of its own, so that nothing of it is written to the machine's disk. Elsewhere the
    start is refused.
    """
    result_or_refusal = stage("to_the_end_or_refusal", args=["fill_files", folder], needs_tmp=True)

    if "refusal" not in result_or_refusal:
        report = only_report(result_or_refusal)
        assert "ENOSPC" in report["ends"]
        assert set(report["ends"]) <= {"ENOSPC", "EFBIG"}
        assert 0 < report["written"] <= report["room"] == mebibytes << 20
    else:
        assert "writable /tmp" in result_or_refusal["refusal"]
        assert result_or_refusal["level"] == "landlock" or not result_or_refusal["bounds_memory"]


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_s4_who_does_not_ask_for_a_tmp_writes_nothing_there(stage: PlayStage, folder: str):
    """Neither place is there, or may be written."""
    report = only_report(stage("to_the_end", args=["fill_files", folder]))

    assert set(report["ends"]) <= {"EACCES", "EROFS", "ENOENT"}
    assert report["written"] == 0


def test_s4_the_seats_own_folder_holds_a_socket_and_no_data(stage: PlayStage):
    """What a bot can write there is 64 KiB in memory, or nothing at all; never the machine's disk."""
    report = only_report(stage("to_the_end", args=["fill_files"]))

    assert report["ends"] in (["ENOSPC"], ["EACCES"])
    assert report["written"] <= 64 << 10
    assert report["written"] == 0 or report["room"] == 64 << 10


def test_s5_a_flood_of_files_is_memory_and_ends_the_bot(stage: PlayStage):
    """Empty files cost kernel memory: the group counts it, the watch counts files where there is no group."""
    result = stage("to_the_end", args=["fill_inodes"])

    assert result["out_of_memory"]
    assert result["living"] == []


def test_s6_s7_no_secret_of_the_machine_is_readable(stage: PlayStage):
    """Neither a file, nor another bundle, nor the arena's environment; with a /proc of its own, too."""
    for proc in (False, True):
        result = stage("secrets", args=[proc])
        if proc and result["level"] == "landlock":
            assert "level landlock cannot give" in result["refusal"]
            continue
        report = only_report(result)

        assert report["seen"] > 0
        assert report["hits"] == []
        assert not report["in_environment"]
        assert set(report["opened"].values()) <= {"ENOENT", "EACCES"}
        assert not result["text_has_token"]


def test_s8_only_its_own_processes_exist(stage: PlayStage):
    """The namespace holds the first process and the bot; without a namespace no other can be touched."""
    result = stage("to_the_end", args=["processes"])
    report = only_report(result)

    if result["level"] == "landlock":
        assert report["touched"] == [report["me"]]
        assert report["proc"] == "EACCES"
    else:
        assert set(report["seen"]) <= {1, report["me"]}
        assert report["me"] < 10
        assert report["proc"] == ""


def test_s11_s12_who_strikes_at_all_others_hits_nobody(stage: PlayStage):
    """Not the first process, not its parent, not another bot, not the arena; and it is ended as any other."""
    result = stage("strike")
    report = only_report(result)

    assert set(report["met"]) <= {"ESRCH", "EPERM", "done"}
    assert set(report["traced"].values()) == {-1}
    assert (result["victim"], result["victim_ended"]) == ([{"ready": True}], "")
    assert result["signal"] == 9
    assert (result["living"], result["of_user"]) == ([], [])


def test_s9_s10_no_socket_but_unix(stage: PlayStage):
    """Every other family is unsupported, so nothing is sent to this machine or a metadata service."""
    result = stage("network")
    report = only_report(result)

    assert report["unexpected"] == {}
    assert set(report["tried"].values()) == {"EAFNOSUPPORT"}
    assert result["visits"] == 0


def test_s13_what_ignores_every_signal_is_killed(stage: PlayStage):
    """Stopped by itself, deaf to what asks it to end, and computing again: it goes like any other."""
    result = stage("stubborn")
    kill_and_stop = 1 << 8 | 1 << 18
    every = (1 << 31) - 1 & ~kill_and_stop

    assert result["deaf"]["SigBlk"] & every == result["deaf"]["SigIgn"] & every == every
    assert result["lived"]
    assert result["signal"] == 9
    assert (result["living"], result["of_user"]) == ([], [])


def test_s14_a_daemon_does_not_outlive_its_bot(stage: PlayStage):
    """Forked twice and in a session of its own, it dies with the first process."""
    result = stage("to_the_end", args=["daemonise"])

    assert result["code"] == 0
    assert "daemon" in only_report(result)
    assert (result["living"], result["of_user"]) == ([], [])


def test_s15_a_flood_of_zombies_stops_at_the_limit(stage: PlayStage):
    """The dead count as long as nobody has reaped them, and go with their parent."""
    result = stage("crowd", args=["zombies"])

    assert only_report(result)["stopped"] == "EAGAIN"
    assert only_report(result)["made"] < 64
    assert (result["living"], result["of_user"]) == ([], [])


def test_s16_s17_no_socket_of_others_is_reachable(stage: PlayStage):
    """Neither another bot's, nor the host's, by path or by abstract name; nor is the name to be had.

    A bot may hold the name in a namespace of its own: who dials it outside reaches the host all the same.
    """
    result = stage("neighbours")
    report = only_report(result)

    assert set(report["tried"].values()) <= {"ENOENT", "ECONNREFUSED", "EACCES", "EPERM"}
    assert report["bound"] in ({"EADDRINUSE"} if result["level"] == "landlock" else {"done"})
    assert (result["visits"], result["reached"]) == (0, 1)
    assert result["victim"] == [{"ready": True}]


@pytest.mark.parametrize("kind", ["link", "file"])
def test_s18_only_a_socket_of_the_bots_own_is_dialled(stage: PlayStage, kind: str):
    """A link to somebody's socket, or a file in its place, reaches nobody and is a fault of the bot."""
    result = stage("squat", args=[kind])
    is_made = '"made": "done"' in result["stderr"]

    assert result["visits"] == 0
    assert result["kind"] == ("protocol_error" if is_made else "never_started")
    assert is_made == (result["level"] != "landlock")


def test_s19_nothing_can_be_written(stage: PlayStage):
    """Not the bundle, not the system; and the bundle is the same afterwards."""
    result = stage("scribble")

    assert set(only_report(result)["tried"].values()) <= {"EROFS", "EACCES", "EPERM", "ENOENT"}
    assert result["is_same"]


def test_s20_a_flood_of_output_is_dropped_and_counted(stage: PlayStage):
    """64 KiB are kept, printable; the rest costs the arena no memory."""
    result = stage("flood", args=[64])

    assert result["code"] == 0
    assert result["total_bytes"] >= 64 << 20
    assert result["truncated"]
    assert "\x1b" not in result["stderr"]
    assert "\\x1b[31mflood \\xff" in result["stderr"]
    assert result["grown_bytes"] < 8 << 20


def test_s26_no_core_is_dumped(stage: PlayStage):
    """The limit is 0 for good, and the verdict is the signal."""
    result = stage("to_the_end", args=["core"])

    assert only_report(result) == {"hard": 0, "raise_it": "EPERM"}
    assert result["signal"] == 11


def test_s27_s28_s30_what_no_bot_needs_is_refused(stage: PlayStage):
    """Keyrings, queues, namespaces, mounts, clocks, priorities and devices: each an error by number."""
    report = only_report(stage("to_the_end", args=["forbidden"]))

    assert set(report["calls"].values()) == {"EPERM"}, report["calls"]
    assert report["device"] in {"EPERM", "EACCES"}
    assert report["fifo"] == "EPERM"
    assert report["nice"] in {"EACCES", "EPERM"}
    assert report["suid"] in {"EPERM", "EINVAL"}


def test_s31_no_descriptor_of_the_arena_is_inherited(stage: PlayStage):
    """Even those marked inheritable stay outside."""
    assert only_report(stage("descriptors")) == {"open": []}


def test_a_bot_stays_on_the_core_it_was_given(stage: PlayStage):
    """It cannot ask for more, and the arena keeps its own cores."""
    result = stage("on_core")
    report = only_report(result)

    assert report == {"before": [result["core"]], "asked": "EPERM", "after": [result["core"]]}
    assert result["is_free"]


def test_a_frozen_seat_uses_no_time_and_can_be_killed(stage: PlayStage):
    """Two spinning processes stand still, go on, and die while frozen."""
    result = stage("frozen")

    assert result["during_ns"] == 0
    assert (result["living"], result["of_user"]) == ([], [])


def test_trap_2_no_bot_is_started_from_a_thread(stage: PlayStage):
    """A bot started from a thread would die with it, so that is refused."""
    (said,) = stage("dead_thread")["said"]

    assert "main thread" in said


def test_the_status_of_a_bot_is_its_own(stage: PlayStage):
    """The exit status passes through the sandbox unchanged."""
    result = stage("to_the_end", args=["leave", 7])

    assert (result["code"], result["signal"], result["out_of_memory"]) == (7, None, False)


ALSO = {"hog-memory", "stall", "stop-reading", "huge", "huge-metadata", "noise", "garbage"}
DUELS = {
    row["switch"]: row["verdict"]
    for row in arena_cases()
    if row["switch"] in ALSO
    or (row["costs"] == "sandboxed" and row["switch"] not in {"stop-arena", "full-house"})
}
"""What a bot does at the table, and the verdict."""
DUELS |= dict.fromkeys(("fork-bomb", "spin", "dial"), "timed_out|crashed|disconnected")
"""What takes all processes or descriptors may also be the end of the bot's own server."""


@pytest.mark.parametrize("mode", DUELS)
def test_s1_s2_s20_s21_s22_s23_s24_s25_s29_s32_at_the_table(stage: PlayStage, mode: str):
    """Whatever a bot does there is its own loss by rule; the arena pays no memory and no descriptor."""
    # Time is short only for those who are to run out of it.
    result = stage("duel", args=[mode, 300 if "timed_out" in DUELS[mode] else 20_000])

    # Without a group to bound it, memory may first run out of address space, which the bot can survive, and
    # which its libraries may end it for.
    is_told = mode == "hog-memory" and not result["bounds_memory"]
    also = {"disconnected", "crashed"} if is_told else set[str]()
    assert result["kind"] in {*DUELS[mode].split("|"), *also}, result
    assert (result["seat"], result["places"]) == (0, [2, 1])
    if result["kind"] == "timed_out":
        assert result["charged_ms"] >= result["limit_ms"] > 0
    # It had the first turn: its opponent was asked nothing, and paid nothing, or played as always.
    assert (result["opponent_us"] > 0) == (result["opponent_asked"] > 0)
    assert result["evidence"]
    assert result["living"] == []
    assert result["grown_bytes"] < 16 << 20
    assert result["more_descriptors"] <= 0


def test_s33_no_mark_is_left_for_a_later_match(stage: PlayStage):
    """Times, modes, hints, locks, leases, files, queues: what all sandboxes share stays as it was."""
    result = stage("marks")

    assert result["left"]["tried"] > 100
    assert result["left"]["done"] == []
    assert result["seen"] > 50
    assert result["changed"] == []
