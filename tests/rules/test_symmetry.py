"""No seat is special: turn the table, and the game is the same; every seat can win."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import Event, Match, Round, derive, play_out, preset
from arena.rules.events import unpack_event
from arena.rules.moves import NO_SEAT, pack, seat_of
from arena.rules.pile import Pile
from arena.rules.position import format_position, parse_position
from tests.rules.lots import matches

SEATS = ("seat", "player", "winner", "named_seat", "source", "victim")


def turned(round_: Round, by: int) -> Round:
    """Return the same round with every seat moved on."""
    n = round_.seats

    def moved(seat: int) -> int:
        return seat if seat == NO_SEAT else (seat + by) % n

    twin = parse_position(format_position(round_), round_.variant)
    for seat in range(n):
        twin.set_hand(moved(seat), round_.hand(seat))
        twin.inside[moved(seat)] = round_.inside[seat]
        twin.refills[moved(seat)] = round_.refills[seat]
        twin.shown[moved(seat)] = round_.shown[seat]
        twin.shown_of[moved(seat)] = moved(round_.shown_of[seat])
    for name in SEATS:
        setattr(twin, name, moved(getattr(round_, name)))
    twin.exits = [moved(seat) for seat in round_.exits]
    twin.silences = sum(1 << moved(seat) for seat in range(n) if round_.silences >> seat & 1)
    twin.debts = [moved(number) if index % 2 == 0 else number for index, number in enumerate(round_.debts)]
    return twin


def move_turned(move: int, by: int, seats: int) -> int:
    """Return the same move with the seat that it names moved on."""
    return move if seat_of(move) == NO_SEAT else move - seat_of(move) + (seat_of(move) + by) % seats


def event_turned(event: Event, by: int, seats: int) -> Event:
    """Return the same event with its seats moved on; a line's advice flag is no seat."""
    seat, other = (
        (value if value == NO_SEAT else (value + by) % seats) for value in (event.seat, event.other)
    )
    return event._replace(seat=seat, other=other if event.kind != 23 else event.other)


@given(matches(), st.integers(1, 9), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_turned_table_plays_the_same_game(match: Match, by: int, random: Random):
    """The same cards at seats moved on: the same legal moves and news, until chance names seats."""
    one = match.round.copy()
    one.pile = Pile(match.round.pile.unseen(), 1, [])
    other = turned(one, by)
    while one.kind and not one.reshuffles and not one.centre_draws:
        legal = one.legal_moves()
        there = [move_turned(move, by, one.seats) for move in legal]
        assert sorted(there) == list(other.legal_moves())
        assert (one.seat + by) % one.seats == other.seat
        choice = random.randrange(len(legal))
        flags = random.random() < 0.5, "hello" if random.random() < 0.1 else "", random.random() < 0.5
        one.apply(legal[choice], *flags)
        other.apply(there[choice], *flags)
        if not one.reshuffles and not one.centre_draws:
            events = [event_turned(unpack_event(event), by, one.seats) for event in one.log]
            assert events == [unpack_event(event) for event in other.log]


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("name", ["mattel", "czech"])
def test_every_seat_can_win(name: str, seats: int):
    """Over enough rounds of random play every seat of every table wins some."""
    rules = preset(name)
    variant = Match(rules, seats, bytes(32)).variant
    winners = set()
    for number in range(40 * seats):
        round_ = Round(variant, seats, derive(b"win", number), 1)
        round_.begin(number % seats, NO_SEAT)
        play_out(round_, number)
        winners.add(round_.winner)
        if winners >= set(range(seats)):
            break

    assert winners - {NO_SEAT} == set(range(seats))


def test_a_turned_move_names_the_next_seat():
    """The rewriting that the test above relies on moves the named seat, and nothing else."""
    assert move_turned(pack(1, 7, seat=2), 1, 3) == pack(1, 7, seat=0)
    assert move_turned(pack(5), 1, 3) == pack(5)
