"""Golden screens: text files beside the tests; `ARENA_GOLDEN=write` writes them anew, to read in the diff."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Give a function that compares a text with the golden file of that name."""
    folder = Path(request.path).parent / "golden"

    def compare(name: str, text: str) -> None:
        path = folder / f"{name}.txt"
        if os.environ.get("ARENA_GOLDEN") == "write":
            folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text

    return compare
