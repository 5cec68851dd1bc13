"""Tables set up by hand, told in the texts of the game."""

from arena.rules import Round, Ruleset, Variant, format_event, format_move, parse_move
from arena.rules.events import unpack_event
from arena.rules.position import parse_position
from arena.rules.presets import ruleset_of

PILE = "R1,G1,B1,Y1,R2,G2,B2,Y2,R3,G3,B3,Y3"
"""A draw pile of harmless cards, taken from the top by whoever draws."""


def ruleset(base: str = "mattel", **options: object) -> Ruleset:
    """Return a preset with some options changed."""
    return ruleset_of({"base": base, **options})


def position(text: str, rules: Ruleset | None = None) -> Round:
    """Return the round that a position describes."""
    return parse_position(text, Variant(rules or ruleset()))


def turn(hands: str, top: str, rules: Ruleset | None = None, more: str = "", pile: str = PILE) -> Round:
    """Return a round in which seat 0 is to play on a top card, e.g. ``B5``, or ``W:B`` with its colour."""
    card, _colon, colour = top.partition(":")
    start = f"hands={hands} discard={card} colour={colour or card[0]} pile={pile}"
    return position(f"{start} kind=turn seat=0 player=0 turns=1 {more}", rules)


def legal(round_: Round) -> list[str]:
    """Return the legal moves as texts."""
    return [format_move(move) for move in round_.legal_moves()]


def bluffs(round_: Round) -> list[str]:
    """Return the legal moves that are bluffs as texts."""
    return [legal(round_)[index] for index in round_.bluffs()]


def do(round_: Round, *moves: str) -> None:
    """Do some moves; ``!`` behind a move is the UNO flag."""
    for move in moves:
        round_.apply(parse_move(move.removesuffix("!")), uno=move.endswith("!"))


def news(round_: Round) -> list[str]:
    """Return what everybody learned, as texts."""
    return [format_event(unpack_event(event)) for event in round_.log]


def hand(round_: Round, seat: int) -> str:
    """Return a hand as text."""
    return format_hand(round_.hand(seat))


def format_hand(cards: list[int]) -> str:
    """Return cards separated by blanks."""
    return " ".join(format_move(1 << 13 | (card + 1) << 7) for card in cards)
