"""The misbehaving bot's switches: each has its row among the conformance cases, and each row its switch."""

import re
from collections import Counter

from arena.match.fault import FaultKind
from arena.protocol.conformance import arena_cases
from tests.fix_live import MISBEHAVE


def test_every_way_of_misbehaving_has_its_verdict() -> None:
    """The table names each switch of the scripted bot once; its rows are what the driver's tests run."""
    source = MISBEHAVE.read_text(encoding="utf-8")
    switches = set(re.findall(r'WHAT == "([a-z-]+)"|^    "([a-z-]+)": ', source, re.MULTILINE))
    names = {first or second for first, second in switches}
    told = Counter(row["switch"] for row in arena_cases())

    assert len(names) > 30
    assert set(told) == names | {"sound"}
    assert max(told.values()) == 1


def test_every_verdict_has_a_way_to_it() -> None:
    """No verdict is left without a switch that brings it, and no other is told."""
    told = {row["verdict"] for row in arena_cases() if row["verdict"]}

    assert told == {kind.value for kind in FaultKind}
    assert {row["costs"] for row in arena_cases()} == {"job", "open", "match", "time", "sandboxed", "nothing"}
