"""Reads TOML that anybody may have written: manifests, rulesets, settings.

Owns what Python's reader does not refuse in time: each damage is a ValueError with its reason, at once.
"""

import re
import tomllib
from typing import Any, Final

MOST_CHARS = 128 * 1024
"""The longest text that is read; a ruleset with a deck of its own has a tenth of that."""
MOST_PARTS = 8
"""The parts of a key; none of ours has more than two, and Python takes minutes for one of 50,000."""

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_TOKEN: Final = re.compile(
    r"""[#][^\n]*+                                       # a comment
    |   \"{3}(?:[^"\\]|\\.|"{1,2}(?!"))*+(?:"{3,5}|\Z)   # texts of many lines, which hold what they like
    |   '{3}(?:[^']|'{1,2}(?!'))*+(?:'{3,5}|\Z)
    |   (?P<key>"""
    + _PART
    + rf"""(?:[ \t]*+\.[ \t]*+{_PART})*+)""",
    re.VERBOSE | re.DOTALL,
)
"""What is skipped whole, or a key (or a value) with all of its parts; each character is looked at once."""
_DOTTED: Final = re.compile(rf"[ \t]*+(\.)?[ \t]*+{_PART}", re.DOTALL)


def decode(data: bytes) -> str:
    """Return the text of a file's bytes.

    Raises:
        ValueError: They are no UTF-8.
    """
    try:
        return data.decode("utf-8-sig")  # editors on Windows begin with a mark
    except UnicodeDecodeError as error:
        raise ValueError(f"it is no UTF-8 text (byte {error.start + 1:,}): save it as such") from None


def read_toml(text: str) -> dict[str, Any]:
    """Return the table that a text is.

    Raises:
        ValueError: It is no TOML, is too long or nested too deeply, or holds a key of too many parts or a
            number of too many digits.
    """
    if len(text) > MOST_CHARS:
        raise ValueError(f"it has {len(text):,} characters; {MOST_CHARS:,} at most are read")
    for token in _TOKEN.finditer(text):
        key = token["key"]
        if key and len(key) > MOST_PARTS * 2 and len(_DOTTED.findall(key)) > MOST_PARTS:
            line = text.count("\n", 0, token.start()) + 1
            raise ValueError(f"a key of more than {MOST_PARTS} parts, joined by dots (line {line})")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:
        raise ValueError("a number of thousands of digits") from None
