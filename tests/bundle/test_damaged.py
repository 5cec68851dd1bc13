"""Zips that the post damaged: whichever byte, and whoever reads it, one sentence says so.

The sound ones are made here, of every kind of bot that is looked into before it is started.
"""

import io
import stat
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from arena.botproc.runtimes import find_runtime
from arena.botproc.sight import Sight, look_from
from arena.bundle.artifact import check_artifact
from arena.bundle.jar import find_jar_flaw
from arena.errors import UsageError
from arena.service.bots import open_bundle

PROGRAM = Path("/bin/true").read_bytes()
MANIFEST = 'name = "x"\nruntime = "{}"\nrun = [{}]\ninclude = ["**"]\n'
METHODS = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED}
MASKS = (0x01, 0xFF)
"""How a byte is changed."""


def packed(files: dict[str, bytes], method: int) -> bytes:
    """Return a zip of executable files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.create_system = 3
            entry.external_attr = (stat.S_IFREG | 0o755) << 16
            entry.compress_type = method
            archive.writestr(entry, content)
    return target.getvalue()


def jar(method: int) -> bytes:
    """Return a small jar that Java can start."""
    return packed(
        {"META-INF/MANIFEST.MF": b"Main-Class: Bot\r\n" * 9, "Bot.class": b"\xca\xfe\xba\xbe"}, method
    )


KINDS: dict[str, tuple[str, str, bytes]] = {
    "a script of Python": ("python", '"python3", "bot"', b"import arena\n" * 20),
    "a script that names its interpreter": ("python", '"./bot"', b"#!/usr/bin/env python3\n" * 20),
    "a jar": ("native", '"java", "-jar", "bot"', jar(zipfile.ZIP_DEFLATED)),
}
"""Kinds of bots: their runtime, their command, and the file that it starts."""


def damaged(sound: bytes) -> Iterable[bytes]:
    """Give a zip with each of its bytes changed in turn, and cut off at each."""
    for place in range(len(sound)):
        for mask in MASKS:
            yield sound[:place] + bytes([sound[place] ^ mask]) + sound[place + 1 :]
        yield sound[:place]


@pytest.fixture(scope="module")
def sight(tmp_path_factory: pytest.TempPathFactory) -> Sight:
    """Give what a Python bot sees."""
    return look_from(find_runtime("python", tmp_path_factory.mktemp("cache")))


def read(data: bytes, sight: Sight) -> str:
    """Read a zip as `submit` does; return why it is refused, or an empty text."""
    try:
        bundle = open_bundle(data)
        check_artifact(bundle.manifest, data, sight)
    except UsageError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_zip_is_refused_whoever_reads_it(kind: str, method: str, sight: Sight) -> None:
    """Nothing but a sentence for its author ever comes of it, and what is sound is taken."""
    runtime, run, content = KINDS[kind]
    manifest = MANIFEST.format(runtime, run).encode()
    sound = packed({"bot.toml": manifest, "bot": content}, METHODS[method])
    is_taken = read(sound, sight) == "" or "java" in run

    refused = [read(data, sight) for data in damaged(sound)]

    assert is_taken
    assert sum(why != "" for why in refused) > len(sound)


@pytest.mark.parametrize("method", METHODS)
def test_every_byte_of_the_contents_counts(method: str, sight: Sight) -> None:
    """A file that no check looks into is unpacked all the same before anything is stored."""
    files = {
        "bot.toml": MANIFEST.format("python", '"python3", "bot"').encode(),
        "bot": b"",
        "data": b"abc" * 50,
    }
    sound = packed(files, METHODS[method])
    entry = zipfile.ZipFile(io.BytesIO(sound)).getinfo("data")
    start = entry.header_offset + 30 + len("data")

    # The last byte of a deflated stream has bits that mean nothing.
    for place in range(start, start + entry.compress_size - 1):
        for mask in MASKS:
            data = sound[:place] + bytes([sound[place] ^ mask]) + sound[place + 1 :]
            assert read(data, sight).startswith(
                ("bundle: 'data' is damaged", "bundle: 'data' unpacks to more")
            )


@pytest.mark.parametrize("method", METHODS)
def test_a_damaged_jar_is_no_crash_of_ours(method: str) -> None:
    """Jars come from any tool and are read by Python's reader of zips, which has many words for damage."""
    for data in damaged(jar(METHODS[method])):
        assert find_jar_flaw(data) in {
            "",
            "is no jar, or cut short: build it again",
            "does not say which class begins: let its manifest name a Main-Class",
        }


def test_a_jar_that_unpacks_to_much_is_read_to_its_first_megabyte() -> None:
    """What would fill the memory of the organiser's machine is not unpacked."""
    content = packed({"META-INF/MANIFEST.MF": b"\n" * (4 << 20) + b"Main-Class: Bot\n"}, zipfile.ZIP_DEFLATED)

    assert "which class begins" in find_jar_flaw(content)


def test_a_damaged_program_is_refused_or_taken(sight: Sight) -> None:
    """Whatever its headers say, and wherever it is cut."""
    manifest = MANIFEST.format("native", '"./bot"').encode()
    for place in [*range(64), *range(64, 1024, 7)]:
        changed = PROGRAM[:place] + bytes([PROGRAM[place] ^ 0xFF]) + PROGRAM[place + 1 :]
        for program in (PROGRAM[:place], changed):
            why = read(packed({"bot.toml": manifest, "bot": program}, zipfile.ZIP_STORED), sight)
            assert why == "" or why.startswith("bot ")


@pytest.mark.parametrize(
    "line", [b"", b"\0", b"/bin/\0sh", b"/usr/bin/env a\0b", b"/usr/bin/env \xff", b"/" + b"x" * 300]
)
def test_a_first_line_of_any_bytes_is_answered(line: bytes, sight: Sight) -> None:
    """Control characters and endless names are what no interpreter has."""
    manifest = MANIFEST.format("native", '"./bot"').encode()

    why = read(packed({"bot.toml": manifest, "bot": b"#!" + line}, zipfile.ZIP_STORED), sight)

    assert why.startswith("bot asks for ")
