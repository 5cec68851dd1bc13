"""The extractor lets through what the packer makes and what honest tools make, and refuses hostile archives.

Every hostile archive is made here, byte by byte where a library would not make it.
"""

import ast
import contextlib
import io
import re
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bundle import archive as archive_module
from arena.bundle.cache import BundleCache, remove_tree
from arena.bundle.extract import extract, read_entries, read_manifest
from arena.bundle.pack import digest_of
from arena.bundle.rules import BundleLimits
from arena.errors import PlatformError, UsageError

LIMITS = BundleLimits(upload_bytes=1 << 20, entries=50, expanded_bytes=1 << 20)


def one(
    name: str,
    content: bytes = b"x",
    *,
    mode: int = stat.S_IFREG | 0o644,
    own_name: str | None = None,
    flags: int = 0,
    method: int = 0,
    packed: bytes | None = None,
    size: int | None = None,
    crc: int | None = None,
    offset: int | None = None,
) -> dict[str, object]:
    """Describe an entry, any part of which may lie."""
    return {
        "name": name.encode("latin-1"),
        "own_name": (own_name if own_name is not None else name).encode("latin-1"),
        "packed": content if packed is None else packed,
        "size": len(content) if size is None else size,
        "crc": zlib.crc32(content) if crc is None else crc,
        "mode": mode,
        "flags": flags,
        "method": method,
        "offset": offset,
    }


def archive(
    *entries: dict[str, object], prefix: bytes = b"", comment: bytes = b"", count: int | None = None
) -> bytes:
    """Put entries together as a zip."""
    body, directory = bytearray(prefix), bytearray()
    for entry in entries:
        name, own, packed = entry["name"], entry["own_name"], entry["packed"]
        assert isinstance(name, bytes)
        assert isinstance(own, bytes)
        assert isinstance(packed, bytes)
        offset = len(body) if entry["offset"] is None else entry["offset"]
        common = (entry["flags"], entry["method"], 0, 0x21, entry["crc"], len(packed), entry["size"])
        if entry["offset"] is None:
            body += struct.pack("<4s5H3I2H", b"PK\3\4", 20, *common, len(own), 0) + own + packed
        directory += struct.pack(
            "<4s6H3I5H2I",
            b"PK\1\2",
            3 << 8 | 20,
            20,
            *common,
            len(name),
            0,
            0,
            0,
            0,
            int(str(entry["mode"])) << 16,
            offset,
        )
        directory += name
    number = len(entries) if count is None else count
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, number, number, len(directory), len(body), len(comment))
    return bytes(body + directory + end + comment)


def deflate(data: bytes) -> bytes:
    """Compress as a zip does."""
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(data) + packer.flush()


def forged(place: int, value: bytes) -> bytes:
    """Return a good zip with other bytes at a place of its directory's first entry."""
    data = bytearray(archive(one("a")))
    begin = data.index(b"PK\1\2") + place
    data[begin : begin + len(value)] = value
    return bytes(data)


BOMB = b"\0" * (8 << 20)
FIRST = one("a")
REMEDY = re.compile(r"make it anew|: rename|: ship|: let |at most|each part of a path is")
"""What to do, or what is allowed; one of them ends every sentence."""
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "nothing": (lambda: b"", "not a zip"),
    "no zip": (lambda: b"#!/bin/sh\n" * 10, "not a zip"),
    "a way up": (lambda: archive(one("../evil")), "not allowed"),
    "a way up in the middle": (lambda: archive(one("a/../../evil")), "not allowed"),
    "an absolute path": (lambda: archive(one("/etc/cron.d/evil")), "not allowed"),
    "a backslash": (lambda: archive(one("..\\evil")), "not allowed"),
    "a drive": (lambda: archive(one("C:evil")), "not allowed"),
    "a hidden file": (lambda: archive(one(".bashrc")), "not allowed"),
    "a line break": (lambda: archive(one("a\nb")), "not allowed"),
    "an escape sequence": (lambda: archive(one("\x1b[2J")), "not allowed"),
    "a NUL": (lambda: archive(one("a\0b")), "not allowed"),
    "no ASCII": (lambda: archive(one("\xe9")), "not plain ASCII"),
    "an empty name": (lambda: archive(one("")), "not allowed"),
    "an empty part": (lambda: archive(one("a//b")), "not allowed"),
    "a long part": (lambda: archive(one("a" * 101)), "not allowed"),
    "a deep path": (lambda: archive(one("/".join("a" * 9))), "9 deep"),
    "a path without end": (lambda: archive(one("/".join("a" * 1500))), "1500 deep"),
    "a symbolic link": (lambda: archive(one("a", b"/etc", mode=stat.S_IFLNK | 0o777)), "regular file"),
    "a device": (lambda: archive(one("a", mode=stat.S_IFBLK | 0o666)), "regular file"),
    "a pipe": (lambda: archive(one("a", mode=stat.S_IFIFO | 0o666)), "regular file"),
    "a folder that is a file": (lambda: archive(one("a/", b"", mode=stat.S_IFREG)), "regular file"),
    "a file that is a folder": (lambda: archive(one("a", b"", mode=stat.S_IFDIR)), "regular file"),
    "a folder with contents": (lambda: archive(one("a/", b"x", mode=stat.S_IFDIR)), "has contents"),
    "the same name twice": (lambda: archive(one("a"), one("a")), "the same without regard to case"),
    "the same name in other case": (lambda: archive(one("Bot.py"), one("bot.PY")), "without regard to case"),
    "a file below a file": (lambda: archive(one("a"), one("a/b")), "both a file and a folder"),
    "a file below a file in other case": (lambda: archive(one("A"), one("a/b")), "both a file and"),
    "a file and an empty folder": (lambda: archive(one("a"), one("a/", b"", mode=stat.S_IFDIR)), "both"),
    "an encrypted file": (lambda: archive(one("a", flags=1)), "encrypted"),
    "a strange feature": (lambda: archive(one("a", flags=0x2000)), "not allowed"),
    "another method": (lambda: archive(one("a", method=12)), "only store and deflate"),
    "another name inside": (lambda: archive(one("a", own_name="b")), "something else"),
    "shared bytes": (lambda: archive(FIRST, one("a", offset=0)), "same without regard"),
    "overlapping entries": (
        # The second entry's header lies inside the first entry's contents.
        lambda: archive(one("a", archive(one("b"))[:32]), one("b", offset=31)),
        "shares bytes",
    ),
    "contents in the directory": (lambda: archive(one("a", packed=b"x" * 3, offset=2)), "something else"),
    "contents beyond the end": (lambda: archive(one("a", offset=1 << 30)), "outside the zip"),
    "a wrong checksum": (lambda: archive(one("a", crc=7)), "damaged"),
    "less than it says": (lambda: archive(one("a", b"xy", size=3)), "damaged"),
    "more than it says": (lambda: archive(one("a", b"xyz", size=1)), "more than it says"),
    "a bomb that says so": (
        lambda: archive(one("a", BOMB, packed=deflate(BOMB), method=8)),
        "8,388,608 bytes of contents; at most 1,048,576",
    ),
    "a bomb that lies": (
        lambda: archive(one("a", BOMB, packed=deflate(BOMB), method=8, size=1000)),
        "more than it says",
    ),
    "many small bombs": (
        lambda: archive(
            *[one(f"f{n}", b"\0" * 50_000, packed=deflate(b"\0" * 50_000), method=8) for n in range(40)]
        ),
        "bytes of contents",
    ),
    "a broken stream": (lambda: archive(one("a", b"xx", packed=b"\xff\xff", method=8)), "damaged"),
    "a stream cut off": (
        lambda: archive(one("a", b"x" * 99, packed=deflate(b"x" * 99)[:-1], method=8)),
        "damaged",
    ),
    "bytes after the stream": (
        lambda: archive(one("a", b"x", packed=deflate(b"x") + b"more", method=8)),
        "more than it says",
    ),
    "too many entries": (lambda: archive(*[one(f"f{n}") for n in range(51)]), "51 entries; at most 50"),
    "a wrong count": (lambda: archive(one("a"), one("b"), count=1), "not what its end says"),
    "a count without entries": (lambda: archive(one("a"), count=9), "cut off"),
    "a large form": (lambda: archive(one("a"), count=0xFFFF), "not allowed"),
    "something before it": (lambda: archive(one("a"), prefix=b"#!/bin/sh\n")[3:], "not where its end says"),
    "a comment after it": (lambda: archive(one("a"), comment=b"hello"), "not a zip"),
    "something after it": (lambda: archive(one("a")) + b"\0", "not a zip"),
    "half of it": (lambda: archive(one("a"))[:40], "not a zip"),
    "a damaged directory": (lambda: forged(2, b"xx"), "directory is damaged"),
    "a second disk": (lambda: forged(34, b"\1"), "directory is damaged"),
    "contents up into the directory": (lambda: forged(20, b"\xff"), "reaches beyond the contents"),
    "a system that nobody knows": (lambda: forged(5, b"\7"), "a system that is not known"),
    "a folder by the ways of DOS": (lambda: forged(5, b"\0" * 33 + b"\x10"), "regular file"),
    "a large upload": (lambda: archive(one("a", b"\1" * (1 << 20))), "bytes of zip"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_are_refused(kind: str, tmp_path: Path):
    """One line says what is wrong and what to do; nothing outside changes; the cache keeps no part of it."""
    make, sentence = HOSTILE[kind]
    data = make()
    cache = BundleCache(tmp_path / "inner" / "cache", LIMITS)
    with pytest.raises(UsageError) as caught:
        cache.extracted(digest_of(data), lambda: data)

    assert sentence in str(caught.value), str(caught.value)
    assert REMEDY.search(str(caught.value)), str(caught.value)
    assert str(caught.value).isprintable()
    assert list((tmp_path / "inner" / "cache").iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["inner"]


def test_honest_archives_come_out_as_they_went_in(tmp_path: Path):
    """Stored, compressed and streamed entries, folders, programs: what common tools make is taken."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        made.mkdir("lib")
        made.writestr("lib/large.txt", b"long " * 100_000)
        made.writestr("empty", b"")
        made.writestr(zipfile.ZipInfo("plain.txt"), b"plain")
        program = zipfile.ZipInfo("bin/run")
        program.external_attr = (stat.S_IFREG | 0o755) << 16
        made.writestr(program, b"#!/bin/sh\n")
        with made.open("lib/streamed", "w") as streamed:
            streamed.write(b"streamed")

    extract(target.getvalue(), tmp_path)

    found = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*") if path.is_file()}
    assert set(found) == {"lib/large.txt", "empty", "plain.txt", "bin/run", "lib/streamed"}
    assert found["lib/large.txt"].read_bytes() == b"long " * 100_000
    assert found["lib/streamed"].read_bytes() == b"streamed"
    assert stat.S_IMODE(found["bin/run"].stat().st_mode) == 0o755
    assert stat.S_IMODE(found["plain.txt"].stat().st_mode) == 0o644


def test_what_a_stream_without_a_size_in_its_header_looks_like(tmp_path: Path):
    """A zip written to a pipe has its sizes after the contents; the directory knows them."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.data += bytes(data)  # type: ignore[call-overload]
            return len(bytes(data))  # type: ignore[call-overload]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a", b"a" * 1000)
        made.writestr("b", b"b" * 1000)

    extract(bytes(pipe.data), tmp_path)

    assert (tmp_path / "b").read_bytes() == b"b" * 1000


def test_special_bits_are_stripped(tmp_path: Path):
    """Setuid, setgid and sticky never reach the disk."""
    extract(archive(one("a", mode=stat.S_IFREG | 0o7777), one("b", mode=stat.S_IFREG | 0o6644)), tmp_path)

    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o755
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o644


def test_no_link_that_lies_there_is_followed(tmp_path: Path):
    """Even a folder that somebody has prepared does not lead the extractor away."""
    outside = tmp_path / "outside"
    outside.mkdir()
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a").symlink_to(outside)
    (inside / "b").symlink_to(outside / "b")

    for data in (archive(one("a/evil")), archive(one("b"))):
        with pytest.raises(OSError, match=r"Not a directory|Too many levels|File exists"):
            extract(data, inside)
    assert list(outside.iterdir()) == []


def test_a_bundle_is_extracted_once_and_read_only(tmp_path: Path):
    """It has the digest's name, is found again without its bytes, and `rm -r` of its owner removes it."""
    data = archive(one("bin/a", mode=stat.S_IFREG | 0o755), one("b"))
    digest = digest_of(data)
    cache = BundleCache(tmp_path / "cache")
    asked = []

    def load() -> bytes:
        asked.append(digest)
        return data

    folder = cache.extracted(digest, load)

    assert cache.extracted(digest, load) == folder == tmp_path / "cache" / digest
    assert asked == [digest]
    modes = {str(path.relative_to(folder)): stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    modes["."] = stat.S_IMODE(folder.stat().st_mode)
    assert modes == {".": 0o755, "bin": 0o755, "bin/a": 0o555, "b": 0o444}
    assert [path.name for path in cache.folder.iterdir()] == [digest]
    remove_tree(folder)


def test_bytes_of_another_digest_are_the_platforms_failure(tmp_path: Path):
    """A damaged store is ours, not the author's; the name of a folder is never taken from outside."""
    cache = BundleCache(tmp_path)

    with pytest.raises(PlatformError, match="damaged"):
        cache.extracted("0" * 64, lambda: b"other")
    with pytest.raises(PlatformError, match="not the digest"):
        cache.extracted("../" + "0" * 61, lambda: b"")
    assert list(tmp_path.iterdir()) == []


def test_a_bundle_without_a_manifest():
    """The sentence says what is missing, and where."""
    with pytest.raises(UsageError, match=r"no bot\.toml at its top"):
        read_manifest(archive(one("sub/bot.toml")))
    with pytest.raises(UsageError, match="no UTF-8"):
        read_manifest(archive(one("bot.toml", b"\xff\xfe")))


GOOD = archive(
    one("d/", b"", mode=stat.S_IFDIR | 0o755),
    one("d/a", b"a" * 300, packed=deflate(b"a" * 300), method=8),
    one("b", b"bb"),
)


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_damage_anywhere_is_refused_or_harmless(changes: list[tuple[int, int]]):
    """Any bytes at all either come out inside the folder or are a UsageError; nothing else escapes."""
    data = bytearray(GOOD)
    for place, value in changes:
        data[place] = value
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(UsageError):
        extract(bytes(data), Path(folder))


def test_entries_know_their_kind():
    """Folders and programs are told apart."""
    entries = read_entries(
        archive(one("d/", b"", mode=stat.S_IFDIR | 0o755), one("d/p", mode=stat.S_IFREG | 0o755))
    )

    assert [(entry.name, entry.is_folder, entry.is_program) for entry in entries] == [
        ("d", True, False),
        ("d/p", False, True),
    ]


def test_every_refusal_has_its_archive(tmp_path: Path):
    """No line of the reader that refuses something is without a hostile archive that meets it."""
    source = Path(archive_module.__file__)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    refusing = {
        statement.lineno
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Raise) and statement.exc is not None
    }
    met = set()
    for number, (make, _) in enumerate(HOSTILE.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(UsageError) as caught:
            extract(make(), folder, LIMITS)
        met |= {entry.lineno + 1 for entry in caught.traceback if Path(entry.path) == source}

    assert refusing - met == set()
