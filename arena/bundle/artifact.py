"""What a bundle's command starts, looked at before it is started: is it there, and is it for this machine?

Owns the sentence for each thing that would otherwise end as a bot that never started. Refuses to run
anything, and to know which programs a runtime brings: the caller says how to find those.
"""

import io
import os
import re
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.bundle.manifest import Manifest
from arena.errors import UsageError

MACHINES: Final = {3: "i386", 40: "arm", 62: "x86_64", 183: "aarch64", 243: "riscv64"}
"""The numbers that an ELF file gives to architectures, and the names that the kernel gives."""
_PT_INTERP: Final = 3
_SCRIPTS: Final = frozenset({".cjs", ".dll", ".jar", ".js", ".mjs", ".py", ".rb"})
"""Endings of what an interpreter is told to run."""


def check_artifact(manifest: Manifest, data: bytes, find_program: Callable[[str], str | None]) -> None:
    """Check what `run` starts, and the script in its arguments, against the zip `data` or the runtime.

    Raises:
        UsageError: It is not there, not for this architecture, not executable, or lacks its interpreter.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        packed = frozenset(archive.namelist())
    for word in manifest.run[1:]:
        if _is_script(word) and os.path.normpath(word) not in packed:
            raise UsageError(
                f"bot.toml: run names {word!r}, which is not in the bundle: build it, and add it to include"
            )
    word = manifest.run[0]
    if "/" not in word:
        if find_program(word) is None:
            raise UsageError(
                f"bot.toml: run names {word!r}, a command that runtime {manifest.runtime!r} lacks: "
                "name another, or ship one"
            )
        return
    name = os.path.normpath(word)
    if word.startswith("/"):
        if not Path(word).exists():
            raise UsageError(
                f"bot.toml: run names {word!r}, which this machine does not have: ship it in the bundle"
            )
        return
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        try:
            entry = archive.getinfo(name)
        except KeyError:
            raise UsageError(
                f"bot.toml: run names {word!r}, which is not in the bundle: add it to include"
            ) from None
        content = archive.read(entry)
    if not entry.external_attr >> 16 & 0o100:
        raise UsageError(f"{name} is not executable: chmod +x {name}")
    check_program(name, content, os.uname().machine)


def _is_script(word: str) -> bool:
    """Say whether an argument names a file of the bundle; options and code never do."""
    return (
        Path(word).suffix in _SCRIPTS and not word.startswith(("-", "/")) and not re.search(r"[\s=:]", word)
    )


def check_program(name: str, content: bytes, machine: str) -> None:
    """Check that a machine can start a program with this content.

    Raises:
        UsageError: It is of another architecture or form, or names an interpreter that is not there.
    """
    if content.startswith(b"#!"):
        words = content[2:200].split(b"\n", 1)[0].split()
        interpreter = os.fsdecode(words[0]) if words else ""
    elif content.startswith(b"\x7fELF"):
        interpreter = _elf_interpreter(name, content, machine)
        if not interpreter:
            return
    else:
        raise UsageError(
            f"{name} is neither an ELF executable nor a script that starts with '#!': build it anew"
        )
    if not Path(interpreter).is_file():
        said = f"{name} needs the interpreter {interpreter!r}, which this machine does not have"
        raise UsageError(f"{said}: link it statically, or use one that is there")


def _elf_interpreter(name: str, content: bytes, machine: str) -> str:
    """Return the dynamic loader that an executable names, or an empty text."""
    if len(content) < 64 or content[5] not in {1, 2}:
        raise UsageError(f"{name} is cut short or not a proper ELF executable: build it again")
    order = "<" if content[5] == 1 else ">"
    found = MACHINES.get(struct.unpack_from(order + "H", content, 18)[0], "an unknown architecture")
    if found != machine:
        raise UsageError(
            f"{name} is built for {found}, and this machine is {machine}: build it for {machine}"
        )
    if content[4] != 2:
        return ""
    start, size, count = _program_headers(order, content)
    for place in range(start, start + size * count, size):
        if place + 56 > len(content):
            raise UsageError(f"{name} is cut short or not a proper ELF executable: build it again")
        kind, _, offset, _, _, length = struct.unpack_from(order + "IIQQQQ", content, place)
        if kind == _PT_INTERP:
            return os.fsdecode(content[offset : offset + length].rstrip(b"\0"))
    return ""


def _program_headers(order: str, content: bytes) -> tuple[int, int, int]:
    """Return where the program headers are, the size of each, and how many."""
    (start,) = struct.unpack_from(order + "Q", content, 32)
    size, count = struct.unpack_from(order + "HH", content, 54)
    return start, max(size, 1), count
