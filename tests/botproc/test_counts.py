"""What is read of the kernel's counters, in both versions and where older kernels do not have them."""

from pathlib import Path

import pytest

from arena.botproc.counts import MOST_REFUSALS, SPARE_PROCESSES, Counts
from arena.botproc.seat import BY_GROUP, BY_LOOKS, UNKNOWN_BELOW, known_memory


@pytest.mark.parametrize(
    ("names", "oom"),
    [
        (("memory.events", "memory.peak", "memory.current"), "low 0\noom 3\noom_kill 2\n"),
        (
            ("memory.oom_control", "memory.max_usage_in_bytes", "memory.usage_in_bytes"),
            "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
        ),
    ],
    ids=["version 2", "version 1"],
)
def test_the_peak_is_the_kernels_or_the_most_that_was_seen(
    tmp_path: Path, names: tuple[str, str, str], oom: str
) -> None:
    """Where the kernel keeps the peak it is read once; elsewhere it is the most of all looks."""
    events, peak, now = (tmp_path / name for name in names)
    events.write_text(oom)
    now.write_text("70\n")
    looks = Counts()
    looks.count_memory(tmp_path, *names)
    seen = [looks.memory_bytes()]
    now.write_text("30\n")
    seen.append(looks.memory_bytes())
    peak.write_text("90\n")
    keeps = Counts()
    keeps.count_memory(tmp_path, *names)

    assert (looks.keeps_peak, seen, looks.oom_kills()) == (False, [70, 70], 2)
    assert (keeps.keeps_peak, keeps.memory_bytes()) == (True, 90)


def test_nothing_is_known_without_groups() -> None:
    """What nobody counts is zero, and nobody is a bomb."""
    counts = Counts()

    assert (counts.memory_bytes(), counts.oom_kills(), counts.refused()) == (0, 0, 0)
    assert (counts.processes(), counts.most_processes()) == (0, 0)
    assert (counts.knows_memory, counts.refuses_first, counts.refuses_without_end) == (False, False, False)


def test_what_starts_a_bot_is_not_told_as_the_bots_memory() -> None:
    """Of a bot that used next to nothing, as one that never ran, no memory is told, whoever has counted."""
    much, little = UNKNOWN_BELOW, UNKNOWN_BELOW - 1

    assert [known_memory(much), known_memory(0, much)] == [(much, BY_GROUP), (much, BY_LOOKS)]
    assert {known_memory(0), known_memory(little), known_memory(0, little), known_memory(little, much)} == {
        (0, "")
    }


def test_a_group_says_no_first_and_tells_who_asks_without_end(tmp_path: Path) -> None:
    """Refusals are counted to the last, and many of them are no bot's that wants a process."""
    (tmp_path / "pids.peak").write_text("7\n")
    (tmp_path / "pids.current").write_text("5\n")
    (tmp_path / "pids.events").write_text("max 0\n")
    counts = Counts()
    held = counts.count_processes(tmp_path, 7)
    seen = []
    for refused in (0, MOST_REFUSALS, MOST_REFUSALS + 1):
        (tmp_path / "pids.events").write_text(f"max {refused}\n")
        seen.append((counts.refused(), counts.refuses_without_end))

    assert (held, counts.refuses_first, counts.processes(), counts.most_processes()) == ("7", True, 5, 7)
    assert seen == [(0, False), (MOST_REFUSALS, False), (MOST_REFUSALS + 1, True)]
    counts.close()
    assert (counts.refuses_first, counts.refused(), counts.processes()) == (False, 0, 0)


def test_who_does_not_count_leaves_it_to_the_resource_limit(tmp_path: Path) -> None:
    """A kernel without the counter: the group holds more than the limit from the beginning."""
    counts = Counts()

    assert counts.count_processes(tmp_path, 7) == str(7 + SPARE_PROCESSES)
    assert not counts.refuses_first
