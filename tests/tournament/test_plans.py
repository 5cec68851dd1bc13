"""Promises of the formats by name."""

import itertools

import pytest

from arena.errors import UsageError
from arena.tournament.plans import Plan, is_last_round, parse_plan


@pytest.mark.parametrize(
    "text", ["round_robin", "round_robin:3", "gauntlet:2", "balanced:30", "swiss", "ladder", "compare"]
)
def test_a_plan_has_a_text(text: str) -> None:
    """What is written is read again."""
    assert parse_plan(text).text == text


@pytest.mark.parametrize("text", ["", "knockout", "swiss:", "swiss:x", "round_robin:-1"])
def test_what_is_no_plan_is_refused(text: str) -> None:
    """The formats there are are named."""
    with pytest.raises(UsageError, match="one of round_robin, gauntlet, balanced, swiss"):
        parse_plan(text)


def test_in_a_gauntlet_every_table_has_one_challenger() -> None:
    """Challengers meet all others and never each other, at tables of any size."""
    assert Plan("gauntlet").pairings(4, 2) == [(0, 1), (0, 2), (0, 3)]
    tables = Plan("gauntlet", 2).pairings(6, 3)

    assert len(tables) == len(set(tables)) == 2 * 6
    assert all(sum(entry < 2 for entry in table) == 1 for table in tables)


@pytest.mark.parametrize("plan", [Plan("round_robin"), Plan("balanced"), Plan("swiss"), Plan("gauntlet")])
def test_every_plan_seats_full_tables_of_its_entries(plan: Plan) -> None:
    """Everybody sits at some table; entries ascend; no pairing, and so no deal, comes twice."""
    plan.check(8, 2, 1)
    pairings = plan.pairings(8, 2)

    assert set(itertools.chain(*pairings)) == set(range(8))
    assert all(first < second for first, second in pairings)
    assert len(set(pairings)) == len(pairings)


@pytest.mark.parametrize(
    ("entries", "seats", "tables", "told"),
    [
        (7, 3, 7, "7 balanced tables, every pair meets at 1"),
        (7, 3, 8, "8 balanced tables, every pair meets at 1 to 2"),
        (6, 3, 5, "5 balanced tables, every pair meets at 0 to 2, and no tables are more even"),
        (17, 6, 17, "17 balanced tables, every pair meets at 1 to 3, the most even that was found"),
    ],
)
def test_it_is_told_how_even_balanced_tables_are(entries: int, seats: int, tables: int, told: str) -> None:
    """Even to within one, or the smallest spread, proved or only found: never more than is known."""
    assert Plan("balanced", tables).tell(entries, seats) == told


def test_a_swiss_knows_its_last_round() -> None:
    """Pairings are numbered by round; unasked there are enough rounds to find the best by halving."""
    assert Plan("swiss").rounds(8) == 3
    assert not is_last_round(Plan("swiss"), 8, [0, 3, 100_000])
    assert is_last_round(Plan("swiss"), 8, [0, 200_001])


@pytest.mark.parametrize(
    ("plan", "entries", "seats", "why"),
    [
        (Plan("swiss", 9), 8, 2, "1 to 4 rounds"),
        (Plan("swiss"), 8, 4, "tables of two"),
        (Plan("gauntlet"), 3, 4, "enter more bots"),
        (Plan("gauntlet", 4), 4, 2, "0 pairings"),
        (Plan("round_robin", 20_000), 4, 2, "are possible"),
        (Plan("round_robin"), 1, 2, "enter more bots"),
    ],
)
def test_what_cannot_be_played_is_refused(plan: Plan, entries: int, seats: int, why: str) -> None:
    """One line says why."""
    with pytest.raises(UsageError, match=why):
        plan.check(entries, seats, 1)
