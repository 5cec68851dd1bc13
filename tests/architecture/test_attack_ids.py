"""Every attack of docs/isolation.md is a hostile bot, and is played at every level that a machine has."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ATTACKS = ROOT / "tests" / "botproc" / "test_attacks.py"
LAST = 33


def test_every_attack_is_written_down_and_played() -> None:
    """Page and tests have the same numbers; each test of one plays it on the stage, so at every level."""
    page = (ROOT / "docs" / "isolation.md").read_text(encoding="utf-8")
    written = [int(number) for number in re.findall(r"^\| S(\d+) \|", page, re.MULTILINE)]
    played: set[int] = set()
    for item in ast.parse(ATTACKS.read_text(encoding="utf-8")).body:
        if isinstance(item, ast.FunctionDef) and "stage" in {argument.arg for argument in item.args.args}:
            played |= {int(number) for number in re.findall(r"_s(\d+)(?=_)", item.name)}

    assert written == list(range(1, LAST + 1))
    assert sorted(played) == written
