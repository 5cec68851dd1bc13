"""Everything has a one-line text form, both ways; nonsense is refused with the text in the message."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import (
    PRESETS,
    Event,
    EventKind,
    Match,
    NotationError,
    Ruleset,
    RulesetError,
    Variant,
    derive,
    format_card,
    format_event,
    format_move,
    parse_card,
    parse_event,
    parse_move,
    parse_record,
    parse_ruleset,
    preset,
    record_of,
)
from arena.rules.cards import COLOURS, KINDS, format_cards, format_colour, parse_cards, parse_colour
from arena.rules.decks import DECKS, format_deck, parse_deck
from arena.rules.events import pack_event, unpack_event
from arena.rules.moves import GIVE, JUMP, NAME, PLAY, pack
from arena.rules.position import format_position, parse_position
from arena.rules.presets import ruleset_of
from tests.rules.lots import played_by_lot, rulesets

CARDS = st.integers(0, KINDS - 1)
SEATS = st.integers(-1, 9)
MOVES = st.one_of(
    st.builds(pack, st.sampled_from([PLAY, JUMP]), CARDS, st.integers(-1, 3), SEATS),
    st.builds(pack, st.just(GIVE), CARDS),
    st.builds(lambda colour: pack(NAME, colour=colour), st.integers(0, 3)),
    st.sampled_from(
        [parse_move(text) for text in ("draw", "keep", "accept", "challenge", "catch", "no", "ready")]
    ),
)
EVENTS = st.builds(
    Event,
    st.sampled_from([int(kind) for kind in EventKind]),
    SEATS,
    st.integers(-1, KINDS - 1),
    st.integers(-1, 3),
    st.integers(-1000, 100_000),
    SEATS,
)


def test_cards_and_colours_round_trip():
    """Every card and every colour is read back from its text, and no two share one."""
    assert [parse_card(format_card(card)) for card in range(KINDS)] == list(range(KINDS))
    assert [parse_colour(format_colour(colour)) for colour in range(COLOURS)] == list(range(COLOURS))
    assert parse_cards(format_cards([1, 57, 3])) == [1, 57, 3]
    assert parse_cards(format_cards([])) == []


@given(MOVES)
def test_moves_round_trip(move: int):
    """Every move is read back from its text."""
    assert parse_move(format_move(move)) == move


def test_the_order_of_moves_is_the_order_of_numbers():
    """Sorting the numbers sorts by action, card, colour, seat."""
    texts = [
        "R7",
        "B0",
        "B7",
        "B7:1",
        "B7:2",
        "W:R",
        "W:G",
        "W+4:R",
        "jump R7",
        "give R1",
        "colour R",
        "draw",
        "keep",
    ]
    texts += ["accept", "challenge", "catch", "no", "ready"]

    assert [format_move(move) for move in sorted(parse_move(text) for text in texts)] == texts


@given(EVENTS)
def test_events_round_trip(event: Event):
    """Every event is read back from its text and from its packed form."""
    assert parse_event(format_event(event)) == event
    assert unpack_event(pack_event(*event)) == event


@pytest.mark.parametrize(
    "text", ["", "R10", "r7", "W:", "W:X", "R7:12", "jump", "give R7:1", "colour", "R7 ", "draw!"]
)
def test_no_move(text: str):
    """What is no move is refused, quoting it."""
    with pytest.raises(NotationError):
        parse_move(text)


@pytest.mark.parametrize(
    "text", ["", "danced seat=1", "played seat", "played seat=1 hat=2", "played card=Q9"]
)
def test_no_event(text: str):
    """What is no event is refused."""
    with pytest.raises(NotationError):
        parse_event(text)


@pytest.mark.parametrize("deck", DECKS)
def test_decks_round_trip(deck: str):
    """Every printed deck is read back from its text."""
    assert parse_deck(format_deck(DECKS[deck]())) == DECKS[deck]()


@given(rulesets())
@settings(deadline=None)
def test_rulesets_round_trip(rules: Ruleset):
    """Every ruleset is read back from its canonical text, with the same digest."""
    again = parse_ruleset(rules.canonical_text())

    assert again == rules
    assert again.digest == rules.digest
    assert ruleset_of(rules.options()) == rules


def test_presets_differ():
    """Every preset has a digest of its own."""
    assert len({preset(name).digest for name in PRESETS}) == len(PRESETS)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("matell", "mattel"),
        ('base = "matell"', "mattel"),
        ("chalenge = true", "challenge"),
        ('draw = "two"', "draw"),
        ("uno_penalty = 3", "uno_penalty"),
        ("hand_size = 0", "hand_size"),
        ("target = 0", "target"),
        ('players = "1-4"', "players"),
        ('deck = "custom"', "cards"),
        ('cards = "R1*50"', "cards"),
        ("[deck]\nR99 = 4", "R99"),
        ("to_the_last = true", "to_the_last"),
        ('h2o_finish = "on"', "h2o_finish"),
        ("max_turns = true", "max_turns"),
        ("draw = [", "TOML"),
    ],
)
def test_a_ruleset_that_cannot_be_played_is_refused_by_name(text: str, named: str):
    """An unknown option or value, and options that exclude each other, are named in the message."""
    with pytest.raises(RulesetError, match=named):
        parse_ruleset(text)


def test_a_custom_deck_as_a_table():
    """A deck may be a TOML table; its order does not matter."""
    one = parse_ruleset('base = "classic"\n[deck]\nR1 = 20\nW = 4')
    other = parse_ruleset('base = "classic"\ndeck = "custom"\ncards = "W*4 R1*20"')

    assert one == other
    assert one.digest == other.digest


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_records_and_positions_round_trip(data: st.DataObject):
    """A match broken off anywhere is read back from its record, and its round from its position."""
    match = played_by_lot(data)
    record = record_of(match)

    assert parse_record(str(record)) == record
    text = format_position(match.round)
    again = parse_position(text, match.variant)
    assert format_position(again) == text
    assert again.legal_moves() == match.round.legal_moves()


def test_records_are_one_line():
    """A line that was said, whatever is in it, stays inside the record's one line."""
    match = Match(preset("mattel"), 2, derive(b"record", 1))
    match.apply(match.legal_moves()[0], say='no, "really"\nnot ~ leave 1,')
    text = str(record_of(match))

    assert "\n" not in text
    assert parse_record(text).lines == tuple(match.lines)


@pytest.mark.parametrize(
    "text", ["", "chess/1 00 2 00 R7", "arena/1 zz 2 00 R7", "arena/1 00", "arena/1 00 2 00 R7,fly"]
)
def test_no_record(text: str):
    """What is no record is refused."""
    with pytest.raises(NotationError):
        parse_record(text)


@pytest.mark.parametrize(
    "text", ["", "hands=R1", "hands=R1|R2 pile=R3|R4|R5", "hands=R1|R2 pile= hat=1", "hands=Q1 pile="]
)
def test_no_position(text: str):
    """What is no position is refused."""
    with pytest.raises(NotationError):
        parse_position(text, Variant(preset("mattel")))
