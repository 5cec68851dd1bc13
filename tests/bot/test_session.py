"""From a batch of questions to a message of answers, without a socket."""

from typing import Any

import pytest

from arena.bot import Answer, Bot, Choice, Event, EventKind, Kind, Move, Result, View
from arena.bot.local import LocalBot, ask_once, format_choice, format_turn, parse_turn
from arena.bot.session import BotFailure
from arena.protocol.pb import bot_pb2 as pb
from tests.bot.turns import make_event, make_turn


def answering(choice: Any, **flags: Any) -> type[Bot]:
    """Return a class of bots that always make this choice."""

    class Fixed(Bot):
        def move(self, view: View) -> Choice:
            del view
            return choice  # type: ignore[no-any-return]

    for name, value in flags.items():
        setattr(Fixed, name, value)
    return Fixed


def answer_to(turn: Any, choice: Any, **flags: Any) -> Any:
    """Return the `Answer` message that such a bot gives."""
    local = LocalBot(answering(choice, **flags))
    local.open()
    return local.ask(turn)


@pytest.mark.parametrize(
    "choice", [2, "W:G", Move.parse("W:G"), Answer(2), Answer("W:G"), Answer(Move.parse("W:G"))], ids=repr
)
def test_a_choice_may_be_a_move_an_index_or_a_text(choice: Any) -> None:
    """All forms of one choice are answered as the same index, with table and question given back."""
    answer = answer_to(make_turn("R1 G2 W", "R1, W:R, W:G, draw", question=7), choice)

    assert (answer.table, answer.question, answer.WhichOneof("choice"), answer.index) == (0, 7, "index", 2)


def test_a_move_that_is_not_legal_goes_out_in_full() -> None:
    """An illegal choice is sent as it is: the arena judges it at its own table, the process goes on."""
    answer = answer_to(make_turn("R1 G2", "R1, draw"), "B7")

    assert answer.WhichOneof("choice") == "move"
    assert format_choice(make_turn("R1", "R1, draw"), answer) == "B7"
    assert answer_to(make_turn("R1 G2", "R1, draw"), 9).index == 9


@pytest.mark.parametrize(
    ("hand", "choice", "uno"),
    [("R1 R2", "R1", True), ("R1 R2", "draw", False), ("R1 R2 R3", "R1", False), ("R1", "R1", False)],
)
def test_uno_is_called_with_the_play_that_leaves_one_card(hand: str, choice: str, uno: bool) -> None:
    """The flag is set exactly when a card is laid from a hand of two, however the choice is written."""
    turn = make_turn(hand, "R1, draw")

    assert answer_to(turn, choice).uno is uno
    assert answer_to(turn, Move.parse(choice)).uno is uno
    assert answer_to(turn, Answer(choice)).uno is uno


def test_uno_can_be_left_to_the_author() -> None:
    """An `Answer` overrides the automatic call, and `call_uno = False` switches it off."""
    turn = make_turn("R1 R2", "R1, draw")

    assert answer_to(turn, Answer("R1", uno=False)).uno is False
    assert answer_to(turn, Answer("draw", uno=True)).uno is True
    assert answer_to(turn, "R1", call_uno=False).uno is False


def test_the_only_move_is_made_without_asking() -> None:
    """A question with one legal move never reaches the author, but carries the UNO flag."""
    answer = answer_to(make_turn("R1 R2", "R1"), 99)

    assert (answer.index, answer.uno) == (0, True)


def test_a_missed_call_is_pointed_out_and_a_made_one_is_not() -> None:
    """Catch questions are answered by what the events say, so that no false catch is made."""
    played = make_event("PLAYED", 1, "R5")
    missed = make_turn("R1 R2", "catch, no", kind=Kind.CATCH, events=(make_event("UNO_CALLED", 0), played))
    called = make_turn("R1 R2", "catch, no", kind=Kind.CATCH, events=(played, make_event("UNO_CALLED", 1)))

    assert format_choice(missed, answer_to(missed, "draw")) == "catch"
    assert format_choice(called, answer_to(called, "draw")) == "no"
    assert format_choice(missed, answer_to(missed, "no", catch_missed=False)) == "no"


def test_a_line_can_be_said_with_a_move() -> None:
    """An `Answer` carries a line and its mark as advice."""
    answer = answer_to(make_turn("R1 R2", "R1, draw"), Answer("R1", say="hello", advice=True))

    assert (answer.say, answer.advice) == ("hello", True)


@pytest.mark.parametrize(
    ("choice", "hint"), [(None, "forgotten"), (1.5, "must return"), (object(), "must return")]
)
def test_a_wrong_type_is_the_author_s_error(choice: Any, hint: str) -> None:
    """What is no choice at all raises a TypeError that says what may be returned."""
    with pytest.raises(BotFailure) as failure:
        answer_to(make_turn("R1 R2", "R1, draw"), choice)

    assert isinstance(failure.value.__cause__, TypeError)
    assert hint in str(failure.value.__cause__)


class Diary(Bot):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def opened(self) -> None:
        """Write the seat down."""
        self.lines.append(f"opened {self.seat} of {self.seats}")

    def event(self, event: Event) -> None:
        """Write the event down."""
        self.lines.append(f"event {event}")
        assert isinstance(event.kind, EventKind)

    def move(self, view: View) -> int:
        """Write the question down."""
        self.lines.append(f"move {view.question}")
        if view.question == 13:
            raise RuntimeError("unlucky")
        return 0

    def closed(self, result: Result) -> None:
        """Write the result down."""
        self.lines.append(f"closed {result}")


def test_each_table_has_its_own_instance_and_hooks_in_order() -> None:
    """Opened, events, move, closed come in this order, each to the instance of its table."""
    local = LocalBot(Diary)
    first, second = local.open(0, seat=1, seats=3), local.open(1)
    local.ask(make_turn("R1 R2", "R1, draw", table=0, question=4, events=(make_event("DREW", 1, count=1),)))
    local.ask(make_turn("R1 R2", "R1, draw", table=1, question=5))
    local.close(pb.Closed(table=0, places=[2, 1, 3], totals=[0, 500, -20], ending=pb.TARGET))
    local.close(pb.Closed(table=1, ending=pb.REPLANNED, verdict=pb.TIMED_OUT))
    assert isinstance(first, Diary)
    assert isinstance(second, Diary)

    assert first.lines == [
        "opened 1 of 3",
        "event seat 1 drew amount 1",
        "move 4",
        "closed Result(places=(2, 1, 3), totals=(0, 500, -20), ending='target', verdict='')",
    ]
    assert second.lines[1:] == [
        "move 5",
        "closed Result(places=(), totals=(), ending='replanned', verdict='timed_out')",
    ]
    assert local.session.tables == {}


def test_answers_before_an_error_are_kept() -> None:
    """When the third table of a batch fails, the failure carries the two answers before it."""
    local = LocalBot(Diary)
    for table in range(3):
        local.open(table)
    turns = [make_turn("R1 R2", "R1, draw", table=t, question=q) for t, q in ((0, 1), (1, 2), (2, 13))]
    with pytest.raises(BotFailure, match="question 13") as failure:
        local.session.play(pb.Turns(turns=turns))

    assert [answer.table for answer in failure.value.answers.answers] == [0, 1]
    assert str(failure.value.__cause__) == "unlucky"


def test_hello_gives_back_nonce_and_offers_tables() -> None:
    """The reply holds version, nonce and no more tables than the arena opens."""
    local = LocalBot(answering(0, tables=100, description="me"))
    reply = local.session.hello(pb.HelloRequest(nonce=b"abc", tables_max=32))

    assert (reply.protocol, reply.nonce, reply.tables, reply.description) == (1, b"abc", 32, "me")
    assert local.session.hello(pb.HelloRequest()).tables == 100


def test_a_bot_without_a_move_cannot_be_made() -> None:
    """A class that forgot `move` fails with Python's own sentence about it when its first table opens."""
    with pytest.raises(BotFailure) as failure:
        LocalBot(type("Lazy", (Bot,), {})).open()

    assert "move" in str(failure.value.__cause__)


def test_a_recorded_turn_is_one_line() -> None:
    """A turn's text parses back to the same message and can be put to any bot class."""
    turn = make_turn("R1 W", "R1, W:R, draw", question=3)
    text = format_turn(turn)

    assert "\n" not in text
    assert parse_turn(text) == turn
    assert ask_once(answering("W:R"), parse_turn(text)) == "W:R"
