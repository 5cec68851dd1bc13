"""Promises of the formats of stored tournaments: real store, real queue, made up results."""

from collections import Counter

import pytest

from arena.errors import UsageError
from arena.service import jobs, watching
from arena.service.standings import tournament_standing
from arena.store import tournaments as store
from arena.store.pool import Database
from tests.fix_queue import claimed, drain, make_outcome, make_tournament, read_rows

EIGHT = "abcdefgh"


def pairs(database: Database) -> list[tuple[int, ...]]:
    """Return who met whom, by pairing."""
    met = {row.pairing: tuple(sorted(row.entries)) for row in read_rows(database)}
    return [met[number] for number in sorted(met)]


def test_a_gauntlet_is_one_against_all(database: Database) -> None:
    """Only the challenger's tables are played, and its rivals are planned for no more than that."""
    make_tournament(database, *"abcd", format="gauntlet:1")

    drain(database)

    assert sorted(pairs(database)) == [(0, 1), (0, 2), (0, 3)]
    assert watching.get(database, "cup").state == "finished"
    standing = tournament_standing(database, "cup").standing
    assert [row.open_sets for row in standing.rows] == [0, 0, 0, 0]


def test_a_round_robin_is_gone_through_fold_by_fold(database: Database) -> None:
    """No pairing begins its second fold while another has not begun its first one."""
    row = make_tournament(database, *"abc", format="round_robin:3", deal_sets=4)
    played: Counter[int] = Counter()
    while (watching.get(database, "cup")).state == "running":
        lease = claimed(database)
        sets = lease.job.sets

        assert sets[0] // 4 == sets[-1] // 4
        assert sets[0] // 4 <= min(played[number] for number in range(3)) // 4 + 1
        jobs.finish(database, lease, make_outcome(lease))
        played[lease.job.pairing] += len(sets) * (lease.job.rotation == 0)

    assert row.deal_sets == 12
    assert len(read_rows(database)) == 3 * 12 * 2


def test_a_swiss_draws_each_round_from_the_results(database: Database) -> None:
    """Round after round everybody plays once, nobody meets twice, and winners meet winners."""
    make_tournament(database, *EIGHT, format="swiss:4")

    drain(database)

    met = pairs(database)
    assert len(met) == len(set(met)) == 16
    rounds = Counter(row.pairing // 100_000 for row in read_rows(database))
    assert rounds == dict.fromkeys(range(4), 4 * 4 * 2)
    assert watching.get(database, "cup").state == "finished"
    first = [row for row in read_rows(database) if row.pairing < 100_000]
    wins = Counter(row.entries[row.places.index(1)] for row in first)
    best = max(range(8), key=lambda entry: (wins[entry], -entry))
    second = next(
        pair
        for row in read_rows(database)
        if 0 <= row.pairing - 100_000 < 1
        for pair in [tuple(sorted(row.entries))]
    )
    assert best in second


def test_balanced_tables_seat_everybody(database: Database) -> None:
    """At tables of three of seven every pair meets once, in as many tables as were asked for."""
    make_tournament(database, *"abcdefg", format="balanced:7", seats=3, deal_sets=2)

    drain(database)

    met = Counter((a, b) for table in pairs(database) for a in table for b in table if a < b)
    assert set(met.values()) == {1}
    assert len(met) == 21


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "swiss:9"}, "1 to 2 rounds"),
        ({"format": "swiss", "seats": 3}, "tables of two"),
        ({"format": "knockout"}, "no format is called"),
        ({"format": "balanced:1"}, "at least 2 tables"),
        ({"format": "round_robin:10000", "deal_sets": 1000}, r"not 10,000,000 \(10,000 folds of 1,000\)"),
    ],
)
def test_what_a_format_cannot_play_is_refused(
    database: Database, change: dict[str, object], said: str
) -> None:
    """One sentence, and nothing is stored."""
    with pytest.raises(UsageError, match=said):
        make_tournament(database, *"abcd", **change)  # type: ignore[arg-type]
    assert database.run(store.list_tournaments) == []
