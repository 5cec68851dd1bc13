"""Promises of the standing over all rated matches of one ruleset and table size, on a real database."""

import json

import pytest

from arena.cli.app import run
from arena.errors import UsageError
from arena.rules.presets import preset
from arena.service import jobs, tournaments
from arena.service.overall import overall_standing
from arena.service.standings import tournament_standing
from arena.service.tournaments import TournamentSpec
from arena.store.pool import Database
from tests.fix_queue import SECRET, add_bots, claimed, drain, make_outcome


def play(database: Database, name: str, *bots: str, **more: object) -> None:
    """Play a tournament between stored bots to its end, with deals of its own."""
    values = {"secret": name.encode().ljust(32), "deal_sets": 4, "ruleset": preset("mattel")} | more
    tournaments.create(database, TournamentSpec(name=name, bots=bots, **values))  # type: ignore[arg-type]
    tournaments.start(database, name)
    if more.get("format") != "ladder":
        drain(database)
        return
    for _ in range(8):
        lease = claimed(database)
        jobs.finish(database, lease, make_outcome(lease))
    tournaments.cancel(database, name)


def test_tournaments_of_one_kind_are_one_standing_by_version(database: Database) -> None:
    """Matches add up version by version; other rulesets, sizes, unrated ones and repeated deals stay out."""
    add_bots(database, *"abcd")
    play(database, "one", "a", "b")
    play(database, "two", "b", "c", twins=("c",))
    play(database, "season", "a", "d", format="ladder")
    for name, more in {
        "copy": {"secret": b"one".ljust(32)},
        "other": {"ruleset": preset("classic")},
        "large": {"seats": 3},
        "quiet": {"unrated": True},
    }.items():
        play(database, name, *("abc" if name == "large" else "ab"), **more)

    found = overall_standing(database, preset("mattel"), 2)

    assert found.tournaments == ("one", "two", "season")
    assert found.repeated == ("copy",)
    # c met its twin in 8 matches, which say nothing; three of the season's four helpings count.
    assert {row.name: row.matches for row in found.standing.rows} == {
        "a@1": 8 + 24,
        "b@1": 8 + 16,
        "c@1": 16,
        "d@1": 24,
    }
    assert overall_standing(database, seats=3).tournaments == ("large",)


def test_one_tournament_alone_is_its_own_standing(database: Database) -> None:
    """With nothing to add, the rows are those of the tournament."""
    add_bots(database, *"abc")
    play(database, "one", *"abc")

    alone = tournament_standing(database, "one").standing
    wide = overall_standing(database, anchor="b", anchor_elo=1000.0).standing

    assert [row.name for row in wide.rows] == [row.name for row in alone.rows]
    gaps = [
        row.elo - mine.elo for row, mine in zip(wide.rows, alone.rows, strict=True) if row.elo and mine.elo
    ]
    assert gaps == pytest.approx([gaps[0]] * 3)
    assert next(row.elo for row in wide.rows if row.name == "b@1") == pytest.approx(1000)


def test_nothing_rated_is_one_sentence(database: Database) -> None:
    """Without a rated tournament, or with a bot that nobody knows, it says so."""
    with pytest.raises(UsageError, match="no rated tournament"):
        overall_standing(database)
    add_bots(database, *"ab")
    play(database, "one", *"ab", secret=SECRET)
    with pytest.raises(UsageError, match="no version in this standing"):
        overall_standing(database, anchor="zed")


def test_the_command_shows_it(
    database: Database,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`arena standings --all` names the scope, also as JSON; options of the other kind are refused."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    add_bots(database, *"ab")
    play(database, "one", *"ab")

    assert run(["standings", "--all", "--rules", "mattel"]) == 0
    assert "all of mattel, tables of 2, rules epoch 1: 8 matches" in capsys.readouterr().out
    assert run(["standings", "--all", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tournaments"] == ["one"]
    assert run(["standings", "one", "--all"]) == 2
    assert run(["standings", "--seats", "2"]) == 2
