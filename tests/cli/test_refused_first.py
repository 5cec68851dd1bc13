"""Promises about what is refused before anything slow begins: no worker starts, no bot is built for it."""

import os
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.rules.presets import preset
from arena.service import roster
from arena.service.tournaments import TournamentSpec, create, enter
from arena.store.pool import Database
from tests.fix_db import all_rows
from tests.fix_queue import add_bots, make_tournament

HALL = Path("hall")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in an empty folder, with a database and a queue that nobody serves."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    monkeypatch.setenv("ARENA_BROKER_URL", "redis+socket:///nowhere/socket")
    monkeypatch.setenv("ARENA_DATA_FOLDER", str(HALL))
    monkeypatch.chdir(tmp_path)


def test_what_cannot_be_run_starts_no_workers(
    database: Database, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    """A tournament with too few entries, a ladder of which one plays on: refused before workers start."""
    add_bots(database, "a", "b")
    create(database, TournamentSpec(name="lonely", ruleset=preset("mattel")))
    enter(database, "lonely", ["a"])
    make_tournament(database, "c", "d", format="ladder", deal_sets=5)
    roster.retire(database, "d@1", "tester")
    database.run(lambda connection: connection.execute("DELETE FROM job"))

    for name, why in (("lonely", "needs at least 2 entries"), ("cup", "fewer than 2 entries that play on")):
        with subtests.test(name=name):
            assert run(["tournament", "run", name]) == 2

            said = capsys.readouterr().err
            assert why in said
            assert said.count("\n") == 1
            assert not (HALL / "processes" / "players.lock").exists()


@pytest.mark.parametrize(
    "words", ["up", "tournament run new a b", "compare a b", "doctor", "bot check mine", "match play a b"]
)
def test_a_level_that_this_user_cannot_have_is_refused_at_once(
    words: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the levels there are; nothing is started, stored or built."""
    add_bots(database, "a", "b")
    before = database.run(all_rows)
    Path("mine").mkdir()
    Path("mine/bot.toml").write_text(
        'name = "mine"\nruntime = "python"\nrun = ["python", "x"]\nbuild = ["touch", "built"]\n'
    )
    level = "userns" if os.geteuid() == 0 else "strict"

    assert run([*words.split(), "--sandbox", level]) == 2

    said = capsys.readouterr().err
    assert f"level {level} cannot be had as" in said
    assert said.count("\n") == 1
    assert not (HALL / "processes" / "players.lock").exists()
    assert not Path("mine/built").exists()
    assert database.run(all_rows) == before


@pytest.mark.parametrize(
    "words",
    [
        "bot try mine --against nobody",
        "bot try mine --against nobody --against other",
        "bot try mine --against other",
        "bot try mine --against mine --rules wrong.toml",
        "match play mine nobody",
        "match play mine other",
    ],
)
def test_what_cannot_be_played_is_not_built(
    words: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unknown opponent, one whose manifest is wrong, a wrong ruleset: known before a build's minutes."""
    add_bots(database, "a", "b")
    for name, text in (("mine", 'build = ["touch", "built"]\n'), ("other", "colour = 1\n")):
        Path(name).mkdir()
        Path(name, "bot.toml").write_text(
            f'name = "{name}"\nruntime = "python"\nrun = ["python", "x"]\n{text}'
        )
    Path("wrong.toml").write_text("target = -1\n")

    assert run(words.split()) == 2

    assert capsys.readouterr().err.count("\n") == 1
    assert not Path("mine/built").exists()
