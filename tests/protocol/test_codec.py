"""The codec: what is written by hand is what protobuf writes, and what comes back is what was sent."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.referee import NO_MOVE, Answer, Question, referee
from arena.protocol.codec import DecodeError, TableWriter, decode_answers, decode_choice
from arena.protocol.inprocess import play_messages
from arena.protocol.pb import bot_pb2 as pb
from arena.protocol.turn import parts
from arena.protocol.turn.parts import plus_one
from arena.protocol.wire import number, packed, varint, zigzag
from arena.rules import events as ev
from arena.rules import moves as mv
from arena.rules.match import Match
from arena.rules.options import Ruleset
from arena.rules.presets import ruleset_of
from arena.rules.questions import QuestionKind
from arena.rules.view import View

WILD_RULES = Ruleset(
    scoring="lowest",
    target=150,
    draw_two_answer="stack",
    draw_four_answer="stack",
    reverse_answer="all",
    jump_in=True,
    seven="swap",
    zero="rotate",
    five="exchange",
    challenge_success="returned",
    misplay_penalty=2,
    ready=True,
)
"""As many kinds of question and event as one ruleset can have."""


def _by_fields(question: Question, match: Match, table: int, since: int, bank_ms: int) -> pb.Turn:
    """Build a turn field by field, without any of the shortcuts of the writer."""
    view = question.view
    turn = pb.Turn(table=table, question=question.number, kind=plus_one(view.kind - 1), bank_ms=bank_ms)
    for move in view.legal:
        turn.legal.add(
            action=parts.ACTIONS[mv.action_of(move)],
            card=plus_one(mv.card_of(move)),
            colour=plus_one(mv.colour_of(move)),
            seat_plus_one=mv.seat_of(move) + 1,
        )
    turn.bluffs.extend(view.bluffs)
    turn.hand.extend([plus_one(card) for card in view.hand])
    turn.top, turn.colour = plus_one(view.top), plus_one(view.colour)
    turn.direction = view.direction
    turn.hand_sizes.extend(view.hand_sizes)
    turn.totals.extend(view.totals)
    turn.draw_pile = view.draw_pile_size
    if view.penalty is not None:
        penalty = view.penalty
        turn.penalty.CopyFrom(
            pb.Penalty(
                card=plus_one(penalty.card),
                amount=penalty.amount,
                source=penalty.source,
                victim=penalty.victim,
            )
        )
    turn.drawn = plus_one(view.drawn)
    turn.shown.extend([plus_one(card) for card in view.shown_hand])
    turn.shown_seat_plus_one = view.shown_seat + 1 if view.shown_hand else 0
    turn.round, turn.dealer = view.round_number, view.dealer
    turn.seats_in = sum(1 << seat for seat in range(match.seats) if match.standing.in_match[seat])
    for event in match.events[since:]:
        turn.events.append(
            parts.write_event(event, match.lines[event.count] if event.kind == ev.SAID else "")
        )
    return turn


@pytest.mark.parametrize("seats", [2, 3, 7])
@pytest.mark.parametrize("ruleset", [Ruleset(), WILD_RULES], ids=["mattel", "many rules"])
def test_a_turn_is_what_protobuf_would_write(ruleset: Ruleset, seats: int) -> None:
    """At every question of whole matches, the bytes parse to the message built field by field."""
    dice = random.Random(seats)
    match = Match(ruleset, seats, bytes(32))
    writer = TableWriter(match, 300)
    leader = referee(match)
    heard = [0] * seats
    kinds = set()
    question = next(leader)
    for _ in range(3000):
        bank_ms = dice.choice([0, 1, 127, 128, 10_000, 10_000_000])
        expected = _by_fields(question, match, 300, heard[question.seat], bank_ms)
        heard[question.seat] = len(match.events)
        kinds.add(question.view.kind)

        (turn,) = pb.Turns.FromString(writer.turn(question, bank_ms)).turns
        assert turn == expected
        say = "hello, table" if dice.random() < 0.05 else ""
        index = dice.randrange(len(question.view.legal) + (dice.random() < 0.02 and ruleset is WILD_RULES))
        try:
            question = leader.send(Answer(index, uno=dice.random() < 0.7, say=say))
        except StopIteration:
            break

    expected_kinds = {QuestionKind.TURN, QuestionKind.PENALTY}
    if ruleset is WILD_RULES:
        expected_kinds |= {QuestionKind.JUMP_IN, QuestionKind.READY}
    assert expected_kinds <= kinds


def test_a_shown_hand_names_its_seat_whoever_was_doubted_since() -> None:
    """Of two seats that challenged in vain, the first still hears whose hand it was shown."""
    rules = {"deck": "custom", "cards": "W+4*60", "hand_size": 3, "first_card": "any"}
    match = Match(ruleset_of(rules), 3, bytes(32))
    match.apply(mv.parse_move("colour B"))
    offender = match.seat
    for move in ("W+4:B", "challenge", "W+4:B", "challenge"):
        match.apply(mv.parse_move(move))
    view = View(match, match.seat)
    (turn,) = pb.Turns.FromString(TableWriter(match, 1).turn(Question(match.seat, 1, view), 0)).turns
    doubted = [event.other for event in match.events if event.kind == ev.CHALLENGED]

    assert len(turn.shown) == 2
    assert turn.shown_seat_plus_one - 1 == offender != doubted[-1]


def test_each_seat_hears_all_public_news_once() -> None:
    """What a seat is told over a match is the public log, each event once and in order."""
    heard: list[list[pb.Event]] = [[], [], []]
    matches: list[pb.Closed] = []

    def bot(seat: int) -> parts.Any:
        def play(turns: pb.Turns) -> pb.Answers:
            matches.extend(turns.closed)
            for turn in turns.turns:
                heard[seat] += turn.events
            said = [pb.Answer(table=turn.table, question=turn.question, index=0) for turn in turns.turns]
            return pb.Answers(answers=said)

        return play

    result = play_messages(Ruleset(scoring="single_round"), bytes(32), [bot(0), bot(1), bot(2)])
    longest = max(heard, key=len)

    assert len(longest) > 10
    assert all(longest[: len(news)] == news for news in heard)
    assert [tuple(closed.places) for closed in matches] == [result.places] * 3
    assert {closed.ending for closed in matches} == {pb.TARGET}


def test_events_have_the_same_numbers_on_both_sides() -> None:
    """Kinds of events and of questions, faults and endings have one numbering or a complete translation."""
    wire = {name: value for name, value in pb.EventKind.items() if value}
    questions = {value for _, value in pb.QuestionKind.items()}

    assert wire == {kind.name: int(kind) for kind in ev.EventKind}
    assert questions == {int(kind) for kind in QuestionKind}
    assert len(set(parts.VERDICTS.values())) == len(pb.Verdict.items()) - 1
    assert set(parts.ACTIONS.values()) == {value for _, value in pb.Action.items() if value}


@given(st.sampled_from(list(parts.ACTIONS)), st.integers(-1, 60), st.integers(-1, 3), st.integers(-1, 9))
def test_moves_go_both_ways(action: int, card: int, colour: int, seat: int) -> None:
    """Every move comes back from the wire as it was sent."""
    move = mv.pack(action, card, colour, seat)
    answer = pb.Answer(table=1, question=1, move=parts.write_move(move), uno=True, say="x", advice=True)

    assert decode_choice(answer) == Answer(-1, move, uno=True, say="x", advice=True)


def test_a_move_with_impossible_numbers_is_no_move() -> None:
    """Numbers that no card, colour, seat or action has lead to the one move that is never legal."""
    for move in (pb.Move(action=plus_one(98)), pb.Move(action=pb.PLAY, card=plus_one(61))):
        assert decode_choice(pb.Answer(move=move)) == Answer(-1, NO_MOVE)
    for move in (pb.Move(action=pb.PLAY, seat_plus_one=11), pb.Move(action=pb.PLAY, colour=plus_one(-3))):
        assert decode_choice(pb.Answer(move=move)) == Answer(-1, NO_MOVE)


def test_an_answer_without_a_choice_is_none() -> None:
    """Index 0 and no index are told apart."""
    assert decode_choice(pb.Answer(index=0)) == Answer(0)
    assert decode_choice(pb.Answer(table=1)) is None


@given(st.binary(max_size=300))
def test_no_bytes_escape_the_decoder(data: bytes) -> None:
    """Whatever a bot sends is answers or a DecodeError, and every answer can be read (S32)."""
    try:
        answers = decode_answers(data)
    except DecodeError:
        return
    for answer in answers:
        choice = decode_choice(answer)
        assert choice is None or isinstance(choice.move, int)


def test_deep_nesting_is_a_decode_error() -> None:
    """Ten thousand nested groups do not reach Python's stack."""
    with pytest.raises(DecodeError):
        decode_answers(b"\x7b" * 10_000)


@given(st.integers(0, 2**64 - 1))
def test_numbers_are_written_as_protobuf_does(value: int) -> None:
    """Variable length numbers, from the table or not, are protobuf's own."""
    assert b"\x21" + varint(value) == b"\x21" + number(value)
    assert pb.Opened.FromString(b"\x08" + number(value)).table == value & 0xFFFFFFFF


@given(
    st.lists(st.integers(0, 2**32 - 1), max_size=20), st.lists(st.integers(-(2**31), 2**31 - 1), max_size=9)
)
def test_packed_fields_are_written_as_protobuf_does(sizes: list[int], totals: list[int]) -> None:
    """Small and large numbers, signed or not, come back from a packed field."""
    sized = pb.Turn.FromString(b"\x52" + packed(sizes))
    scored = pb.Turn.FromString(b"\x5a" + packed([zigzag(total) for total in totals]))

    assert list(sized.hand_sizes) == sizes
    assert list(scored.totals) == totals


def test_the_view_is_the_only_door() -> None:
    """Two matches that differ only in what a seat cannot see give it the same bytes."""
    match = Match(Ruleset(), 2, bytes(32))
    question = next(referee(match))
    other = 1 - question.seat
    twin = match.copy()
    hidden = twin.round.hand(other)
    drawn = twin.round.pile.streams[0]
    swapped = next(index for index, card in enumerate(drawn) if card != hidden[0])
    twin.round.set_hand(other, [drawn[swapped], *hidden[1:]])
    drawn[swapped] = hidden[0]
    seen = [
        TableWriter(one, 1).turn(Question(question.seat, 1, View(one, question.seat)), 5)
        for one in (match, twin)
    ]

    assert twin.round.hand(other) != hidden
    assert seen[0] == seen[1]
