"""Promises of the standing over all rated matches of one ruleset and table size, on a real database."""

import json

import pytest
from openskill.models import PlackettLuce

from arena.cli.app import run
from arena.errors import UsageError
from arena.rules.presets import preset
from arena.service import jobs, tournaments
from arena.service.overall import overall_online, overall_standing
from arena.service.standings import online_standing, tournament_standing
from arena.service.tournaments import TournamentSpec
from arena.store.pool import Database
from tests.fix_queue import SECRET, add_bots, claimed, drain, make_outcome, read_rows


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


@pytest.mark.parametrize("method", ["glicko2", "openskill"])
def test_one_tournament_alone_is_its_own_online_rating(database: Database, method: str) -> None:
    """With nothing to add, the ratings are those of the tournament, whatever its versions are numbered."""
    add_bots(database, *"abc")
    play(database, "one", *"cab")

    alone = online_standing(database, "one", method)
    wide = overall_online(database, None, None, method)

    assert {wide.names[row.number]: row.rating for row in wide.rows} == {
        alone.names[row.number]: row.rating for row in alone.rows
    }


def test_online_ratings_go_through_the_tournaments_as_they_were_made(database: Database) -> None:
    """Match by match as the package itself rates them, each in schedule order, twins left out."""
    add_bots(database, *"abc")
    play(database, "one", *"abc")
    play(database, "two", "b", "c", twins=("c",))
    model = PlackettLuce()
    players = {bot: model.rating() for bot in "abc"}
    for name, entries in (("one", "abc"), ("two", "bcc")):
        for row in sorted(
            read_rows(database, name), key=lambda row: (row.deal_set, row.pairing, row.rotation)
        ):
            seated = [entries[entry] for entry in row.entries]
            if len(set(seated)) == 2:
                ranks = [float(place) for place in row.places]
                for bot, (rated,) in zip(
                    seated, model.rate([[players[bot]] for bot in seated], ranks=ranks), strict=True
                ):
                    players[bot] = rated

    found = overall_online(database, preset("mattel"), 2, "openskill")

    assert {found.names[row.number]: row.rating for row in found.rows} == pytest.approx(
        {f"{bot}@1": player.mu for bot, player in players.items()}
    )
    assert {found.names[row.number]: row.matches for row in found.rows} == {"a@1": 16, "b@1": 32, "c@1": 32}


@pytest.mark.parametrize("method", ["glicko2", "openskill"])
def test_the_command_rates_all_online(
    database: Database,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    method: str,
) -> None:
    """On the screen and for programs it is said what counts together, and where the rating to trust is."""
    monkeypatch.setenv("ARENA_DATABASE_URL", database_url)
    add_bots(database, *"abc")
    play(database, "one", "a", "b")
    play(database, "two", "b", "c")

    assert run(["standings", "--all", "--method", method]) == 0
    said = capsys.readouterr().out
    assert run(["standings", "--all", "--rules", "mattel", "--seats", "2", "--method", method, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert said.startswith("all of mattel, tables of 2, rules epoch 1, 2 tournaments: ")
    assert "an online rating" in said
    assert (told["tournaments"], told["method"], told["is_online"]) == (["one", "two"], method, True)
    assert {row["bot"]: row["matches"] for row in told["rows"]} == {"a@1": 8, "b@1": 16, "c@1": 8}
    assert run(["standings", "--all", "--seats", "5", "--method", method]) == 2
    assert "no rated tournament of that kind" in capsys.readouterr().err
