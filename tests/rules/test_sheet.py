"""The page `docs/rules.md` is true: its tables say what the options and the presets are."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from arena.rules.options import Ruleset
from arena.rules.presets import PRESETS, preset
from tests.rules.oracle import sheet

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in PAGE.splitlines()]
TABLE = [row for row in ROWS if re.fullmatch(r"R\d\d", row[0]) and len(row) == 3 + len(PRESETS) and row[3]]
"""The rows that give each preset a value."""
OPTIONS = [option for option in fields(Ruleset) if option.name != "cards"]


@pytest.mark.parametrize("row", [row for row in TABLE if row[1].startswith("`")], ids=lambda row: row[1])
def test_each_preset_is_what_the_page_says(row: list[str]) -> None:
    """The columns of the presets hold the values that are played."""
    name = row[1].strip("`")
    told = dict(zip(PRESETS, row[3:], strict=True))

    assert told == {base: preset(base).options()[name] for base in PRESETS}


def test_the_page_has_every_option_that_presets_set() -> None:
    """No option in which the presets differ is missing among the rows."""
    differing = {name for changes in PRESETS.values() for name in changes}
    rows = {row[1].strip("`") for row in TABLE}
    elsewhere = {"scoring", "advice_penalty"}  # told in the text of R82-R84 and R68

    assert differing - elsewhere <= rows
    assert [preset(base).scoring for base in PRESETS] == ["winner_takes"] * 3 + ["lowest"]
    assert [preset(base).advice_penalty for base in PRESETS] == [0, 0, 2, 0]


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_the_page_names_each_option_with_its_values(option: object) -> None:
    """An option stands in the row of its rule, and its values, switches apart, stand in the page."""
    name, metadata = option.name, option.metadata  # type: ignore[attr-defined]
    values = [value for value in metadata.get("values", ()) if value not in ("off", "on")]

    assert f"`{name}`" in PAGE
    assert [value for value in values if not re.search(rf"\b{value}\b", PAGE)] == []


def test_the_second_opinion_reads_the_same_presets() -> None:
    """The presets of the second opinion, written from the sheet, are those that are played."""
    for base in PRESETS:
        told = {name: str(value) for name, value in sheet.options(base).items() if value is not None}
        played = preset(base).options()
        assert {name: played[name] for name in told if name in played} == {
            name: value for name, value in told.items() if name in played
        }
