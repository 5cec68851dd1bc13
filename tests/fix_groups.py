"""Groups of tests: what `xdist_group` holds together is played by one of the processes that share a run.

A group shares something that is costly to make, or must not be played beside itself. pytest-xdist tells its
groups by the tests' ids; were they lost, as under pytest 9.2, everything would pass, only slower and less
surely. So a run in which they are lost fails. What takes longest is begun first: then all end together.
"""

import pytest

LONG = ("tests/worker/", "tests/botproc/", "tests/embedded/", "tests/ratings/", "tests/service/")
"""Folders whose tests take seconds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put long tests first, where several processes share the run."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Fail where groups are wanted and lost."""
    if not session.config.getoption("loadgroup", default=False):
        return
    lost = [item.nodeid for item in session.items if item.get_closest_marker("xdist_group")]
    lost = [nodeid for nodeid in lost if nodeid.rfind("@") <= nodeid.rfind("]")]
    if lost:
        raise pytest.UsageError(f"pytest-xdist does not keep groups together, as of {lost[0]}")
