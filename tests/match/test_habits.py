"""Promises of the figures of behaviour: what is counted is what happened."""

from dataclasses import replace

import pytest

from arena.match.habits import Habits, watch
from arena.rules.events import EventKind
from arena.rules.keys import Stream, derive
from arena.rules.match import Match
from arena.rules.moves import PLAY, action_of
from arena.rules.presets import preset
from arena.rules.record import parse_record, record_of
from arena.rules.view import View


def play(ruleset: str, seats: int, number: int) -> tuple[Match, list[Habits]]:
    """Play at random, calling UNO two times of three, and count beside it from what each seat saw."""
    stream = Stream(derive(b"habits", ruleset, seats, number))
    match = Match(replace(preset(ruleset), max_decisions=1500), seats, derive(b"deals", number))
    seen = [Habits(matches=1) for _ in range(seats)]
    while not match.over:
        seat, moves = match.seat, match.legal_moves()
        index = stream.below(len(moves))
        calls = stream.below(3) > 0
        did, before = seen[seat], len(match.events)
        did.decisions += 1
        did.bluffs += index in match.bluffs()
        had = View(match, seat).hand_sizes[seat]
        match.apply(moves[index], calls)
        kinds = [event.kind for event in match.events[before:]]
        if action_of(moves[index]) == PLAY and had == 2 and EventKind.ROUND_OVER not in kinds:
            did.uno_due += 1
            did.uno_missed += not calls
    for event in match.events:
        if event.kind in {EventKind.PLAYED, EventKind.JUMPED_IN}:
            seen[event.seat].plays += 1
        elif event.kind == EventKind.DREW:
            seen[event.seat].draws += 1
        elif event.kind == EventKind.CHALLENGED:
            seen[event.seat].challenges += 1
            seen[event.seat].challenges_won += event.count
            seen[event.other].bluffs_caught += event.count
        elif event.kind == EventKind.UNO_CAUGHT:
            seen[event.seat].catches += 1
    for each in seen:
        each.rounds = sum(event.kind == EventKind.ROUND_OVER for event in match.events)
    return match, seen


@pytest.mark.parametrize("seats", [2, 3])
def test_the_figures_are_what_the_players_saw(seats: int) -> None:
    """Counted from the record alone, they are those counted while it was played."""
    total = Habits()
    for number in range(4):
        match, expected = play("mattel", seats, number)

        found = watch(parse_record(str(record_of(match))), match.ruleset)

        assert found == expected
        for each in found:
            total.add(each)
    assert total.matches == 4 * seats
    assert total.bluffs_caught == total.challenges_won > 0
    assert total.bluffs > total.bluffs_caught
    assert total.challenges > total.challenges_won
    assert total.uno_due > total.uno_missed > total.catches > 0
    assert total.draws > 0
