"""A new bot in every language: what `arena bot new` writes builds, passes its check, plays, and is rated."""

import json
import re
import shutil
import tomllib

import pytest

from arena.bundle.template import TEMPLATES, list_languages
from tests.builds import QUICK_BUILD
from tests.fix_user_home import ROOT, Home
from tests.pages import blocks_of

PAGES = ROOT / "docs" / "bots"
PLAYS = {"check", "submit", "run"}
"""Commands that play, and so take the machine's sandbox."""
TOOLS = {
    "cpp": ("cpp-packages",),
    "go": ("go-modules",),
    "java": ("java-packages", "memory-cgroup"),
    "node": ("node-packages",),
    "ruby": ("ruby-packages",),
    "rust": ("rust-crates",),
}
"""What building and playing a template needs of the machine; Python needs nothing and has a test of its own.

A bot with a writable /tmp, as in Java, is played only where what it writes can be bounded.
"""


def test_every_language_has_its_template_and_its_page() -> None:
    """A page names the programs that its build needs."""
    assert set(list_languages()) == {*TOOLS, "python"}
    for name in TOOLS:
        page = (PAGES / f"{name}.md").read_text()
        needs = tomllib.loads((TEMPLATES / name / "template.toml").read_text())["needs"]
        assert [program for program in needs if not is_named(program, page)] == []


def is_named(program: str, page: str) -> bool:
    """Say whether a page names a program, or the Debian package that brings it."""
    package = {"grpc_cpp_plugin": "protobuf-compiler-grpc", "javac": "JDK", "protoc": "protobuf-compiler"}
    return (
        re.search(rf"`[^`\n]*\b{re.escape(program)}\b", page) is not None or package.get(program, "-") in page
    )


@pytest.mark.timeout(900)  # the first build in Rust compiles all that it stands on
@pytest.mark.parametrize(
    "language",
    [
        pytest.param(name, marks=[pytest.mark.needs(*tools), pytest.mark.xdist_group(f"language-{name}")])
        for name, tools in TOOLS.items()
    ],
)
def test_a_page_is_walked_as_written(home: Home, language: str) -> None:
    """In an empty folder each command does what it is told to; the bot has matches and no fault."""
    blocks = [block for block in blocks_of(PAGES / f"{language}.md") if block.is_run]
    commands = [line for block in blocks for line in block.code.splitlines()]
    name = f"my{language}"
    try:
        for command in commands:
            words = command.split()[1:]
            level = home.sandbox if words[1] in PLAYS else ()
            ended = home.arena(*words, *level, timeout=600, ARENA_WORKERS="1", **QUICK_BUILD)
            assert ended.code == 0, f"{command}: {ended.err}"
        standing = json.loads(home.arena("standings", f"first-{language}", "--json").out)
    finally:
        for folder in (name, "rival"):
            shutil.rmtree(home.arena.folder / folder, ignore_errors=True)

    assert len(commands) == 6
    (row,) = (row for row in standing["rows"] if row["name"].startswith(f"{name}@"))
    assert (row["matches"], row["faults"]) == (40, 0)
