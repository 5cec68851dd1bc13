"""Promises of a bot's record and of retiring it, on a real database."""

from collections import Counter
from dataclasses import replace

import pytest

from arena.errors import UsageError
from arena.rules.presets import preset
from arena.service import bots, jobs, roster, tournaments, watching
from arena.service.annulments import Correction, annul
from arena.service.records import read_record
from arena.service.tournaments import TournamentSpec
from arena.store.pool import Database
from arena.store.rows import NewDeath, NewFault
from tests.fix_queue import drain, make_outcome, make_tournament, read_rows, take


@pytest.mark.parametrize("seats", [2, 3])
def test_a_record_is_what_the_matches_say(database: Database, seats: int) -> None:
    """Wins, and wins and losses against each other bot, over two tournaments, as counted from the rows.

    What is annulled does not count, nor does a tournament of which all is.
    """
    make_tournament(database, "a", "b", "c", seats=seats, deal_sets=6)
    drain(database)
    make_tournament(database, "a", "c", "d", seats=seats, deal_sets=3, name="league")
    drain(database)
    annul(database, Correction(reason="d was broken", bot="d", tournament="league"))

    found = read_record(database, "a")

    total: Counter[str] = Counter()
    met: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for name, entries in (("cup", "abc"), ("league", "acd")):
        for row in read_rows(database, name):
            seated = [entries[number] for number in row.entries]
            if "a" not in seated or "d" in seated:
                continue
            winner = seated[row.places.index(1)]
            total.update({"matches": 1, "wins": winner == "a"})
            for other in set(seated) - {"a"}:
                met[other] += 1
                won[other] += winner == "a"
                lost[other] += winner == other
    watched = watching.progress(database, "league")
    counted = [row for row in read_rows(database, "league") if set(row.entries) == {0, 1} and seats == 2]
    assert [line.matches for line in watched.entries] == [len(counted), len(counted), 0]
    assert sum(line.wins for line in watched.entries) == len(counted)
    assert watched.annulled == watched.totals.done - len(counted)
    assert (found.total.tournaments, found.total.matches, found.total.wins) == (
        2 if seats == 2 else 1,
        total["matches"],
        float(total["wins"]),
    )
    assert {row.bot: (row.matches, row.wins, row.losses) for row in found.rivals} == {
        name: (met[name], float(won[name]), float(lost[name])) for name in met
    }
    assert [row.matches for row in found.rivals] == sorted(met.values(), reverse=True)
    assert len(read_record(database, "a", rivals=1).rivals) == 1
    assert read_record(database, "d").total.tournaments == 0
    assert total["matches"] < sum(
        "a" in [entries[number] for number in row.entries]
        for name, entries in (("cup", "abc"), ("league", "acd"))
        for row in read_rows(database, name)
    )


def test_faults_are_told_by_kind(database: Database) -> None:
    """Each kind with its number of matches, whoever else was at fault there, and the deaths beside them."""
    make_tournament(database, "a", "b", deal_sets=3)
    lease = take(database)
    assert lease is not None
    outcome = make_outcome(lease)
    kinds = [["timed_out", "crashed"], ["timed_out", ""], ["crashed", "illegal_move"]]
    matches = [
        replace(
            match,
            faults=[
                NewFault(match.entries.index(entry), kind, {}) for entry, kind in enumerate(both) if kind
            ],
        )
        for match, both in zip(outcome.matches, kinds, strict=True)
    ]
    assert jobs.finish(
        database, lease, replace(outcome, matches=matches, deaths=[NewDeath(0, "crashed", {})])
    )

    a, b = read_record(database, "a"), read_record(database, "b")
    annul(database, Correction(reason="a broken machine", bot="a"))
    nothing = read_record(database, "a")

    assert (nothing.total.matches, nothing.total.faults, nothing.faults, nothing.deaths) == (0, 0, [], 0)
    assert (a.total.annulled, nothing.total.annulled) == (0, a.total.matches)
    assert [(row.kind, row.matches) for row in a.faults] == [("timed_out", 2), ("crashed", 1)]
    assert [(row.kind, row.matches) for row in b.faults] == [("crashed", 1), ("illegal_move", 1)]
    assert (a.total.faults, a.deaths, b.total.faults, b.deaths) == (3, 1, 2, 0)


def test_a_bot_that_never_played_has_an_empty_record(database: Database) -> None:
    """No match, no opponent, no fault."""
    bots.register(database, "idle", "tester")

    found = read_record(database, "idle")

    assert (found.total.matches, found.total.tournaments, found.rivals, found.faults, found.deaths) == (
        0, 0, [], [], 0,
    )  # fmt: skip
    with pytest.raises(UsageError, match="did you mean 'idle'"):
        read_record(database, "idel")


def test_a_retired_bot_takes_no_new_tournament_until_it_is_brought_back(database: Database) -> None:
    """Under its name and under its version; what it is entered in is played, its record stays."""
    make_tournament(database, "a", "b", deal_sets=2)

    assert roster.retire(database, "a", "tester").is_retired
    assert roster.retire(database, "a", "tester").is_retired  # twice is as once
    drain(database)
    spec = TournamentSpec(name="next", ruleset=preset("mattel"), bots=("a", "b"))
    for reference in ("a", "a@1"):
        with pytest.raises(UsageError, match=r"retired.*arena bot retire a.* --undo"):
            tournaments.create(database, replace(spec, bots=(reference, "b")))

    assert read_record(database, "a").total.matches == 4
    assert [row.name for row in watching.list_all(database)] == ["cup"]
    assert not roster.retire(database, "a@1", "tester", undo=True).is_retired
    assert tournaments.create(database, spec).state == "open"


@pytest.mark.parametrize(
    ("reference", "owner", "said"),
    [
        ("a", "somebody", "belongs to 'tester'"),
        ("aa", "tester", "did you mean 'a'"),
        ("a@7", "tester", "names no version"),
        ("idle", "tester", "only what passed its check"),
    ],
)
def test_who_may_retire_what(database: Database, reference: str, owner: str, said: str) -> None:
    """Its owner alone, and only what could play; anything else changes nothing."""
    make_tournament(database, "a", "b")
    bots.register(database, "idle", "tester")

    with pytest.raises(UsageError, match=said):
        roster.retire(database, reference, owner)

    assert not roster.show(database, "a").is_retired
