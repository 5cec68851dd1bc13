"""Reads TOML that anybody may have written: manifests, rulesets, settings.

Owns what Python's reader does not refuse in time: each damage is a ValueError with its reason, at once.
"""

import re
import tomllib
from typing import Any, Final

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_LONG_KEY: Final = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*\.[ \t]*{_PART}){{32}}")
"""A key of more than 32 parts: Python takes minutes for one of 50,000, and none of ours has more than two."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the table that a text is.

    Raises:
        ValueError: It is no TOML, is nested too deeply, or holds a key of too many parts or a number of too
            many digits.
    """
    if _LONG_KEY.search(text):
        raise ValueError("a key of so many parts, joined by dots, is in no file of ours")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
