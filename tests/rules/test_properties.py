"""What holds in every state of every ruleset at every table: cards, legality, secrecy, replay, the end."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import MISPLAY, IllegalMoveError, Match, View, parse_record, preset, record_of, replay
from arena.rules.cards import KINDS, NO_CARD
from arena.rules.moves import pack
from arena.rules.position import format_position
from arena.rules.questions import OVER
from tests.rules.lots import decide, matches, played_by_lot

ANY = settings(max_examples=60, deadline=None)
SEEN = [name for name in vars(View) if isinstance(vars(View)[name], property)]


MISPLAYS_TRIED = 0.005
"""The share of all illegal moves that are tried where each makes another match (R53)."""
SEATS_NAMED = range(-1, 10)
EVERY_MOVE = sorted(
    {
        *(
            pack(action, card, colour)
            for action in (1, 2, 3)
            for card in range(KINDS)
            for colour in range(-1, 4)
        ),
        *(pack(action, card, -1, seat) for action in (1, 2) for card in range(KINDS) for seat in SEATS_NAMED),
        *(pack(4, -1, colour) for colour in range(-1, 4)),
        *(pack(action, -1, -1, seat) for action in range(5, 12) for seat in SEATS_NAMED),
    }
)
"""Every move that has a text and many that have none: each card, colour and seat, in each action."""


def all_cards(match: Match) -> Counter[int]:
    """Return every card of the round: hands, draw pile, discard pile."""
    round_ = match.round
    cards = Counter(round_.pile.unseen()) + Counter(round_.discard)
    for seat in range(match.seats):
        cards += Counter(round_.hand(seat))
    return cards


@given(matches(), st.randoms(use_true_random=False))
@ANY
def test_cards_are_conserved(match: Match, random: Random):
    """Hands, draw pile and discard pile are the same multiset in every state, and counts agree with hands."""
    deck = Counter(match.variant.deck)
    for _decision in range(150):
        assert all_cards(match) == deck
        assert match.round.sizes == [len(match.round.hand(seat)) for seat in range(match.seats)]
        assert match.round.pile.size == len(match.round.pile.unseen())
        if match.over:
            break
        decide(match, random)


@given(st.data(), st.randoms(use_true_random=False))
@ANY
def test_legality_is_exact(data: st.DataObject, random: Random):
    """Every legal move applies; every other one is refused without change, or is a misplay (R53)."""
    match = played_by_lot(data)
    legal = match.legal_moves()
    position = format_position(match.round)
    assert list(legal) == sorted(set(legal))
    assert bool(legal) == (not match.over)
    for move in legal:
        twin = match.copy()
        twin.apply(move)
        assert len(twin.history) == len(match.history) + 1
    twin = match.copy()
    for move in EVERY_MOVE:
        if move in legal:
            continue
        if match.ruleset.misplay_penalty:
            if random.random() < MISPLAYS_TRIED:
                refused(match, move, position)
            continue
        try:
            twin.apply(move)
        except IllegalMoveError:
            continue
        raise AssertionError(f"move {move} was not refused")
    assert format_position(twin.round) == position
    assert (twin.events, twin.history) == (match.events, match.history)


def refused(match: Match, move: int, position: str) -> None:
    """Check that an illegal move is a misplay, or changes nothing."""
    twin = match.copy()
    news = len(twin.events)
    try:
        twin.apply(move)
    except IllegalMoveError:
        assert format_position(twin.round) == position
        assert len(twin.events) == news
    else:
        assert match.ruleset.misplay_penalty == 2
        assert twin.history[-1] >> 4 == MISPLAY


def what_is_seen(match: Match, seat: int) -> dict[str, object]:
    """Return everything that a view tells."""
    view = View(match, seat)
    return {name: getattr(view, name) for name in SEEN} | {"news": view.news(0)}


@given(st.data(), st.randoms(use_true_random=False))
@ANY
def test_no_view_knows_a_hidden_card(data: st.DataObject, random: Random):
    """Deal everything that a seat cannot see anew: its view stays the same."""
    match = played_by_lot(data)
    for seat in range(match.seats):
        twin = match.copy()
        round_ = twin.round
        others = [other for other in range(match.seats) if other != seat]
        sizes = {other: len(round_.hand(other)) for other in others}
        hidden = round_.pile.unseen() + [card for other in others for card in round_.hand(other)]
        random.shuffle(hidden)
        for other in others:
            round_.set_hand(other, [hidden.pop() for _card in range(sizes[other])])
        round_.pile.streams = [[hidden.pop() for _card in stream] for stream in round_.pile.streams]
        round_.pile.tail = [0] * len(round_.pile.tail)
        round_.legal = None
        if round_.drawn != NO_CARD and round_.seat != seat:
            round_.drawn = 0

        assert what_is_seen(twin, seat) == what_is_seen(match, seat)


@given(st.data())
@ANY
def test_a_record_replays_to_the_same_match(data: st.DataObject):
    """The record's text alone leads to the same news, position, totals and places."""
    match = played_by_lot(data)
    again = replay(parse_record(str(record_of(match))), match.ruleset)

    assert again.events == match.events
    assert format_position(again.round) == format_position(match.round)
    assert (again.totals, again.places, again.lines) == (match.totals, match.places, match.lines)


@given(st.data())
@ANY
def test_a_copy_goes_on_alone(data: st.DataObject):
    """Playing a copy does not touch the original, and the same moves lead to the same place."""
    match = played_by_lot(data)
    before, news = format_position(match.round), len(match.events)
    first, second = match.copy(), match.copy()
    for seed, twin in ((1, first), (1, second)):
        random = Random(seed)
        for _decision in range(30):
            if not twin.over:
                decide(twin, random)

    assert (format_position(match.round), len(match.events)) == (before, news)
    assert format_position(first.round) == format_position(second.round)
    assert first.events == second.events


@given(matches(), st.randoms(use_true_random=False))
@ANY
def test_every_match_ends(match: Match, random: Random):
    """Whatever is played, a match ends with a reason and with places that fit together."""
    for _step in range(600):
        if match.over:
            break
        decide(match, random)
    if not match.over and match.decisions < match.ruleset.max_decisions:
        return  # Broken off: a long match, or steps that were no decisions because a seat left.

    assert match.over
    assert match.ending in ("target", "rounds", "decisions", "last_seat")
    assert match.question == OVER
    assert match.seat == -1
    better = [sum(other < place for other in match.places) for place in match.places]
    assert list(match.places) == [count + 1 for count in better]


def test_a_view_of_a_seat_that_is_not_asked():
    """Who is not asked sees no question, no legal moves, no drawn card."""
    match = Match(preset("mattel"), 3, bytes(32))
    idle = View(match, (match.seat + 1) % 3)

    assert (idle.kind, idle.legal, idle.bluffs, idle.drawn) == (OVER, (), [], NO_CARD)
