"""Where a bot listens, or tried to, that did not listen where it was told: what its author must read.

Owns the looking at its sockets and the reading of its standard error. No verdict depends on it: a bot can
write what it likes there, and would deceive its author only.
"""

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.botproc.seat import SeatProcess
from arena.errors import quote

WANTED: Final = "the unix socket that ARENA_ADDRESS names"
NO_NETWORK: Final = f"a bot has no network: it must listen on {WANTED}"
OTHER_PATH: Final = f"it must listen on {WANTED}, and nowhere else"

_UNIX_LISTENS, _TCP_LISTENS = 0x10000, "0A"
"""How the kernel marks a socket that listens: a flag of its unix sockets, a state of the others."""
_SOCKET_LINK: Final = re.compile(r"socket:\[(\d+)\]")
_PATH: Final = re.compile(
    r"\bunix(?::(?://(?=/))?|-abstract:| (?=[/@.]))@?(?P<address>[^\s'\"`:;,()]+)"
    r"|(?P<file>[^\s'\"`:;,()=]+\.sock)\b"
)
"""How programs write the path of a unix socket: as gRPC does, as Go does, or a name that ends in .sock."""
_PORT: Final = re.compile(r"(?:\b(?:\d{1,3}\.){3}\d{1,3}|\blocalhost|\[[\da-fA-F:]*\]|\btcp\d? ):\d{1,5}\b")
_NETWORK: Final = re.compile(
    r"address family|protocol family|EAFNOSUPPORT|code: 97\b|(?<![\w./\\])tcp[46]?(?![\w./])", re.IGNORECASE
)
"""What only networks have; `tcp` in a path is a file's name."""
_SOCKETS: Final = re.compile(r"\baddress|\bbind|\blisten|\bnetwork|\bport\b", re.IGNORECASE)
"""What is said with a port or a path where that is what could not be had."""
_LISTEN: Final = re.compile(
    r"(?<![.\w])(?:bind|listen)\b|channel not registered to an event loop", re.IGNORECASE
)
"""What is enough without one (`x.bind` is a line of somebody's source); the last is all that Netty says."""


def say_elsewhere(process: SeatProcess) -> str:
    """Say where a bot without the socket that it was told to make listens or tried to, or an empty text."""
    told = process.socket_path
    if sockets := find_listening(process.living()):
        is_port = not any(name.startswith("the unix socket") for name in sockets)
        return f"it listens on {' and '.join(sockets)}: {NO_NETWORK if is_port else OTHER_PATH}"
    with contextlib.suppress(OSError):  # the folder went with its bot
        if found := [path.name for path in sorted(told.parent.iterdir()) if path.is_socket()]:
            return f"its socket is {found[0]!r} beside the one that ARENA_ADDRESS names"
    # A bot in a sandbox knows the path as it is in there.
    return read_elsewhere(process.stderr().text, re.sub(r"^/proc/\d+/root(?=/)", "", str(told)))


def find_listening(processes: Iterable[int]) -> list[str]:
    """Return where some processes listen, in words; what cannot be looked at is left out."""
    found: dict[str, None] = {}
    for pid in processes:
        with contextlib.suppress(OSError):
            own = set(_sockets_of(pid))
            found |= dict.fromkeys(name for inode, name in _listening(pid) if inode in own)
    return list(found)


def read_elsewhere(stderr: str, told: str) -> str:
    """Say where a bot tried to listen, as its standard error has it, or an empty text.

    Args:
        stderr: What it wrote.
        told: The path that it was told to make: who speaks of that one is not elsewhere.
    """
    has_word = _SOCKETS.search(stderr) is not None
    port = _PORT.search(stderr)
    if _NETWORK.search(stderr) or (port and has_word):
        where = f" {port[0].removeprefix('tcp ')}" if port else ""
        return f"it tried to open a network port{where}: {NO_NETWORK}"
    paths = [match["address"] or match["file"] for match in _PATH.finditer(stderr)]
    if told in stderr:
        return ""
    if paths and has_word:
        return f"it tried to listen on the unix socket {quote(paths[0])}: {OTHER_PATH}"
    return f"it could not listen: {OTHER_PATH}" if _LISTEN.search(stderr) else ""


def _sockets_of(pid: int) -> Iterator[str]:
    """Give the inode of each socket that a process has open."""
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if match := _SOCKET_LINK.match(str(descriptor.readlink())):
                yield match[1]


def _listening(pid: int) -> Iterator[tuple[str, str]]:
    """Give inode and name of each socket that listens in a process's network."""
    for line in Path(f"/proc/{pid}/net/unix").read_text(errors="replace").splitlines()[1:]:
        fields = line.split(maxsplit=7)
        if len(fields) == 8 and int(fields[3], 16) & _UNIX_LISTENS:
            yield fields[6], f"the unix socket {quote(fields[7])}"
    for family in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/net/{family}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == _TCP_LISTENS:
                    yield fields[9], f"port {int(fields[1].rpartition(':')[2], 16)}"
