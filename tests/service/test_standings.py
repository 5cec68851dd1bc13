"""Promises of the standing of a stored tournament, on a real database."""

import hashlib
from collections.abc import Sequence

import pytest

from arena.errors import UsageError
from arena.rules.presets import preset
from arena.service.standings import tournament_standing
from arena.store import bots, matches, tournaments
from arena.store.matches import PlayedBy
from arena.store.pool import Connection, Database
from arena.store.rows import JobId, NewDeath, NewFault, NewMatch, TournamentRow


def write_tournament(
    connection: Connection, name: str, names: Sequence[str], *, ruleset: str = "mattel", **changes: object
) -> TournamentRow:
    """Write a running tournament of two deal sets a pairing between new bots."""
    chosen = preset(ruleset)
    secret = b"s" * 32
    values = {
        "name": name,
        "arguments": "",
        "format": "round_robin",
        "ruleset_name": ruleset,
        "ruleset_text": chosen.canonical_text(),
        "ruleset_digest": chosen.digest,
        "rules_epoch": 1,
        "seats": 2,
        "deal_sets": 2,
        "budget_ms": 20,
        "bank_ms": 10_000,
        "hello_ms": 5_000,
        "tables_max": 128,
        "secret": secret,
        "secret_hash": hashlib.sha256(secret).digest(),
        "secret_chosen": False,
        "proven": True,
        "isolation": "landlock",
        "unrated": False,
        "open_hands": False,
        "memory_mib": 512,
        "processes": 64,
        "cpu_millis": 1000,
    }
    tournament = tournaments.add_tournament(connection, values | changes)
    assert tournament is not None
    for bot_name in names:
        bot = bots.find_bot(connection, bot_name) or bots.add_bot(connection, bot_name, "ann")
        version, _ = bots.add_version(
            connection,
            bot.id,
            digest=hashlib.sha256(bot_name.encode()).digest(),
            content=b"zip",
            manifest=f'name = "{bot_name}"\nruntime = "python"\nrun = ["bot"]\ninclude = ["bot"]\n',
            runtime="python",
        )
        tournaments.add_entry(connection, tournament.id, version.id)
    pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    tournaments.add_pairings(connection, tournament.id, pairs)
    tournaments.close_entries(connection, tournament.id, b"k" * 32)
    return tournaments.get_tournament(connection, name)


def play(
    connection: Connection,
    tournament: TournamentRow,
    pairing: int,
    winners: Sequence[tuple[int, int]],
    *,
    level: str = "strict",
) -> None:
    """Write deal sets of a pairing: for each the seat-0-first winner of its two rotations."""
    entries = tournaments.get_pairing(connection, tournament.id, pairing).entries
    for rotation in range(2):
        seats = [entries[rotation], entries[1 - rotation]]
        job = JobId(100 * tournament.id + 10 * pairing + rotation)
        played = PlayedBy(tournament.id, pairing, rotation, job, 1, "w", level, "", "")
        rows = [
            _match(deal_set, seats, won[rotation])
            for deal_set, won in enumerate(winners)
            if won[rotation] >= 0
        ]
        matches.add_matches(connection, played, rows)


def _match(deal_set: int, seats: Sequence[int], winner: int) -> NewMatch:
    won = [entry == winner for entry in seats]
    fault = [NewFault(won.index(False), "timed_out", {})] if deal_set == 1 else []
    return NewMatch(
        deal_set=deal_set,
        entries=seats,
        places=[1 if first else 2 for first in won],
        totals=[510 if first else 110 for first in won],
        rounds=10,
        decisions=200,
        ending="target",
        asked=[50, 50],
        wall_us=[100_000, 100_000],
        cpu_us=[1, 1],
        unasked=[0, 0],
        dropped=[0, 0],
        cut=[0, 0],
        record="",
        sha256=b"m" * 32,
        faults=fault,
    )


def test_a_stored_tournament_has_its_standing(database: Database) -> None:
    """Names, ratings, wins, points, faults, deaths, time and open sets come from the rows."""

    def write(connection: Connection) -> None:
        cup = write_tournament(connection, "cup", ["weak", "strong", "mid"])
        play(connection, cup, 0, [(1, 1), (1, 1)])
        play(connection, cup, 1, [(2, 2)])
        play(connection, cup, 2, [(1, 2), (1, -1)])
        matches.add_deaths(
            connection,
            PlayedBy(cup.id, 0, 0, JobId(1), 1, "w", "strict", "", ""),
            [NewDeath(0, "crashed", {})],
        )

    database.run(write)

    found = tournament_standing(database, "CUP")

    rows = found.standing.rows
    assert [(row.rank, row.name, row.matches, row.wins) for row in rows] == [
        (1, "strong@1", 6, 5.0),
        (2, "mid@1", 4, 3.0),
        (3, "weak@1", 6, 0.0),
    ]
    assert [row.open_sets for row in rows] == [1, 2, 1]
    assert [row.faults for row in rows] == [0, 1, 2]
    assert [row.deaths for row in rows] == [0, 0, 1]
    assert rows[0].us_per_decision == 2000
    assert rows[0].points_per_round == pytest.approx((5 * 400 - 400) / 60)
    assert found.standing.open_matches == 1
    assert not found.complete


def test_the_latest_tournament_is_the_default(database: Database) -> None:
    """Without a name it is the newest; without any tournament one line says how to start one."""
    with pytest.raises(UsageError, match="arena tournament run"):
        tournament_standing(database)

    database.run(lambda connection: write_tournament(connection, "old", ["a", "b"]))
    database.run(lambda connection: write_tournament(connection, "new", ["a", "b"]))

    assert tournament_standing(database).tournament.name == "new"
    assert tournament_standing(database).standing.notes == ("no complete deal set yet: no rating is known",)


def test_an_unsandboxed_match_rates_only_in_its_own_unrated_tournament(database: Database) -> None:
    """Matches at level none never count for a rated tournament, and are the standing of an unrated one."""

    def write(connection: Connection) -> None:
        rated = write_tournament(connection, "rated", ["a", "b"])
        free = write_tournament(connection, "free", ["a", "b"], unrated=True, isolation="none")
        for cup in (rated, free):
            play(connection, cup, 0, [(0, 0)], level="none")

    database.run(write)

    assert tournament_standing(database, "rated").standing.matches == 0
    assert tournament_standing(database, "free").standing.matches == 2


def test_points_are_turned_where_they_hurt(database: Database) -> None:
    """With a scoring that the lowest total wins, the loser's points are the winner's margin."""

    def write(connection: Connection) -> None:
        play(connection, write_tournament(connection, "cup", ["a", "b"], ruleset="czech"), 0, [(0, 0)])

    database.run(write)

    best = tournament_standing(database, "cup").standing.rows[0]
    assert (best.name, best.points_per_round) == ("a@1", -40.0)


def test_an_anchor_is_found_by_name(database: Database) -> None:
    """`b` and `B@1` hold the same entry; a name that is none is answered with the nearest."""

    def write(connection: Connection) -> None:
        play(connection, write_tournament(connection, "cup", ["alpha", "beta"]), 0, [(0, 0)])

    database.run(write)

    for name in ("beta", "BETA@1"):
        rows = tournament_standing(database, "cup", anchor=name, anchor_elo=1000).standing.rows
        assert (rows[1].name, rows[1].elo, rows[1].plus_minus) == ("beta@1", 1000, 0)
    with pytest.raises(UsageError, match="did you mean 'beta@1'"):
        tournament_standing(database, "cup", anchor="betta")
