"""Hostile bots that really try, in every shape of sandbox that this machine has."""

from typing import Any

from tests.fix_stage import PlayStage


def only_report(result: dict[str, Any]) -> dict[str, Any]:
    """Return the one thing that the bot said."""
    assert len(result["reports"]) == 1, result
    return dict(result["reports"][0])


def test_s1_a_fork_bomb_stops_at_the_limit_and_is_killed_whole(stage: PlayStage):
    """No more processes than granted, and none is left after the kill."""
    result = stage("fork_bomb")

    assert 30 <= result["most"] <= 64
    assert {report["stopped"] for report in result["reports"]} == {"EAGAIN"}
    assert (result["living"], result["of_user"]) == ([], [])


def test_s2_a_memory_bomb_is_out_of_memory(stage: PlayStage):
    """A bot that takes all memory is killed for just that, with a group to bound it and without."""
    result = stage("to_the_end", args=["memory_bomb"])

    assert result["out_of_memory"]
    assert (result["living"], result["of_user"]) == ([], [])


def test_s3_a_family_that_shares_the_bomb_dies_together(stage: PlayStage):
    """Twenty children of 200 MiB are one tree with one limit; the first breach ends all of it."""
    result = stage("to_the_end", args=["family_bomb"])

    assert result["out_of_memory"]
    assert (result["living"], result["of_user"]) == ([], [])


def test_s3_the_group_is_looked_at_where_the_kernel_does_not_tell(stage: PlayStage):
    """Without a note from the kernel the first kill is seen within a moment all the same."""
    result = stage("deaf_to_oom")

    assert result["out_of_memory"]
    assert (result["living"], result["of_user"]) == ([], [])


def test_s4_a_writable_tmp_is_small(stage: PlayStage):
    """A bundle that asks for /tmp gets 16 MiB where memory can be bounded; elsewhere the start is refused."""
    result_or_refusal = stage("to_the_end_or_refusal", args=["fill_files", "/tmp"], needs_tmp=True)

    if result_or_refusal["bounds_memory"]:
        report = only_report(result_or_refusal)
        assert set(report["ends"]) <= {"ENOSPC", "EFBIG"}
        assert report["written"] <= 16 << 20
    else:
        assert "writable /tmp" in result_or_refusal["refusal"]


def test_s4_the_seats_own_folder_holds_a_socket_and_no_data(stage: PlayStage):
    """What a bot can write there is 64 KiB in memory, never the machine's disk."""
    report = only_report(stage("to_the_end", args=["fill_files", "/run/seat"]))

    assert report["ends"] == ["ENOSPC"]
    assert report["written"] <= 64 << 10


def test_s5_a_flood_of_files_is_memory_and_ends_the_bot(stage: PlayStage):
    """Empty files cost kernel memory: the group counts it, the watch counts files where there is no group."""
    result = stage("to_the_end", args=["fill_inodes", "/run/seat"])

    assert result["out_of_memory"]
    assert result["living"] == []


def test_s6_s7_no_secret_of_the_machine_is_readable(stage: PlayStage):
    """Neither a file, nor another bundle, nor the arena's environment; with a /proc of its own, too."""
    for proc in (False, True):
        result = stage("secrets", args=[proc])
        report = only_report(result)

        assert report["seen"] > 0
        assert report["hits"] == []
        assert not report["in_environment"]
        assert set(report["opened"].values()) <= {"ENOENT", "EACCES"}
        assert not result["text_has_token"]


def test_s8_only_its_own_processes_exist(stage: PlayStage):
    """The pid namespace holds the sandbox's first process and the bot."""
    report = only_report(stage("to_the_end", args=["processes"]))

    assert set(report["found"]) <= {1, report["me"]}
    assert report["me"] < 10
    assert report["proc"] == []


def test_s9_s10_no_socket_but_unix(stage: PlayStage):
    """Every other family is unsupported, so nothing is sent to this machine or a metadata service."""
    result = stage("network")
    report = only_report(result)

    assert report["unexpected"] == {}
    assert set(report["tried"].values()) == {"EAFNOSUPPORT"}
    assert result["visits"] == 0


def test_s13_what_ignores_every_signal_is_killed(stage: PlayStage):
    """Stopped, deaf and blind, it goes like any other."""
    result = stage("to_the_report", args=["stubborn"])

    assert result["signal"] == 9
    assert (result["living"], result["of_user"]) == ([], [])


def test_s14_a_daemon_does_not_outlive_its_bot(stage: PlayStage):
    """Forked twice and in a session of its own, it dies with the first process."""
    result = stage("to_the_end", args=["daemonise"])

    assert result["code"] == 0
    assert "daemon" in only_report(result)
    assert (result["living"], result["of_user"]) == ([], [])


def test_s16_s17_no_socket_of_others_is_reachable(stage: PlayStage):
    """Neither another bot's, nor the host's, by path or by abstract name."""
    result = stage("neighbours")
    report = only_report(result)

    assert set(report["tried"].values()) <= {"ENOENT", "ECONNREFUSED", "EACCES"}
    assert result["visits"] == 0
    assert result["victim"] == [{"ready": True}]


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
    assert report["device"] == "EPERM"
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
