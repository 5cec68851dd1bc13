"""A view reads a question as the contract says it."""

from typing import Any

import pytest

from arena.bot import Action, Bot, Card, Colour, EventKind, Kind, Move, View
from arena.bot.local import LocalBot
from arena.bot.news import News
from arena.bot.session import Session
from arena.protocol.pb import bot_pb2 as pb
from tests.bot.turns import card, make_event, make_turn

HELLO = pb.HelloRequest(
    ruleset=pb.Ruleset(
        name="tiny",
        options={"challenge": "on"},
        deck=[pb.DeckEntry(card=card(text), count=2) for text in ("R1", "R2", "R5", "G5", "W")],
    ),
    limits=pb.Limits(budget_ms=20, bank_ms=10_000),
)


class Looker(Bot):
    """Keeps every view it was given."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def move(self, view: View) -> int:
        """Keep the view."""
        self.views.append(view)
        return 0


def look(*turns: Any, seat: int = 0, seats: int = 2) -> View:
    """Return what a bot sees of the last of these turns."""
    local = LocalBot(Looker, HELLO)
    bot = local.open(seat=seat, seats=seats, seed=5)
    for turn in turns:
        local.ask(turn)
    assert isinstance(bot, Looker)
    return bot.views[-1]


def test_cards_and_moves_are_values() -> None:
    """Hand, top, colour and legal moves come as the SDK's own values, in the order of the message."""
    view = look(make_turn("R1 R2 W", "R1, R2, W:R, W:G, draw", top="R5"))

    assert view.kind is Kind.TURN
    assert view.hand == (Card("R1"), Card("R2"), Card("W"))
    assert view.top is Card("R5")
    assert view.colour is Colour.RED
    assert [str(move) for move in view.legal] == ["R1", "R2", "W:R", "W:G", "draw"]
    assert view.plays == view.playable == view.legal[:4]
    assert view.legal_by(Action.DRAW) is Move.parse("draw")
    assert view.legal_by(Action.CHALLENGE) is None
    assert view.drawn is None
    assert view.penalty is None


def test_bluffs_are_legal_but_not_playable() -> None:
    """A move that the rules only allow as a bluff is in `legal`, `plays` and `bluffs`, not in `playable`."""
    view = look(make_turn("R1 W+4", "R1, W+4:R, W+4:G, draw", bluffs=(1, 2)))

    assert [str(move) for move in view.bluffs] == ["W+4:R", "W+4:G"]
    assert [str(move) for move in view.playable] == ["R1"]
    assert len(view.plays) == 3


def test_a_penalty_names_its_parties() -> None:
    """A pending penalty tells the card, the amount, who caused it and who is to suffer it."""
    penalty = pb.Penalty(card=card("W+4"), amount=4, source=1, victim=0)
    view = look(make_turn("R1 R2", "accept, challenge", kind=Kind.PENALTY, penalty=penalty))

    assert view.penalty is not None
    assert view.penalty == (Card("W+4"), 4, 1, 0)


def test_the_next_player_follows_the_direction_of_play() -> None:
    """The next seat is the next one with cards in the direction of play; opponents come in that order."""
    clockwise = look(make_turn("R1", "R1, draw", hand_sizes=[3, 0, 2, 9]), seats=4)
    back = look(make_turn("R1", "R1, draw", hand_sizes=[3, 0, 2, 9], direction=-1), seats=4)

    assert (clockwise.next_seat, clockwise.next_cards, clockwise.opponents) == (2, 2, (2, 3))
    assert back.direction == -1
    assert (back.next_seat, back.next_cards, back.opponents) == (3, 9, (3, 2))
    assert clockwise.fewest_cards == 2


def test_what_was_played_is_counted_from_the_round_s_first_card() -> None:
    """Cards laid since the round began are counted, across questions; a new round begins anew."""
    began = (make_event("ROUND_BEGAN", 1, count=1), make_event("FIRST_CARD", on="R5"))
    first = make_turn("R1 R2", "R1, draw", events=(*began, make_event("PLAYED", 1, "G5")))
    second = make_turn(
        "R1 W", "R1, draw", events=(make_event("PLAYED", 0, "R2"), make_event("PLAYED", 1, "R5"))
    )
    view = look(first, second)

    assert {c.text: view.played[c] for c in (Card("R5"), Card("G5"), Card("R2"), Card("R1"))} == {
        "R5": 2,
        "G5": 1,
        "R2": 1,
        "R1": 0,
    }
    assert {str(Card(code)): left for code, left in enumerate(view.unseen) if left} == {
        "R1": 1,
        "R2": 1,
        "G5": 1,
        "W": 1,
    }
    assert sum(look(first, second, make_turn("R1", "R1, draw", events=began)).played) == 1


def test_a_reshuffle_makes_the_pile_unseen_again() -> None:
    """After a reshuffle only the top card is still known to lie in the discard pile."""
    laid = tuple(make_event("PLAYED", 1, text) for text in ("R1", "R2", "G5"))
    began = (make_event("ROUND_BEGAN", 1, count=1), make_event("FIRST_CARD", on="R5"))
    view = look(make_turn("W", "W:R, draw", events=(*began, *laid, make_event("RESHUFFLED", count=3))))

    assert sum(view.unseen) == 10 - 1 - 1
    assert view.unseen[Card("G5")] == 1
    assert sum(view.played) == 4


def test_a_returned_card_is_unseen_again() -> None:
    """A wild +4 that a challenge sent back is in its player's hand again, not in the discard pile."""
    began = (make_event("ROUND_BEGAN", 1, count=1), make_event("FIRST_CARD", on="R5"))
    news = (*began, make_event("PLAYED", 1, "W", Colour.RED), make_event("RETURNED", 1, "W"))
    view = look(make_turn("R1", "R1, draw", events=news))

    assert view.unseen[Card("W")] == 2
    assert view.played[Card("W")] == 0


def test_rules_limits_and_dice_come_from_the_arena() -> None:
    """The handshake's ruleset and limits and the table's seed reach the bot."""
    view = look(make_turn("R1", "R1, draw"))
    again = look(make_turn("R1", "R1, draw"))

    assert view.rules.name == "tiny"
    assert view.rules.option("challenge") == "on"
    assert view.rules.option("no such option", "default") == "default"
    assert view.rules.deck[Card("W")] == 2
    assert view.rules.limits.budget_ms == 20
    assert view.random.random() == again.random.random()


def test_events_are_values_with_a_text() -> None:
    """Events name their kind, seat and card, and read as a line."""
    view = look(make_turn("R1", "R1, draw", events=(make_event("PLAYED", 1, "W", Colour.BLUE),)))
    (event,) = view.events

    assert event.kind is EventKind.PLAYED
    assert (event.seat, event.card, event.colour, event.other) == (1, Card("W"), Colour.BLUE, -1)
    assert str(event) == "seat 1 played W blue"


def test_a_view_reads_as_a_page() -> None:
    """The text of a view tells a person what was asked, with hand, top and legal moves."""
    text = str(look(make_turn("R1 W", "R1, W:R, draw", top="G5")))

    assert text.splitlines()[0] == "TURN (question 1, round 1, seat 0 of 2)"
    assert "  hand   R1 W" in text
    assert "  legal  R1  W:R  draw" in text


@pytest.mark.parametrize("counted_before", [False, True])
@pytest.mark.parametrize("questions", [3, 300])
def test_news_of_messages_as_they_were_sent_are_counted(
    monkeypatch: pytest.MonkeyPatch, questions: int, counted_before: bool
) -> None:
    """Whether a bot counts first after three questions or after 300, not one of two tables misses a card."""
    monkeypatch.setattr(News, "are_read", counted_before)
    seen: dict[int, list[int]] = {}

    class Counts(Bot):
        def move(self, view: View) -> int:
            if view.question == questions:
                seen[view.hand_sizes[1]] = view.played
            return 0

    session = Session(Counts)
    session.play(pb.Turns(opened=[pb.Opened(table=table, seats=2) for table in (5, 3)]))
    for question in range(1, questions + 1):
        turns = [
            make_turn(
                "R1 R2",
                "R1, draw",
                table=table,
                question=question,
                hand_sizes=[2, table],
                events=tuple(make_event("PLAYED", 1, laid) for laid in told),
            )
            for table, told in ((5, ["R1"]), (3, ["G2", "G5"]))
        ]
        batch = pb.Turns(turns=turns)
        session.play(batch, batch.SerializeToString())

    assert {table: sum(played) for table, played in seen.items()} == {5: questions, 3: 2 * questions}
    assert seen[3][Card("G5")] == seen[5][Card("R1")] == questions
