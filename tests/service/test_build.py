"""What could not start is named by `build`, `check` and `submit`, each mistake in a sentence of its own."""

import os
import select
import struct
from contextlib import suppress
from pathlib import Path

import pytest

from arena.botproc.runtimes import RUNTIMES
from arena.bundle.manifest import parse_manifest
from arena.bundle.pack import pack_folder
from arena.errors import UsageError
from arena.service.build import build_bot, inspect_bundle

ELF = Path("/bin/true").read_bytes()
NATIVE = 'name = "x"\nruntime = "native"\nrun = ["./bot"]\ninclude = ["bot"]\n'


def elf_of(machine: int) -> bytes:
    """Return a program that is real but for the architecture that it names."""
    return ELF[:18] + struct.pack("<H", machine) + ELF[20:]


def lay(
    folder: Path, text: str, content: bytes | None = None, *, name: str = "bot", mode: int = 0o755
) -> Path:
    """Make a folder with this manifest and, where there is some content, one file; return the folder."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(text)
    if content is not None:
        (folder / name).write_bytes(content)
        (folder / name).chmod(mode)
    return folder


def build_and_inspect(folder: Path) -> None:
    """Do what `build`, `check` and `submit` do first."""
    build_bot(folder)
    inspect_bundle(pack_folder(folder), folder.parent)


MISTAKES: dict[str, tuple[str, bytes | None, str]] = {
    "no toolchain": (NATIVE + 'build = ["no-such-compiler"]\n', None, "build needs 'no-such-compiler'"),
    "no toolchain here": (NATIVE + 'build = ["./make-it"]\n', None, "build needs './make-it'"),
    "no such file to build with": (
        NATIVE + 'build = ["./x/make-it"]\n',
        ELF,
        "'./x/make-it', which is not in",
    ),
    "a file without a path": (NATIVE + 'build = ["bot"]\n', ELF, 'of the folder it is build = ["./bot", …]'),
    "a folder to build with": (NATIVE + 'build = ["./"]\n', ELF, "'./', which is no file"),
    "no first line": (
        NATIVE + 'build = ["./bot"]\n',
        b"echo made\n",
        "neither a program of this machine nor begins with a '#!' line: add one",
    ),
    "no interpreter of the build": (
        NATIVE + 'build = ["./bot"]\n',
        b"#!/opt/none/sh -e\n",
        "'./bot', which asks for '/opt/none/sh': this machine cannot start that",
    ),
    "failing build": (
        NATIVE + 'build = ["sh", "-c", "echo first; echo the reason >&2; exit 3"]\n',
        None,
        "reason >&2; exit 3'` failed with exit code 3; it said",
    ),
    "silent build": (NATIVE + 'build = ["false"]\n', None, "it said nothing"),
    "building nothing": (NATIVE + 'build = ["true"]\n', None, "names nothing"),
    "arm": (NATIVE, elf_of(183), "is built for aarch64"),
    "i386": (NATIVE, elf_of(3), "is built for i386"),
    "unheard of": (NATIVE, elf_of(999), "is built for an unknown architecture"),
    "cut short": (NATIVE, ELF[:40], "cut short"),
    "no program": (NATIVE, b"hello\n", "neither an ELF executable nor a script"),
    "no interpreter": (
        NATIVE,
        b"#!/opt/none/python9\n",
        "bot asks for '/opt/none/python9', which the sandbox",
    ),
    "empty interpreter": (NATIVE, b"#!\n", "bot asks for ''"),
    "no such command": (NATIVE.replace("./bot", "pyhton3"), ELF, "names 'pyhton3', a command"),
    "no such file": (NATIVE.replace("./bot", "./tob"), ELF, "names './tob', which is not in"),
    "no such script": (
        NATIVE.replace('"./bot"', '"sh", "-e", "main.py"'),
        ELF,
        "names 'main.py', which is not in",
    ),
    "no such place": (NATIVE.replace("./bot", "/opt/none/bot"), ELF, "names '/opt/none/bot'"),
    "no such runtime": (NATIVE.replace("native", "nativ"), ELF, "unknown runtime 'nativ'"),
    "memory": (NATIVE + "limits.memory_mib = 9999\n", ELF, "limits.memory_mib asks for 9999"),
    "processes": (NATIVE + "limits.processes = 9999\n", ELF, "limits.processes asks for 9999"),
    "cores": (NATIVE + "limits.cores = 9\n", ELF, "limits.cores asks for 9"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_has_its_sentence(mistake: str, tmp_path: Path) -> None:
    """Whatever keeps a bot from starting is named before anything of it is started."""
    text, content, sentence = MISTAKES[mistake]
    folder = lay(tmp_path / "bot", text, content)

    with pytest.raises(UsageError) as caught:
        build_and_inspect(folder)

    assert sentence in str(caught.value)


def test_a_file_that_may_not_be_executed_is_named(tmp_path: Path) -> None:
    """The executable bit is part of a bundle, so its absence is found."""
    lay(tmp_path, NATIVE, ELF, mode=0o644)

    with pytest.raises(UsageError, match=r"bot is not executable: chmod \+x bot"):
        inspect_bundle(pack_folder(tmp_path), tmp_path)


def test_the_output_of_a_build_is_what_ships(tmp_path: Path) -> None:
    """A build runs in the bot's folder, what it writes there is packed, and a good bot passes."""
    lay(tmp_path, NATIVE + 'build = ["sh", "-c", "cp /bin/true bot"]\n')

    assert build_bot(tmp_path)
    bundle = pack_folder(tmp_path)
    inspect_bundle(bundle, tmp_path)

    assert bundle.files == ("bot", "bot.toml")
    assert os.access(tmp_path / "bot", os.X_OK)


class Heard:
    """A listener that keeps what it is told."""

    shows_all = True

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.lines: list[str] = []

    def begin(self, text: str) -> None:
        """Keep it."""
        self.begun.append(text)

    def hear(self, line: str) -> None:
        """Keep it."""
        self.lines.append(line)


def test_a_build_without_its_bit_is_named(tmp_path: Path) -> None:
    """A script that may not be executed is there, and the message says what to do."""
    lay(tmp_path, NATIVE + 'build = ["./make-it"]\n', b"#!/bin/sh\n", name="make-it", mode=0o644)

    with pytest.raises(UsageError, match=r"'\./make-it', which is not executable: chmod \+x .*make-it"):
        build_bot(tmp_path)


def test_a_build_is_over_with_its_command(tmp_path: Path) -> None:
    """What a build leaves in the background keeps nobody waiting and is ended; all it said is told."""
    script = 'echo first; sleep 600 & echo $! >pid; printf "\\tlast"; exec >&- 2>&-; echo made >made'
    lay(tmp_path, NATIVE + f"build = ['sh', '-c', '{script}']\n")
    heard = Heard()

    assert build_bot(tmp_path, listener=heard)

    assert heard.begun[0].startswith("building x: sh -c")
    assert heard.lines == ["first", "        last"]
    assert (tmp_path / "made").read_text() == "made\n"
    with suppress(ProcessLookupError):  # gone already
        left = os.pidfd_open(int((tmp_path / "pid").read_text()))
        assert select.select([left], [], [], 60)[0], "what it left behind was not ended"
        os.close(left)


def test_what_was_shown_is_not_shown_again(tmp_path: Path) -> None:
    """The error of a short build holds no output where its lines were shown as they came."""
    lay(tmp_path, NATIVE + 'build = ["sh", "-c", "echo why; exit 1"]\n')

    with pytest.raises(UsageError, match="failed with exit code 1; it said what is above") as caught:
        build_bot(tmp_path, listener=Heard())

    assert not caught.value.output


@pytest.mark.parametrize("name", [name for name, kind in RUNTIMES.items() if kind.needs_proc])
@pytest.mark.needs("java-packages")
def test_a_need_for_proc_must_be_said(name: str, tmp_path: Path) -> None:
    """A runtime that does not start without /proc is refused to a bot that does not ask, before its build."""
    text = f'name = "x"\nruntime = "{name}"\nrun = ["{RUNTIMES[name].program}"]\ninclude = ["bot.toml"]\n'
    (tmp_path / "bot.toml").write_text(text)

    with pytest.raises(UsageError, match="write needs_proc = true"):
        inspect_bundle(pack_folder(tmp_path), tmp_path)
    (tmp_path / "bot.toml").write_text(text + 'build = ["touch", "built"]\n')
    with pytest.raises(UsageError, match="write needs_proc = true"):
        build_bot(tmp_path)
    assert not (tmp_path / "built").exists()
    (tmp_path / "bot.toml").write_text(text + "needs_proc = true\n")
    inspect_bundle(pack_folder(tmp_path), tmp_path)
    assert parse_manifest(text).needs_proc is False
