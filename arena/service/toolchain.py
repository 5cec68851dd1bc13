"""Toolchains that are too old or not there: what a bot's own files ask for, against what this machine has.

Owns the sentences for it, for a new bot and once a build has failed; one that succeeds is not asked. Refuses
to know more of a language than the file by which its projects are known and what is written there.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.bundle.template import list_needs


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Where a language's projects say what they need, and who says what there is."""

    title: str
    file: str
    needed: str
    """A pattern for the oldest version in the file; "" for a language whose file says none."""
    command: tuple[str, ...]


TOOLCHAINS: Final = (
    Toolchain("Go", "go.mod", r"^go\s+(\d[\d.]*)", ("go", "version")),
    Toolchain("Rust", "Cargo.toml", r'^rust-version\s*=\s*"(\d[\d.]*)"', ("rustc", "--version")),
    Toolchain("a JDK", "pom.xml", r"<maven\.compiler\.release>(\d+)<", ("javac", "-version")),
    Toolchain("Node.js", "package.json", r'"node":\s*">=\s*(\d[\d.]*)"', ("node", "--version")),
    Toolchain(
        "CMake", "CMakeLists.txt", r"^cmake_minimum_required\(VERSION\s+(\d[\d.]*)", ("cmake", "--version")
    ),
    Toolchain("Ruby", "main.rb", "", ("ruby", "--version")),
)
_PATIENCE_S: Final = 20


def find_outdated(folder: Path) -> str:
    """Return what a bot's folder needs and this machine has only in an older version, or an empty text."""
    for tool in TOOLCHAINS:
        needed = _search(tool.needed, _read(folder / tool.file)) if tool.needed else ""
        found = _search(r"(\d+(?:\.\d+)*)", _ask(folder, tool.command)) if needed else ""
        if needed and found and _numbers(found) < _numbers(needed):
            return f"{tool.file} needs {tool.title} {needed} or newer, and this machine has {found}"
    return ""


def find_missing(folder: Path) -> str:
    """Return which programs a bot's language is built with and this machine lacks, or an empty text."""
    for tool in TOOLCHAINS:
        if (folder / tool.file).is_file():
            missing = [name for name in list_needs(tool.file) if shutil.which(name) is None]
            if missing:
                return (
                    f"this machine lacks {', '.join(missing)}, which bots with a {tool.file} are built with: "
                    f"install {'it' if len(missing) == 1 else 'them'}"
                )
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _search(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


def _ask(folder: Path, command: tuple[str, ...]) -> str:
    """Return what a program says of its version, in the folder, where a project may choose another one."""
    program = shutil.which(command[0])
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, *command[1:]],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    # What refuses to say its version (a rustup without a toolchain) has numbers of other things in its words.
    return done.stdout + done.stderr if done.returncode == 0 else ""


def _numbers(version: str) -> list[int]:
    """Return a version such that 1.9 is older than 1.10, and 1.26 as old as 1.26.0."""
    numbers = [int(part[:9]) for part in version.split(".") if part]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
