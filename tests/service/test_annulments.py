"""Promises of annulments, on a real database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arena.errors import UsageError
from arena.ratings.standing import Standing
from arena.service import annulments
from arena.service.annulments import Correction
from arena.service.standings import TournamentCrosstable, tournament_crosstable
from arena.store import matches
from arena.store.matches import PlayedBy
from arena.store.pool import Connection, Database
from arena.store.rows import JobId, NewDeath
from tests.service.test_standings import play, write_tournament

BOTS = ("ann", "bob", "cid")
SETS: Sequence[tuple[int, Sequence[tuple[int, int]], str, str]] = (
    (0, [(0, 1), (0, 0)], "good", "2026-01-01"),
    (1, [(1, 1), (1, 0)], "bad", "2026-01-02"),
    (2, [(2, 2), (1, 2)], "good", "2026-01-03"),
)
"""Of each pairing: its winners by rotation, who played it and when."""
CORRECTIONS = {
    "worker": (Correction(reason="broken", worker="bad"), {1}),
    "version": (Correction(reason="ours", bot="ann@1"), {0, 1}),
    "span": (Correction(reason="heat", since=datetime(2026, 1, 2, 12, tzinfo=UTC)), {2}),
    "two facts": (Correction(reason="both", bot="ann@1", until=datetime(2026, 1, 2, tzinfo=UTC)), {0}),
    "everything": (
        Correction(reason="all", until=datetime(2030, 1, 1, tzinfo=UTC), tournament="cup"),
        {0, 1, 2},
    ),
}


def write(connection: Connection, without: frozenset[int] = frozenset(), name: str = "cup") -> None:
    """Write a tournament in which a process died in every pairing, without some of the pairings' matches."""
    cup = write_tournament(connection, name, BOTS)
    for pairing, winners, worker, day in SETS:
        if pairing in without:
            continue
        play(connection, cup, pairing, winners)
        for rotation in range(2):
            job = JobId(100 * cup.id + 10 * pairing + rotation)
            connection.execute("UPDATE play SET worker = %s WHERE job_id = %s", (worker, job))
            connection.execute("UPDATE match SET played_at = %s::date WHERE job_id = %s", (day, job))
            who = PlayedBy(cup.id, pairing, rotation, job, 1, worker, "strict", "", "")
            matches.add_deaths(connection, who, [NewDeath([1, 2, 2][pairing], "crashed", {})])
            connection.execute("UPDATE death SET died_at = %s::date WHERE job_id = %s", (day, job))


def figures_of(table: TournamentCrosstable) -> Standing:
    """Return a standing without its words."""
    standing = table.found.standing
    return replace(standing, notes=(), rows=tuple(replace(row, note="") for row in standing.rows))


@pytest.mark.parametrize("name", CORRECTIONS)
def test_what_is_annulled_is_as_if_it_had_never_been(database: Database, name: str) -> None:
    """Standing, deaths and crosstable equal those of a tournament without them; undone, the old ones.

    Only why a row has no rating is told otherwise: what it played is annulled.
    """
    correction, pairings = CORRECTIONS[name]
    database.run(write)
    database.run(lambda connection: write(connection, frozenset(pairings), "never"))
    before, never = tournament_crosstable(database, "cup"), tournament_crosstable(database, "never")

    made = annulments.annul(database, correction)
    after = tournament_crosstable(database, "cup")

    assert made.matches == after.found.annulled == 4 * len(pairings)
    assert figures_of(after) == figures_of(never) != figures_of(before)
    annulled = [row.name for row in after.found.standing.rows if row.note]
    assert annulled == [row.name for row in never.found.standing.rows if row.elo is None]
    assert {row.note for row in after.found.standing.rows} <= {"", "all its matches are annulled"}
    assert repr(after.crosstable) == repr(never.crosstable)

    assert annulments.undo(database, made.id).undone_at is not None
    restored = tournament_crosstable(database, "cup")
    assert (restored.found.standing, restored.found.annulled) == (before.found.standing, 0)
    assert [(row.id, row.reason) for row in annulments.list_all(database)] == [(made.id, correction.reason)]


def test_a_match_counts_again_only_when_no_annulment_covers_it(database: Database) -> None:
    """Two annulments of the same matches are undone one by one, in any order; what is played later counts."""
    database.run(write)
    first = annulments.annul(database, Correction(reason="one", worker="bad"))
    second = annulments.annul(database, Correction(reason="two", bot="ann@1"))
    database.run(lambda connection: write(connection, name="later"))

    assert tournament_crosstable(database, "later").found.annulled == 0
    annulments.undo(database, second.id)
    assert tournament_crosstable(database, "cup").found.annulled == first.matches == 4
    annulments.undo(database, first.id)
    assert tournament_crosstable(database, "cup").found.annulled == 0
    with pytest.raises(UsageError, match="undone already"):
        annulments.undo(database, first.id)


@pytest.mark.parametrize(
    ("correction", "why"),
    [
        (Correction(reason=" ", worker="bad"), "a reason"),
        (Correction(reason="x"), "say whose matches"),
        (Correction(reason="x", tournament="cup"), "say whose matches"),
        (Correction(reason="x", worker="nobody"), "no finished match"),
        (Correction(reason="x", bot="eve"), "eve"),
        (Correction(reason="x", worker="bad", tournament="cap"), "no tournament"),
        (
            Correction(reason="x", since=datetime.now(UTC), until=datetime.now(UTC) - timedelta(seconds=1)),
            "not before",
        ),
    ],
)
def test_what_names_no_match_is_refused(database: Database, correction: Correction, why: str) -> None:
    """Nothing is stored, and the sentence says what is wrong."""
    database.run(write)

    with pytest.raises(UsageError, match=why):
        annulments.annul(database, correction)
    with pytest.raises(UsageError, match="no annulment has the number"):
        annulments.undo(database, 2**40)
    assert annulments.list_all(database) == []


def test_what_is_refused_takes_no_number(database: Database) -> None:
    """The numbers of annulments follow each other, however often somebody asked for what nobody played."""
    database.run(write)
    with pytest.raises(UsageError, match="nothing was annulled"):
        annulments.annul(database, Correction(reason="no such", worker="nobody"))
    first = annulments.annul(database, Correction(reason="heat", worker="bad"))
    annulments.undo(database, first.id)
    with pytest.raises(UsageError, match="nothing was annulled"):
        annulments.annul(database, Correction(reason="no such", worker="nobody"))
    second = annulments.annul(database, Correction(reason="heat", worker="good"))

    assert (first.id, second.id) == (1, 2)
