"""Promises of the rows of a standing."""

import math
from array import array
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.facts import Columns, MatchFacts, no_matches, stack
from arena.ratings.standing import Anchor, Entrant, Row, Standing, make_standing
from tests.fix_facts import play_round_robin, select, write_facts

THREE = [Entrant(0, "greedy@1"), Entrant(1, "random@1"), Entrant(2, "solid@1")]


def won_by_first(sets: int, *, first: int = 0, second: int = 1) -> MatchFacts:
    """Write deal sets of which `first` won every match."""
    return write_facts(*(f"{s} {r} {first}:1 {second}:2" for s in range(sets) for r in range(2)))


def row_of(standing: Standing, name: str) -> Row:
    """Return the row of an entry."""
    return next(row for row in standing.rows if row.name == name)


@given(st.randoms(use_true_random=False), st.integers(2, 4))
def test_the_order_of_the_input_never_matters(shuffler: object, seats: int) -> None:
    """Any order of matches and of entries gives the same standing, to the last bit."""
    facts = play_round_robin(
        [0, 0.4, 0.9, 1.1], seats=seats, sets=4, luck=0.5, random=np.random.default_rng(1)
    )
    entrants = [Entrant(i, f"bot{i}") for i in range(4)]
    order = list(range(facts.matches))
    mixed = entrants[:]
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    shuffler.shuffle(mixed)  # type: ignore[attr-defined]

    again = make_standing(select(facts, np.array(order)), mixed)

    assert again == make_standing(facts, entrants)


@given(st.data())
def test_no_row_holds_a_nan(data: st.DataObject) -> None:
    """Whatever was played, and however little, every figure is a number or plainly unknown."""
    seats = data.draw(st.integers(2, 4))
    entrants = [Entrant(i, f"bot{i}") for i in range(data.draw(st.integers(1, 6)))]
    lines = []
    if len(entrants) >= seats:
        for deal_set in range(data.draw(st.integers(0, 5))):
            bots = data.draw(st.permutations(range(len(entrants))))[:seats]
            for rotation in range(data.draw(st.integers(1, seats))):
                places = [data.draw(st.integers(1, seats)) for _ in bots]
                seated = " ".join(f"{bot}:{place}" for bot, place in zip(bots, places, strict=True))
                lines.append(f"{deal_set} {rotation} {seated}")
    facts = write_facts(*lines) if lines else no_matches(seats)

    standing = make_standing(facts, entrants)

    assert len(standing.rows) == len(entrants)
    for row in standing.rows:
        for field in fields(row):
            value = getattr(row, field.name)
            assert not isinstance(value, float) or math.isfinite(value)
        assert (row.elo is None) == (row.plus_minus is None) == (row.rank is None)
        assert row.elo is None or row.plus_minus > 0
        assert row.elo is not None or "no complete deal set" in row.note


def test_the_best_comes_first_with_its_figures() -> None:
    """Rank, wins, points per round and time are those of the matches."""
    standing = make_standing(won_by_first(3), THREE[:2])

    best, last = standing.rows
    assert (best.rank, best.name, best.matches, best.wins, best.win_share) == (1, "greedy@1", 6, 6.0, 1.0)
    assert (last.rank, last.name, last.wins, last.win_share) == (2, "random@1", 0.0, 0.0)
    assert (best.points_per_round, last.points_per_round) == (20.0, -20.0)
    assert best.us_per_decision == 1000.0
    assert best.elo is not None
    assert last.elo is not None
    assert best.elo + last.elo == pytest.approx(3000)
    assert standing.notes == ()


def test_points_count_against_their_owner_where_low_wins() -> None:
    """With a scoring that the lowest total wins, more points are a worse figure."""
    facts = won_by_first(1)
    penalties = replace(facts, totals=100 * (facts.places - 1))

    standing = make_standing(penalties, THREE[:2], low_wins=True)

    assert row_of(standing, "greedy@1").points_per_round == 20.0


def test_a_shared_first_place_is_part_of_a_win() -> None:
    """The wins of all entries add up to the matches."""
    facts = write_facts("0 0 0:1 1:1 2:1", "0 1 1:1 2:2 0:2", "0 2 2:1 0:1 1:3")

    standing = make_standing(facts, THREE)

    assert sum(row.wins for row in standing.rows) == pytest.approx(3)
    assert row_of(standing, "solid@1").wins == pytest.approx(1 / 3 + 1 / 2)


def test_open_deal_sets_are_shown_as_open() -> None:
    """A match whose deal set is not complete rates nobody and is counted as open."""
    complete = won_by_first(2)
    begun = select(won_by_first(3), np.array([0, 1, 2, 3, 4]))

    standing = make_standing(begun, THREE[:2])

    assert standing.open_matches == 1
    assert row_of(standing, "greedy@1").open_sets == 1
    assert row_of(standing, "greedy@1").elo == row_of(make_standing(complete, THREE[:2]), "greedy@1").elo


def test_planned_deal_sets_are_open_until_complete() -> None:
    """With a plan, what was not begun is open too."""
    entrants = [replace(entrant, planned_sets=10) for entrant in THREE[:2]]

    standing = make_standing(won_by_first(4), entrants)

    assert [row.open_sets for row in standing.rows] == [6, 6]


def test_a_suspended_entry_says_so() -> None:
    """The row names what counts and what was planned; nothing stays open, nor what others had against it."""
    facts = write_facts(
        "0 0 0:1 1:2", "0 1 1:2 0:1", "1 0 0:1 1:2", "1 1 1:2 0:1", "2 0 0:1 2:2", "2 1 2:2 0:1"
    )
    entrants = [
        Entrant(0, "greedy@1", planned_sets=5),
        Entrant(1, "crasher@1", deaths=4, planned_sets=10, suspended=True),
        Entrant(2, "solid@1", planned_sets=5),
    ]

    standing = make_standing(facts, entrants)

    row = row_of(standing, "crasher@1")
    assert (row.note, row.deaths, row.open_sets) == ("suspended after 4 of 20", 4, 0)
    assert [row_of(standing, name).open_sets for name in ("greedy@1", "solid@1")] == [4, 4]


def test_entries_that_never_met_the_others_say_so() -> None:
    """Two groups are ranked apart and told apart."""
    facts = write_facts(
        "0 0 0:1 1:2", "0 1 1:2 0:1", "1 0 1:1 2:2", "1 1 2:2 1:1", "2 0 3:1 4:2", "2 1 4:2 3:1"
    )
    entrants = [*THREE, Entrant(3, "far@1"), Entrant(4, "away@1"), Entrant(5, "idle@1")]

    standing = make_standing(facts, entrants)

    assert [row.rank for row in standing.rows] == [1, 2, 3, 1, 2, None]
    assert [row.name for row in standing.rows][3:] == ["far@1", "away@1", "idle@1"]
    assert row_of(standing, "far@1").note == "group 2: compares only inside it"
    assert standing.notes == (
        "not all entries are connected by matches: ratings compare only inside a group",
    )


def test_nothing_played_says_what_is_not_known() -> None:
    """No matches, or one entry alone: rows without ratings and a sentence."""
    nothing = make_standing(no_matches(), THREE)
    alone = make_standing(no_matches(), THREE[:1])

    assert [row.elo for row in nothing.rows] == [None, None, None]
    assert nothing.notes == ("no complete deal set yet: no rating is known",)
    assert alone.notes == ("one entry: nothing to compare it with",)
    assert make_standing(no_matches(), []).rows == ()


def test_an_anchor_keeps_its_rating() -> None:
    """The anchor has its own Elo without a spread, and all differences stay as they are."""
    facts = play_round_robin([0, 1, 2], seats=2, sets=20, luck=0.5, random=np.random.default_rng(4))
    free = make_standing(facts, THREE)

    anchored = make_standing(facts, THREE, anchor=Anchor(1, 1000.0))

    fixed = row_of(anchored, "random@1")
    assert (fixed.elo, fixed.plus_minus) == (1000.0, 0.0)
    gaps = [(row_of(s, "solid@1").elo or 0) - (row_of(s, "greedy@1").elo or 0) for s in (free, anchored)]
    assert gaps[0] == pytest.approx(gaps[1])


def test_an_anchor_without_matches_is_said() -> None:
    """An anchor that cannot hold anything is named in the notes."""
    standing = make_standing(won_by_first(2), THREE, anchor=Anchor(2, 1000.0))

    assert standing.notes == ("the anchor has no complete deal set: the middle is 1500 instead",)
    assert sum(row.elo or 0 for row in standing.rows) == pytest.approx(3000)


def test_plain_columns_become_facts() -> None:
    """Columns as the store reads them: seats side by side, faults as bits, deal sets apart per pairing."""

    def i(*numbers: int) -> "array[int]":
        return array("i", numbers)

    facts = stack(
        Columns(
            pairings=i(0, 1),
            deal_sets=i(3, 3),
            rotations=i(0, 1),
            rounds=i(5, 6),
            fault_bits=i(2, 0),
            entries=[i(4, 4), i(5, 6)],
            places=[i(1, 2), i(2, 1)],
            totals=[i(500, 100), i(20, 510)],
            decisions=[i(9, 9), i(8, 8)],
            wall_us=[i(70, 70), i(60, 60)],
        )
    )

    assert facts.entries.tolist() == [[4, 5], [4, 6]]
    assert facts.faults.tolist() == [[0, 1], [0, 0]]
    assert facts.deal_sets[0] != facts.deal_sets[1]
    assert stack(Columns(*[i()] * 5, *[[i(), i()]] * 5)).matches == 0


def test_each_row_is_compared_with_the_next() -> None:
    """The better one is likely to be better, surely so by far; nobody is compared across groups."""
    facts = play_round_robin([0, 0.1, 3], seats=2, sets=60, luck=0.5, random=np.random.default_rng(6))

    rows = make_standing(facts, [*THREE, Entrant(3, "idle@1")]).rows

    assert rows[0].name == "solid@1"
    assert rows[0].above_next is not None
    assert rows[1].above_next is not None
    assert rows[0].above_next > 0.999
    assert 0.5 <= rows[1].above_next < 0.99
    assert [row.above_next for row in rows[2:]] == [None, None]


def test_equal_bots_are_better_by_half() -> None:
    """After split deal sets nobody is ahead: one half, whoever stands first."""
    split = write_facts(*(f"{s} {r} {r}:1 {1 - r}:2" for s in range(20) for r in range(2)))

    assert make_standing(split, THREE[:2]).rows[0].above_next == pytest.approx(0.5)


def test_without_a_rating_who_died_comes_last() -> None:
    """Of entries about whose strength nothing is known the one whose processes died is not listed first."""
    entrants = [Entrant(0, "dying@1", deaths=3, suspended=True), Entrant(1, "sound@1")]
    standing = make_standing(write_facts("0 0 0:2 1:1"), entrants)

    assert [row.name for row in standing.rows] == ["sound@1", "dying@1"]


def test_an_anchor_says_which_group_it_fixes() -> None:
    """Where matches connect two groups only inside, the other one keeps the middle of 1500."""
    facts = write_facts("1 0 0:1 1:2", "1 1 0:1 1:2", "2 0 2:1 3:2", "2 1 2:1 3:2")
    standing = make_standing(facts, [Entrant(n, f"b{n}") for n in range(4)], anchor=Anchor(2, 1000.0))

    assert "the anchor fixes group 2 alone: in every other one the middle is 1500" in standing.notes
    elo = {row.number: row.elo or 0.0 for row in standing.rows}
    assert elo[2] == 1000.0
    assert (elo[0] + elo[1]) / 2 == pytest.approx(1500)
