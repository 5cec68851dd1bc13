"""The names in the store, for a shell that completes them: asked for on every key, so answered at once.

Owns a reader of one column that speaks as much of PostgreSQL's protocol as that takes: loading the driver
takes longer than a person waits for a completion. It is for the embedded server, whose socket wants no
password; any other server is asked through the driver. Refuses to start anything, and to wait.
"""

import socket
import struct
from pathlib import Path
from typing import Final

from arena.errors import PlatformError
from arena.store.sql import query

PATIENCE_S: Final = 2.0
PROTOCOL: Final = 0x00030000
LONGEST_ANSWER: Final = 1 << 22
BOTS: Final = "select_bot_names"
VERSIONS: Final = "select_version_names"
TOURNAMENTS: Final = "select_tournament_names"


def fetch_names(server: Path | str, name: str, *, user: str = "", database: str = "") -> list[str]:
    """Return the first column of a query without parameters.

    Args:
        server: The socket of an embedded server, or the URL of any other.
        name: The name of the query.
        user: Whom the embedded server knows.
        database: Its database.

    Raises:
        PlatformError: The server does not answer, or not with names.
        OSError: There is no such socket.
    """
    if isinstance(server, str):
        from arena.store.pool import Database  # noqa: PLC0415 (the driver, only where it is needed)

        with Database(server) as opened:
            return [str(row[0]) for row in opened.run(lambda c: c.execute(query(name)).fetchall())]
    with socket.socket(socket.AF_UNIX) as wire:
        wire.settimeout(PATIENCE_S)
        wire.connect(str(server))
        fields = f"user\0{user}\0database\0{database}\0\0".encode()
        wire.sendall(struct.pack(">ii", len(fields) + 8, PROTOCOL) + fields)
        asked = query(name).encode() + b"\0"
        wire.sendall(b"Q" + struct.pack(">i", len(asked) + 4) + asked)
        with wire.makefile("rb") as answers:
            names = []
            ready = 0
            # Ready once after the greeting, and again after the answer.
            while ready < 2:
                kind, size = struct.unpack(">ci", answers.read(5).ljust(5, b"\0"))
                if kind in b"E\0" or not 4 <= size <= LONGEST_ANSWER:
                    raise PlatformError("database: it gives no names")
                body = answers.read(size - 4)
                ready += kind == b"Z"
                if kind == b"R" and body != b"\0\0\0\0":
                    raise PlatformError("database: it wants a password")
                if kind == b"D":
                    (length,) = struct.unpack(">i", body[2:6])
                    names.append(body[6 : 6 + length].decode())
        wire.sendall(b"X" + struct.pack(">i", 4))
    return names
