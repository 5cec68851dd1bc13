"""Promises of ending a tournament and of carrying it elsewhere, with the real command on real databases."""

import json

import pytest

from arena.service import watching
from arena.store.pool import Connection, Database
from tests.fix_db import make_database
from tests.fix_terminal import Commands
from tests.service.test_matches import store_matches


@pytest.fixture
def cup(database: Database, database_url: str) -> str:
    """Give the URL of an arena with a tournament under way, two matches of which are played."""

    def write(connection: Connection) -> None:
        store_matches(connection)
        connection.execute("UPDATE pairing SET matches_done = 2")

    database.run(write)
    return database_url


def test_cancelling_is_for_good_and_says_so_first(cup: str, database: Database, arena: Commands) -> None:
    """Without --yes nothing happens; with it the tournament is over, once."""
    refused = arena("tournament", "cancel", "cup", ARENA_DATABASE_URL=cup)

    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "2 of 4 matches of cup are played and would stay" in refused.err
    assert watching.get(database, "cup").state == "running"
    done = arena("tournament", "cancel", "cup", "--yes", ARENA_DATABASE_URL=cup)
    assert done.code == 0
    assert done.out.startswith(
        "cup: cancelled; 2 of 4 matches are played; 2 are cancelled, not forfeited: "
        "the tournament was cancelled"
    )
    again = arena("tournament", "cancel", "cup", "--yes", ARENA_DATABASE_URL=cup)
    assert (again.code, "is cancelled already" in again.err) == (2, True)


def test_a_tournament_goes_from_one_arena_to_another(cup: str, postgres: object, arena: Commands) -> None:
    """Cancel, export, import, look: the same standing; a file is not written over by chance."""
    early = arena("tournament", "export", "cup", ARENA_DATABASE_URL=cup)
    assert (early.code, "its cards are not to be shown before its end" in early.err) == (2, True)
    assert not (arena.folder / "cup.jsonl").exists()
    arena("tournament", "cancel", "cup", "--yes", ARENA_DATABASE_URL=cup)
    with make_database(postgres) as other:  # type: ignore[arg-type]
        written = json.loads(arena("tournament", "export", "cup", "--json", ARENA_DATABASE_URL=cup).out)
        again = arena("tournament", "export", "cup", ARENA_DATABASE_URL=cup)
        read = arena("tournament", "import", "cup.jsonl", ARENA_DATABASE_URL=other)
        refused = arena("tournament", "import", "cup.jsonl", ARENA_DATABASE_URL=other)
        standings = [
            json.loads(arena("standings", "cup", "--json", ARENA_DATABASE_URL=url).out)
            for url in (cup, other)
        ]

    assert (arena.folder / written["path"]).stat().st_size == written["bytes"]
    assert (again.code, "is there already" in again.err) == (2, True)
    assert read.code == 0
    assert "2 matches, each proved from its record" in read.out
    assert (refused.code, "into an empty one" in refused.err) == (2, True)
    assert standings[0] == standings[1]
    assert standings[0]["matches"] == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no such file"), (b"\xff\xfe", "no text in UTF-8"), (b"", "stops after line 0")],
)
def test_what_is_no_file_of_a_tournament(
    content: bytes | None, said: str, database_url: str, arena: Commands
) -> None:
    """One line says what is wrong with it."""
    if content is not None:
        (arena.folder / "some.jsonl").write_bytes(content)
    refused = arena("tournament", "import", "some.jsonl", ARENA_DATABASE_URL=database_url)

    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert said in refused.err
