"""What an interpreter is told to run: which of its arguments names a file, and whether the bundle has it.

Owns what is known of the options of Python, of shells and of Node. Refuses to guess where it does not know
them: an argument behind another interpreter's options is not judged.
"""

import os
import re
import sys
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import dropwhile
from pathlib import PurePosixPath
from typing import Final

_PYTHON: Final = re.compile(r"(python|pypy)[\d.]*")
_SHELLS: Final = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_NODE: Final = frozenset({"node", "nodejs"})
_OTHERS: Final = frozenset({"lua", "perl", "php", "ruby", *_NODE})
_NODE_FLAG: Final = re.compile(r"--(enable-source-maps|no-[\w-]+|[\w-]+=.*)")
"""An option of Node that takes no other word with it."""
_NODE_ENDINGS: Final = (".js", ".cjs", ".mjs", ".json", ".node")


def find_script(run: Sequence[str]) -> tuple[str, bool]:
    """Return what an interpreter is told to run, or an empty text; and whether it is a module."""
    name = PurePosixPath(run[0]).name
    if _PYTHON.fullmatch(name):
        return _behind_options(run, ends="c", takes_value="WX", module="m")
    if name in _SHELLS:
        return _behind_options(run, ends="cs", takes_value="oO", module="")
    words = list(run[1:])
    if name in _NODE:
        words = list(dropwhile(_NODE_FLAG.fullmatch, words))
    if name in _OTHERS and words and not words[0].startswith("-"):
        return words[0], False
    return "", False


def _behind_options(run: Sequence[str], *, ends: str, takes_value: str, module: str) -> tuple[str, bool]:
    """Return the first argument that is no option, or the module that one names."""
    words = iter(run[1:])
    for word in words:
        if word[:1] not in {"-", "+"}:
            return word, False
        if word in {"-", "+"}:
            return "", False
        if word.startswith("--"):
            continue
        for place, letter in enumerate(word[1:], 2):
            if letter in ends:
                return "", False
            if letter in module:
                return word[place:] or next(words, ""), True
            if letter in takes_value:
                if not word[place:]:
                    next(words, "")
                break
    return "", False


def is_packed(word: str, packed: AbstractSet[str], *, is_module: bool) -> bool:
    """Say whether a bundle has the file, folder or module that an interpreter is told to run."""
    if is_module:
        path = word.replace(".", "/")
        known = {"arena", *sys.stdlib_module_names}
        return word.partition(".")[0] in known or any(
            name.startswith(f"{path}.") or name == f"{path}/__main__.py" for name in packed
        )
    name = os.path.normpath(word)
    return (
        name == "."
        or any(other == name or other.startswith(f"{name}/") for other in packed)
        or any(name + ending in packed for ending in _NODE_ENDINGS)
    )
