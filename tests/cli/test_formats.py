"""Promises of the options that say who meets whom."""

import json
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.service import tournaments
from arena.store import tournaments as store_of
from arena.store.pool import Database
from tests.fix_queue import add_bots, drain
from tests.service.test_standings import play


@pytest.fixture(autouse=True)
def store(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test eight bots that may play."""
    add_bots(database, *"abcdefgh")
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--against", "a"], "gauntlet of 1 against all others"),
        (["--against", "a", "--twin", "a"], "gauntlet of 2 against all others"),
        (["--format", "swiss"], "Swiss of 3 rounds"),
        (["--format", "swiss", "--rounds", "4"], "Swiss of 4 rounds"),
        (
            ["--format", "balanced", "--seats", "4", "--tables", "14"],
            "14 balanced tables, every pair meets at 3",
        ),
        (["--folds", "3", "--sets", "10"], "30 deal sets a pairing"),
    ],
)
def test_a_format_is_told_before_it_is_played(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`create` and `show` say who meets whom; the same arguments are the same tournament."""
    for command in (["create", "cup", *"abcdefgh", *options], ["show", "cup"]):
        assert run(["tournament", *command]) == 0
        assert said in capsys.readouterr().out
    assert run(["tournament", "create", "cup", *"abcdefgh", *options]) == 0
    assert run(["tournament", "create", "cup", *"abcdefgh"]) == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--format", "swiss", "--tables", "4"], "--tables is of --format balanced, not of swiss"),
        (["--folds", "0"], "--folds: at least 1"),
        (["--format", "gauntlet"], "a gauntlet needs --against"),
        (["--format", "swiss", "--against", "a"], "a gauntlet needs --against"),
        (["--format", "knockout"], "knockout"),
    ],
)
def test_options_of_another_format_are_refused(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which option belongs where; nothing is stored."""
    assert run(["tournament", "create", "cup", *"abcdefgh", *options]) == 2
    assert why in capsys.readouterr().err


def test_a_run_says_that_a_challenger_makes_it_a_gauntlet(
    database: Database, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With `--against` and no `--format` a line says who sits at every table; with it none."""
    monkeypatch.chdir(tmp_path)  # the data folder of the run
    given = ["cup", "a", "b", "c", "--against", "a", "--sets", "2"]
    assert run(["tournament", "create", *given]) == 0
    tournaments.start(database, "cup")
    drain(database)
    capsys.readouterr()

    assert run(["tournament", "run", *given, "--sandbox", "auto"]) == 0
    assert "cup: a gauntlet, since --against is given: at every table sits a" in capsys.readouterr().err
    assert run(["tournament", "run", *given, "--format", "gauntlet", "--sandbox", "auto"]) == 0
    assert "since --against" not in capsys.readouterr().err


def test_a_twin_shows_the_noise_floor_beside_the_table(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """Under the table, and as JSON, it says how far apart equal bots seem."""
    assert run(["tournament", "create", "cup", "a", "b", "--twin", "a", "--sets", "20"]) == 0
    tournaments.start(database, "cup")
    drain(database)
    capsys.readouterr()

    assert run(["standings", "cup"]) == 0
    assert "noise floor of a@1: it and its twin are " in capsys.readouterr().out
    assert run(["standings", "cup", "--json"]) == 0
    (floor,) = json.loads(capsys.readouterr().out)["noise_floors"]
    assert (floor["first"], floor["second"], floor["deal_sets"]) == (0, 1, 20)


def test_twins_that_decide_without_chance_are_told_how_far_apart_they_are(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """They split their own deal sets, and met another one with other cards: the floor is by permutation."""
    assert run(["tournament", "create", "cup", "a", "b", "--twin", "a", "--sets", "20"]) == 0
    row = tournaments.start(database, "cup")
    with database.transaction() as connection:
        pairings = {tuple(each.entries): each.number for each in store_of.list_pairings(connection, row.id)}
        play(connection, row, pairings[0, 1], [(0, 1)] * 20)
        play(connection, row, pairings[0, 2], [(0, 0)] * 12 + [(2, 2)] * 8)
        play(connection, row, pairings[1, 2], [(1, 1)] * 8 + [(2, 2)] * 12)
    capsys.readouterr()

    assert run(["standings", "cup", "--json"]) == 0
    (floor,) = json.loads(capsys.readouterr().out)["noise_floors"]
    assert run(["standings", "cup"]) == 0
    said = capsys.readouterr().out

    assert floor["is_permuted"]
    assert floor["apart"] > 1
    assert (
        f"noise floor of a@1: it and its twin are {floor['apart']:.0f} Elo apart; it decides without" in said
    )
    assert f"up to {floor['floor']:.0f} Elo apart here by chance" in said
