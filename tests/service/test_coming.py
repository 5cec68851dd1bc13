"""Promises of the matches to come: real store, real queue, made up results."""

from collections.abc import Sequence

import pytest

from arena.rules.presets import preset
from arena.service import jobs, tournaments, watching
from arena.service.coming import Coming
from arena.service.status import status
from arena.service.tournaments import TournamentSpec
from arena.store.pool import Database
from tests.fix_queue import add_bots, claimed, count_rows, make_outcome, make_tournament, read_rows


def coming(database: Database) -> Coming:
    """Return what the cup still plays."""
    found = watching.progress(database, "cup").coming
    assert found is not None
    return found


def play_one(database: Database, under_way: Sequence[tuple[str, ...]] | None = None) -> None:
    """Play the next job, of a pairing that was said to be under way."""
    lease = claimed(database)
    assert under_way is None or tuple(entry.label for entry in lease.entries) in under_way
    assert jobs.finish(database, lease, make_outcome(lease))


@pytest.mark.parametrize(
    ("format_", "seats", "pairings"), [("round_robin", 2, 10), ("gauntlet:1", 2, 4), ("balanced:10", 3, 10)]
)
def test_what_is_left_and_who_is_next_is_told(
    database: Database, format_: str, seats: int, pairings: int
) -> None:
    """What is written and what is to come are all there is; who is named next is who then begins."""
    row = make_tournament(database, *"abcde", format=format_, seats=seats)
    before = coming(database)
    assert before.coming_next

    while (found := watching.progress(database, "cup").coming) is not None:
        named = found.under_way + found.coming_next
        assert found.begun + found.waiting == len(named)
        assert found.matches + len(read_rows(database)) == pairings * row.deal_sets * seats
        assert sum(each.matches - each.played for each in named) == found.matches
        begun = len(before.coming_next) - len(found.coming_next)
        assert found.coming_next == before.coming_next[begun:]
        before = found
        play_one(database, tuple(each.bots for each in found.under_way))

    assert watching.get(database, "cup").state == "finished"


def test_a_swiss_says_its_round_and_who_pauses(database: Database) -> None:
    """The matches to come are those of the round that is paired; the last round says that none follows."""
    make_tournament(database, *"abcde", format="swiss:3")
    seen = {}

    while (found := watching.progress(database, "cup").coming) is not None:
        paired = {bot for each in found.under_way + found.coming_next for bot in each.bots}
        assert not paired & set(found.pausing)
        seen[found.round_number] = (found.rounds, found.is_round_to_come, found.pausing)
        play_one(database)

    assert [(number, *told[:2]) for number, told in seen.items()] == [
        (1, 3, True),
        (2, 3, True),
        (3, 3, False),
    ]
    assert [len(told[2]) for told in seen.values()] == [1, 1, 1]
    assert len({told[2] for told in seen.values()}) == 3


def test_before_it_begins_it_says_what_the_entries_would_play(database: Database) -> None:
    """An open tournament plans nothing yet; with too few entries nothing is known."""
    add_bots(database, *"abc")
    tournaments.create(database, TournamentSpec(name="cup", ruleset=preset("mattel"), deal_sets=4))
    assert watching.progress(database, "cup").coming is None

    tournaments.enter(database, "cup", list("abc"))
    found = coming(database)

    assert (found.matches, found.begun, found.waiting) == (3 * 4 * 2, 0, 3)
    assert count_rows(database, "pairing") == 0
    tournaments.start(database, "cup")
    later = coming(database)
    assert later.matches == found.matches
    assert [each.bots for each in later.under_way + later.coming_next] == [
        each.bots for each in found.coming_next
    ]


def test_what_a_suspended_entry_leaves_is_not_to_come(database: Database) -> None:
    """Its pairings are never played on, so nobody waits for them."""
    make_tournament(database, *"abcd", deal_sets=40)
    before = coming(database).matches
    with database.transaction() as connection:
        connection.execute("UPDATE entry SET suspended_at = now() WHERE number = 0")

    found = coming(database)

    assert (before, found.matches) == (6 * 80, 3 * 80)
    assert not any("a@1" in each.bots for each in found.under_way + found.coming_next)


def test_a_ladder_that_was_stopped_rests(database: Database) -> None:
    """Nothing of it is missing, so nothing blocks; any other tournament was interrupted."""
    make_tournament(database, *"abcd", format="ladder", deal_sets=5)
    tournaments.pause(database, "cup")
    resting = status(database, silent_s=30)
    make_tournament(database, *"efgh", name="second")
    tournaments.pause(database, "second")
    both = status(database, silent_s=30)

    assert (list(resting.resting), list(resting.blocks)) == (["cup"], [])
    assert list(both.resting) == ["cup"]
    assert [block.what for block in both.blocks] == ["'second' was interrupted"]
