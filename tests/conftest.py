"""The plugins of the suite; each fixture family lives in a file of its own."""

import signal

import pytest

pytest_plugins = [
    "tests.fix_bare_bot",
    "tests.fix_db",
    "tests.fix_golden",
    "tests.fix_groups",
    "tests.fix_hosts",
    "tests.fix_hypothesis",
    "tests.fix_ids",
    "tests.fix_live",
    "tests.fix_needs",
    "tests.fix_proxy",
    "tests.fix_queue",
    "tests.fix_stage",
    "tests.fix_terminal",
    "tests.fix_user",
    "tests.fix_user_home",
    "tests.fix_workers",
    # Last: they are made of the others.
    "tests.fix_servers",
    "tests.fix_places",
    "tests.fix_cup",
]


@pytest.fixture(autouse=True)
def interruptible() -> None:
    """Let the commands of every test be interrupted: children inherit it where that is ignored.

    A shell without job control starts so what runs behind it (`make test &`), and so does a command leave
    the process that it ran in, at its end.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
