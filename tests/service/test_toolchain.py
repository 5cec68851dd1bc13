"""A build that fails on a machine whose compiler is too old is told so."""

import re
import shutil
from pathlib import Path

import pytest

from arena.bundle.template import list_languages, load_about, write_bot
from arena.errors import UsageError
from arena.service.build import build_bot
from arena.service.toolchain import TOOLCHAINS, find_missing, find_outdated

SAYS = {
    "go": "go version go1.19.8 linux/amd64",
    "rustc": "rustc 1.63.0 (4b91a6ea7 2022-08-08)",
    "javac": "javac 11.0.20",
    "node": "v18.19.0",
    "cmake": "cmake version 3.9.1",
}
"""What old programs say of themselves."""
WRITTEN = {
    "go.mod": ("module bot\n\ngo 1.26.0\n", "go.mod needs Go 1.26.0 or newer, and this machine has 1.19.8"),
    "Cargo.toml": ('[package]\nrust-version = "1.88"\n', "Cargo.toml needs Rust 1.88 or newer"),
    "pom.xml": ("<maven.compiler.release>17</maven.compiler.release>", "pom.xml needs a JDK 17 or newer"),
    "package.json": ('{"engines": {"node": ">=20"}}', "package.json needs Node.js 20 or newer"),
    "CMakeLists.txt": ("cmake_minimum_required(VERSION 3.25)\n", "needs CMake 3.25 or newer"),
}


@pytest.fixture
def old_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder for a bot on a machine whose programs are old."""
    programs, folder = tmp_path / "programs", tmp_path / "bot"
    programs.mkdir()
    folder.mkdir()
    for name, says in SAYS.items():
        (programs / name).write_text(f"#!/bin/sh\necho '{says}'\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return folder


@pytest.mark.parametrize("file", [tool.file for tool in TOOLCHAINS if tool.needed])
def test_what_is_too_old_is_named(old_machine: Path, file: str) -> None:
    """The file that asks, the version it asks for and the one that is there; nothing where it would do."""
    text, sentence = WRITTEN[file]
    (old_machine / file).write_text(text)
    assert sentence in find_outdated(old_machine)

    (old_machine / file).write_text(text.replace("1.26.0", "1.19").replace("3.25", "3.9"))
    assert bool(find_outdated(old_machine)) == (file not in {"go.mod", "CMakeLists.txt"})


def test_what_refuses_to_say_its_version_is_not_old(old_machine: Path) -> None:
    """A rustup without a toolchain fails with numbers in its words: the build's own words say it better."""
    said = "note: run with 0 arguments: rustup could not choose a version of rustc"
    program = old_machine.parent / "programs" / "rustc"
    program.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    (old_machine / "Cargo.toml").write_text(WRITTEN["Cargo.toml"][0])

    assert find_outdated(old_machine) == ""


def test_a_failed_build_says_what_is_too_old(old_machine: Path) -> None:
    """The line about the build says it, above what the build said itself."""
    (old_machine / "go.mod").write_text(WRITTEN["go.mod"][0])
    (old_machine / "bot.toml").write_text(
        'name = "x"\nruntime = "native"\nrun = ["./bot"]\ninclude = ["bot"]\n'
        'build = ["sh", "-c", "echo odd; exit 1"]\n'
    )

    with pytest.raises(
        UsageError, match=r"exit code 1; go\.mod needs Go 1\.26\.0 or newer, .* 1\.19\.8; it said:"
    ):
        build_bot(old_machine)


@pytest.mark.parametrize("language", [name for name in list_languages() if "needs" in load_about(name)])
def test_a_failed_build_says_what_is_not_there(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a new bot of any language, all that its build calls is named where this machine has none of it."""
    folder = tmp_path / "bot"
    write_bot("bot", language, folder)
    needs = load_about(language)["needs"]
    shell = shutil.which("sh")
    assert shell is not None
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "sh").symlink_to(shell)
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(re.sub(r"(?m)^build = .*$", 'build = ["sh", "-c", "exit 1"]', manifest))

    with pytest.raises(UsageError) as caught:
        build_bot(folder)

    assert find_missing(folder).startswith(f"this machine lacks {', '.join(needs)}, which bots with a ")
    assert f"failed with exit code 1; {find_missing(folder)}; it said nothing" in str(caught.value)


def test_a_build_that_cannot_be_started_says_what_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a template's build names the missing program itself, its author reads all that is needed, too."""
    write_bot("mine", "node", tmp_path / "mine")
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    with pytest.raises(
        UsageError, match=r"build needs 'npm', .*; this machine lacks .*, npm, .*: install them"
    ):
        build_bot(tmp_path / "mine")
