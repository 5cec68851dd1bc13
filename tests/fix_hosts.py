"""Hosts without machines: network namespaces, one for the servers and one for each machine that plays.

Every playing host has a cable of its own to the servers' host. A cable that is pulled drops every packet and
tells nobody, as between real machines. What is started inside a host lives on its network alone.
"""

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_CLONE_NEWNET = 0x40000000
NETWORK = "10.213"
"""Where the hosts' addresses begin; nothing outside the namespaces sees them."""


def ip(*words: str) -> None:
    """Run `ip`, which must succeed."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"


class Host:
    """A network namespace."""

    def __init__(self, name: str) -> None:
        self.name = name
        ip("netns", "add", name)
        ip("-n", name, "link", "set", "lo", "up")

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Be on this host: what this thread connects or starts in the block is there, and stays there."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            _enter(f"/run/netns/{self.name}")
            try:
                yield
            finally:
                _enter(f"/proc/self/fd/{home}")
        finally:
            os.close(home)

    def close(self) -> None:
        """Take it away, with its cable."""
        ip("netns", "del", self.name)


class Machine(Host):
    """A host with a cable to the servers."""

    def __init__(self, servers: Host, number: int) -> None:
        super().__init__(f"{servers.name}-{number}")
        self.server_address = f"{NETWORK}.{number}.1"
        """Where it finds the servers."""
        self._far_end = (servers.name, f"cable{number}")
        ip(
            "link",
            "add",
            f"cable{number}",
            "netns",
            servers.name,
            "type",
            "veth",
            "peer",
            "name",
            "cable",
            "netns",
            self.name,
        )
        for namespace, device, last in ((*self._far_end, 1), (self.name, "cable", 2)):
            ip("-n", namespace, "addr", "add", f"{NETWORK}.{number}.{last}/30", "dev", device)
            ip("-n", namespace, "link", "set", device, "up")

    def pull_cable(self) -> None:
        """Cut it off."""
        self._set("down")

    def plug_cable(self) -> None:
        """Connect it again."""
        self._set("up")

    def _set(self, state: str) -> None:
        namespace, device = self._far_end
        ip("-n", namespace, "link", "set", device, state)


def _enter(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.setns(descriptor, _CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno())
    finally:
        os.close(descriptor)


@pytest.fixture
def server_host() -> Iterator[Host]:
    """Give the host that the servers are on."""
    host = Host(f"arena-{os.getpid()}")
    yield host
    host.close()


@pytest.fixture
def machines(server_host: Host) -> Iterator[list[Machine]]:
    """Give three hosts that play."""
    made: list[Machine] = []
    try:
        for number in range(1, 4):
            made.append(Machine(server_host, number))
        yield made
    finally:
        for machine in made:
            machine.close()
