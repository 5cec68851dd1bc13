"""One place per rule: the index, the sheet and the tests name the same rules."""

import ast
import re
from collections.abc import Callable
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
    tests = [
        path for path in Path(__file__).parent.glob("test_*.py") if not path.name.startswith("test_oracle")
    ]
    named = [path.name for path in tests if _names(rule, path.read_text(encoding="utf-8"))]

    assert named


def _names(rule: str, source: str) -> bool:
    """Whether a docstring of a test names a rule, by itself or in a span such as R01-R04."""
    number = int(rule[1:])
    for docstring in re.findall(r'def test_\w+\([^)]*\):\n\s+"""(.*?)"""', source, re.DOTALL):
        if re.search(rf"\b{rule}\b", docstring):
            return True
        for first, last in re.findall(r"\bR(\d\d)-R(\d\d)\b", docstring):
            if int(first) <= number <= int(last):
                return True
    return False


@pytest.mark.parametrize("rule", RULES)
def test_every_function_says_which_rule_it_is(rule: str):
    """The docstring of a rule's function names the rule, so a reader sees that it is the one."""
    text = _docstring(INDEX[rule])
    spans = re.findall(r"\bR(\d\d)-R(\d\d)\b", text)

    assert rule in text or any(int(first) <= int(rule[1:]) <= int(last) for first, last in spans)


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
