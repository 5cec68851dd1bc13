"""Promises of a ladder: real store, real queue, made up results."""

from collections import Counter

import pytest

from arena.errors import UsageError
from arena.ratings.needs import is_scout
from arena.service import jobs, ladder, roster, tournaments, watching
from arena.service.play import plan_tables
from arena.service.standings import tournament_standing
from arena.store.pool import Database
from arena.tournament import seeds
from arena.tournament.seeds import hash_secret, make_part_secret
from tests.fix_queue import SECRET, add_bots, claimed, make_outcome, make_tournament, read_rows, take


def play(database: Database, amount: int) -> None:
    """Play some jobs of a season that never ends."""
    for _ in range(amount):
        lease = claimed(database)
        assert jobs.finish(database, lease, make_outcome(lease))


def helpings(database: Database) -> dict[int, tuple[int, ...]]:
    """Return who met in which helping."""
    return {row.pairing: tuple(sorted(row.entries)) for row in read_rows(database)}


def test_a_season_goes_on_and_its_scouts_never_count(database: Database) -> None:
    """There is always a job to take; the standing is of the helpings that count, and says that it is open."""
    make_tournament(database, *"abcd", format="ladder", deal_sets=5)
    play(database, 24)

    found = tournament_standing(database, "cup")

    played = Counter(row.pairing for row in read_rows(database))
    counted = [number for number in played if not is_scout(number)]
    assert len(played) == 12
    assert found.tournament.state == "running"
    assert not found.complete
    assert found.standing.matches == sum(played[number] for number in counted) == 9 * 5 * 2


def test_every_helping_that_is_not_over_can_be_seen(database: Database) -> None:
    """It is begun, played in part or by none, or to come; nothing else is."""
    make_tournament(database, *"abcd", format="ladder", deal_sets=5)
    play(database, 7)

    season = ladder.look(database, watching.get(database, "cup"))

    played = Counter(row.pairing for row in read_rows(database))
    over = {number for number, matches in played.items() if matches == 5 * 2}
    begun, coming = ({each.number for each in lot} for lot in (season.begun, season.coming))
    assert begun >= set(played) - over
    assert not begun & coming
    assert begun | coming == set(range(season.helpings)) - over


def test_who_enters_a_season_plays_first(database: Database) -> None:
    """A newcomer of a running ladder is in the very next helpings that are chosen."""
    make_tournament(database, *"abcd", format="ladder", deal_sets=5)
    play(database, 30)
    before = ladder.look(database, watching.get(database, "cup")).helpings
    add_bots(database, "new")

    tournaments.enter(database, "cup", ["new"])
    play(database, 30)

    met = helpings(database)
    later = [met[number] for number in sorted(met) if number >= before and not is_scout(number)]
    assert all(4 in table for table in later[:4])
    assert len(set(later[:4])) == 4


def test_a_retired_version_rests_and_the_others_go_on(database: Database) -> None:
    """Nothing more is chosen for it, what it played stays, and two are enough to go on."""
    make_tournament(database, *"abc", format="ladder", deal_sets=5)
    play(database, 16)
    seen = len(read_rows(database))

    roster.retire(database, "c@1", "tester")
    play(database, 12)

    season = ladder.look(database, watching.get(database, "cup"))
    assert season.resting == ("c@1",)
    late = {tuple(sorted(row.entries)) for row in read_rows(database)[-12:]}
    assert late == {(0, 1)}
    assert len(read_rows(database)) > seen
    assert [row.name for row in tournament_standing(database, "cup").standing.rows].count("c@1") == 1


def test_a_season_needs_two_that_play_on(database: Database) -> None:
    """One that is left alone is told so, and nobody waits for ever."""
    make_tournament(database, *"ab", format="ladder", deal_sets=5)
    roster.retire(database, "b@1", "tester")
    while (lease := take(database)) is not None:
        jobs.finish(database, lease, make_outcome(lease))

    with pytest.raises(UsageError, match="fewer than 2 entries that play on"):
        tournaments.start(database, "cup")


def test_deals_come_from_the_versions_that_meet_and_never_twice(database: Database) -> None:
    """Two helpings of one pair share no deal; who else is entered changes none; the secret has parts."""
    make_tournament(database, *"ab", format="ladder", deal_sets=5)
    first = claimed(database)
    keys = [plan.set_key for plan in plan_tables(first)]
    jobs.finish(database, first, make_outcome(first))
    while (lease := claimed(database)).job.pairing == first.job.pairing:
        assert [plan.set_key for plan in plan_tables(lease)] == keys
        jobs.finish(database, lease, make_outcome(lease))
    assert not {plan.set_key for plan in plan_tables(lease)} & set(keys)

    add_bots(database, "c")
    tournaments.enter(database, "cup", ["c"])

    season = ladder.look(database, watching.get(database, "cup"))
    assert season.parts == (ladder.Part(0, hash_secret(make_part_secret(SECRET, 0)), None),)
    tournaments.cancel(database, "cup")
    over = ladder.look(database, watching.get(database, "cup"))
    assert over.parts[0].secret == make_part_secret(SECRET, 0)


def test_a_part_is_published_when_all_of_it_is_played(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every few deal sets the secret is new; the old ones are seen and fit their hashes."""
    monkeypatch.setattr(seeds, "PART_SETS", 10)
    make_tournament(database, *"ab", format="ladder", deal_sets=5)
    play(database, 10)

    parts = ladder.look(database, watching.get(database, "cup")).parts

    assert len(parts) >= 3
    assert [part.secret for part in parts[:2]] == [make_part_secret(SECRET, 0), make_part_secret(SECRET, 1)]
    assert [part.secret_hash for part in parts] == [
        hash_secret(make_part_secret(SECRET, part.number)) for part in parts
    ]
    assert parts[-1].secret is None


def test_wins_are_counted_for_ever(database: Database) -> None:
    """After a million wins of one pairing the counters go on: the live table overflows never."""
    make_tournament(database, *"ab", format="ladder", deal_sets=5)
    with database.transaction() as connection:
        connection.execute("UPDATE pairing SET wins = ARRAY[2520000000, 0]")

    play(database, 2)

    best = watching.progress(database, "cup").entries[0]
    assert best.wins >= 1_000_000
