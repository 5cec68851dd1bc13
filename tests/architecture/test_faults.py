"""The table of faults: what can happen to bots, machines and servers, and the tests that show what follows.

A fault is added here with its test; a test that names a fault in its docstring stands here.
"""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]

FAULTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "F1": (
        "kill -9 of a worker in the middle of a job",
        (
            "worker/test_failures.py::test_a_killed_worker_loses_nothing",
            "worker/test_foreign_servers.py::test_a_tournament_survives_everything_on_foreign_servers",
        ),
    ),
    "F2": ("kill -9 of the child alone", ("worker/test_failures.py::test_a_killed_child_loses_nothing",)),
    "F3": (
        "the queue's hard time limit",
        ("worker/test_machine_faults.py::test_a_job_that_always_hangs_is_failed_and_visible",),
    ),
    "F4": (
        "SIGTERM in the middle",
        ("worker/test_failures.py::test_a_worker_told_to_stop_gives_back_within_seconds",),
    ),
    "F5": (
        "a worker stopped for longer than its lease",
        ("worker/test_failures.py::test_a_worker_that_slept_is_fenced",),
    ),
    "F6": (
        "a message delivered three times at once",
        ("worker/test_tasks.py::test_a_message_delivered_three_times_at_once_plays_once",),
    ),
    "F7": (
        "kill -9 of the broker",
        (
            "worker/test_failures.py::test_a_killed_broker_is_waited_for",
            "worker/test_foreign_servers.py::test_a_tournament_survives_everything_on_foreign_servers",
        ),
    ),
    "F8": (
        "every message lost",
        (
            "worker/test_failures.py::test_a_wiped_broker_loses_nothing",
            "worker/test_foreign_servers.py::test_a_tournament_survives_everything_on_foreign_servers",
        ),
    ),
    "F9": (
        "no broker when a tournament is created",
        ("worker/test_failures.py::test_a_broker_that_is_down_at_the_start_is_no_loss",),
    ),
    "F10": (
        "a restart of PostgreSQL while a result is written",
        (
            "worker/test_machine_faults.py::test_a_restart_in_the_middle_of_a_result_writes_it_once",
            "worker/test_foreign_servers.py::test_a_tournament_survives_everything_on_foreign_servers",
        ),
    ),
    "F11": (
        "kill -9 of PostgreSQL again and again",
        (
            "worker/test_failures.py::test_a_killed_database_loses_nothing",
            "store/test_store.py::test_a_restart_of_the_server_is_survived",
        ),
    ),
    "F12": (
        "a commit whose reply is lost",
        (
            "service/test_lost_replies.py::test_a_result_whose_reply_was_lost_is_written_once",
            "service/test_lost_replies.py::test_a_result_lost_again_and_again_is_written_once",
            "service/test_lost_replies.py::test_a_claim_whose_reply_was_lost_ends_with_its_lease",
        ),
    ),
    "F13": (
        "no database when a worker starts",
        ("worker/test_failures.py::test_a_worker_without_its_database_says_so_in_one_line",),
    ),
    "F14": (
        "many planners and reconcilers at once",
        ("service/test_job_messages.py::test_many_reconcilers_and_planners_plan_nothing_twice",),
    ),
    "F15": (
        "deadlocks and failed serializations",
        (
            "store/test_store.py::test_a_deadlock_is_tried_again",
            "store/test_store.py::test_what_never_succeeds_is_given_up",
        ),
    ),
    "F16": (
        "a worker's disk is full",
        (
            "worker/test_machine_faults.py::test_a_full_disk_of_a_worker_is_waited_for",
            "worker/test_tasks.py::test_a_full_disk_pauses_the_worker_and_fails_nothing",
        ),
    ),
    "F17": (
        "the database's disk is full",
        (
            "worker/test_machine_faults.py::test_a_full_disk_of_the_database_loses_no_result",
            "worker/test_tasks.py::test_a_full_disk_pauses_the_worker_and_fails_nothing",
        ),
    ),
    "F18": (
        "a wall clock that jumps two hours",
        ("worker/test_machine_faults.py::test_clocks_that_jump_change_nothing",),
    ),
    "F19": (
        "bytes that are no message",
        (
            "botproc/test_driver_connection.py::test_every_bad_start_has_its_verdict",
            "botproc/test_driver_connection.py::test_a_huge_hello_costs_the_arena_no_memory",
            "botproc/test_driver_live.py::test_what_breaks_the_whole_ends_the_job",
            "botproc/test_driver_fuzz.py::test_whatever_is_sent_ends_in_verdicts",
            "protocol/test_codec.py::test_no_bytes_escape_the_decoder",
        ),
    ),
    "F20": (
        "an illegal move",
        (
            "match/test_bad_answers.py::test_a_bad_answer_is_a_fault_or_a_misplay",
            "botproc/test_driver_live.py::test_what_concerns_one_table_costs_one_match",
        ),
    ),
    "F21": (
        "another protocol version",
        ("botproc/test_driver_connection.py::test_every_bad_start_has_its_verdict",),
    ),
    "F22": (
        "names that nobody should have",
        ("cli/test_mistakes.py::test_whatever_is_typed_is_answered_in_one_line",),
    ),
    "F23": ("hostile archives", ("bundle/test_extract.py::test_hostile_archives_are_refused",)),
    "F24": (
        "a bot that never starts",
        (
            "worker/test_bot_faults.py::test_a_bot_that_never_starts_loses_every_match",
            "botproc/test_driver_connection.py::test_a_symlink_at_the_socket_path_reaches_nobody",
        ),
    ),
    "F25": (
        "two deaths at once: of both bots, or of a bot and the worker",
        (
            "worker/test_failures.py::test_a_bot_that_dies_with_its_worker_is_not_to_blame",
            "botproc/test_driver_faults.py::test_two_deaths_in_one_moment_are_a_loss_for_both",
            "botproc/test_driver_faults.py::test_with_a_third_seat_two_deaths_in_one_moment_leave_it_the_win",
            "botproc/test_driver_live.py::test_both_bots_killed_at_once_lose_both",
            "botproc/test_driver_faults.py::test_a_second_death_is_treated_alike",
            "botproc/test_driver_faults.py::test_nobody_started",
        ),
    ),
    "F26": (
        "kill -9 while a sandbox starts",
        (
            "worker/test_failures.py::test_a_child_killed_while_it_starts_a_sandbox_loses_nothing",
            "botproc/test_orphans.py::test_a_sandbox_at_its_gate_ends_with_its_arena",
        ),
    ),
}
"""Each fault's number, what it is, and its tests."""


def docstrings() -> dict[str, str]:
    """Return the docstring of every test, with that of its module."""
    found = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        about = ast.get_docstring(tree) or ""
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                name = f"{path.relative_to(TESTS)}::{node.name}"
                found[name] = f"{about} {ast.get_docstring(node) or ''}"
    return found


def test_every_fault_has_its_tests() -> None:
    """The table holds 25 of them or more without a gap, and every test that it names exists."""
    tests = docstrings()

    assert list(FAULTS) == [f"F{number}" for number in range(1, len(FAULTS) + 1)]
    assert len(FAULTS) >= 25
    assert [name for _, names in FAULTS.values() for name in names if name not in tests] == []


def test_every_test_of_a_fault_stands_in_the_table() -> None:
    """A docstring that names a fault belongs to a test that the table gives for it."""
    named = {
        (fault, test)
        for test, text in docstrings().items()
        for fault in re.findall(r"\bF\d+\b", text)
        if fault in FAULTS
    }

    assert {(fault, test) for fault, test in named if test not in FAULTS[fault][1]} == set()
