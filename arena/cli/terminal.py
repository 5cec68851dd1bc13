"""What reaches the screen: lines, tables, JSON; on a terminal with colours and boxes, on a pipe plainly.

Owns the escape: nothing that a bot, an author or a file controls gets to the terminal but through here, and
here every character that does not print is written as its code. Refuses to know what the texts mean.
"""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from arena.cli.streams import Screen, told
from arena.cli.tables import fitting_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


_BREAKS = re.compile(r"(?<=;) (?=\S)|(?<=\.) (?=[A-Z`])")
"""Between the parts of a message: after a semicolon, after a sentence."""


def escape(text: str) -> str:
    """Return a text in one line in which every control, bidirectional or invisible character is its code."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text
    )


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    """Its heading."""
    right: bool = False
    """Numbers stand at the right."""
    keep: bool = False
    """True for a name: a narrow terminal folds it rather than leave it out."""
    whole: bool = False
    """True for an id or a date: as a number, it is there whole or not at all."""
    drop: int = 0
    """Where there is no room, the columns of the highest number are left out first; those of 0 at last."""


class Terminal:
    """Where a command writes: results to `out`, progress and errors to `err`."""

    def __init__(
        self, out: TextIO | None = None, err: TextIO | None = None, *, with_hints: bool = True
    ) -> None:
        self._out = sys.stdout if out is None else out
        self._err = sys.stderr if err is None else err
        self._with_hints = with_hints
        for stream in (self._out, self._err):
            # A locale that lacks a character shows its code instead of ending the command.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")

    @property
    def is_interactive(self) -> bool:
        """Whether results go to a terminal."""
        return self._out.isatty()

    @property
    def is_watched(self) -> bool:
        """Whether progress goes to a terminal."""
        return self._err.isatty() and self._out.isatty()

    def line(self, text: str = "", *, whole: bool = False) -> None:
        """Print one line; where a terminal is narrower it goes on, between two words, in the next one.

        Args:
            text: What it says.
            whole: Whether it stays one line anyway, so that it can be copied.
        """
        shown = self._fit(escape(text))
        self._print(shown if whole else _wrap(shown, self._out))

    def painted(self, parts: Iterable[tuple[str, str]]) -> None:
        """Print one line of texts that each have a style; on a pipe, or with NO_COLOR, without colours."""
        if not self.is_interactive:
            self.line("".join(text for text, _ in parts), whole=True)
            return
        with told(self._out):
            self.console().print(paint(parts))
            self._out.flush()

    def block(self, text: str, indent: str = "  ") -> None:
        """Print a text of several lines, indented, each line escaped."""
        for line in text.splitlines():
            self.line(indent + line, whole=True)

    def note(self, text: str) -> None:
        """Print one line of news beside the results; a terminal that is gone gets none."""
        with suppress(OSError):
            print(_wrap(escape(text), self._err), file=self._err, flush=True)

    def error(self, text: str) -> None:
        """Print the one line of an error; where a terminal is too narrow, what, where and remedy apart."""
        line = f"arena: {text}"
        if self._err.isatty() and len(line) >= shutil.get_terminal_size().columns:
            first, *others = _BREAKS.split(line)
            self.note(first)
            for part in others:
                self.note(f"  {part}")
        else:
            self.note(line)

    def output(self, lines: Iterable[str]) -> None:
        """Print what another program said, line by line, each escaped; a terminal that is gone gets none."""
        with suppress(OSError):
            for line in lines:
                print(f"  | {escape(line)}".rstrip(), file=self._err, flush=True)

    def hint(self, *texts: str) -> None:
        """Name the commands to try next; only where somebody is looking."""
        if self.is_interactive and self._with_hints:
            self.line()
            for text in texts:
                self.line(f"next: {text}", whole=True)

    def json(self, value: object) -> None:
        """Print a value for programs."""
        self._print(json.dumps(value, indent=2, default=_plain, allow_nan=False))

    def csv(self, titles: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print rows for spreadsheets: commas, quotes where they are needed, missing values empty."""
        import csv
        import io

        text = io.StringIO()
        # A spreadsheet would take a text that begins so for a formula.
        plain = [
            [f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@") else cell for cell in row]
            for row in rows
        ]
        csv.writer(text, lineterminator="\n").writerows([titles, *plain])
        for line in text.getvalue().splitlines():
            self.line(line, whole=True)

    def flush(self) -> None:
        """Hand on what was printed.

        Raises:
            PlatformError: It cannot be written.
        """
        with told(self._out):
            self._out.flush()

    def _print(self, text: str) -> None:
        with told(self._out):
            print(text, file=self._out)

    def table(
        self,
        columns: Sequence[Column],
        rows: Iterable[Sequence[str]],
        *,
        title: str = "",
        shades: Sequence[Sequence[str]] | None = None,
    ) -> None:
        """Print a table: with lines and shaded cells on a terminal, aligned by spaces on a pipe."""
        columns = [replace(column, title=self._fit(column.title)) for column in columns]
        cells = [[self._fit(escape(cell)) for cell in row] for row in rows]
        if self.is_interactive:
            console = self.console()
            table, left_out = fitting_table(columns, cells, console.width, title=title, shades=shades)
            with told(self._out):
                console.print(table)
            if left_out:
                self.line(left_out)
            return
        if title:
            self.line(title)
        widths = [
            max([len(column.title), *(len(row[i]) for row in cells)]) for i, column in enumerate(columns)
        ]
        for row in [[column.title for column in columns], *cells]:
            aligned = [
                cell.rjust(width) if column.right else cell.ljust(width)
                for cell, width, column in zip(row, widths, columns, strict=True)
            ]
            self.line("  ".join(aligned).rstrip(), whole=True)

    def _fit(self, text: str) -> str:
        """Write the one sign of our own that some locales lack in another way."""
        try:
            "±".encode(self._out.encoding or "utf-8")
        except UnicodeEncodeError:
            return text.replace("±", "+/-")
        return text

    def console(self) -> "Console":
        """Return a rich console on the results."""
        from rich.console import Console

        screen = cast("TextIO", Screen(self._out))
        return Console(file=screen, highlight=False, markup=False, emoji=False)


def paint(parts: Iterable[tuple[str, str]]) -> "Text":
    """Return texts with their styles as a line of rich's, escaped."""
    from rich.text import Text

    return Text.assemble(*((escape(text), style) for text, style in parts))


def _wrap(text: str, stream: TextIO) -> str:
    """Break a line between words where a terminal is narrower; on a pipe it stays one line."""
    if not text.strip() or not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    if len(text) < width:
        return text
    indent = text[: len(text) - len(text.lstrip())] + "  "
    return textwrap.fill(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _plain(value: Any) -> object:
    """Return a value that JSON lacks as one that it has."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
