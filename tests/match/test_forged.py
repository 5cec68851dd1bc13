"""A record that somebody forged or damaged is a difference that `verify` names, never an exception."""

import random

import pytest

from arena.match.verify import Claim, verify
from arena.rules import IllegalMoveError, Match, NotationError, parse_record, record_of
from arena.rules.frames import frames
from arena.rules.presets import ruleset_of
from arena.rules.trace import trace

RULES = ruleset_of({"misplay_penalty": 2, "five": "exchange", "hand_size": 3, "max_decisions": 30})
SEATS = 4
NESTED = "[" * 100_000
ITEMS = (
    *("leave 9", "leave 0 1 2 3", "leave -1", "leave", "leave ", "leave 99999999999", "leave ²", "leave x"),
    *(
        "draw~",
        'draw~"x',
        "draw~5",
        "draw~null",
        'draw~["a"]',
        'draw~""',
        f"draw~{NESTED}",
        "draw~+",
        "draw!!",
    ),
    *("", "misplay!", "R7", "W:Q", "Y7:99", "W+4", "jump R7", "give R7", "colour R", "ready", "catch", "R٣"),
)
"""Entries of a history that are no moves, or none that is legal everywhere."""


def _match() -> Match:
    """Return a whole match in which somebody talks and somebody leaves."""
    match, lots = Match(RULES, SEATS, bytes(32)), random.Random(3)
    while not match.over:
        match.apply(
            lots.choice(match.legal_moves()), uno=lots.random() < 0.5, say="ho, ~" * (lots.random() < 0.2)
        )
        if match.decisions == 12:
            match.leave([2])
    return match


MATCH = _match()
RECORD = str(record_of(MATCH))
HEAD = RECORD.split(" ", 4)
PLAYED = HEAD[4].split(",")


def _claim(record: str) -> Claim:
    """Return the true result with some record."""
    places, totals = tuple(MATCH.places), tuple(MATCH.totals)
    return Claim(record, places, totals, MATCH.round_number, MATCH.decisions, MATCH.ending, left=(2,))


def test_the_true_record_verifies() -> None:
    """What is forged below was right before."""
    assert verify(_claim(RECORD), RULES) == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item[:20])
def test_a_forged_entry_is_a_difference(item: str) -> None:
    """Wherever an entry is put that belongs nowhere, the record does not pass, and nothing raises."""
    for place in (0, 5, 11, len(PLAYED)):
        forged = " ".join([*HEAD[:4], ",".join([*PLAYED[:place], item, *PLAYED[place:]])])
        assert verify(_claim(forged), RULES)
        _refuses_or_replays(forged)


@pytest.mark.parametrize(
    ("place", "word"),
    [
        *[(0, word) for word in ("arena/0", "arena/", "arena/-1", "arena/1e9", "chess/1")],
        *[(1, word) for word in ("", "00", "zz", HEAD[1] + "00")],
        *[(2, word) for word in ("0", "1", "-1", "3", "11", "1000000", "x", "²")],
        *[(3, word) for word in ("", "00", "zz", HEAD[3] + "00")],
    ],
)
def test_a_forged_head_is_a_difference(place: int, word: str) -> None:
    """Another epoch, ruleset, table or key is no other match that passes, and no exception."""
    forged = " ".join([*HEAD[:place], word, *HEAD[place + 1 :]])
    assert verify(_claim(forged), RULES)
    _refuses_or_replays(forged)


def _refuses_or_replays(record: str) -> None:
    """Tell a record by all that tell one; they refuse it only as notation, or as an illegal move."""
    for tell in (trace, frames):
        try:
            list(tell(parse_record(record), RULES))
        except (NotationError, IllegalMoveError):
            continue
