"""The misbehaving bot's switches: none of them is left untested."""

import re
from pathlib import Path

from tests.fix_live import MISBEHAVE

TESTS = Path(__file__).resolve().parents[1]


def test_every_way_of_misbehaving_has_its_verdict() -> None:
    """Each switch of `tests/bots/misbehave` is turned on by some test."""
    source = MISBEHAVE.read_text(encoding="utf-8")
    switches = set(re.findall(r'WHAT == "([a-z-]+)"|^    "([a-z-]+)": ', source, re.MULTILINE))
    names = {first or second for first, second in switches}
    tests = "\n".join(
        path.read_text(encoding="utf-8")
        for path in TESTS.rglob("test_*.py")
        if path.name != Path(__file__).name
    )
    untested = {name for name in names if f'"{name}"' not in tests}

    assert len(names) > 30
    assert untested == set()
