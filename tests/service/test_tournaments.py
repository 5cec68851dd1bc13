"""Promises about tournaments: what is refused before anything is stored, and what is fixed when."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from arena.botproc.limits import make_ceiling
from arena.errors import UsageError
from arena.match.plan import ClockSettings
from arena.rules.presets import parse_ruleset, preset
from arena.service import tournaments, watching
from arena.service.ceilings import ceiling_of
from arena.service.tournaments import TournamentSpec, create, enter, start
from arena.store import bots as bot_store
from arena.store.pool import Database
from arena.tournament.seeds import hash_secret, make_tournament_key
from tests.fix_queue import SECRET, OpenDatabase, add_bots, claimed, drain, make_tournament, read_rows, take

SPEC = TournamentSpec(name="cup", ruleset=preset("mattel"), bots=("a", "b"), deal_sets=4)

BIG_HANDS = parse_ruleset('base = "mattel"\nhand_size = 50')


def counts(database: Database) -> tuple[int, ...]:
    """Return how many tournaments, entries, pairings and jobs are stored."""
    with database.transaction() as connection:
        rows = [
            connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
            for table in ("tournament", "entry", "pairing", "job")
        ]
    return tuple(int(str(row[0])) for row in rows if row is not None)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bots": ("a",)}, "a table of 2 needs at least 2 entries, and there is 1"),
        ({"bots": ("a", "nobody")}, "no bot is named 'nobody'"),
        ({"bots": ("a", "greedy")}, "`arena bot submit .*/greedy` stores the project's own"),
        ({"bots": ("a", "failing")}, "no version that passed its check"),
        ({"bots": ("a", "failing@1")}, "has not passed its check"),
        ({"bots": ("a", "a")}, "entered twice; --twin"),
        ({"bots": ("a", "A@1")}, "entered twice"),
        ({"twins": ("c",)}, "a twin was asked for 'c', which is not entered"),
        ({"seats": 1}, "a table of 1 seats is not played"),
        ({"seats": 11}, "a table of 11 seats is not played"),
        ({"seats": 3}, "a table of 3 needs at least 3 entries"),
        ({"deal_sets": 0}, "deal sets of a pairing: 1 to 1,000,000 are possible, not 0$"),
        ({"deal_sets": 10**12}, "deal sets of a pairing: 1 to 1,000,000"),
        ({"name": ""}, "tournament name '' is not allowed"),
        ({"name": "a/b"}, "not allowed"),
        ({"name": "x" * 1_000_000}, "not allowed"),
        ({"name": "\N{RIGHT-TO-LEFT OVERRIDE}cup"}, "not allowed"),
        ({"secret": b"short"}, "a secret has 32 bytes"),
        ({"clock": ClockSettings(budget_ms=1000)}, "a match could last"),
        (
            {"ruleset": parse_ruleset('base = "mattel"\nhand_size = 50\nplayers = "2-10"'), "seats": 3},
            "hands of 50",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_and_nothing_is_stored(
    database: Database, change: dict[str, Any], said: str
) -> None:
    """Every impossible wish is one sentence, and no row remains of it."""
    add_bots(database, "a", "b", "failing")
    version = database.run(lambda connection: bot_store.get_version(connection, "failing@1"))
    database.run(
        lambda connection: bot_store.set_checked(connection, version.id, passed=False, report="", stderr="")
    )

    with pytest.raises(UsageError, match=said) as caught:
        create(database, replace(SPEC, **change))

    assert len(str(caught.value)) < 300
    assert counts(database) == (0, 0, 0, 0)


def test_no_bot_enters_that_asks_for_more_than_is_granted(database: Database) -> None:
    """The ceiling of a tournament holds when it is created and when bots enter; its jobs grant just that."""
    add_bots(database, "a", "b")
    add_bots(database, "big", limits="limits.memory_mib = 400")
    low = replace(SPEC, bots=(), ceiling=make_ceiling(256, 64, 500))

    with pytest.raises(UsageError, match=r"big@1 cannot enter 'cup'.* asks for 400, at most 256 is granted"):
        create(database, replace(low, bots=("a", "big")))
    assert counts(database)[:2] == (0, 0)
    create(database, low)
    with pytest.raises(UsageError, match="at most 256"):
        enter(database, "cup", ["a", "big"])
    enter(database, "cup", ["a", "b"])
    made = create(database, replace(SPEC, name="other", bots=("a", "big")))

    assert counts(database)[:2] == (2, 4)
    assert made.memory_mib == 512
    start(database, "cup")
    assert ceiling_of(claimed(database).tournament) == low.ceiling


@pytest.mark.parametrize(
    ("memory_mib", "processes", "said"),
    [
        (40, 64, "names no memory_mib, passed its check with 256, and 40 is"),
        (512, 4, "names no processes, passed its check with 64, and 4 is"),
    ],
)
def test_no_bot_enters_that_was_checked_with_more(
    database: Database, memory_mib: int, processes: int, said: str
) -> None:
    """A bot that asks for nothing needs what its check granted; one that asked for so little may enter."""
    add_bots(database, "a", "b")
    add_bots(database, "modest", limits=f"limits.memory_mib = 40\nlimits.processes = {processes}")
    low = replace(SPEC, bots=(), ceiling=make_ceiling(memory_mib, processes))
    create(database, low)

    with pytest.raises(UsageError, match=f"a@1 cannot enter 'cup'.*{said}"):
        enter(database, "cup", ["a"])
    assert [row.bot for row in enter(database, "cup", ["modest"])] == ["modest"]
    least = make_ceiling(memory_mib, processes)  # where no check grants more, it is enough
    assert len(enter(database, "cup", ["a"], most=least)) == 2


def test_newer_versions_that_do_not_play_are_told(database: Database) -> None:
    """Whoever sent a new version hears that an existing tournament goes on with the old one."""
    add_bots(database, "a", "b")
    create(database, SPEC)
    assert watching.find_outdated(database, "cup") == []

    add_bots(database, "b", limits="limits.processes = 60")

    assert watching.find_outdated(database, "cup") == ["b@1 plays, and not its newest version b@2"]
    create(database, replace(SPEC, name="next"))
    assert watching.find_outdated(database, "next") == []


def test_the_same_arguments_are_the_same_tournament(database: Database) -> None:
    """Creating it again goes on with it; other arguments under its name are refused."""
    add_bots(database, "a", "b")

    first = create(database, SPEC)
    again = create(database, replace(SPEC, name="CUP"))

    assert first == again
    for change in ({"deal_sets": 5}, {"bots": ("b", "a")}, {"open_hands": True}, {"secret": SECRET}):
        with pytest.raises(UsageError, match="exists with other arguments"):
            create(database, replace(SPEC, **change))  # type: ignore[arg-type]
    assert counts(database)[:2] == (1, 2)


def test_created_by_two_at_once_there_is_one(open_database: OpenDatabase) -> None:
    """Two runs of one tournament at the same moment make one, with one set of entries."""
    add_bots(open_database(), "a", "b")
    made: list[int] = []
    threads = [
        threading.Thread(
            target=lambda database: made.append(create(database, SPEC).id), args=(open_database(),)
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(made)) == 1
    assert counts(open_database())[:2] == (1, 2)


def test_entries_may_be_open_while_the_secret_is_already_bound(database: Database) -> None:
    """Without bots the hash of the secret stands first, and what is proved says so."""
    add_bots(database, "a", "b", "c")
    made = create(database, replace(SPEC, bots=()))
    enter(database, "cup", ["a", "b"])
    entries = enter(database, "cup", ["c"], twins=["c"])

    started = start(database, "cup")

    assert [entry.label for entry in entries] == ["a@1", "b@1", "c@1", "c@1 (twin)"]
    assert (made.proven, made.secret_hash, made.tournament_key) == (True, hash_secret(started.secret), None)
    assert started.tournament_key == make_tournament_key(
        started.secret, started.ruleset_digest, [entry.digest for entry in entries]
    )
    with pytest.raises(UsageError, match="entries are closed"):
        enter(database, "cup", ["a"])


def test_deals_are_repeatable_but_not_proven_when_bots_came_first(database: Database) -> None:
    """Created with its bots, or with a given secret, a tournament does not claim unchosen deals."""
    add_bots(database, "a", "b")

    assert not create(database, SPEC).proven
    assert not create(database, replace(SPEC, name="other", bots=(), secret=SECRET)).proven


def test_the_same_secret_repeats_the_deals(database: Database) -> None:
    """Two tournaments with one secret, ruleset and versions have the same key; without it they differ."""
    add_bots(database, "a", "b")
    keys = []
    for name, secret in (("one", SECRET), ("two", SECRET), ("three", None)):
        create(database, replace(SPEC, name=name, secret=secret))
        keys.append(start(database, name).tournament_key)

    assert keys[0] == keys[1] != keys[2]


def test_too_few_entries_keep_a_tournament_open(database: Database) -> None:
    """Starting with one entry is refused and the entries stay open."""
    add_bots(database, "a", "b")
    create(database, replace(SPEC, bots=()))
    enter(database, "cup", ["a"])

    with pytest.raises(UsageError, match="needs at least 2 entries"):
        start(database, "cup")

    enter(database, "cup", ["b"])
    assert start(database, "cup").state == "running"


def test_an_isolation_of_none_makes_it_unrated(database: Database) -> None:
    """Matches without a sandbox enter no wider standing."""
    add_bots(database, "a", "b")

    assert create(database, replace(SPEC, isolation="none")).unrated
    assert not create(database, replace(SPEC, name="other")).unrated


def test_starting_again_goes_on(database: Database) -> None:
    """Starting a running tournament plans nothing twice; a finished or cancelled one stays so."""
    make_tournament(database, "a", "b", deal_sets=20)
    before = counts(database)

    assert start(database, "cup").state == "running"
    assert counts(database) == before
    drain(database)
    assert start(database, "cup").state == "finished"
    assert len(read_rows(database)) == 40

    create(database, replace(SPEC, name="other"))
    tournaments.cancel(database, "other")
    with pytest.raises(UsageError, match="was cancelled"):
        start(database, "other")
    with pytest.raises(UsageError, match="is cancelled already"):
        tournaments.cancel(database, "other")


def test_jobs_are_planned_as_they_are_needed(database: Database) -> None:
    """A large tournament has a few jobs at any time, the first ones small, and grows with measured speed."""
    make_tournament(database, *"abcdef", deal_sets=400)
    first = counts(database)[3]
    lease = take(database)
    assert lease is not None
    drain(database)

    with database.transaction() as connection:
        sizes = connection.execute("SELECT matches FROM job ORDER BY id").fetchall()
    assert first <= 4
    assert [size for (size,) in sizes[:2]] == [16, 16]
    assert max(int(str(size)) for (size,) in sizes) > 16


def test_only_bots_that_nobody_has_seen_begin_with_a_small_job(database: Database) -> None:
    """Who met others is as fast as with the slowest; no pairing is cut for workers that have others."""
    make_tournament(database, *"abcdef", deal_sets=100, workers=2)
    drain(database)

    with database.transaction() as connection:
        jobs = connection.execute(
            "SELECT entries, array_agg(matches ORDER BY id) FROM job JOIN pairing USING (tournament_id)"
            " WHERE pairing.number = job.pairing GROUP BY pairing, entries ORDER BY min(id)"
        ).fetchall()
    seen: set[int] = set()
    small = 0
    for entries, sizes in jobs:
        assert isinstance(entries, list)
        assert sizes in ([16, 16, 84, 84], [100, 100], [50] * 4)
        is_small = sizes[0] == 16
        assert is_small or seen >= set(entries)
        small += is_small
        seen |= set(entries)
    assert small < len(jobs) / 2
    assert [100, 100] in [sizes for _, sizes in jobs]


def test_progress_counts_what_is_written(database: Database) -> None:
    """The live table shows matches, wins and jobs under way."""
    make_tournament(database, "a", "b", "c", deal_sets=20)
    drain(database)
    rows = read_rows(database)

    watched = watching.progress(database, "cup")

    assert (watched.totals.matches, watched.totals.done, watched.totals.pairings) == (120, 120, 3)
    assert [entry.matches for entry in watched.entries] == [80, 80, 80]
    assert [entry.wins for entry in watched.entries] == [
        sum(row.entries[row.places.index(1)] == number for row in rows) for number in range(3)
    ]


def test_progress_shows_the_jobs_under_way(database: Database) -> None:
    """A leased job stands with its bots, its worker and its progress."""
    make_tournament(database, "a", "b", deal_sets=20)
    lease = take(database, "w7")
    assert lease is not None
    with database.transaction() as connection:
        connection.execute("UPDATE job SET progress = 3, decisions = 99 WHERE id = %s", (lease.job.id,))

    (running,) = watching.progress(database, "cup").running

    assert (list(running.bots), running.worker, running.progress, running.decisions) == (
        ["a@1", "b@1"],
        "w7",
        3,
        99,
    )
