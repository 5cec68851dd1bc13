"""Promises about the pages: what they name is there, what they say to type is understood."""

import ast
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from arena.cli.app import arena
from tests.pages import GUIDES, ROOT, blocks_of

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
SPAN = re.compile(r"(?<!`)`(arena [a-z][^`]*)`(?!`)")


def _short(page: Path) -> str:
    return str(page.relative_to(ROOT))


def commands_of(page: Path) -> list[str]:
    """Return what a page says to type: lines of its blocks and spans that begin with `arena`."""
    text = page.read_text(encoding="utf-8")
    lines = [line for _, block in BLOCK.findall(text) for line in block.splitlines()]
    typed = [
        line.partition("  #")[0].partition(" > ")[0].removeprefix("for example: ").strip() for line in lines
    ]
    spans = [" ".join(span.split()) for span in SPAN.findall(BLOCK.sub("", text))]
    return [line for line in [*typed, *spans] if line.startswith("arena ") and "[" not in line]


def parse(words: list[str]) -> None:
    """Let the command line take the words, without doing anything.

    Raises:
        click.UsageError: It does not.
    """
    context = arena.make_context("arena", list(words))
    while isinstance(context.command, click.Group):
        name, command, rest = context.command.resolve_command(context, context._protected_args + context.args)
        assert command is not None
        context = command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("page", PAGES, ids=_short)
def test_every_link_leads_somewhere(page: Path) -> None:
    """Links to files of the project name files that are there."""
    targets = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]

    assert [link for link in targets if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=_short)
def test_every_command_of_a_page_is_understood(page: Path) -> None:
    """What a page says to type exists, with these options and arguments."""
    refused = []
    for line in commands_of(page):
        words = ["1" if word == "ID" else word for word in shlex.split(line.replace("…", ""))[1:]]
        names_only = all(word.islower() and word.isalpha() for word in words)
        try:
            parse(words)
        except click.exceptions.Exit:
            pass
        except click.MissingParameter:
            # A sentence may name a command without saying what for.
            if not names_only:
                refused.append(line)
        except Exception as error:  # noqa: BLE001 (all are listed at once)
            refused.append(f"{line}: {error}")

    assert refused == []


@pytest.mark.parametrize("page", GUIDES, ids=_short)
def test_every_block_of_a_guide_says_what_it_is_for(page: Path) -> None:
    """It is run, saved under a name, what a command prints, or a note above it says why it is not run."""
    assert [str(block) for block in blocks_of(page) if not block.is_understood] == []


@pytest.mark.parametrize("page", GUIDES, ids=_short)
def test_code_of_a_file_is_what_the_file_says(page: Path) -> None:
    """A block that is a part of a file stands there word by word."""
    parts = [block for block in blocks_of(page) if block.kind == "part of"]

    assert [str(block) for block in parts if block.code not in (ROOT / block.told).read_text()] == []


def test_few_blocks_are_not_run() -> None:
    """What no test runs is counted here; each says why in its page."""
    excused = [
        str(block).partition(":")[0]
        for page in GUIDES
        for block in blocks_of(page)
        if block.kind == "not run:"
    ]

    assert excused == ["README.md", *4 * ["docs/operating.md"]]


@pytest.mark.parametrize("page", PAGES, ids=_short)
def test_every_block_of_a_page_is_well_formed(page: Path) -> None:
    """Python compiles, TOML is TOML, a shell reads the shell's lines."""
    for language, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            ast.parse(code)
        elif language == "toml":
            tomllib.loads(code)
        elif language == "sh":
            done = subprocess.run(["sh", "-n"], input=code, text=True, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr


def test_the_generated_pages_are_fresh() -> None:
    """The pages of commands and settings say what the code says."""
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "gen-command-pages", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_readme_keeps_its_width() -> None:
    """No line of prose is wider than 120 characters; rows of tables and blocks may be."""
    text = BLOCK.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))

    assert [line for line in text.splitlines() if len(line) > 120 and not line.startswith("|")] == []
