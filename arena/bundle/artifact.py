"""What a bundle's command starts, looked at before it is started: is it there, and is it for this machine?

Owns the sentence for each thing that would otherwise end as a bot that never started. Refuses to run
anything, and to know what a runtime brings: the caller says what a seat sees.
"""

import os
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from arena.bundle.archive import Entry, read_contents, read_entries, read_file
from arena.bundle.binary import HEAD_BYTES, find_flaw, is_elf
from arena.bundle.elf import COMMON, read_program
from arena.bundle.jar import find_jar, find_jar_flaw
from arena.bundle.manifest import Manifest
from arena.bundle.script import find_script, is_packed
from arena.errors import UsageError

_SCRIPTS: Final = frozenset({".cjs", ".dll", ".jar", ".js", ".mjs", ".py", ".rb"})
"""Endings of what an interpreter is told to run."""
_SHEBANG_BYTES: Final = 255
"""So much of a script's first line the kernel reads."""


class Sight(Protocol):
    """What a seat sees outside its bundle."""

    def locate(self, path: str) -> Path | None:
        """Return the file of this machine that an absolute path is, None where there is none."""

    def find_program(self, name: str) -> str | None:
        """Return where a command is found, None when it is not."""

    def runtime_of(self, program: str) -> str:
        """Return the name of the runtime that brings a command, or an empty text."""


@dataclass(frozen=True, slots=True)
class _Packed:
    """The files of a bundle."""

    data: bytes
    entries: Mapping[str, Entry]

    @property
    def names(self) -> AbstractSet[str]:
        """Their paths."""
        return self.entries.keys()

    def read(self, name: str) -> bytes:
        """Return one whole."""
        return read_file(self.data, self.entries[name])

    def head(self, name: str) -> bytes:
        """Return how one begins."""
        return next(read_contents(self.data, self.entries[name]), b"")[:HEAD_BYTES]


def check_artifact(manifest: Manifest, data: bytes, sight: Sight) -> list[str]:
    """Check what `run` starts, and the script in its arguments, against the zip `data` and what a seat sees.

    Returns:
        A note for each other file that no machine like this one can load, and for what another machine may
        lack.

    Raises:
        UsageError: It is not there, not for this architecture, not executable, or lacks its interpreter.
    """
    packed = _Packed(data, {entry.name: entry for entry in read_entries(data) if not entry.is_folder})
    _check_arguments(manifest, packed.names, sight)
    _check_jar(manifest, packed)
    program, notes = _check_program_word(manifest, packed, sight)
    for name in sorted(packed.names - {program}):
        flaw = find_flaw(packed.head(name), os.uname().machine)
        if flaw and Path(name).suffix != ".o" and not _is_at_home(manifest, name):
            notes.append(f"{name} {flaw}")
    return notes


def _is_at_home(manifest: Manifest, name: str) -> bool:
    """Say whether a file is as its runtime wants it: .NET's libraries look like Windows programs."""
    return manifest.runtime == "dotnet" and Path(name).suffix in {".dll", ".exe"}


def _check_arguments(manifest: Manifest, packed: AbstractSet[str], sight: Sight) -> None:
    """Check the script that an interpreter is told to run, and all that look like one."""
    script, is_module = find_script(manifest.run)
    if script.startswith("/") and not is_module:
        if sight.locate(script) is None:
            raise UsageError(
                f"bot.toml: run names {script!r}, which the sandbox does not have: "
                "name a file of the bundle, by its path within"
            )
    elif script and not is_packed(script, packed, is_module=is_module):
        what = f"the module {script!r}" if is_module else repr(script)
        raise UsageError(
            f"bot.toml: run names {what}, which is not in the bundle: build it, and add it to include"
        )
    for word in manifest.run[1:]:
        if word != script and _is_script(word) and os.path.normpath(word) not in packed:
            raise UsageError(
                f"bot.toml: run names {word!r}, which is not in the bundle: build it, and add it to include"
            )


def _check_jar(manifest: Manifest, packed: _Packed) -> None:
    """Check the jar that Java is told to run; that it is packed has been seen."""
    name = os.path.normpath(find_jar(manifest.run))
    if name in packed.names and (flaw := find_jar_flaw(packed.read(name))):
        raise UsageError(f"{name} {flaw}")


def _is_script(word: str) -> bool:
    """Say whether an argument names a file of the bundle; options and code never do."""
    return (
        Path(word).suffix in _SCRIPTS and not word.startswith(("-", "/")) and not re.search(r"[\s=:]", word)
    )


def _check_program_word(manifest: Manifest, packed: _Packed, sight: Sight) -> tuple[str, list[str]]:
    """Check the first word of `run`.

    Returns:
        The file of the bundle that it is, or an empty text; and notes on what another machine may lack.
    """
    word = manifest.run[0]
    if "/" not in word:
        if sight.find_program(word) is None:
            cure = f'write run = ["./{word}", …]' if word in packed.names else "name another, or ship one"
            raise UsageError(
                f"bot.toml: run names {word!r}, a command that runtime {manifest.runtime!r} lacks: {cure}"
            )
        return "", _note_foreign(manifest, "bot.toml: run", word, sight)
    if word.startswith("/"):
        if sight.locate(word) is None:
            near = _namesake(word, sight)
            cure = f'write run = ["{near}", …]' if near else "ship it in the bundle"
            raise UsageError(f"bot.toml: run names {word!r}, which the sandbox does not have: {cure}")
        return "", _note_foreign(manifest, "bot.toml: run", Path(word).name, sight)
    name = os.path.normpath(word)
    if name not in packed.names:
        raise UsageError(f"bot.toml: run names {word!r}, which is not in the bundle: add it to include")
    if not packed.entries[name].is_program:
        raise UsageError(f"{name} is not executable: chmod +x {name}")
    content = packed.read(name)
    if content.startswith(b"#!"):
        return name, _note_foreign(
            manifest, name, _check_first_line(name, content, sight, packed.names), sight
        )
    libraries = check_program(name, content, os.uname().machine, sight)
    brought = {Path(file).name for file in packed.names}
    if missing := sorted({lib for lib in libraries if not COMMON.fullmatch(lib)} - brought):
        cure = "link it statically or ship them, else a worker that lacks one cannot play it"
        return name, [f"{name} needs {', '.join(missing)} of the machine that plays: {cure}"]
    return name, []


def _note_foreign(manifest: Manifest, who: str, program: str, sight: Sight) -> list[str]:
    """Return a note on a command that belongs to another runtime than the one that the bot names."""
    wanted = sight.runtime_of(program)
    if not wanted or wanted == manifest.runtime:
        return []
    cure = f'write runtime = "{wanted}", else a worker that lacks it is given this bot to play'
    return [f"{who} names {program!r}, which runtime {manifest.runtime!r} does not promise: {cure}"]


def check_program(name: str, content: bytes, machine: str, sight: Sight) -> tuple[str, ...]:
    """Check that a machine can start a program with this content in a sandbox; return what it needs.

    Raises:
        UsageError: It is of another architecture or form, or asks for what the sandbox does not have.
    """
    if flaw := find_flaw(content, machine):
        raise UsageError(f"{name} {flaw}")
    if not is_elf(content):
        raise UsageError(
            f"{name} is neither an ELF executable nor a script that starts with '#!': build it anew"
        )
    try:
        program = read_program(content)
    except ValueError as error:
        raise UsageError(f"{name} {error}") from None
    if program.is_library:
        raise UsageError(f"{name} is a library, not a program: let run name the program that loads it")
    if program.loader and sight.locate(program.loader) is None:
        raise UsageError(
            f"{name} needs the loader {program.loader!r}, which the sandbox does not have: link it "
            "statically, or build it against this machine's own libraries"
        )
    return program.libraries


def _check_first_line(name: str, content: bytes, sight: Sight, packed: AbstractSet[str]) -> str:
    """Check the interpreter that the first line of a script asks for, as the kernel reads it; return it."""
    line = os.fsdecode(content[2:_SHEBANG_BYTES].split(b"\n", 1)[0])
    if line.endswith("\r"):
        raise UsageError(
            f"{name}: its first line ends as on Windows, which Linux takes for a part of the name: "
            "save it with plain line ends"
        )
    interpreter, _, argument = line.strip(" \t").partition(" ")
    argument = argument.strip(" \t")
    has_it = (
        sight.locate(interpreter) is not None
        if interpreter.startswith("/")
        else os.path.normpath(interpreter or "-") in packed
    )
    if not has_it:
        near = _namesake(interpreter, sight)
        cure = f'write run = ["{near}", …] or #!/usr/bin/env {near}' if near else "use one that is there"
        raise UsageError(f"{name} asks for {interpreter!r}, which the sandbox does not have: {cure}")
    if Path(interpreter).name == "env":
        return _check_env(name, argument, sight)
    return Path(interpreter).name


def _check_env(name: str, argument: str, sight: Sight) -> str:
    """Check what `env` is told to start, and return it: the kernel hands it all that follows as one word."""
    words = argument.split()
    if words[:1] in ([], ["-S"], ["--split-string"]) or argument.startswith("-"):
        words = [word for word in words if not word.startswith("-") and "=" not in word]
    elif len(words) > 1:
        raise UsageError(
            f"{name}: env looks for a command named {argument!r}: write #!/usr/bin/env -S {argument}"
        )
    if words and "/" not in words[0] and sight.find_program(words[0]) is None:
        near = _namesake(words[0], sight)
        cure = f"write #!/usr/bin/env {near}" if near else "use one that is there"
        raise UsageError(f"{name} asks for the command {words[0]!r}, which the sandbox does not have: {cure}")
    return Path(words[0]).name if words else ""


def _namesake(path: str, sight: Sight) -> str:
    """Return a command of the sandbox that may serve in place of another, or an empty text."""
    name = Path(path).name
    wanted = [name, *(["python3"] if name.startswith("python") else [])]
    return next((word for word in wanted if word and sight.find_program(word) is not None), "")
