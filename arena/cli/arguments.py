"""What is typed, before any command sees it: text that can be printed, stored and named as a file.

Owns what every argument must be, whichever command it is for, how it is echoed, and the kinds of argument
that name a file, or one of a few words. Refuses streams that nobody can read, before anything is begun.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from arena.errors import UsageError, nearest, quote

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

LONGEST_ECHO: Final = 120
"""An argument longer than this is cut where a message repeats it."""
LONGEST_MESSAGE: Final = 1500
LONGEST_PATH: Final = os.pathconf("/", "PC_PATH_MAX") - 1
LONGEST_NAME: Final = os.pathconf("/", "PC_NAME_MAX")


def open_streams() -> str:
    """Open what a launcher closed of stdin and stderr; return why the command cannot begin, or an empty text.

    What is opened next would take the place of a closed stream, and get what is printed.
    """
    if sys.stderr is None:
        _open_at(2)
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115 (a descriptor, for the whole process)
    if sys.stdin is None:
        _open_at(0)
    if sys.stdout is None:
        _open_at(1)
        return "stdout is closed: nobody would see the results; send them to a file, or to /dev/null"
    return ""


def _open_at(number: int) -> None:
    opened = os.open(os.devnull, os.O_RDWR)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def check_arguments(arguments: Sequence[str]) -> None:
    """Refuse what is no text.

    Raises:
        UsageError: An argument is not UTF-8, or holds a NUL.
    """
    for number, argument in enumerate(arguments, start=1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise UsageError(
                f"argument {number}: {quote(argument)} is not UTF-8: give it, or rename it, in UTF-8"
            ) from None
        if "\0" in argument:
            raise UsageError(f"argument {number}: {quote(argument)} holds a NUL: leave it out")


def shorten(text: str, arguments: Sequence[str]) -> str:
    """Return a message as one line in which no argument is repeated at length."""
    values = [value for _, _, value in (argument.partition("=") for argument in arguments)]
    for argument in sorted([*arguments, *values], key=len, reverse=True):
        if len(argument) > LONGEST_ECHO:
            text = text.replace(argument, argument[: LONGEST_ECHO // 2] + "…")
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"


class OneOf(click.Choice[str]):
    """One of a few words; a misspelt one is answered with the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Say which words there are, and which one was perhaps meant."""
        return super().get_invalid_choice_message(value, ctx).rstrip(".") + nearest(str(value), self.choices)


class Label(click.ParamType[str]):
    """A text that says something."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; an empty one is refused."""
        if not str(value).strip():
            self.fail("it must not be empty: leave it out, or say which", param, ctx)
        return str(value)


class FilePath(click.ParamType[Path]):
    """The path of a file or folder, as a `Path`: not empty, and such that a file system can have it."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, or refuse it."""
        path = str(value)
        if not path:
            self.fail("a path must not be empty", param, ctx)
        if len(os.fsencode(path)) > LONGEST_PATH:
            self.fail(f"{quote(path)} is longer than {LONGEST_PATH:,} bytes, the most of a path", param, ctx)
        for part in Path(path).parts:
            if len(os.fsencode(part)) > LONGEST_NAME:
                self.fail(
                    f"{quote(part)} is longer than {LONGEST_NAME} bytes, the most of a file's name",
                    param,
                    ctx,
                )
        return Path(path)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 (click's signature)
        param: click.Parameter,  # noqa: ARG002 (click's signature)
        incomplete: str,
    ) -> "list[CompletionItem]":
        """Let the shell complete files."""
        return complete_files(incomplete)


def complete_files(incomplete: str) -> "list[CompletionItem]":
    """Return what lets the shell complete files."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]
