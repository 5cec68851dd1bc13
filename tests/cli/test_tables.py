"""Promises of tables on terminals of any width: no number is cut, no name lost, no column left out unsaid."""

import io
import random
import re

import pytest

from arena.cli.tables import fold
from arena.cli.terminal import Column, Terminal

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
COLUMNS = [
    Column("match", right=True),
    Column("tournament"),
    Column("deal set", right=True),
    Column("bots and places", keep=True),
    Column("digest", whole=True, drop=2),
    Column("rounds", right=True, drop=1),
    Column("ended by"),
    Column("at fault", keep=True),
]


class Window(io.StringIO):
    """A terminal's text."""

    def isatty(self) -> bool:
        """Say that somebody is looking."""
        return True


def draw(rows: list[list[str]], width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a table as a terminal of that width shows it."""
    monkeypatch.setenv("COLUMNS", str(width))
    window = Window()
    Terminal(window, Window()).table(COLUMNS, rows)
    return _COLOURS.sub("", window.getvalue())


def make_rows(seed: int) -> list[list[str]]:
    """Return rows of names and numbers of any length, each number unlike every other text."""
    choose = random.Random(seed)

    def name() -> str:
        return "".join(choose.choices("abcdef-_", k=choose.randint(1, 32))) + f"@{choose.randint(1, 9999)}"

    return [
        [
            str(choose.randint(1, 10 ** choose.randint(1, 12))),
            name().partition("@")[0],
            f"{choose.randint(0, 99)}/{choose.randint(0, 10**5)}",
            ", ".join(f"{name()} {choose.randint(1, 10)}" for _ in range(choose.randint(2, 10))),
            f"{choose.randrange(16**12):012x}",
            f"{choose.randint(1, 10**6):,}",
            choose.choice(["target", "last_seat"]),
            choose.choice(["", f"{name()} timed_out"]),
        ]
        for _ in range(choose.randint(1, 4))
    ]


@pytest.mark.parametrize("width", [30, 40, 57, 80, 120])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_shown_is_whole_and_what_is_not_is_named(
    width: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any width each number is there, or its column is named; the names always are."""
    rows = make_rows(seed)

    text = draw(rows, width, monkeypatch)

    assert max(map(len, text.splitlines())) <= width
    table, _, left_out = text.partition("no room for:")
    missing = [title.strip() for title in " ".join(left_out.split()).split(",")]
    assert "match" not in missing
    assert "bots and places" not in missing
    words = table.split()
    letters = sorted("".join(words))
    for place, column in enumerate(COLUMNS):
        if column.title in missing:
            continue
        for row in rows:
            if column.right or column.whole:
                assert row[place] in words
            for word in row[place].split():
                assert not re.search(r"@\d+", word) or re.search(re.escape(word[word.index("@") :]), table)
    shown = [i for i, column in enumerate(COLUMNS) if column.title not in missing]
    everything = "".join(row[i] for row in rows for i in shown) + "".join(COLUMNS[i].title for i in shown)
    assert [letter for letter in letters if letter != "─"] == sorted("".join(everything.split()))


def test_a_version_is_not_broken() -> None:
    """`@12` in two lines would be another version."""
    assert fold("abcdefgh@12", 10) == "abcdefgh\n@12"
    assert fold("abcdefgh@12 1, x@3 2", 9) == "abcdefgh\n@12 1, x@3 2"
    assert fold("abcdefghijkl@12", 9) == "abcdefghi\njkl@12"
