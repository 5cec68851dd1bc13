"""A position, the whole state of a round, as one line of text, both ways.

Owns the text of positions, for tests, bug reports and goldens: it names every card, so no bot ever sees one.

    hands=R7,B2|W,G+2 discard=R1,B5 colour=B pile=G1,G2|Y3 player=0 seat=0 kind=turn turns=3

Fields that have the value of a fresh round are left out. Cards are separated by commas, seats by ``|``. The
pile is written by its streams (`pile`), each from its next card on, with the cards under it after ``/``; a
pile without ``|`` is taken from the top by everybody.
"""

from typing import Any, Final

from arena.rules.cards import (
    CARD_TEXTS,
    COLOUR_LETTERS,
    NO_CARD,
    NO_COLOUR,
    Card,
    NotationError,
    parse_card,
    parse_colour,
)
from arena.rules.moves import NO_SEAT
from arena.rules.pile import Pile, pile_of
from arena.rules.questions import PenaltyKind, QuestionKind
from arena.rules.round import Round
from arena.rules.variant import Variant

_COLOURS: Final = ("colour", "colour_before", "silent_colour")
_CARDS: Final = ("drawn", "card", "given", "top_before", "pending_card")
_CARD_LISTS: Final = ("discard", "judged", "finishes")
_NUMBER_LISTS: Final = ("exits", "refills", "debts")
_SWITCHES: Final = (
    "stalemate",
    "called",
    "answering",
    "emptied",
    "refilled",
    "uno_missed",
    "catchable",
    "doubtful",
    "bluffed",
)
_NUMBERS: Final = (
    "number",
    "direction",
    "winner",
    "seat",
    "player",
    "turns",
    "passes",
    "named_seat",
    "amount",
    "source",
    "victim",
    "silences",
    "reshuffles",
    "hand_shuffles",
    "centre_draws",
)


def format_position(round_: Round) -> str:
    """Return a position as one line."""
    fresh = Round(round_.variant, round_.seats, bytes(32), 0)
    hands = "|".join(_cards_text(round_.hand(seat)) for seat in range(round_.seats))
    words = [f"hands={hands}", f"pile={_pile_text(round_.pile)}"]
    if round_.kind != fresh.kind:
        words.append(f"kind={QuestionKind(round_.kind).name.lower()}")
    if round_.pending != fresh.pending:
        words.append(f"pending={PenaltyKind(round_.pending).name.lower()}")
    out = [str(seat) for seat in range(round_.seats) if not round_.inside[seat]]
    if out:
        words.append("out=" + ",".join(out))
    if round_.showing:
        words.append(f"shown={_shown_text(round_)}")
    if round_.set_key != fresh.set_key:
        words.append(f"key={round_.set_key.hex()}")
    for names, text in _FORMS:
        for name in names:
            value = getattr(round_, name)
            if value != getattr(fresh, name):
                words.append(f"{name}={text(value)}")
    return " ".join(words)


def parse_position(text: str, variant: Variant) -> Round:
    """Return the round that a line describes, with an empty log.

    Raises:
        NotationError: The line is no position.
    """
    try:
        fields = dict(word.split("=", 1) for word in text.split())
        hands = [_parse_cards(hand) for hand in fields.pop("hands").split("|")]
        round_ = Round(variant, len(hands), bytes.fromhex(fields.pop("key", "00" * 32)), 0)
        for seat, hand in enumerate(hands):
            round_.set_hand(seat, hand)
        round_.pile = _parse_pile(fields.pop("pile"), len(hands))
        round_.kind = int(QuestionKind[fields.pop("kind", "over").upper()])
        round_.pending = int(PenaltyKind[fields.pop("pending", "nothing").upper()])
        for out in _parse_numbers(fields.pop("out", "")):
            round_.inside[out] = False
        round_.left = sum(round_.inside)
        _parse_shown(fields.pop("shown", ""), round_)
        for names, parse in _PARSERS:
            for name in names:
                if name in fields:
                    setattr(round_, name, parse(fields.pop(name)))
    except (KeyError, ValueError, TypeError) as error:
        raise NotationError(f"no position is written {text[:80]!r}: {error}") from error
    if fields:
        raise NotationError(f"no position is written {text[:80]!r}: unknown field {next(iter(fields))!r}")
    round_.top = round_.discard[-1] if round_.discard else NO_CARD
    round_.link()
    return round_


def _shown_text(round_: Round) -> str:
    """Return the hands that were shown, each as ``to:of:cards``."""
    hands = zip(range(round_.seats), round_.shown_of, round_.shown, strict=True)
    return "|".join(
        f"{seat}:{owner}:{_cards_text(cards)}" for seat, owner, cards in hands if owner != NO_SEAT
    )


def _parse_shown(text: str, round_: Round) -> None:
    """Show the hands of such a text."""
    for hand in text.split("|") if text else []:
        seat, owner, cards = hand.split(":")
        round_.show(int(seat), _parse_cards(cards), int(owner))


def _cards_text(cards: list[Card]) -> str:
    """Return cards separated by commas."""
    return ",".join([CARD_TEXTS[card] for card in cards])


def _parse_cards(text: str) -> list[Card]:
    """Return the cards of such a text."""
    return [parse_card(word) for word in text.split(",") if word]


def _pile_text(pile: Pile) -> str:
    """Return a pile by its streams."""
    pile.settle()
    streams = [_cards_text(stream[::-1]) for stream in pile.streams]
    tail = f"/{_cards_text(pile.tail)}" if pile.tail else ""
    return "|".join(streams) + tail


def _parse_pile(text: str, seats: int) -> Pile:
    """Return the pile of such a text."""
    body, _slash, tail = text.partition("/")
    streams = [_parse_cards(stream) for stream in body.split("|")]
    if len(streams) not in (1, seats):
        raise ValueError(f"a pile of {len(streams)} streams for {seats} seats")
    return pile_of([stream[::-1] for stream in streams], _parse_cards(tail))


def _colour_text(colour: int) -> str:
    """Return a colour, or ``-`` for none."""
    return "-" if colour == NO_COLOUR else COLOUR_LETTERS[colour]


def _numbers_text(numbers: list[int]) -> str:
    """Return numbers separated by commas."""
    return ",".join(map(str, numbers))


def _parse_numbers(text: str) -> list[int]:
    """Return the numbers of such a text."""
    return [int(word) for word in text.split(",") if word]


_FORMS: Final[tuple[tuple[tuple[str, ...], Any], ...]] = (
    (_CARD_LISTS, _cards_text),
    (_COLOURS, _colour_text),
    (_NUMBERS, str),
    (_CARDS, CARD_TEXTS.__getitem__),
    (_SWITCHES, "{:d}".format),
    (_NUMBER_LISTS, _numbers_text),
)
_PARSERS: Final[tuple[tuple[tuple[str, ...], Any], ...]] = (
    (_CARD_LISTS, _parse_cards),
    (_COLOURS, parse_colour),
    (_NUMBERS, int),
    (_CARDS, parse_card),
    (_SWITCHES, "1".__eq__),
    (_NUMBER_LISTS, _parse_numbers),
)
