"""The project's pages as programs: what each block of README and docs/ is for, told by a note above it.

A note is an HTML comment in the line above a block, so that the page reads as if it were not there:

    <!-- saved as PATH -->          the block is written to that file
    <!-- run in FOLDER -->          the block is run there
    <!-- run first: COMMAND -->     what the reader is supposed to have; run before the block
    <!-- part of FILE -->           the block stands in that file, from the project's root
    <!-- not run: WHY -->           the block is only looked at

Without a note `sh` and `python` blocks are run where the reader stands, and `text` is what a command prints.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GUIDES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "commands.md"),
]
"""Every page whose blocks are run; tests/acceptance/test_examples.py runs what docs/commands.md shows."""
KINDS = ("saved as", "run in", "run first:", "part of", "not run:")

_BLOCK = re.compile(r"(?:^<!-- ([^\n]+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block of a page."""

    page: str
    """The page, from the project's root."""
    line: int
    language: str
    code: str
    kind: str
    """One of KINDS, or empty without a note."""
    told: str
    """What the note says beside its kind."""

    @property
    def is_run(self) -> bool:
        """Whether a shell or Python runs it."""
        return self.language in {"sh", "python"} and self.kind not in {"saved as", "part of", "not run:"}

    @property
    def is_understood(self) -> bool:
        """Whether it is run, saved, something printed, or excused."""
        return self.is_run or self.language == "text" or (self.kind in KINDS and bool(self.told))

    def __str__(self) -> str:
        """Name its place."""
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        note, language, code = found.groups()
        kind = next((kind for kind in KINDS if note and note.startswith(kind)), "")
        line = text.count("\n", 0, found.start(2)) + 1
        yield Block(
            str(page.relative_to(ROOT)), line, language, code, kind, (note or "")[len(kind) :].strip()
        )
