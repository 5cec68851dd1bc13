"""What a bundle starts is judged by what its sandbox has: interpreters, scripts, binaries for elsewhere."""

import io
import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from arena.botproc.runtimes import find_runtime
from arena.botproc.sight import Sight, look_from
from arena.bundle.artifact import check_artifact
from arena.bundle.jar import find_jar_flaw
from arena.bundle.manifest import parse_manifest
from arena.bundle.pack import pack_folder
from arena.errors import UsageError

MACHINE = os.uname().machine
ELF = Path("/bin/true").read_bytes()
OTHER, OTHER_NUMBER = ("aarch64", 183) if MACHINE != "aarch64" else ("x86_64", 62)
ARM = ELF[:18] + struct.pack("<H", OTHER_NUMBER) + ELF[20:]
OBJECT = ELF[:16] + struct.pack("<H", 1) + ELF[18:]
WINDOWS = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 64) + b"PE\0\0" + bytes(64)
MACOS = b"\xcf\xfa\xed\xfe" + bytes(64)
JAVA = b"\xca\xfe\xba\xbe\0\0\0\x37" + bytes(64)


@pytest.fixture(scope="module")
def sight(tmp_path_factory: pytest.TempPathFactory) -> Sight:
    """Give what a Python bot sees."""
    return look_from(find_runtime("python", tmp_path_factory.mktemp("cache")))


def check(
    folder: Path, sight: Sight, run: str, files: dict[str, bytes], runtime: str = "python"
) -> list[str]:
    """Pack a folder of executable files and check it."""
    (folder / "bot.toml").write_text(f'name = "x"\nruntime = "{runtime}"\nrun = [{run}]\ninclude = ["**"]\n')
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    bundle = pack_folder(folder)
    return check_artifact(parse_manifest((folder / "bot.toml").read_text()), bundle.data, sight)


def test_an_interpreter_outside_the_sandbox_is_refused(tmp_path: Path, sight: Sight) -> None:
    """A virtual environment of the author's home exists, and still is not what a seat sees."""
    outside = tmp_path / "venv" / "python3"
    outside.parent.mkdir()
    outside.symlink_to("/bin/sh")
    folder = tmp_path / "bot"
    folder.mkdir()

    with pytest.raises(UsageError) as caught:
        check(folder, sight, '"./bot.py"', {"bot.py": f"#!{outside}\n".encode()})
    assert str(caught.value) == (
        f"bot.py asks for {str(outside)!r}, which the sandbox does not have: "
        'write run = ["python3", …] or #!/usr/bin/env python3'
    )
    with pytest.raises(UsageError, match=r'which the sandbox does not have: write run = \["python3", …\]'):
        check(folder, sight, f'"{outside}", "bot.py"', {"bot.py": b""})
    with pytest.raises(UsageError, match="which the sandbox does not have: name a file of the bundle"):
        check(folder, sight, f'"python3", "{outside}"', {"bot.py": b""})


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"#!/usr/bin/env no-such-thing\n", "asks for the command 'no-such-thing'"),
        (b"#!/usr/bin/env python9\n", "write #!/usr/bin/env python3"),
        (b"#!/usr/bin/env python3 -u\n", "write #!/usr/bin/env -S python3 -u"),
        (b"#!/usr/bin/env -S no-such-thing -u\n", "asks for the command 'no-such-thing'"),
        (b"#!/usr/bin/env python3\r\n", "ends as on Windows"),
        (b"#!bin/python\n", "asks for 'bin/python'"),
    ],
)
def test_a_first_line_is_read_as_the_kernel_reads_it(
    line: bytes, sentence: str, tmp_path: Path, sight: Sight
) -> None:
    """What `env` would not find is refused, and so is what only looks right."""
    with pytest.raises(UsageError) as caught:
        check(tmp_path, sight, '"./bot"', {"bot": line})

    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    "run",
    [
        '"sh", "start.sh"',
        '"bash", "-eu", "start"',
        '"bash", "-o", "pipefail", "start"',
        '"python3", "-m", "main"',
        '"python3", "-um", "pack.main"',
        '"python3", "-X", "dev", "main"',
        '"/usr/bin/env", "main.py"',
        '"node", "--enable-source-maps", "--stack-size=900", "--no-warnings", "dist/bot"',
    ],
)
def test_a_script_that_is_not_packed_is_refused(run: str, tmp_path: Path, sight: Sight) -> None:
    """Whatever its ending, and as a module too."""
    with pytest.raises(UsageError, match="which is not in the bundle"):
        check(tmp_path, sight, run, {"bot.py": b""})


@pytest.mark.parametrize(
    "run",
    [
        '"python3", "bot.py"',
        '"python3", "-X", "dev", "-u", "bot.py", "fast"',
        '"python3", "-m", "bot"',
        '"python3", "-m", "pack"',
        '"python3", "-m", "pack.deep"',
        '"python3", "-m", "runpy", "whatever"',
        '"python3", "pack"',
        '"python3", "."',
        '"python3", "-c", "import bot"',
        '"sh", "-c", "exec ./bot.py"',
        '"sh", "-e", "start", "--now"',
        '"/usr/bin/env", "python3", "bot.py"',
        '"/bin/sh", "start"',
        '"./start"',
    ],
)
def test_what_would_start_is_let_through(run: str, tmp_path: Path, sight: Sight) -> None:
    """No command that works is refused for its looks."""
    files = {
        "bot.py": b"#!/usr/bin/env python3\n",
        "start": b"#! /bin/sh -e\n",
        "pack/__main__.py": b"",
        "pack/deep.py": b"",
    }

    assert check(tmp_path, sight, run, files) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (ARM, f"is built for {OTHER}, and this machine is {MACHINE}"),
        (WINDOWS, "is a Windows program"),
        (MACOS, "is a macOS program"),
        (OBJECT, "is an object file, not linked"),
    ],
)
def test_binaries_for_elsewhere_are_named(
    content: bytes, sentence: str, tmp_path: Path, sight: Sight
) -> None:
    """As what `run` starts they are refused; beside it a note names them."""
    with pytest.raises(UsageError, match=f"^bot {sentence}"):
        check(tmp_path, sight, '"./bot"', {"bot": content})

    notes = check(
        tmp_path, sight, '"./bot"', {"bot": ELF, "fast.so": content, "good.so": ELF, "Some.class": JAVA}
    )

    assert [note.split(":")[0] for note in notes] == [f"fast.so {sentence}"]


@pytest.mark.parametrize(
    ("run", "line", "who"),
    [
        ('"python3", "bot"', b"", "bot.toml: run names 'python3'"),
        ('"/usr/bin/env", "bot"', b"#!/usr/bin/env python3\n", ""),
        ('"./bot"', b"#!/usr/bin/env python3\n", "bot names 'python3'"),
        ('"./bot"', b"#!/bin/sh\n", ""),
    ],
)
def test_a_command_of_another_runtime_is_named(
    run: str, line: bytes, who: str, tmp_path: Path, sight: Sight
) -> None:
    """A native bot that is started by an interpreter is told the runtime that promises one."""
    notes = check(tmp_path, sight, run, {"bot": line}, "native")

    wanted = f"{who}, which runtime 'native' does not promise: write runtime = \"python\""
    assert [note.split(", else")[0] for note in notes] == ([wanted] if who else [])


def with_library(content: bytes, name: bytes) -> bytes:
    """Return a program that needs another library than the C library, in the same place."""
    assert content.count(b"libc.so.6\0") == 1
    return content.replace(b"libc.so.6\0", name.ljust(9, b"\0") + b"\0")


def test_libraries_beside_the_c_library_are_named(tmp_path: Path, sight: Sight) -> None:
    """What the machine that plays must have is named, unless the bundle brings it."""
    program = with_library(ELF, b"libz.so.1")

    notes = check(tmp_path, sight, '"./bot"', {"bot": program, "good": ELF}, "native")
    assert [note.split(":")[0] for note in notes] == ["bot needs libz.so.1 of the machine that plays"]
    assert check(tmp_path, sight, '"./bot"', {"bot": program, "lib/libz.so.1": ELF}, "native") == []


def jar(manifest: str | None) -> bytes:
    """Return a jar with this manifest."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("Bot.class", JAVA)
        if manifest is not None:
            archive.writestr("META-INF/MANIFEST.MF", manifest)
    return target.getvalue()


LIBRARY = next(
    Path(line.split()[-1]).read_bytes()
    for line in Path("/proc/self/maps").read_text().splitlines()
    if "/libm.so" in line or "/libm-" in line
)
"""The library of mathematics, which Python itself has loaded."""
SOUND_JAR = jar("Manifest-Version: 1.0\r\nMain-Class: Bot\r\n")


@pytest.mark.parametrize(
    ("run", "content", "sentence"),
    [
        ('"bot"', ELF, "'bot', a command that runtime 'native' lacks: write run = [\"./bot\", …]"),
        ('"./bot"', ELF[: len(ELF) // 2], "bot is cut short"),
        ('"./bot"', LIBRARY, "bot is a library, not a program"),
        ('"java", "-Xmx1m", "-jar", "bot"', b"PK", "bot is no jar, or cut short"),
        ('"java", "-jar", "bot"', SOUND_JAR[:-30], "bot is no jar, or cut short"),
        ('"java", "-jar", "bot"', jar(None), "bot does not say which class begins"),
        ('"java", "-jar", "bot"', jar("Manifest-Version: 1.0\n"), "bot does not say which class begins"),
    ],
)
def test_what_is_no_program_is_refused(
    run: str, content: bytes, sentence: str, tmp_path: Path, sight: Sight
) -> None:
    """A command that is a file, half a program, a library, half a jar: each is told before it is started."""
    with pytest.raises(UsageError) as caught:
        check(tmp_path, sight, run, {"bot": content}, "native")

    assert sentence in str(caught.value)
    assert find_jar_flaw(SOUND_JAR) == ""
