"""Cards, moves and events of the SDK are those of the wire and of the engine."""

import copy
import pickle

import pytest

from arena.bot import CARDS, Action, Card, Colour, EventKind, Kind, Move
from arena.bot.moves import MOVES
from arena.protocol.pb import bot_pb2 as pb
from arena.rules import cards as engine_cards
from arena.rules import events as engine_events
from arena.rules import moves as engine_moves

MOVES_IN_TEXT = [
    *(card.text for card in CARDS),
    *(f"W{kind}:{colour}" for kind in ("", "+4", "+2") for colour in "RGBY"),
    *("Y7:2", "R0", "SH:R", "BL:Y", "R5:9", "draw", "keep", "accept", "challenge", "catch", "no", "ready"),
    *("jump R7", "jump W:G", "jump Y7:3", "colour B", "give R7", "give W+4"),
]


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_is_the_same_by_text_and_by_code(card: Card) -> None:
    """Text, code, pickle and copy all lead back to the one object of a card."""
    assert Card(card.text) is card
    assert Card(int(card)) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card
    assert eval(repr(card)) is card


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_cards_are_those_of_the_engine(card: Card) -> None:
    """Code, text, colour and points agree with the engine's, whose vocabulary the SDK does not import."""
    assert engine_cards.parse_card(card.text) == card
    assert engine_cards.points_of_card(card) == card.points


def test_unknown_cards_are_refused() -> None:
    """A text or a code that is no card raises ValueError with what was given."""
    for wrong in ("Q7", "", "r7", 61, -1):
        with pytest.raises(ValueError, match="no such card"):
            Card(wrong)


@pytest.mark.parametrize("text", MOVES_IN_TEXT)
def test_a_move_is_the_same_by_text_and_by_wire(text: str) -> None:
    """Each text form parses to one object, which writes the same text again."""
    move = Move.parse(text)

    assert str(move) == text
    assert MOVES[move.wire] is move
    assert Move.parse(text) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert eval(repr(move)) is move


@pytest.mark.parametrize("text", MOVES_IN_TEXT)
def test_moves_are_written_as_the_engine_writes_them(text: str) -> None:
    """The engine reads every text form of the SDK and writes it back alike."""
    assert engine_moves.format_move(engine_moves.parse_move(text)) == text


@pytest.mark.parametrize(
    "text", ["", "play R7", "W:Q", "R7:2:3", "R7:R:G", "colour", "colour Q", "colour R7", "R7:²"]
)
def test_unknown_moves_are_refused(text: str) -> None:
    """What is no move's text raises ValueError with what was given."""
    with pytest.raises(ValueError, match="no such move"):
        Move.parse(text)


def test_numbers_are_those_of_the_protocol() -> None:
    """Every enumeration of the SDK has the numbers of the contract, and misses none of them."""
    assert {k.value for k in EventKind} == set(pb.EventKind.values())
    assert all(pb.EventKind.Value(kind.name) == kind for kind in EventKind if kind)
    assert {k.value for k in Kind} == set(pb.QuestionKind.values())
    assert {a.value for a in Action} == set(pb.Action.values())
    assert {c.value + 1 for c in Colour} == set(pb.Colour.values())
    assert len(CARDS) == len(pb.Card.values()) - 1


def test_a_number_of_a_later_protocol_reads_as_other() -> None:
    """A kind of move that this SDK does not know is no error: it can still be chosen by its index."""
    move = MOVES[99, 8, 0, 0]

    assert move.action is Action.OTHER
    assert move.card == Card("R7")


def test_kinds_of_event_are_those_of_the_engine() -> None:
    """The SDK, which imports without the engine, lists the engine's kinds under the same numbers."""
    kinds = {kind.name: int(kind) for kind in EventKind if kind}

    assert kinds == {kind.name: int(kind) for kind in engine_events.EventKind}
    assert kinds == {name: getattr(engine_events, name) for name in kinds}
