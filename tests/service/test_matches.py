"""Promises of looking at a match and of proving it, on a real database."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from arena.errors import UsageError
from arena.match import drive
from arena.match.result import MatchResult
from arena.rules.match import Match
from arena.rules.presets import preset
from arena.rules.record import record_of
from arena.service.matches import list_some, show
from arena.service.proofs import verify
from arena.store import matches, tournaments
from arena.store.matches import PlayedBy
from arena.store.pool import Connection, Database
from arena.store.rows import JobId, NewFault, NewMatch
from arena.tournament.seating import seat_bots
from arena.tournament.seeds import make_set_key, make_tournament_key
from tests.service.test_standings import play, write_tournament


def play_to_the_end(set_key: bytes) -> MatchResult:
    """Play a match in which every seat takes the first legal move and calls UNO; it ends by the rules."""
    return drive.play_match(preset("mattel"), set_key, [lambda view: view.legal[0]] * 2)


def play_first_legal(set_key: bytes) -> MatchResult:
    """Play a match in which every seat takes the first legal move; it lasts until the decisions run out."""
    match = Match(preset("mattel"), 2, set_key)
    while not match.over:
        match.apply(match.legal_moves()[0])
    return MatchResult(
        match.places,
        match.totals,
        match.round_number,
        match.decisions,
        match.ending,
        (),
        str(record_of(match)),
        (),
    )


def store_matches(
    connection: Connection,
    *,
    rotations: Sequence[int] = (0, 1),
    honest: bool = True,
    forged: str = "",
    faults: Sequence[NewFault] = (),
    play_match: Callable[[bytes], MatchResult] = play_first_legal,
) -> None:
    """Write a tournament of two bots and matches of its first deal set, whole or forged in one respect."""
    names = ["ann", "bob"]
    write_tournament(connection, "cup", names)
    cup = tournaments.get_tournament(connection, "cup")
    digests = [entry.digest for entry in tournaments.list_entries(connection, cup.id)]
    key = make_tournament_key(cup.secret, cup.ruleset_digest, digests) if honest else b"x" * 32
    connection.execute("UPDATE tournament SET tournament_key = %s WHERE id = %s", (key, cup.id))
    set_key = make_set_key(key, (0, 1), 0)
    for rotation in rotations:
        result = play_match(set_key)
        seats = list(seat_bots(set_key, 2, rotation))
        if forged == "seats":
            seats.reverse()
        record = result.record if forged != "record" else result.record.rpartition(",")[0]
        totals = [total + (forged == "totals") for total in result.totals]
        played = PlayedBy(cup.id, 0, rotation, JobId(1 + rotation), 1, "w", "strict", "", "")
        new = NewMatch(
            0, seats, result.places, totals, result.rounds, result.decisions, result.ending, [1, 1], [1, 1],
            [1, 1], [0, 0], [0, 0], [0, 0], record, bytes.fromhex(result.sha256()), faults,
        )  # fmt: skip
        matches.add_matches(connection, played, [new])


def failures(database: Database) -> list[str]:
    """Return which promises the first match breaks, by their number."""
    return [str(number) for number, check in enumerate(verify(database, 1)) if check.failure]


def test_an_honest_match_is_proved(database: Database) -> None:
    """Deals, seats, moves and digest hold for both matches of a deal set."""
    database.run(store_matches)

    assert [check.failure for number in (1, 2) for check in verify(database, number)] == [""] * 8


@pytest.mark.parametrize(
    ("forged", "broken"), [("seats", ["1"]), ("totals", ["2", "3"]), ("record", ["2", "3"])]
)
def test_a_forged_match_is_found_out(database: Database, forged: str, broken: list[str]) -> None:
    """Changed seats, points or moves each break the promise that is about them."""
    database.run(lambda connection: store_matches(connection, forged=forged))

    assert failures(database) == broken


def test_chosen_deals_are_found_out(database: Database) -> None:
    """A key that does not follow from the secret breaks the first promise alone."""
    database.run(lambda connection: store_matches(connection, honest=False))

    assert failures(database) == ["0"]


def test_a_record_shows_no_card_before_its_deal_set_is_done(database: Database) -> None:
    """While another rotation is to be played the record is kept back; afterwards it is shown."""
    database.run(lambda connection: store_matches(connection, rotations=[1]))

    assert show(database, 1).record is None


def test_a_finished_deal_set_shows_its_records(database: Database) -> None:
    """With all its matches played, the record is anybody's."""
    database.run(store_matches)

    shown = show(database, 2)
    assert shown.record is not None
    assert shown.record.startswith("arena/1 ")
    assert sorted(shown.match.bots) == ["ann@1", "bob@1"]


@pytest.mark.parametrize("number", [0, -1, 99, 10**30])
def test_an_unknown_match_is_refused(database: Database, number: int) -> None:
    """One line, whatever the number."""
    with pytest.raises(UsageError, match=f"no match has the number {number}"):
        show(database, number)


def test_evidence_names_no_card_before_the_deal_set_is_done(database: Database) -> None:
    """What was measured is shown at once; question, answer and stderr only with the cards."""
    told = {"limit_ms": 20, "last_question": "R7", "last_answer": "R7", "stderr_tail": "R7", "detail": "R7"}
    fault = NewFault(0, "timed_out", told)
    database.run(lambda connection: store_matches(connection, rotations=[0], faults=[fault]))

    assert show(database, 1).faults[0].evidence == {"limit_ms": 20}


def test_evidence_is_whole_when_the_deal_set_is_done(database: Database) -> None:
    """Afterwards everything that led to a verdict is shown."""
    fault = NewFault(0, "timed_out", {"limit_ms": 20, "last_question": "R7"})
    database.run(lambda connection: store_matches(connection, faults=[fault]))

    assert show(database, 1).faults[0].evidence == fault.evidence


@pytest.fixture
def listed(database: Database) -> Database:
    """Give two tournaments of two deal sets a pairing; in each second set the loser ran out of time."""

    def write(connection: Connection) -> None:
        for name in ("cup", "league"):
            row = write_tournament(connection, name, ["ann", "bob", "cid"])
            play(connection, row, 0, [(0, 0), (0, 0)])  # 1 to 4: ann beats bob
            play(connection, row, 2, [(2, 2), (2, 2)])  # 5 to 8: cid beats bob

    database.run(write)
    return database


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ({}, [16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        ({"tournament": "cup", "bot": "ann"}, [4, 3, 2, 1]),
        ({"bot": "Cid@1", "tournament": "league"}, [16, 15, 14, 13]),
        ({"tournament": "cup", "with_faults": True}, [8, 6, 4, 2]),
        ({"tournament": "cup", "verdict": "timed_out", "bot": "bob"}, [8, 6, 4, 2]),
        ({"verdict": "timed_out", "bot": "ann"}, []),
        ({"verdict": "crashed"}, []),
        ({"ending": "target", "before": 3}, [2, 1]),
        ({"ending": "rounds"}, []),
    ],
)
def test_conditions_choose_matches(listed: Database, conditions: dict[str, Any], found: list[int]) -> None:
    """Every condition that is given holds for what is listed; a fault belongs to the bot that is named."""
    assert [row.id for row in list_some(listed, limit=99, **conditions)] == found


def test_pages_are_whole(listed: Database) -> None:
    """Going on before the last number of a page lists every match once, whatever the conditions."""
    pages: list[int] = []
    before: int | None = None
    while page := list_some(listed, bot="bob", with_faults=True, limit=3, before=before):
        pages += [row.id for row in page]
        before = page[-1].id

    assert pages == [row.id for row in list_some(listed, bot="bob", with_faults=True, limit=99)]
    assert len(pages) == 8


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"verdict": "timeout"}, "did you mean 'timed_out'"),
        ({"ending": "tarjet"}, "did you mean 'target'"),
        ({"bot": "bobb"}, "did you mean 'bob'"),
        ({"tournament": "cupp"}, "did you mean 'cup'"),
    ],
)
def test_an_unknown_condition_is_refused(listed: Database, conditions: dict[str, Any], message: str) -> None:
    """The nearest known word is named."""
    with pytest.raises(UsageError, match=message):
        list_some(listed, limit=9, **conditions)
