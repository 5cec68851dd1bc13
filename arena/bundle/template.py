"""New bots from templates: a language is a folder of `arena/templates`, and nothing else names it.

A template is `template.toml` (`title`, `also`: other words for it, `next`: the commands that an author
gives next, and perhaps `needs`: the programs that they call) beside `files/`, all of which is copied;
`@NAME@` becomes the bot's name and `@IDENTIFIER@` the same as most languages spell identifiers, in names of
files too. Refuses to write over anything: a folder is written whole or not at all.
"""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.bundle.manifest import check_name
from arena.errors import UsageError, nearest, quote
from arena.files import refuse_to_write

TEMPLATES: Final = Path(__file__).resolve().parent.parent / "templates"
"""Where the languages are."""


@dataclass(frozen=True, slots=True)
class NewBot:
    """A folder that was written."""

    folder: Path
    files: Sequence[str]
    """What is in it, by name."""
    next: Sequence[str]
    """Commands to give next."""
    missing: Sequence[str]
    """Programs that they call and this machine lacks."""


def list_languages() -> dict[str, str]:
    """Return the languages there are templates for, and what people call them."""
    return {
        path.parent.name: str(load_about(path.parent.name)["title"])
        for path in sorted(TEMPLATES.glob("*/template.toml"))
    }


def load_about(language: str) -> dict[str, Any]:
    """Return what is written of a language."""
    return tomllib.loads((TEMPLATES / language / "template.toml").read_text(encoding="utf-8"))


def list_needs(file: str) -> list[str]:
    """Return the programs that bots are built with whose template holds a file of that name."""
    return [
        str(program)
        for path in sorted(TEMPLATES.glob("*/template.toml"))
        if (path.parent / "files" / file).exists()
        for program in load_about(path.parent.name).get("needs", ())
    ]


def find_language(word: str) -> str:
    """Return the language that a word means.

    Raises:
        UsageError: No language is called so; the message names all, and the nearest one.
    """
    words: dict[str, str] = {}
    for path in sorted(TEMPLATES.glob("*/template.toml")):
        about = load_about(path.parent.name)
        words |= dict.fromkeys((path.parent.name, *about["also"]), path.parent.name)
    if word not in words:
        known = ", ".join(
            name if title.lower() == name else f"{name}: {title}" for name, title in list_languages().items()
        )
        raise UsageError(
            f"no template for {quote(word)}{nearest(word, words)}: one of {known}; "
            "for a bot in another language docs/protocol.md is the contract"
        )
    return words[word]


def write_bot(name: str, language: str, folder: Path) -> NewBot:
    """Write a new bot of that name.

    Raises:
        UsageError: The name is not allowed, the language unknown, or something is there already.
    """
    check_name(name)
    source = TEMPLATES / find_language(language)
    if os.path.lexists(folder):
        raise UsageError(f"{folder} exists: choose another name, or --folder")
    about = load_about(source.name)
    files = []
    with _made_whole(folder) as made:
        for path in sorted(found for found in (source / "files").rglob("*") if found.is_file()):
            if "__pycache__" in path.parts:
                continue
            relative = _fill(str(path.relative_to(source / "files")), name)
            target = made / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(_fill_bytes(path.read_bytes(), name))
            target.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
            files.append(relative)
    shown = str(folder) if "/" in str(folder) or not str(folder).startswith("-") else f"./{folder}"
    return NewBot(
        folder,
        files,
        [step.replace("@NAME@", shown) for step in about["next"]],
        [program for program in about.get("needs", ()) if shutil.which(program) is None],
    )


@contextmanager
def _made_whole(folder: Path) -> Iterator[Path]:
    """Give a folder beside the wanted one, and put it there when all went well.

    Raises:
        UsageError: It cannot be written there.
        PlatformError: The disk is full, or fails.
    """
    try:
        new = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-bot-"))
        try:
            new.chmod(0o755)
            yield new
            new.rename(folder)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
    except OSError as error:
        raise refuse_to_write(folder, error) from error


def _fill(text: str, name: str) -> str:
    identifier = name.replace("-", "_")
    return text.replace("@NAME@", name).replace(
        "@IDENTIFIER@", identifier if identifier[0].isalpha() else f"bot_{identifier}"
    )


def _fill_bytes(data: bytes, name: str) -> bytes:
    """Fill in a text; what is no text is copied as it is."""
    try:
        return _fill(data.decode(), name).encode()
    except UnicodeDecodeError:
        return data
