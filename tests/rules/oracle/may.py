"""What is allowed: every list of legal moves of the sheet, with the bluffs among them."""

from tests.rules.oracle.faces import COLOURS, colour_of, face_of, in_order
from tests.rules.oracle.table import Table, others_from, top

Moves = tuple[list[str], list[str]]
"""The legal moves in canonical order, and those of them that are bluffs."""


def without(hand: list[str], card: str) -> list[str]:
    """Return the hand without one copy of the card."""
    rest = list(hand)
    rest.remove(card)
    return rest


def breaks_r32(t: Table, seat: int) -> bool:
    """Tell whether a +4 of this seat would be against R32 now, by the hand without it (R34)."""
    rest = without(t["hands"][seat], "W+4")
    rule = t["rules"]["wild_draw_four"]
    if rule == "always":
        return False
    if [card for card in rest if colour_of(card) == t["colour"]]:
        return True
    face = face_of(top(t))
    return rule == "no_colour_or_match" and face != "" and face in [face_of(card) for card in rest]


def acts_as_wild(t: Table, card: str) -> bool:
    """Tell whether the card is a plain wild or a blank that acts as one (R69)."""
    return card == "W" or (card == "BL" and t["rules"]["blank"] == "wild")


def is_playable(t: Table, seat: int, card: str) -> bool:
    """Tell whether the seat may play the card in a turn without breaking any rule."""
    if card == "W+4":
        return not breaks_r32(t, seat)
    if acts_as_wild(t, card):
        restricted = t["rules"]["wild_restriction"] == "no_colour"
        return not (restricted and t["colour"] in [colour_of(held) for held in t["hands"][seat]])
    if colour_of(card) == "":
        return True
    if colour_of(card) == t["colour"]:
        return True
    if t["rules"]["action_match"] == "colour_only" and face_of(card) in ("S", "R", "+2"):
        return False
    return face_of(card) == face_of(top(t))


def is_bluff(t: Table, seat: int, card: str) -> bool:
    """Tell whether the card is a +4 that breaks R32 but may be laid (R33)."""
    return card == "W+4" and t["rules"]["challenge"] == "on" and breaks_r32(t, seat)


def names_colour(card: str) -> bool:
    """Tell whether the player of the card names a colour."""
    return colour_of(card) == ""


def ways(t: Table, seat: int, card: str) -> list[str]:
    """Return the texts of playing the card: one for each colour or seat that can be named with it."""
    if names_colour(card):
        # Where the colour goes round nobody names one, so there is one way.
        circle = t["rules"]["wild_colour"] == "circle"
        return [card] if circle else [f"{card}:{colour}" for colour in COLOURS]
    if len(t["hands"][seat]) == 1:
        return [card]
    to_seats = [f"{card}:{other}" for other in others_from(t, seat)]
    if face_of(card) == "7" and t["rules"]["seven"] == "swap":
        return to_seats
    if face_of(card) == "5" and t["rules"]["five"] == "exchange":
        return [card, *to_seats]
    return [card]


def plays(t: Table, seat: int, cards: list[str]) -> Moves:
    """Return the ways to play those of the cards that are playable or a bluff."""
    good = [card for card in cards if is_playable(t, seat, card)]
    bad = [card for card in cards if is_bluff(t, seat, card)]
    moves = [way for card in good + bad for way in ways(t, seat, card)]
    return in_order(moves), in_order([way for card in bad for way in ways(t, seat, card)])


def turn_moves(t: Table, seat: int) -> Moves:
    """A turn: play a card, or draw (R20-R23)."""
    hand = t["hands"][seat]
    moves, bluffs = plays(t, seat, hand)
    stuck = not [card for card in hand if is_playable(t, seat, card)]
    if stuck or t["rules"]["voluntary_draw"] == "allowed":
        moves = [*moves, "draw"]
    return in_order(moves), bluffs


def drawn_moves(t: Table, seat: int, card: str) -> Moves:
    """After drawing: only the drawn card may be played (R24, R25)."""
    moves, bluffs = plays(t, seat, [card])
    if not (t["rules"]["drawn_card"] == "forced" and is_playable(t, seat, card)):
        moves = [*moves, "keep"]
    return in_order(moves), bluffs


def answer_moves(t: Table) -> Moves:
    """A pending effect: accept, challenge, or answer with a card (R33, R40-R45)."""
    rules, pending = t["rules"], t["pending"]
    victim, kind = pending["victim"], pending["kind"]
    hand = t["hands"][victim]
    moves, bluffs = ["accept"], []
    if pending["challengeable"]:
        moves.append("challenge")
    for card in hand:
        face, colour = face_of(card), colour_of(card)
        if kind == "+2" and face == "+2" and rules["draw_two_answer"] != "none":
            moves.append(card)
        if kind == "+4" and rules["draw_four_answer"] == "deflect" and card == t["colour"] + "+2":
            moves.append(card)
        if kind == "+4" and rules["draw_four_answer"] == "stack" and card == "W+4":
            more, lies = plays(t, victim, [card])
            moves, bluffs = moves + more, lies
        if kind == "skip" and rules["skip_answer"] == "identical" and card == pending["card"] and face == "S":
            moves.append(card)
        back = {"off": [], "draws": ["+2", "+4", "+10"], "all": ["+2", "+4", "+10", "skip"]}
        sends_back = kind in back[rules["reverse_answer"]] and pending["source"] in t["ring"]
        if sends_back and face == "R" and colour == t["colour"]:
            moves.append(card)
    return in_order(moves), bluffs


def jump_moves(t: Table, seat: int) -> Moves:
    """Out of turn: the card identical to the top card (R60)."""
    card = top(t)
    return in_order([*("jump " + way for way in ways(t, seat, card)), "no"]), []


def may_jump(t: Table, seat: int) -> bool:
    """Tell whether the seat holds the identical card, and the top card is one that can be jumped on (R60)."""
    card = top(t)
    plain = colour_of(card) != "" or card == "W"
    return t["rules"]["jump_in"] == "on" and plain and card in t["hands"][seat]
