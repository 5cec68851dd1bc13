"""What a stranger's zip holds: an allow-list of our own, because general readers have been fooled.

Owns the one door through which anything is read out of a bundle: one directory of entries, at the end,
without gaps; regular files and folders only; each content where its own header says the same as the
directory, unpacked to no more and to no other bytes than it says. Every way of being anything else, or
damaged, is a `UsageError`. Refuses to write (`arena.bundle.extract`).
"""

import stat
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from arena.bundle.rules import DEFAULT_BUNDLE_LIMITS, BundleLimits, check_paths, check_size
from arena.errors import UsageError

_END = struct.Struct("<4s4H2IH")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_LOCAL = struct.Struct("<4s5H3I2H")
_STORED, _DEFLATED = 0, 8
_HAS_DESCRIPTOR, _UTF8 = 0x8, 0x800
_DOS, _UNIX = 0, 3
_CHUNK = 1 << 16
_ANEW = "; make it anew with `arena bot pack DIR`"
"""What mends a zip, whatever is wrong with it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or folder of an archive, as its directory and its own header agree."""

    name: str
    is_folder: bool
    is_program: bool
    method: int
    crc: int
    size: int
    begin: int
    """Where its header starts in the archive."""
    start: int
    """Where its content starts."""
    end: int


def read_entries(data: bytes, limits: BundleLimits = DEFAULT_BUNDLE_LIMITS) -> list[Entry]:
    """Return what an archive holds, all of it checked but the contents.

    Raises:
        UsageError: It is no zip, or not one that is allowed.
    """
    check_size("bytes of zip", len(data), limits.upload_bytes)
    start, count = _read_end(data)
    check_size("entries", count, limits.entries)
    entries, at = [], start
    for _ in range(count):
        entry, at = _read_entry(data, at, start)
        entries.append(entry)
    if at != len(data) - _END.size:
        raise UsageError(f"bundle: the zip's directory is not what its end says{_ANEW}")
    check_paths(
        [entry.name for entry in entries if not entry.is_folder],
        [entry.name for entry in entries if entry.is_folder],
    )
    check_size("bytes of contents", sum(entry.size for entry in entries), limits.expanded_bytes)
    edge = 0
    for entry in sorted(entries, key=lambda entry: entry.begin):
        if entry.begin < edge:
            raise UsageError(f"bundle: {entry.name!r} shares bytes with another entry{_ANEW}")
        edge = entry.end
    return entries


def read_contents(data: bytes, entry: Entry) -> Iterator[bytes]:
    """Unpack one file piece by piece; never more than it said, never less, never other bytes.

    Raises:
        UsageError: It is damaged; pieces of it may have been given.
    """
    packed = memoryview(data)[entry.start : entry.end]
    crc = done = 0
    unpacker = zlib.decompressobj(-15)
    try:
        for at in range(0, max(len(packed), 1), _CHUNK):
            rest: bytes | memoryview = packed[at : at + _CHUNK]
            while rest:
                piece: bytes | memoryview = rest
                if entry.method == _DEFLATED:
                    piece = unpacker.decompress(rest, _CHUNK)
                    rest = unpacker.unconsumed_tail
                else:
                    rest = b""
                done += len(piece)
                if done > entry.size or unpacker.unused_data:
                    raise UsageError(f"bundle: {entry.name!r} unpacks to more than it says{_ANEW}")
                crc = zlib.crc32(piece, crc)
                yield bytes(piece)
    except zlib.error as error:
        raise UsageError(f"bundle: {entry.name!r} is damaged: {error}{_ANEW}") from error
    if done != entry.size or crc != entry.crc or (entry.method == _DEFLATED and not unpacker.eof):
        raise UsageError(f"bundle: {entry.name!r} is damaged: its contents are not what it says{_ANEW}")


def read_file(data: bytes, entry: Entry) -> bytes:
    """Return one file.

    Raises:
        UsageError: It is damaged.
    """
    return b"".join(read_contents(data, entry))


def check_contents(data: bytes, entries: Iterable[Entry]) -> None:
    """Unpack every file, and keep none.

    Raises:
        UsageError: One is damaged.
    """
    for entry in entries:
        if not entry.is_folder:
            for _ in read_contents(data, entry):
                pass


def _read_end(data: bytes) -> tuple[int, int]:
    """Read the end record, which must be the last 22 bytes; return the directory's start and its count."""
    if len(data) < _END.size:
        raise UsageError(f"bundle: not a zip archive{_ANEW}")
    mark, disk, start_disk, here, count, size, start, comment = _END.unpack_from(data, len(data) - _END.size)
    if mark != b"PK\5\6" or comment:
        raise UsageError(
            f"bundle: not a zip archive that ends as one should (no comment, nothing after it){_ANEW}"
        )
    if disk or start_disk or here != count or count == 0xFFFF:
        raise UsageError(
            "bundle: a zip in several parts, or of more than 65 534 entries, is not allowed" + _ANEW
        )
    if start + size != len(data) - _END.size:
        raise UsageError(
            f"bundle: the zip's directory is not where its end says: nothing may be put before it{_ANEW}"
        )
    return start, count


def _read_entry(data: bytes, at: int, edge: int) -> tuple[Entry, int]:
    """Read one entry of the directory and its own header; return where the next one starts."""
    try:
        fields = _CENTRAL.unpack_from(data, at)
    except struct.error:
        raise UsageError(f"bundle: the zip's directory is cut off{_ANEW}") from None
    mark, made_by, _, flags, method, _, _, crc, packed, size, name_size, extra, comment, disk = fields[:14]
    attributes, offset = fields[15:17]
    if mark != b"PK\1\2" or disk:
        raise UsageError(f"bundle: the zip's directory is damaged{_ANEW}")
    at += _CENTRAL.size
    raw = data[at : at + name_size]
    name = _read_name(raw)
    _check_kind(name, flags, method)
    is_folder, is_program = _read_mode(name, made_by >> 8, attributes)
    start = _check_header(data, offset, raw, flags, method)
    if start + packed > edge:
        raise UsageError(f"bundle: {name!r} reaches beyond the contents of the zip{_ANEW}")
    if is_folder and (size or packed):
        raise UsageError(f"bundle: the folder {name!r} has contents{_ANEW}")
    end = start + packed
    entry = Entry(name.removesuffix("/"), is_folder, is_program, method, crc, size, offset, start, end)
    return entry, at + name_size + extra + comment


def _read_name(raw: bytes) -> str:
    try:
        return raw.decode("ascii")
    except UnicodeDecodeError:
        raise UsageError(f"bundle: the path {raw[:120]!r} is not plain ASCII: rename it") from None


def _check_kind(name: str, flags: int, method: int) -> None:
    if flags & 1:
        raise UsageError(f"bundle: {name[:120]!r} is encrypted, which is not allowed{_ANEW}")
    # Bits 1 and 2 only say how hard a compressor tried.
    if flags & ~(_HAS_DESCRIPTOR | _UTF8 | 0x6):
        raise UsageError(
            f"bundle: {name[:120]!r} uses a feature of zip that is not allowed (flags {flags:#x}){_ANEW}"
        )
    if method not in (_STORED, _DEFLATED):
        raise UsageError(
            f"bundle: {name[:120]!r} is packed by method {method}; only store and deflate are allowed{_ANEW}"
        )


def _read_mode(name: str, system: int, attributes: int) -> tuple[bool, bool]:
    """Return whether an entry is a folder, and whether it is a program; nothing else of a mode is kept."""
    is_folder = name.endswith("/")
    if system == _UNIX:
        mode = attributes >> 16
        kind = stat.S_IFMT(mode)
        if kind and kind != (stat.S_IFDIR if is_folder else stat.S_IFREG):
            raise UsageError(
                f"bundle: {name[:120]!r} is neither a regular file nor a folder: ship the file itself"
            )
        return is_folder, bool(mode & stat.S_IXUSR) and not is_folder
    if system != _DOS:
        raise UsageError(f"bundle: {name[:120]!r} was packed on a system that is not known ({system}){_ANEW}")
    if bool(attributes & 0x10) != is_folder:
        raise UsageError(
            f"bundle: {name[:120]!r} is neither a regular file nor a folder: ship the file itself"
        )
    return is_folder, False


def _check_header(data: bytes, offset: int, raw: bytes, flags: int, method: int) -> int:
    """Check that an entry's own header says what the directory says; return where its content starts."""
    try:
        header = _LOCAL.unpack_from(data, offset)
    except struct.error:
        raise UsageError(f"bundle: {raw[:120]!r} starts outside the zip{_ANEW}") from None
    name_at = offset + _LOCAL.size
    own_name = data[name_at : name_at + header[9]]
    if header[0] != b"PK\3\4" or own_name != raw or header[2] != flags or header[3] != method:
        raise UsageError(f"bundle: {raw[:120]!r} has a header of its own that says something else{_ANEW}")
    return name_at + int(header[9]) + int(header[10])
