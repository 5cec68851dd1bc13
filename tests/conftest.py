"""The plugins of the suite; each fixture family lives in a file of its own."""

import signal

pytest_plugins = [
    "tests.fix_bare_bot",
    "tests.fix_db",
    "tests.fix_golden",
    "tests.fix_groups",
    "tests.fix_hosts",
    "tests.fix_hypothesis",
    "tests.fix_live",
    "tests.fix_needs",
    "tests.fix_proxy",
    "tests.fix_queue",
    "tests.fix_servers",
    "tests.fix_stage",
    "tests.fix_terminal",
    "tests.fix_user",
    "tests.fix_user_home",
    "tests.fix_workers",
    "tests.fix_cup",  # last: it is made of the others
]


def pytest_configure() -> None:
    """Let commands under test be interrupted, also where the suite itself was started to ignore it.

    A shell without job control starts what runs behind it so (`make test &`), and children inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
