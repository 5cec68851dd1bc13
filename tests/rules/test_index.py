"""One place per rule: the index, the sheet and the tests name the same rules."""

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from arena.rules.index import INDEX
from arena.rules.options import Ruleset

ROOT = Path(__file__).resolve().parents[2]
SHEET = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULES = sorted({f"R{number}" for number in re.findall(r"^\| R(\d\d) \|", SHEET, re.MULTILINE)})


def test_the_index_names_every_rule_of_the_sheet():
    """Every id of the sheet has a function, and every id of the index stands in the sheet."""
    assert len(RULES) > 70
    assert sorted(INDEX) == RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_tested_by_name(rule: str):
    """Every id of the sheet is named by the docstring of at least one test."""
    assert any(_is_in(rule, text) for text in _promises_of_all_tests())


@cache
def _promises_of_all_tests() -> list[str]:
    """Return what the tests of the rules promise, those of the second opinion itself apart."""
    modules = Path(__file__).parent.glob("test_*.py")
    tests = [path for path in modules if not path.name.startswith("test_oracle")]
    return [text for path in tests for text in _promises(path.read_text(encoding="utf-8"))]


def _promises(source: str) -> list[str]:
    """Return the docstrings of a module's tests that assert something."""
    body = ast.parse(source).body
    tests = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [ast.get_docstring(test) or "" for test in tests if _asserts(test)]


def _asserts(test: ast.FunctionDef) -> bool:
    """Whether a test asserts something, or expects an exception."""
    return any(
        isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr == "raises")
        for node in ast.walk(test)
    )


def _is_in(rule: str, text: str) -> bool:
    """Whether a text names a rule."""
    spans = re.findall(r"\bR(\d\d)-R(\d\d)\b", text)
    return bool(re.search(rf"\b{rule}\b", text)) or any(
        int(first) <= int(rule[1:]) <= int(last) for first, last in spans
    )


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('def test_it():\n    """R62: two cancel."""\n    assert 1 < 2', True),
        (
            'def test_it():\n    """R60-R63: all."""\n    with pytest.raises(ValueError):\n        f()',
            True,
        ),
        ('def test_it():\n    """R62: two cancel."""\n    f()', False),
        ('def test_it():\n    """Two cancel."""\n    assert 1 < 2  # R62', False),
        ('"""R62."""\ndef test_it():\n    """Two cancel."""\n    assert 1 < 2', False),
        ('def helper():\n    """R62: two cancel."""\n    assert 1 < 2', False),
        ('def test_it():\n    """R620, R63."""\n    assert 1 < 2', False),
    ],
)
def test_a_mention_is_no_test(source: str, named: bool):
    """Only a test that asserts something, and says in its own docstring which rule, counts for the rule."""
    assert any(_is_in("R62", text) for text in _promises(source)) is named


@pytest.mark.parametrize("rule", RULES)
def test_every_function_says_which_rule_it_is(rule: str):
    """The docstring of a rule's function names the rule, so a reader sees that it is the one."""
    assert _is_in(rule, _docstring(INDEX[rule]))


def _docstring(function: Callable[..., object]) -> str:
    """Return the docstring as it stands in the source: a compiled function carries none."""
    owner = getattr(function, "__objclass__", function)
    path = ROOT / "arena" / "rules" / f"{owner.__module__.rsplit('.', 1)[1]}.py"
    node: ast.AST = ast.parse(path.read_text(encoding="utf-8"))
    for name in function.__qualname__.split("."):
        node = next(child for child in ast.iter_child_nodes(node) if getattr(child, "name", "") == name)
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    return " ".join((ast.get_docstring(node) or "").split())


def test_every_option_belongs_to_a_rule():
    """Every option of a ruleset carries the id of its rule."""
    rules = {field.metadata["rule"] for field in Ruleset.__dataclass_fields__.values()}

    assert rules <= set(RULES)
