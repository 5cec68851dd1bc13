"""Promises of what reaches the screen."""

import io
import json
import unicodedata
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from arena.cli.tables import fit_columns
from arena.cli.terminal import Column, Terminal, escape

NASTY = "a\x1b]0;owned\x07b\u202ec\nd\t\x7f\u200b\x9b31m"


def capture(encoding: str = "utf-8") -> tuple[Terminal, io.BytesIO]:
    """Give a terminal that writes into memory."""
    out = io.BytesIO()
    stream = io.TextIOWrapper(out, encoding=encoding, write_through=True)
    return Terminal(stream, io.TextIOWrapper(io.BytesIO(), encoding=encoding)), out


@given(st.text())
def test_nothing_that_steers_a_terminal_passes(text: str) -> None:
    """No control, bidirectional, invisible or line-breaking character is left, whatever a bot is called."""
    safe = escape(text)

    assert safe.isprintable()
    assert not any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in safe)


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"])))
def test_letters_of_every_script_pass(text: str) -> None:
    """What prints is printed as it is."""
    assert escape(text) == text


def test_every_door_escapes() -> None:
    """Lines, blocks, notes, tables and JSON let nothing through."""
    terminal, out = capture()
    terminal.line(NASTY)
    terminal.block(NASTY)
    terminal.table([Column("bot"), Column("n", right=True)], [(NASTY, "1")], title=NASTY)
    terminal.json({"bot": NASTY})

    text = out.getvalue().decode()
    assert all(line.isprintable() for line in text.splitlines())
    assert text.count("\\x1b]0;owned") == 4


def test_a_table_on_a_pipe_is_aligned() -> None:
    """Columns are aligned by spaces; numbers at the right; no line ends in spaces."""
    terminal, out = capture()
    terminal.table([Column("bot"), Column("Elo", right=True)], [("greedy", "1532"), ("x", "9")])

    assert out.getvalue().decode() == "bot      Elo\ngreedy  1532\nx          9\n"


def test_a_locale_without_a_character_does_not_end_the_command() -> None:
    """What cannot be encoded is written as its code."""
    terminal, out = capture("ascii")
    terminal.line("± ü")

    assert out.getvalue() == b"+/- \\xfc\n"


def test_json_has_a_form_for_every_value() -> None:
    """Bytes as hexadecimal, times as ISO 8601."""
    terminal, out = capture()
    terminal.json({"digest": b"\x01\xff", "at": datetime(2026, 1, 2, tzinfo=UTC), "rows": ({"a": 1},)})

    assert json.loads(out.getvalue()) == {
        "digest": "01ff",
        "at": "2026-01-02T00:00:00+00:00",
        "rows": [{"a": 1}],
    }


def test_a_narrow_terminal_drops_whole_columns() -> None:
    """The columns that matter least go first, and no number is cut."""
    columns = [
        Column("bot", keep=True),
        Column("Elo", right=True),
        Column("wins", drop=2),
        Column("time", drop=1),
    ]
    cells = [["greedy", "1500", "12", "3 ms"]]

    assert fit_columns(columns, cells, 80) == [0, 1, 2, 3]
    assert fit_columns(columns, cells, 21) == [0, 1, 3]
    assert fit_columns(columns, cells, 14) == [0, 1]
    assert fit_columns(columns, cells, 13) == [0]
