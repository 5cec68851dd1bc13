"""The reference bots play whole matches, at any table, under any rules, without a fault."""

from math import sqrt
from statistics import mean, stdev
from typing import ClassVar

import pytest

from arena.bot import Bot, Choice, Event, EventKind, View
from arena.rules.options import Ruleset
from arena.rules.presets import PRESETS, parse_ruleset
from tests.bots_reference.reference import CLASSES, NAMES, key_of, play, set_scores

Z_95 = 1.959964
SPECIAL = """
base = "classic"
deck = "h2o"
misplay_penalty = 2
uno_centre = true
ready = true
jump_in = true
seven = "swap"
zero = "rotate"
five = "exchange"
to_the_last = true
scoring = "lowest"
reverse_answer = "all"
draw_two_answer = "stack"
draw_four_answer = "stack"
"""
SHUFFLED = """
base = "mattel"
deck = "gdj85"
blank = "plus_ten"
wild_colour = "circle"
seven_rounds = true
scoring = "elimination"
draw = "until_playable"
"""
RULES = {**{name: name for name in PRESETS}, "special": SPECIAL, "shuffled": SHUFFLED}


def short(text: str, rounds: int = 2) -> Ruleset:
    """Return a ruleset whose matches end after a few rounds."""
    base = text if "=" in text else f'base = "{text}"\n'
    return parse_ruleset(f"{base}rounds = {rounds}\n")


def table_of(seats: int) -> list[list[str]]:
    """Return tables of this size at which every reference bot sits at least once."""
    if seats >= len(NAMES):
        return [[NAMES[seat % len(NAMES)] for seat in range(seats)]]
    return [
        [NAMES[(start + seat) % len(NAMES)] for seat in range(seats)] for start in range(0, len(NAMES), seats)
    ]


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("rules", RULES)
def test_every_bot_plays_without_a_fault(rules: str, seats: int) -> None:
    """At tables of 2 to 10, under every preset and heaps of special rules, no reference bot errs."""
    for number, names in enumerate(table_of(seats)):
        result = play(short(RULES[rules]), key_of(rules, seats, number), [CLASSES[name] for name in names])

        assert result.faults == ()
        assert len(result.places) == seats


@pytest.mark.parametrize("name", NAMES)
def test_a_match_can_be_repeated(name: str) -> None:
    """With the same deals and seeds a bot plays the same match, decision by decision."""
    ruleset = short("mattel", 4)
    first, again = (play(ruleset, key_of("again"), [CLASSES[name], CLASSES["greedy"]]) for _ in range(2))

    assert first.record == again.record
    assert first.decisions > 40


class Careless(Bot):
    """Never calls UNO, never points anything out, and writes down what happened to it."""

    call_uno = False
    catch_missed = False
    seen: ClassVar[list[Event]] = []

    def event(self, event: Event) -> None:
        """Write down."""
        self.seen.append(event)

    def move(self, view: View) -> Choice:
        """Play the first card that may be played; decline to catch."""
        return "no" if "no" in map(str, view.legal) else 0


@pytest.mark.parametrize("name", NAMES)
def test_every_bot_calls_uno_and_points_out_what_was_missed(name: str) -> None:
    """A reference bot is never caught, never errs about UNO, and catches a player who does not call."""
    Careless.seen = []
    result = play(short("mattel", 6), key_of("uno"), [CLASSES[name], Careless])
    caught = [event for event in Careless.seen if event.kind is EventKind.UNO_CAUGHT]
    errors = {EventKind.FALSE_UNO, EventKind.FALSE_CATCH, EventKind.MISPLAYED}

    assert result.faults == ()
    assert caught
    assert all((event.seat, event.other) == (0, 1) for event in caught)
    assert not [event for event in Careless.seen if event.kind in errors]
    assert any(event.kind is EventKind.UNO_CALLED and event.seat == 0 for event in Careless.seen)


def test_no_bot_errs_about_uno_where_that_costs_cards() -> None:
    """Where false calls and false catches cost cards, nobody makes one."""
    Careless.seen = []
    rules = short('base = "mattel"\nmisplay_penalty = 2\ntarget = 5000\n', 20)
    play(rules, key_of("false"), [Careless, *(CLASSES[name] for name in NAMES)])
    errors = {EventKind.FALSE_UNO, EventKind.FALSE_CATCH, EventKind.MISPLAYED}

    assert any(event.kind is EventKind.UNO_CAUGHT for event in Careless.seen)
    assert not [event for event in Careless.seen if event.kind in errors]


class Counter(Bot):
    """Checks what it can count against what is public."""

    checked: ClassVar[int] = 0

    def move(self, view: View) -> int:
        """Compare, then play anything."""
        hidden = view.draw_pile + sum(size for seat, size in enumerate(view.hand_sizes) if seat != view.seat)
        assert sum(view.unseen) == hidden, f"{view}\n{sum(view.unseen)} unseen, {hidden} hidden"
        assert min(view.unseen) >= 0
        assert view.unseen[view.hand[0]] < view.rules.deck[view.hand[0]]
        Counter.checked += 1
        return view.random.randrange(len(view.legal))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_unseen_is_exactly_what_is_hidden(rules: str, seats: int) -> None:
    """At every question the cards that a bot has not seen are as many as lie in other hands and the pile."""
    Counter.checked = 0
    play(short(RULES[rules], 5), key_of("count", seats), [Counter] * seats)

    assert Counter.checked > 50


@pytest.mark.parametrize(
    ("better", "worse", "sets"),
    [
        ("veteran", "colour-keeper", 60),
        ("veteran", "greedy", 25),
        ("veteran", "first-legal", 10),
        ("veteran", "random", 10),
        ("colour-keeper", "greedy", 60),
        ("colour-keeper", "first-legal", 10),
        ("colour-keeper", "random", 10),
        ("greedy", "first-legal", 10),
        ("greedy", "random", 10),
        ("first-legal", "random", 10),
    ],
)
def test_the_better_bot_wins_significantly_more(better: str, worse: str, sets: int) -> None:
    """The 95 % interval over deal sets excludes an even score, with far fewer than 400 of them.

    bench/strength.py plays 400 and measures how far apart the bots are.
    """
    scores = set_scores(parse_ruleset("mattel"), CLASSES[better], CLASSES[worse], sets)

    assert mean(scores) - Z_95 * stdev(scores) / sqrt(sets) > 0.5
