"""Promises of a comparison that is stored, on a real database."""

import pytest

from arena.errors import UsageError
from arena.ratings.sequential import Design, Verdict
from arena.rules.presets import preset
from arena.service import annulments, compare, tournaments, watching
from arena.service.annulments import Correction
from arena.service.compare import Compared
from arena.service.standings import tournament_standing
from arena.service.status import status
from arena.service.tournaments import TournamentSpec
from arena.store import bots
from arena.store.pool import Connection, Database
from tests.fix_queue import add_bots, drain, read_rows
from tests.service.test_standings import play, write_tournament


def write(connection: Connection) -> None:
    """Write two bots that may play."""
    write_tournament(connection, "old", ["ann", "bob"])
    connection.execute("UPDATE bot_version SET state = 'checked'")
    assert bots.get_version(connection, "ann").state == "checked"


def spec(*names: str, at_most: int = 500) -> TournamentSpec:
    """Ask for a comparison."""
    return TournamentSpec(name="x", ruleset=preset("mattel"), bots=names, deal_sets=at_most)


def test_the_same_question_goes_on_and_its_verdict_stays(database: Database) -> None:
    """Complete sets count in order up to the first open one; a verdict stays; it is never the latest."""
    database.run(write)
    design = Design()
    row = compare.create(database, spec("ann", "bob"), design)
    tournaments.start(database, row.name)

    assert row.unrated
    assert [found.name for found in watching.list_all(database)] == ["old"]
    assert [found.name for found in watching.list_all(database, unlisted=True)] == [row.name, "old"]
    assert tournament_standing(database).tournament.name == "old"
    assert tournament_standing(database, row.name).tournament.id == row.id
    assert compare.create(database, spec("ann", "bob"), design).id == row.id
    assert compare.create(database, spec("ann", "bob", at_most=7), design).id == row.id
    assert compare.create(database, spec("ann", "bob"), Design(50.0)).id != row.id
    assert not compare.look(database, row.name, design, 500).over

    wins = [(0, 0)] * 50
    database.run(lambda connection: play(connection, row, 0, [*wins, (0, -1), (0, 0)]))
    found = compare.look(database, row.name, design, 500)
    compare.stop(database, row.name)

    assert (found.comparison.verdict, found.comparison.sets) == (Verdict.FIRST, 30)
    assert found.told_from("ann@1") == found
    turned = found.told_from(compare.name_version(database, "bob"))
    assert (turned.labels, turned.comparison.verdict) == (("bob@1", "ann@1"), Verdict.SECOND)
    assert turned.comparison.score == 1 - (found.comparison.score or 0)
    again = compare.look(database, row.name, design, 500)
    assert (again.over, again.comparison, again.stands) == (True, found.comparison, True)
    assert list(status(database, silent_s=30).blocks) == []


def test_only_two_different_bots_are_compared(database: Database) -> None:
    """A bot against itself, or more bots than two, are refused in one line."""
    database.run(write)

    with pytest.raises(UsageError, match="with itself"):
        compare.create(database, spec("ann", "ann@1"), Design())
    with pytest.raises(UsageError, match="two different bots"):
        compare.create(database, spec("ann"), Design())


def test_the_open_set_holds_up_those_behind_it(database: Database) -> None:
    """A set that was finished early does not count before the ones ahead of it."""
    database.run(write)
    row = compare.create(database, spec("ann", "bob"), Design())
    tournaments.start(database, row.name)

    database.run(lambda connection: play(connection, row, 0, [(0, 1), (1, -1), (1, 1)]))

    told = compare.look(database, row.name, Design(), 500).comparison
    assert (told.sets, told.score) == (1, 0.5)


def test_annulled_sets_are_passed_over(database: Database) -> None:
    """As if they had never been begun: those behind them count, and the comparison can still decide."""
    database.run(write)
    row = compare.create(database, spec("ann", "bob"), Design())
    tournaments.start(database, row.name)
    database.run(lambda connection: play(connection, row, 0, [(1, 1), *[(0, 0)] * 40]))
    with database.transaction() as connection:
        connection.execute("UPDATE match SET annulled_at = now() WHERE deal_set = 0 OR deal_set = 5")

    found = compare.look(database, row.name, Design(), 500)

    assert (found.annulled, found.comparison.verdict) == (2, Verdict.FIRST)
    assert found.comparison.sets >= 30


def test_the_order_of_the_two_asks_nothing_new(database: Database) -> None:
    """Whoever is named first: the verdict of the one question is that of the other."""
    database.run(write)

    assert compare.create(database, spec("bob", "ann"), Design()).id == (
        compare.create(database, spec("ann", "bob"), Design()).id
    )


def ask(database: Database, at_most: int, design: Design) -> Compared:
    """Ask how `a` and `b` compare, and play what that takes; results are made up from the keys."""
    row = compare.create(database, spec("a", "b", at_most=at_most), design)
    while not (found := compare.look(database, row.name, design, at_most)).over:
        if found.stands:
            compare.go_on(database, found, workers=1, job_seconds=2.0)
        assert drain(database)
    compare.stop(database, row.name)
    return found


def test_who_asks_for_more_deal_sets_goes_on(database: Database) -> None:
    """What was played counts, no deal set is played twice, and whoever asks for fewer reads what is known."""
    add_bots(database, "a", "b")
    design = Design(0.1)

    few = ask(database, 20, design)
    played = read_rows(database, few.tournament.name)
    more = ask(database, 50, design)
    fewer = ask(database, 30, design)

    assert (few.comparison.decided, few.comparison.sets, len(played)) == (False, 20, 40)
    assert (more.tournament.id, more.comparison.sets, more.comparison.decided) == (
        few.tournament.id,
        50,
        False,
    )
    assert (fewer.comparison, fewer.over) == (more.comparison, True)
    rows = read_rows(database, few.tournament.name)
    assert rows[:40] == played
    assert [(row.deal_set, row.rotation) for row in rows] == [(n, r) for n in range(50) for r in range(2)]


def test_what_was_annulled_after_all_was_played_is_made_up_for(database: Database) -> None:
    """As many deal sets count in the end as were asked for."""
    add_bots(database, "a", "b")
    found = ask(database, 40, Design(0.1))
    worker = annulments.annul(
        database, Correction(reason="hot", worker="w1", tournament=found.tournament.name)
    )

    again = ask(database, 40, Design(0.1))

    assert worker.matches == 80
    assert (again.annulled, again.comparison.sets) == (40, 40)
    assert {row.deal_set for row in read_rows(database, found.tournament.name)} == set(range(80))


def test_a_verdict_whose_deal_sets_are_annulled_is_asked_for_anew(database: Database) -> None:
    """The comparison plays on: what was decided by matches that do not count is decided no longer."""
    database.run(write)
    design = Design()
    row = compare.create(database, spec("ann", "bob"), design)
    tournaments.start(database, row.name)
    database.run(lambda connection: play(connection, row, 0, [(0, 0)] * 40))
    assert compare.look(database, row.name, design, 500).comparison.verdict is Verdict.FIRST
    compare.stop(database, row.name)
    annulments.annul(database, Correction(reason="ours", bot="ann@1", tournament=row.name))

    found = compare.look(database, row.name, design, 500)
    compare.go_on(database, found, workers=1, job_seconds=2.0)
    now = compare.look(database, row.name, design, 500)

    assert (found.over, found.stands, found.comparison.verdict) == (False, True, Verdict.OPEN)
    assert (now.stands, now.tournament.deal_sets) == (False, 540)


def test_who_was_suspended_ends_a_comparison(database: Database) -> None:
    """Nothing more can be played, whatever is asked for, and it says why."""
    add_bots(database, "a", "b")
    found = ask(database, 20, Design(0.1))
    with database.transaction() as connection:
        connection.execute("UPDATE entry SET suspended_at = now() WHERE number = 1")

    again = ask(database, 50, Design(0.1))

    assert (again.stuck, again.suspended, again.comparison) == (True, ("b@1",), found.comparison)
