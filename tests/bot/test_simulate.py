"""The simulator: worlds that a question allows, and a player who plays them on."""

from collections import Counter
from random import Random
from typing import ClassVar

import pytest

from arena.bot import Bot, Card, Colour, Event, EventKind, Kind, View
from arena.bot.local import LocalBot
from arena.bot.simulate import Player, World, Worlds
from arena.protocol.hello import ruleset_message
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import IllegalMoveError, preset
from tests.bot.turns import make_event, make_turn
from tests.bots_reference.reference import key_of, play
from tests.bots_reference.test_any_rules import table_by_lot

HELLO = pb.HelloRequest(ruleset=ruleset_message(preset("mattel")))
DRAW_FOUR = int(Card("W+4"))


class Doubter(Bot):
    """Compares a world with the question it was made from, and plays by lot."""

    catch_missed = False
    call_uno = False
    kinds: ClassVar[set[Kind]] = set()

    def move(self, view: View) -> int:
        """Compare."""
        worlds = Worlds(view)
        world = worlds.deal()
        assert (world.legal, world.bluffs, world.kind) == (view.legal, view.bluffs, view.kind)
        assert (world.top, world.colour, world.hand_sizes) == (view.top, view.colour, view.hand_sizes)
        assert world.round.pile.size == view.draw_pile
        cards = Counter(world.round.discard) + Counter(world.round.pile.unseen())
        for seat in range(view.seats):
            cards.update(map(int, world.hand(seat)))
        assert cards == Counter({card: copies for card, copies in enumerate(view.rules.deck) if copies})
        if view.question % 16 == 0:
            world.copy().play_out(view.question)
            world.play(view.random.choice(view.legal))
            world.play_out(player=worlds.dice)
            assert world.over
        self.kinds.add(view.kind)
        return view.random.randrange(len(view.legal))


def test_a_world_puts_the_very_question_of_its_view() -> None:
    """Under rulesets by lot, for every kind of question: the same moves, and each card in one place."""
    Doubter.kinds = set()
    for number in range(12):
        ruleset, seats = table_by_lot(number)
        assert play(ruleset, key_of("simulate", number), [Doubter] * seats).faults == ()

    assert Doubter.kinds >= {Kind.TURN, Kind.DRAWN, Kind.PENALTY, Kind.CATCH, Kind.JUMP_IN, Kind.EXCHANGE}


def view_of(turn: pb.Turn) -> View:
    """Return the view of a question of two players under `mattel`."""
    seen: list[View] = []

    class Keeper(Bot):
        def move(self, view: View) -> int:
            seen.append(view)
            return 0

    bot = LocalBot(Keeper, HELLO)
    bot.open(seat=0, seats=2, seed=5)
    bot.ask(turn)
    return seen[0]


def worlds_of(turn: pb.Turn, count: int = 40) -> list[World]:
    """Return some worlds of such a question."""
    worlds = Worlds(view_of(turn))
    return [worlds.deal() for _ in range(count)]


BEGAN = (make_event(EventKind.ROUND_BEGAN, 0, count=1), make_event(EventKind.FIRST_CARD, on="R5"))
DREW = (*BEGAN, make_event(EventKind.DREW, 1, count=1), make_event(EventKind.PLAYED, 0, "B5"))


def test_who_drew_has_no_card_of_the_colour_but_for_those_it_drew() -> None:
    """A seat that drew on red can hold one red card at most, in the view and in every world."""
    turn = make_turn("R1 R7", "R1, R7, draw", events=DREW, hand_sizes=[2, 8])

    assert [view_of(turn).most(1, colour) for colour in Colour if colour >= 0] == [1, 8, 8, 8]
    reds = [sum(card.colour is Colour.RED for card in world.hand(1)) for world in worlds_of(turn)]
    assert max(reds) == 1
    assert min(reds) == 0


def test_a_hand_that_was_shown_stays_where_it_was_seen() -> None:
    """After a challenge the offender holds the cards that it showed, in every world."""
    shown = [int(Card(text)) + 1 for text in ("B3", "B3", "YS")]
    turn = make_turn(
        "R1 R7", "R1, R7, draw", events=BEGAN, hand_sizes=[2, 5], shown=shown, shown_seat_plus_one=2
    )

    for world in worlds_of(turn, 10):
        held = Counter(card.text for card in world.hand(1))
        assert held >= Counter({"B3": 2, "YS": 1})
        assert held.total() == 5


def test_a_wild_draw_four_is_a_bluff_in_those_worlds_in_which_it_is() -> None:
    """Whoever challenges in a world finds out what the hand in that world says."""
    laid = (*BEGAN, make_event(EventKind.PLAYED, 1, "W+4", Colour.BLUE))
    penalty = pb.Penalty(card=DRAW_FOUR + 1, amount=4, source=1, victim=0)
    turn = make_turn(
        "R1 G7",
        "accept, challenge",
        top="W+4",
        kind=Kind.PENALTY,
        events=laid,
        penalty=penalty,
        hand_sizes=[2, 4],
    )
    turn.colour = int(Colour.BLUE) + 1
    found = set()
    for world in worlds_of(turn):
        has_red = any(card.colour is Colour.RED for card in world.hand(1))
        world.play("challenge")
        assert world.hand_sizes == ((2, 8) if has_red else (8, 4))
        found.add(has_red)

    assert found == {True, False}


def test_a_copy_goes_on_alone() -> None:
    """What is tried in a copy leaves the world as it was; only legal moves can be made."""
    (world,) = worlds_of(make_turn("R1 R7", "R1, R7, draw", events=BEGAN, hand_sizes=[2, 7]), 1)
    copy = world.copy()
    copy.play("R1")
    copy.play_out(3)

    assert copy.over
    assert copy.gain(0) == -copy.gain(1) != 0
    assert world.hand(0) == (Card("R1"), Card("R7"))
    with pytest.raises(IllegalMoveError):
        world.play("G1")


def test_the_player_repeats_itself_and_beats_chance() -> None:
    """The same seed plays the same; from the same worlds the player gains on one who plays at random."""
    gains = {"player": 0.0, "chance": 0.0}
    for number, world in enumerate(
        worlds_of(make_turn("R1 GS B7 W", "R1, draw", events=BEGAN, hand_sizes=[4, 4]), 60)
    ):
        by_player, again = world.copy(), world.copy()
        by_player.play_out(player=Player(number))
        again.play_out(player=Player(number))
        assert by_player.gain(0) == again.gain(0)
        # Seat 0 plays well, or by lot; seat 1 plays well both times.
        gains["player"] += by_player.gain(0)
        gains["chance"] += gain_of_chance(world, number)

    assert gains["player"] > gains["chance"]


def gain_of_chance(world: World, seed: int) -> float:
    """Let seat 0 play by lot against a player."""
    lot, player = Random(seed), Player(seed)
    while not world.over:
        if world.seat == 0:
            world.play(lot.choice(world.legal))
        else:
            player.do(world.round, player.choose(world.round))
    return world.gain(0)


def test_the_news_of_a_change_of_hands_are_followed() -> None:
    """What a seat can hold goes with the hand; after a shuffle nothing is known."""
    swapped = pb.Event(kind=pb.SWAPPED, seat_plus_one=1, other_plus_one=2)
    shuffled = pb.Event(kind=pb.HANDS_SHUFFLED, seat_plus_one=1, count=4)
    after = make_turn("R1 R7", "R1, draw", events=(*DREW, swapped), hand_sizes=[2, 8])
    mixed = make_turn("R1 R7", "R1, draw", events=(*DREW, shuffled), hand_sizes=[2, 8])

    assert view_of(after).memory.most[0][0] == 1
    assert view_of(after).most(1, Colour.RED) == 8
    assert view_of(mixed).memory.most[1][0] > 8
    assert 0 < view_of(after).chance_without(1, Colour.RED) < 0.2
    assert isinstance(view_of(after).events[0], Event)
