"""The named queries: loads `queries/*.sql` once, each with its name and its one-line description.

A query stands under two comment lines, `-- name: verb_noun` and `-- What it does.`, and ends before the next
one. Refuses a query without a description and two of one name.
"""

import re
from functools import cache
from importlib.resources import files
from typing import LiteralString

_HEAD = re.compile(r"^-- name: ([a-z][a-z0-9_]*)\n-- (\S.*)\n", re.MULTILINE)


@cache
def queries() -> dict[str, LiteralString]:
    """Return the text of every query by its name."""
    found: dict[str, LiteralString] = {}
    for file in sorted(files(__package__).joinpath("queries").iterdir(), key=lambda entry: entry.name):
        text = file.read_text(encoding="utf-8")
        heads = list(_HEAD.finditer(text))
        if len(heads) != text.count("-- name:"):
            raise ValueError(f"{file.name}: a query lacks its description")
        for head, following in zip(heads, [*heads[1:], None], strict=True):
            name = head.group(1)
            if name in found:
                raise ValueError(f"{file.name}: two queries are named {name}")
            # The text is the package's own file, never anybody's input.
            found[name] = text[head.end() : following.start() if following else None].strip()
    return found


def query(name: str) -> LiteralString:
    """Return the query of that name."""
    return queries()[name]
