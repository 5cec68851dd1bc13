"""Promises about the shape of the code, checked over everything there is."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(p for p in (ROOT / "arena").rglob("*.py") if "pb" not in p.parts)
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
PURE = ("rules", "tournament", "ratings", "match")
PURE_IMPORTS = {
    "__future__", "abc", "array", "base64", "binascii", "bisect", "collections", "copy", "dataclasses",
    "enum", "functools", "hashlib", "heapq", "itertools", "json", "math", "numpy", "operator", "re",
    "string", "struct", "textwrap", "tomllib", "types", "typing", "arena", "mypy_extensions", "cython",
}  # fmt: skip
LONGEST = 400
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager"}


def _imported(path: Path) -> set[str]:
    """Return the top-level names of all modules that the file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").partition(".")[0])
    return names


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT))


# The engine's switch between its two builds must look at the environment and the file system.
ENGINE_SWITCH = {"arena/rules/engine.py": {"os", "sys", "sysconfig", "pathlib", "importlib"}}
# Pure arithmetic from elsewhere: an online rating that is named after its package.
ONLINE_RATING = {"arena/ratings/online.py": {"openskill"}}
# The search for even tables, whose numbers come from a start that it is given and are the same everywhere.
SEEDED_SEARCH = {f"arena/tournament/{name}.py": {"random"} for name in ("balanced", "families")}


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent.name in PURE], ids=_short)
def test_the_core_is_pure(path: Path) -> None:
    """The core imports no clock, no socket, no process, no file, no randomness of its own."""
    allowed = PURE_IMPORTS | (ENGINE_SWITCH | ONLINE_RATING | SEEDED_SEARCH).get(_short(path), set())
    extra = _imported(path) - allowed

    assert not extra


@pytest.mark.parametrize("path", MODULES, ids=_short)
def test_every_module_says_what_it_owns(path: Path) -> None:
    """Every module opens with a docstring, is of a readable length, and has a name that means something."""
    text = path.read_text()
    docstring = ast.get_docstring(ast.parse(text))

    assert text.strip() == "" or docstring
    assert len(text.splitlines()) <= LONGEST or "one module" in (docstring or ""), (
        "over 400 lines needs a reason"
    )
    assert path.stem not in FORBIDDEN_NAMES


@pytest.mark.parametrize("path", TESTS, ids=_short)
def test_every_test_states_its_promise(path: Path) -> None:
    """Every test function has a docstring that says what it guarantees."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    silent = [node.name for node in functions if not ast.get_docstring(node)]

    assert not silent


def test_nothing_is_left_to_do() -> None:
    """No module carries a marker of unfinished work."""
    words = ("TO" + "DO", "FIX" + "ME", "X" + "XX", "raise NotImplemented" + "Error")
    found = [
        f"{_short(path)}: {word}"
        for path in [*MODULES, *TESTS, *(ROOT / "bots").rglob("*.py")]
        for word in words
        if word in path.read_text()
    ]

    assert not found


def test_the_standard_library_names_are_known() -> None:
    """The allow-list of the pure core names real modules, so that a misspelling cannot widen it."""
    third_party = {"numpy", "arena", "mypy_extensions", "cython"}

    assert PURE_IMPORTS - third_party <= set(sys.stdlib_module_names)
