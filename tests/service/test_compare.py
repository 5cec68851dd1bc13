"""Promises of a comparison that is stored, on a real database."""

import pytest

from arena.errors import UsageError
from arena.ratings.sequential import Design, Verdict
from arena.rules.presets import preset
from arena.service import compare, tournaments, watching
from arena.service.standings import tournament_standing
from arena.service.tournaments import TournamentSpec
from arena.store import bots
from arena.store.pool import Connection, Database
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
    assert compare.create(database, spec("ann", "bob", at_most=7), design).id != row.id
    assert not compare.look(database, row.name, design).over

    wins = [(0, 0)] * 50
    database.run(lambda connection: play(connection, row, 0, [*wins, (0, -1), (0, 0)]))
    found = compare.look(database, row.name, design)
    compare.stop(database, row.name)

    assert (found.comparison.verdict, found.comparison.sets) == (Verdict.FIRST, 30)
    again = compare.look(database, row.name, design)
    assert (again.over, again.comparison, again.tournament.state) == (True, found.comparison, "cancelled")


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

    told = compare.look(database, row.name, Design()).comparison
    assert (told.sets, told.score) == (1, 0.5)


def test_annulled_sets_are_passed_over(database: Database) -> None:
    """As if they had never been begun: those behind them count, and the comparison can still decide."""
    database.run(write)
    row = compare.create(database, spec("ann", "bob"), Design())
    tournaments.start(database, row.name)
    database.run(lambda connection: play(connection, row, 0, [(1, 1), *[(0, 0)] * 40]))
    with database.transaction() as connection:
        connection.execute("UPDATE match SET annulled_at = now() WHERE deal_set = 0 OR deal_set = 5")

    found = compare.look(database, row.name, Design())

    assert (found.annulled, found.comparison.verdict) == (2, Verdict.FIRST)
    assert found.comparison.sets >= 30


def test_the_order_of_the_two_asks_nothing_new(database: Database) -> None:
    """Whoever is named first: the verdict of the one question is that of the other."""
    database.run(write)

    assert compare.create(database, spec("bob", "ann"), Design()).id == (
        compare.create(database, spec("ann", "bob"), Design()).id
    )
